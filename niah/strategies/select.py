"""Applies a strategy to a context: what is sent in the context's place, and what is known of it.

Rules that the papers leave open, decided here:

* A fill (half, full, budget-N) stops at the first chunk that does not fit, as in DOS RAG. The joined text,
  counted again, never exceeds the room (L - P at most).
* Where what is read is larger than what was compared (``chunkers.Expand``), facts are of what is read, but
  ``needle_split`` of what was compared; where the best sentences are kept, all facts are of these.
* Noise (u-niah, section 3.3) is random chunks without a needle, distractors among them, drawn by the sample's
  id: the chunks of a smaller ratio are among those of a greater one.
* A needle that neighbouring retrieved chunks hold together counts as retrieved, but has no rank.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np

from niah.cases.case import Context, Placed
from niah.errors import Defect, UserError
from niah.retrieval.retriever import Ranking, Retriever, SeededRetriever, random_numbers, ranking_of
from niah.strategies.chunkers import PASSAGES, SENTENCES, Chunker
from niah.strategies.facts import Selection, chunks_with_needles, join_neighbours, ranked, retrieval_facts
from niah.strategies.parts import ORDERS, in_order
from niah.strategies.prepared.steps import Chosen
from niah.strategies.strategy import Strategy
from niah.text.chunks import Chunk
from niah.text.tokenizer import Tokenizer, count


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
    """What a strategy makes of a context that has the room ``budget_tokens`` (L - P). ``seed`` is of what is
    drawn at random; facts about needles are None unless all ``evidence_is_known``. Raises UserError for
    an oracle or noise without evidence, OutsideError where a chunker or order failed."""
    needles = context.needles if evidence_is_known else None
    if needles is None and strategy.needs_evidence:
        problem = f"{strategy.name} needs to know which part of the text holds the answer."
        raise UserError(problem, "Give the question its evidence, or leave the strategy out.")
    if needles is not None and strategy.sends_needles:
        # The passages that hold needles, in document order.
        chunks = PASSAGES.chunks(context.text, tokenizer.starts(context.text))
        held = chunks_with_needles(needles, chunks).astype(np.float64)
        ranking = Ranking(held, len(chunks))
        chosen = _Selected(context.text, tokenizer, "document", PASSAGES, chunks, ranking)
        chosen = replace(chosen, kept=chosen.best_first[: int(held.sum())])
    elif plan := strategy.retrieval:
        scorer = retriever(plan.retriever)
        scorer = scorer.seeded(seed) if isinstance(scorer, SeededRetriever) else scorer
        chunks = plan.chunker_for(budget_tokens).chunks(context.text, tokenizer.starts(context.text))
        ranking = _ranking(scorer, question, context.text, chunks)
        chosen = _Selected(context.text, tokenizer, plan.order, plan.chunker, chunks, ranking)
        if (filled := plan.scope.tokens_in(budget_tokens)) is not None:
            chosen = chosen.filling(filled)
        else:
            best = np.sort(ranking.scores)[::-1][: ranking.returned]
            known = None if needles is None else len(needles)
            number = min(ranking.returned, plan.scope.chunks_for(known, best))
            chosen = replace(chosen, kept=chosen.best_first[:number])
        if plan.sentences is not None:
            chosen = chosen.best_sentences(scorer, question, min(plan.sentences, budget_tokens))
    else:
        return Selection(context.text, context.tokens) if strategy.sends_context else Selection("", 0)
    if needles is not None and strategy.noise is not None:
        chosen = chosen.with_noise(needles, strategy.noise, budget_tokens, seed)
    return chosen.selection(needles)


def _ranking(retriever: Retriever, question: str, text: str, chunks: Sequence[Chunk]) -> Ranking:
    ranking = ranking_of(retriever, question, [text[chunk.start : chunk.end] for chunk in chunks])
    if ranking.scores.shape != (len(chunks),) or not np.isfinite(ranking.scores).all():
        raise Defect(f"{type(retriever).__name__} gave other than one finite score for each chunk")
    return ranking


@dataclass(frozen=True)
class _Selected:
    """A context's chunks with their ranking, and the numbers of those that are sent, best first."""

    text: str
    tokenizer: Tokenizer
    order: str
    chunker: Chunker
    chunks: Sequence[Chunk]
    ranking: Ranking
    kept: Sequence[int] = ()
    added: int = 0

    @cached_property
    def best_first(self) -> list[int]:
        """The numbers of all chunks, ties in document order."""
        order: list[int] = np.argsort(-self.ranking.scores, kind="stable").tolist()
        return order

    def filling(self, room: int) -> _Selected:
        """With the most of the best chunks returned that fit: one more is over ``room``."""
        # Counting is exact but slow, so guess from the chunks' mean size, and again from each count's error.
        sizes = [chunk.token_end - chunk.token_start for chunk in self.chunks]
        mean = max(1.0, sum(sizes) / max(1, len(sizes)))
        fits, over, guess = 0, self.ranking.returned + 1, int(room / mean)
        while over - fits > 1:
            guess = min(max(guess, fits + 1), over - 1)
            spare = room - count(self.tokenizer, self.joined(self.best_first[:guess]))
            fits, over = (guess, over) if spare >= 0 else (fits, guess)
            guess += int(spare / mean)
        return replace(self, kept=self.best_first[:fits])

    def best_sentences(self, retriever: Retriever, question: str, room: int) -> _Selected:
        """Of what is read, the best sentences that fit: cut and scored anew."""
        sentences = SENTENCES.chunks(self.text, self.tokenizer.starts(self.text))
        pieces = self.chunker.expanded(self.chunks, self.kept)
        read = join_neighbours(sorted(pieces, key=lambda chunk: chunk.index))
        inside = [i for i, s in enumerate(sentences) if any(a <= s.start and s.end <= b for a, b in read)]
        ranking = _ranking(retriever, question, self.text, [sentences[i] for i in inside])
        scores = np.full(len(sentences), -np.inf)
        scores[inside] = ranking.scores
        ranking = Ranking(scores, ranking.returned, self.ranking.foreign)
        return replace(self, chunker=SENTENCES, chunks=sentences, ranking=ranking).filling(room)

    def with_noise(self, needles: Sequence[Placed], ratio: float, room: int, seed: str) -> _Selected:
        """With random chunks until this share of all is noise, as far as there is room."""
        held, taken = chunks_with_needles(needles, self.chunks), set(self.kept)
        wanted = noise_to_add(len(taken), int(held[list(self.kept)].sum()), ratio)
        drawn = random_numbers(f"{seed}|noise", len(held)).argsort(kind="stable").tolist()
        noise = [i for i in drawn if not held[i] and i not in taken][:wanted]

        def mixed(number: int) -> list[int]:
            chosen = taken.union(noise[:number])
            return [i for i in self.best_first if i in chosen]

        def tokens(number: int) -> int:
            return count(self.tokenizer, self.joined(mixed(number)))

        fits = len(noise)
        if noise and tokens(fits) > room:
            fits = bisect_right(range(1, fits), room, key=tokens)
        return replace(self, kept=mixed(fits), added=fits)

    def arranged(self, kept: Sequence[int]) -> list[Chunk]:
        """What is read where these are retrieved, in prompt order."""
        by_number = {piece.index: piece for piece in self.chunker.expanded(self.chunks, kept)}
        return [by_number[number] for number in in_order(self.order, [*by_number])]

    def joined(self, kept: Sequence[int]) -> str:
        """What is sent where these are retrieved: pieces in prompt order, joined by blank lines."""
        shown, in_place = self.arranged(kept), ORDERS[self.order].keeps_places
        spans = join_neighbours(shown) if in_place else [(piece.start, piece.end) for piece in shown]
        return "\n\n".join(self.text[start:end] for start, end in spans)

    def selection(self, needles: Sequence[Placed] | None) -> Selection:
        """What is sent, and the facts of it."""
        pieces = self.chunker.expanded(self.chunks, self.kept)
        ranks = {piece.index: rank for rank, piece in enumerate(pieces, start=1)}
        facts = retrieval_facts(needles, self.chunks, self.kept)
        if self.chunker.known.expand:
            of_pieces = retrieval_facts(needles, pieces, range(len(pieces)))
            facts = replace(of_pieces, available=facts.available, needle_split=facts.needle_split)
        text = self.joined(self.kept)
        scores = self.ranking.scores
        chunks = tuple(
            ranked(ranks[each.index], float(scores[each.index :][: each.covers].max()), each, needles)
            for each in self.arranged(self.kept)
        )
        facts = replace(facts, added=self.added, foreign=self.ranking.foreign)
        return Selection(text, count(self.tokenizer, text), chunks, facts)


