"""Applies a strategy to a context: what goes in the context's place, and what is known of it.

Rules that the papers leave open, decided here:

* Chunks are taken in rank order, ties in document order. A fill (half, full, budget-N) stops at the first
  chunk that does not fit, as in DOS RAG, so every selection is the best k chunks for some k; skipping on to
  smaller ones would favour the short chunk at the context's end. The joined text, counted again, never
  exceeds the room.
* Chunks are taken whole: the last one is never trimmed, so a fill leaves up to one chunk's room free.
* The room of budget-N is N tokens, but at most L - P. top-K takes K chunks whatever their tokens: overlaps
  may bring it above L - P where the context is short.
* Where a context has fewer than K chunks, top-K takes all there are. That is no error: a sweep of lengths
  with one K (mixpr's 100) meets it at its short end, and so do the papers'. The facts show it: ``retrieved``
  is ``available``.
* Where one chunk could exceed the room (600 tokens, half of a 1k context), chunks are made to fit it.
* Where nobody knows which part of a context holds the answer, top-auto takes 5 chunks, as for 3 needles.
* A retriever of the user's own may leave chunks out: those are not retrieved, whatever room there is.
* Where what is read is larger than what was compared (``niah.strategies.expansion``), ranks, noise and the
  count of what was retrieved are of what is read; ``needle_split`` is of what was compared.
* Where the best sentences of what is retrieved are kept, all facts are of these: they are cut and scored anew
  by the same retriever, and fill their tokens as a budget does.
* A needle that several retrieved chunks hold together, following each other in the context, counts as
  retrieved, but has no rank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from niah.cases.context import Context, Placed
from niah.errors import Defect, StrategyError
from niah.retrieval.retriever import Offer, OfferingRetriever, Retriever, SeededRetriever
from niah.strategies.added import texts_of
from niah.strategies.axes.retrieval_plan import RetrievalPlan
from niah.strategies.chunkers import PASSAGES, SENTENCES, Chunker
from niah.strategies.expansion.best_sentences import within
from niah.strategies.expansion.chunk_range import pieces_read
from niah.strategies.facts import (
    RankedChunk,
    RetrievalFacts,
    Selection,
    chunks_of_texts,
    chunks_with_needles,
    facts_of_texts,
    join_neighbours,
    needles_held,
    retrieval_facts,
)
from niah.strategies.named import SelectionRequest
from niah.strategies.noise import with_noise
from niah.strategies.orders import ORDERS, ChunkOrder
from niah.strategies.strategy import Strategy
from niah.text.chunks import Chunk
from niah.text.tokenizer import Tokenizer, count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["RankedChunk", "RetrievalFacts", "Selection", "select"]


def select(
    strategy: Strategy,
    context: Context,
    question: str,
    tokenizer: Tokenizer,
    budget_tokens: int,
    retriever: Callable[[str], Retriever],
    *,
    seed: str = "",
    evidence_is_known: bool = True,
) -> Selection:
    """Apply a strategy.

    Args:
        strategy: as parsed.
        context: of a sample.
        question: the query.
        tokenizer: the sample's.
        budget_tokens: L - P, the room that a context has.
        retriever: gives the retriever of a name; asked only when the strategy has one.
        seed: of whatever is drawn by lot; the sample's id.
        evidence_is_known: whether the context's needles are all that holds the answer; without it, what is
            held against needles is None.

    Raises:
        StrategyError: an oracle or noise, where nobody knows the evidence.
        Defect: the retriever did not give one finite score for each chunk.
    """
    needles = context.needles if evidence_is_known else None
    if needles is None and strategy.needs_evidence:
        raise StrategyError(
            f"{strategy.name} needs to know which part of the text holds the answer.",
            "Give the question its evidence, or leave the strategy out.",
        )
    text = context.text
    if plan := strategy.retrieval:
        known = None if needles is None else len(needles)
        chosen = _retrieved(plan, text, question, tokenizer, budget_tokens, retriever, known, seed)
    elif strategy.added:
        request = SelectionRequest(question, text, budget_tokens, lambda made: count(tokenizer, made))
        return _made(*texts_of(strategy.added, request), text, tokenizer, needles)
    elif needles is not None and strategy.sends_needles:
        chosen = _of_needles(text, needles, tokenizer)
    else:
        return Selection(text, context.tokens) if strategy.sends_context else Selection("", 0)
    if needles is None or strategy.noise is None:
        return _selection(chosen, needles)
    return _selection(_with_noise(chosen, needles, strategy.noise, budget_tokens, seed), needles)


def _retrieved(
    plan: RetrievalPlan,
    text: str,
    question: str,
    tokenizer: Tokenizer,
    budget_tokens: int,
    retriever: Callable[[str], Retriever],
    known: int | None,
    seed: str,
) -> _Chosen:
    """What is retrieved; ``known`` is how many needles there are, where anybody knows."""
    chunks = plan.chunker_for(budget_tokens).chunks(text, tokenizer.starts(text))
    asked = retriever(plan.retriever)
    asked = asked.seeded(seed) if isinstance(asked, SeededRetriever) else asked
    offer = _offer(asked, question, text, chunks)
    scored = _Scored(text, chunks, offer.scores, _order(plan.order), tokenizer, plan.chunker)
    room = plan.scope.tokens_in(budget_tokens)
    if room is None:
        best = np.sort(scored.scores)[::-1][: offer.offered]
        ranking = scored.ranking[: min(offer.offered, max(0, plan.scope.chunks_for(known, best)))]
    else:
        ranking = _fill_room(scored, room, offer.offered)
    if plan.sentences is not None:
        scored, ranking = _best_sentences(
            scored, ranking, asked, question, min(plan.sentences, budget_tokens)
        )
    return _Chosen(scored, ranking, foreign=offer.foreign)


def _of_needles(text: str, needles: Sequence[Placed], tokenizer: Tokenizer) -> _Chosen:
    """The passages that hold needles, in document order."""
    chunks = PASSAGES.chunks(text, tokenizer.starts(text))
    held = chunks_with_needles(needles, chunks)
    scored = _Scored(text, chunks, held.astype(np.float64), _order("document"), tokenizer, PASSAGES)
    return _Chosen(scored, scored.ranking[: int(held.sum())])


def _with_noise(
    chosen: _Chosen, needles: Sequence[Placed], ratio: float, budget_tokens: int, seed: str
) -> _Chosen:
    """With so many more chunks, drawn by lot, that this share of all is noise, as far as there is room."""
    scored = chosen.scored
    mixed = with_noise(
        scored.ranking,
        chosen.ranking,
        chunks_with_needles(needles, scored.chunks),
        ratio,
        seed,
        fits=lambda ranking: scored.tokens(ranking) <= budget_tokens,
    )
    return replace(chosen, ranking=mixed, added=len(mixed) - len(chosen.ranking))


def _order(name: str) -> ChunkOrder:
    return ORDERS.find(name, "order")


def _offer(retriever: Retriever, question: str, text: str, chunks: Sequence[Chunk]) -> Offer:
    texts = [text[chunk.start : chunk.end] for chunk in chunks]
    if isinstance(retriever, OfferingRetriever):
        return retriever.offer(question, texts)
    scores = retriever.score(question, texts)
    if scores.shape != (len(chunks),):
        raise Defect(f"{retriever.name} gave scores of shape {scores.shape} for {len(chunks)} chunks")
    if not np.isfinite(scores).all():
        raise Defect(f"{retriever.name} gave a score that is not a finite number")
    return Offer(scores, len(chunks))


def _made(
    whole: str, texts: Sequence[str], context: str, tokenizer: Tokenizer, needles: Sequence[Placed] | None
) -> Selection:
    """What a package's strategy sends; what of it does not stand in the context is its own, and sent too."""
    chunks = tuple(
        RankedChunk(rank, 0.0, chunk, needles_held(needles or (), chunk))
        for rank, chunk in enumerate(chunks_of_texts(texts, context), start=1)
    )
    facts = replace(facts_of_texts(texts, context, needles), foreign=0)
    return Selection(whole, count(tokenizer, whole), chunks, facts)


