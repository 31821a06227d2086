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
* A needle that several retrieved chunks hold together, following each other in the context, counts as
  retrieved, but has no rank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from niah.cases.context import Context
from niah.errors import Defect
from niah.retrieval.retriever import Retriever
from niah.strategies.arrange import arranged, filled, joined
from niah.strategies.facts import RetrievalFacts, held, retrieval_facts, touched
from niah.strategies.strategy import Chunker, Order, Retrieve, Scope, Strategy
from niah.text.chunks import Chunk, passages, sentences, windows
from niah.text.tokenizer import Tokenizer, count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["Ranked", "RetrievalFacts", "Selection", "select", "top_k"]

_ORACLE_CHUNKER = Chunker("passages", 100)

# A chunk counted on its own may take a few tokens more than where it stands.
_SLACK_TOKENS = 8


@dataclass(frozen=True)
class Ranked:
    """A retrieved chunk.

    Attributes:
        rank: from 1, by score; oracle ranks in document order.
        score: the retriever's; 1 for oracle.
        chunk: its span in the context.
        needles: ids of the needles it holds whole.
    """

    rank: int
    score: float
    chunk: Chunk
    needles: tuple[str, ...]


@dataclass(frozen=True)
class Selection:
    """What a strategy makes of a context.

    Attributes:
        text: what goes in the place of the context.
        context_tokens: tokens of ``text``.
        chunks: the retrieved chunks in prompt order; none for lc and closed-book.
        facts: None for lc and closed-book.
    """

    text: str
    context_tokens: int
    chunks: tuple[Ranked, ...] = ()
    facts: RetrievalFacts | None = None


def select(
    strategy: Strategy,
    context: Context,
    question: str,
    tokenizer: Tokenizer,
    budget_tokens: int,
    retriever: Callable[[str], Retriever],
) -> Selection:
    """Apply a strategy.

    Args:
        strategy: as parsed.
        context: of a case.
        question: the query.
        tokenizer: the case's.
        budget_tokens: L - P, the room that a context has.
        retriever: gives the retriever of a name; asked only when the strategy has one.

    Raises:
        Defect: the retriever did not give one finite score for each chunk.
    """
    plan = strategy.plan
    if isinstance(plan, Retrieve):
        room = _room(plan.scope, budget_tokens)
        chunks = _chunks(_fitted(plan.chunker, room), context.text, tokenizer)
        scores = _scores(retriever(plan.retriever), question, context.text, chunks)
        ranking = np.argsort(-scores, kind="stable").tolist()
        if room is None:
            ranking = ranking[: top_k(plan.scope, len(context.needles))]
        else:
            ranking = filled(context.text, chunks, ranking, plan.order, tokenizer, room)
        return _selection(context, chunks, ranking, scores, plan.order, tokenizer)
    if plan.kind == "oracle":
        chunks = _chunks(_ORACLE_CHUNKER, context.text, tokenizer)
        ranking = np.flatnonzero(touched(context.needles, chunks)).tolist()
        return _selection(context, chunks, ranking, np.ones(len(chunks)), "document", tokenizer)
    return Selection(context.text, context.tokens) if plan.kind == "lc" else Selection("", 0)


def top_k(scope: Scope, needles: int) -> int:
    """How many chunks a top-K or top-auto scope retrieves.

    u-niah, section 4.2, retrieves 5, 10 and 20 for 3, 7 and 15 needles; round(4k/3) + 1 goes through the
    first two and close by the third.
    """
    if scope.kind == "top":
        return scope.size
    return 20 if needles == 15 else round(4 * needles / 3) + 1


def _room(scope: Scope, budget_tokens: int) -> int | None:
    """Tokens to fill, or None where chunks are counted."""
    match scope.kind:
        case "half":
            return budget_tokens // 2
        case "full":
            return budget_tokens
        case "budget":
            return min(scope.size, budget_tokens)
        case "top" | "top-auto":
            return None


def _fitted(chunker: Chunker, room: int | None) -> Chunker:
    """The chunker, with chunks small enough for the room."""
    if room is None or chunker.kind == "sentences" or chunker.size <= room - _SLACK_TOKENS:
        return chunker
    size = max(1, room - _SLACK_TOKENS)
    return replace(chunker, size=size, overlap=chunker.overlap * size // chunker.size)


def _chunks(chunker: Chunker, text: str, tokenizer: Tokenizer) -> list[Chunk]:
    starts = tokenizer.starts(text)
    match chunker.kind:
        case "windows":
            return windows(text, starts, chunker.size, chunker.overlap)
        case "passages":
            return passages(text, starts, chunker.size)
        case "sentences":
            return sentences(text, starts, chunker.size)


def _scores(retriever: Retriever, question: str, text: str, chunks: Sequence[Chunk]) -> Floats:
    scores = retriever.score(question, [text[chunk.start : chunk.end] for chunk in chunks])
    if scores.shape != (len(chunks),):
        raise Defect(f"{retriever.name} gave scores of shape {scores.shape} for {len(chunks)} chunks")
    if not np.isfinite(scores).all():
        raise Defect(f"{retriever.name} gave a score that is not a finite number")
    return scores


def _selection(
    context: Context,
    chunks: Sequence[Chunk],
    ranking: Sequence[int],
    scores: Floats,
    order: Order,
    tokenizer: Tokenizer,
) -> Selection:
    ranks = {index: rank for rank, index in enumerate(ranking, start=1)}
    shown = arranged(chunks, ranking, order)
    text = joined(context.text, shown, order)
    return Selection(
        text=text,
        context_tokens=count(tokenizer, text),
        chunks=tuple(
            Ranked(ranks[chunk.index], float(scores[chunk.index]), chunk, held(context.needles, chunk))
            for chunk in shown
        ),
        facts=retrieval_facts(context.needles, chunks, ranking),
    )