def noise_to_add(retrieved: int, with_needles: int, ratio: float) -> int:
    """The fewest chunks without a needle that make their share ``ratio`` or more; 0.7 is seven tenths."""
    return max(0, ceil(with_needles / (1 - Fraction(str(ratio)))) - retrieved)


def made_of_parts(
    chosen: Chosen, context: str, tokenizer: Tokenizer, needles: Sequence[Placed] | None
) -> Selection:
    """The parts joined, as they stand in the context where they follow each other there, and the facts of
    those that are the context's own words."""
    text, behind = "", -1
    for part in chosen.parts:
        follows = part.place and 0 <= behind <= part.place[0] and not context[behind : part.place[0]].strip()
        gap = context[behind : part.place[0]] if follows and part.place else "\n\n" if text else ""
        text += gap + part.text
        behind = part.place[1] if part.place else -1
    ranking = [*chosen.ranking, *(i for i in range(len(chosen.parts)) if i not in chosen.ranking)]
    places = [place for i in ranking if (place := chosen.parts[i].place)]
    # None stands next to another: what lies between them is not sent.
    chunks = [Chunk(2 * i, start, end, 0, 0) for i, (start, end) in enumerate(places)]
    facts = retrieval_facts(needles, chunks, range(len(chunks)))
    facts = replace(facts, available=max(chosen.available, len(chunks)), needle_split=None)
    return Selection(text, count(tokenizer, text), facts=facts)