@dataclass(frozen=True)
class _Scored:
    """A context's chunks with their scores, and how chosen ones are put together.

    A ranking is a list of chunks' indices, best first.
    """

    text: str
    chunks: Sequence[Chunk]
    scores: Floats
    order: ChunkOrder
    tokenizer: Tokenizer
    chunker: Chunker

    @cached_property
    def ranking(self) -> list[int]:
        """All chunks, ties in document order."""
        order: list[int] = np.argsort(-self.scores, kind="stable").tolist()
        return order

    def read(self, ranking: Sequence[int]) -> list[Chunk]:
        """What is read where these are retrieved, best first: the chunks, or what they are grown to."""
        expand = self.chunker.known.expand
        if expand is None:
            return [self.chunks[i] for i in ranking]
        return pieces_read(self.chunks, expand(self.chunks, ranking, self.chunker.size))

    def arranged(self, pieces: Sequence[Chunk]) -> list[Chunk]:
        """What is read, best first, in prompt order."""
        by_number = {piece.index: piece for piece in pieces}
        numbers = self.order.arrange([*by_number])
        if len(numbers) != len(by_number) or set(numbers) != set(by_number):
            problem = f"the order {self.order.name} gives other chunks than it got."
            raise StrategyError(problem, "Mend the package that has it.")
        return [by_number[number] for number in numbers]

    def joined(self, ranking: Sequence[int]) -> str:
        """What stands in the prompt where these are retrieved: pieces in prompt order, joined by blank lines.

        Where they keep their places, those that follow each other are joined as they stand in the text.
        """
        shown = self.arranged(self.read(ranking))
        spans = join_neighbours(shown) if self.order.keeps_places else [(c.start, c.end) for c in shown]
        return "\n\n".join(self.text[start:end] for start, end in spans)

    def tokens(self, ranking: Sequence[int]) -> int:
        """Tokens of what stands in the prompt."""
        return count(self.tokenizer, self.joined(ranking))


