"""How retrieval did, known before any answer: needles against chunks, by their spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from niah.cases.case import Context, Placed
from niah.cases.sample import Sample
from niah.readers.reader import Answer
from niah.text.chunks import Chunk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_BEST = 32


@dataclass(frozen=True)
class RetrievalFacts:
    """What is stored of every trial that retrieves; the first four are None where no evidence is known."""

    completeness: float | None  # share of needles wholly in the retrieved chunks; 1 without needles
    needle_ranks: tuple[int | None, ...] | None  # the best rank of a chunk that holds each needle whole
    needle_split: tuple[bool, ...] | None  # whether chunk borders cut each: no chunk holds it whole
    noise_ratio: float | None  # retrieved chunks without any of a needle / retrieved (u-niah, section 3.3)
    retrieved: int  # chunks, those of noise too
    available: int  # chunks of the context
    best: tuple[tuple[int, int], ...] = ()  # the best 32 retrieved, as (start, end) in the context
    added: int = 0  # chunks of noise that was asked for
    foreign: int = 0  # chunks that the retriever gave and the context has not; they are not sent


@dataclass(frozen=True)
class RankedChunk:
    """A retrieved chunk: its rank from 1, score (of oracle 1, of noise 0), span, and ids of whole needles."""

    rank: int
    score: float
    chunk: Chunk
    needles: tuple[str, ...]


@dataclass(frozen=True)
class Selection:
    """What a strategy makes of a context: the text in its place, and the retrieved chunks in prompt order."""

    text: str
    context_tokens: int
    chunks: tuple[RankedChunk, ...] = ()
    facts: RetrievalFacts | None = None


def retrieval_facts(
    needles: Sequence[Placed] | None, chunks: Sequence[Chunk], ranking: Sequence[int]
) -> RetrievalFacts:
    """The facts of one selection; ``ranking`` has the numbers of the retrieved chunks, best first."""
    import numpy as np

    kept = [chunks[i] for i in ranking]
    best = tuple((chunk.start, chunk.end) for chunk in kept[:_MOST_BEST])
    if needles is None:
        return RetrievalFacts(None, None, None, None, len(kept), len(chunks), best)
    spans, (starts, ends) = _spans(map(_visible, needles)), _spans((c.start, c.end) for c in chunks).T
    holds = (starts <= spans[:, :1]) & (spans[:, 1:] <= ends)  # shape (needles, chunks)
    places = [np.flatnonzero(row) for row in holds[:, list(ranking)]]
    retrieved = join_neighbours(sorted(kept, key=lambda chunk: chunk.index))
    complete = sum(any(first <= start and end <= last for first, last in retrieved) for start, end in spans)
    noise = ~chunks_with_needles(needles, kept)
    return RetrievalFacts(
        completeness=complete / len(needles) if needles else 1.0,
        needle_ranks=tuple(int(each[0]) + 1 if len(each) else None for each in places),
        needle_split=tuple((~holds.any(axis=1)).tolist()),
        noise_ratio=float(noise.mean()) if len(noise) else None,
        retrieved=len(kept),
        available=len(chunks),
        best=best,
    )


@dataclass(frozen=True)
class ToolUse:
    """A call of a tool by a model that searches; places are (start, end) in the context."""

    asked: str  # one line
    problem: str = ""  # why nothing was done
    matches: int | None = None  # sentences, of a search
    found: tuple[tuple[int, int], ...] = ()  # where these are
    shown: tuple[tuple[int, int], ...] = ()  # what the model was shown, then or before


SEARCHES = ("never searched for it", "searched, not found", "found, not read")


def searches_for(needles: Sequence[Placed], uses: Sequence[ToolUse]) -> tuple[str, ...]:
    """Of each needle, one of ``SEARCHES``: found is what a search matches, or a read shows, some of it. A
    search that found another needle was for that one."""
    found = [span for use in uses for span in (*use.found, *use.shown)]
    some_was_in_vain = any(use.matches is not None and not use.found for use in uses)
    if_not_found = SEARCHES[1] if some_was_in_vain else SEARCHES[0]
    were_found = (any(_overlap(needle, at) for at in found) for needle in needles)
    return tuple(SEARCHES[2] if was_found else if_not_found for was_found in were_found)


def _overlap(needle: Placed, span: tuple[int, int]) -> bool:
    start, end = _visible(needle)
    return span[0] < end and start < span[1]


def at_needles(use: ToolUse, needles: Sequence[Placed]) -> ToolUse:
    """With what it found of needles alone: the rest may be the whole text."""
    found = (span for span in use.found if any(_overlap(needle, span) for needle in needles))
    return replace(use, found=tuple(found))


def system_question(sample: Sample) -> str:
    """What an application of the user's own is asked about a context: the question, and its options."""
    return "\n".join([sample.key.question, *sample.key.options])


def source_facts(answer: Answer, sample: Sample, context: Context) -> RetrievalFacts | None:
    """Where the chunks of such an application's answer stand in the context; None where it gave none."""
    if answer.sources is None:
        return None
    places = [_place(text, context.text) for text in answer.sources]
    # None stands next to another: what lies between them is not sent.
    chunks = [Chunk(2 * i, *span, 0, 0) for i, span in enumerate(dict.fromkeys(filter(None, places)))]
    needles = context.needles if sample.evidence_is_known else None
    facts = retrieval_facts(needles, chunks, range(len(chunks)))
    return replace(facts, needle_split=None, foreign=places.count(None))


def _place(text: str, context: str) -> tuple[int, int] | None:
    """Where a text stands first, whatever its white space; None where it does not."""
    words = text.split()
    if words and (start := context.find(text.strip())) >= 0:  # it may be the whole of a long document
        return start, start + len(text.strip())
    found = re.search(r"\s+".join(map(re.escape, words)), context) if words else None
    return found.span() if found else None


def join_neighbours(chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """Character spans of chunks in document order; those that follow each other make one."""
    spans: list[tuple[int, int]] = []
    following = -1
    for chunk in chunks:
        if chunk.index == following:
            spans[-1] = (spans[-1][0], chunk.end)
        else:
            spans.append((chunk.start, chunk.end))
        following = chunk.index + chunk.covers
    return spans


def ranked(rank: int, score: float, chunk: Chunk, needles: Sequence[Placed] | None) -> RankedChunk:
    """The chunk with the ids of the needles that it holds whole."""
    spans = [(needle.id, *_visible(needle)) for needle in needles or ()]
    held = (id for id, start, end in spans if chunk.start <= start and end <= chunk.end)
    return RankedChunk(rank, score, chunk, tuple(held))


def chunks_with_needles(needles: Sequence[Placed], chunks: Sequence[Chunk]) -> NDArray[np.bool_]:
    """Shape (chunks,): whether each holds some of a needle."""
    spans, (starts, ends) = _spans(map(_visible, needles)), _spans((c.start, c.end) for c in chunks).T
    some: NDArray[np.bool_] = ((starts < spans[:, 1:]) & (spans[:, :1] < ends)).any(axis=0)
    return some


def _spans(pairs: Iterable[tuple[int, int]]) -> NDArray[np.int64]:
    """Shape (pairs, 2)."""
    import numpy as np

    return np.array([*pairs], dtype=np.int64).reshape(-1, 2)


def _visible(needle: Placed) -> tuple[int, int]:
    """The needle's span without white space at its ends, which no chunk of sentences keeps."""
    return needle.end - len(needle.text.lstrip()), needle.start + len(needle.text.rstrip())