@dataclass(frozen=True)
class _Chosen:
    """The chunks that are sent.

    Attributes:
        scored: all chunks.
        ranking: the indices of those that are sent, best first.
        added: how many of them are noise.
        foreign: how many texts the retriever offered that stand nowhere in the context.
    """

    scored: _Scored
    ranking: Sequence[int]
    added: int = 0
    foreign: int = 0


def _fill_room(scored: _Scored, room: int, offered: int) -> list[int]:
    """The longest head of the offered ranking that fits: with one chunk more, it is over ``room``."""
    # Counting is exact but slow, so guess k from the chunks' mean size, and again from each count's error.
    sizes = [chunk.token_end - chunk.token_start for chunk in scored.chunks]
    mean = max(1.0, sum(sizes) / max(1, len(sizes)))
    fits, over, guess = 0, offered + 1, int(room / mean)
    while over - fits > 1:
        guess = min(max(guess, fits + 1), over - 1)
        spare = room - scored.tokens(scored.ranking[:guess])
        fits, over = (guess, over) if spare >= 0 else (fits, guess)
        guess += int(spare / mean)
    return scored.ranking[:fits]


def _best_sentences(
    scored: _Scored, retrieved: Sequence[int], retriever: Retriever, question: str, room: int
) -> tuple[_Scored, list[int]]:
    """The context's sentences with their scores, and those of what is retrieved that fit."""
    text = scored.text
    sentences = SENTENCES.chunks(text, scored.tokenizer.starts(text))
    inside = np.array(within(sentences, scored.read(retrieved)), dtype=np.bool_)
    offer = _offer(
        retriever, question, text, [one for one, is_in in zip(sentences, inside, strict=True) if is_in]
    )
    scores = np.full(len(sentences), -np.inf)
    scores[inside] = offer.scores
    kept = _Scored(text, sentences, scores, scored.order, scored.tokenizer, SENTENCES)
    return kept, _fill_room(kept, room, offer.offered)


def _selection(chosen: _Chosen, needles: Sequence[Placed] | None) -> Selection:
    scored, ranking = chosen.scored, chosen.ranking
    pieces = scored.read(ranking)
    ranks = {piece.index: rank for rank, piece in enumerate(pieces, start=1)}
    selected = scored.joined(ranking)
    facts = retrieval_facts(needles, scored.chunks, ranking)
    if scored.chunker.known.expand:
        of_pieces = retrieval_facts(needles, pieces, range(len(pieces)))
        facts = replace(of_pieces, available=facts.available, needle_split=facts.needle_split)
    return Selection(
        text=selected,
        context_tokens=count(scored.tokenizer, selected),
        chunks=tuple(
            RankedChunk(
                ranks[piece.index],
                float(scored.scores[piece.index : piece.last + 1].max()),
                piece,
                needles_held(needles or (), piece),
            )
            for piece in scored.arranged(pieces)
        ),
        facts=replace(facts, added=chosen.added, foreign=chosen.foreign),
    )
