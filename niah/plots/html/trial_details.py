"""What is shown of a sample: where its needles stand, and the passages worth reading, cut to size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from niah.cases.context import Placed
from niah.cases.sample import Sample
from niah.cases.samples import rebuild
from niah.errors import UserError
from niah.runs.trial import Span
from niah.text.tokenizers.hub import nothing_fetched

PartKind = Literal["plain", "needle", "distractor", "gap"]

SHOWN_CHUNKS = 8
"""Best chunks that are shown of a trial, beside all that hold some of a needle."""

_LONGEST_MARK = 900


@dataclass(frozen=True)
class ExcerptLimits:
    """How much text is kept, in characters.

    Attributes:
        around: on either side of a needle.
        plain: of a chunk without any needle.
    """

    around: int
    plain: int


EXCERPT_LIMITS = (
    ExcerptLimits(200, 600),
    ExcerptLimits(140, 240),
    ExcerptLimits(80, 120),
    ExcerptLimits(40, 60),
    ExcerptLimits(20, 0),
)
"""From generous to scarce; a report takes the first that its size allows."""


@dataclass(frozen=True)
class TextPart:
    """A stretch of text of one kind.

    Attributes:
        kind: "gap" stands for text that was left out.
        text: verbatim; of a gap, "".
        id: of the needle or distractor.
        omitted: characters that a gap leaves out.
    """

    kind: PartKind
    text: str = ""
    id: str = ""
    omitted: int = 0


@dataclass(frozen=True)
class SampleView:
    """A sample for people: what the run file says of it, and passages of its context, if that can be rebuilt.

    Attributes:
        needles, distractors: with their spans, in the order of the text.
        tokens: of the context.
        missing: why there is no text; "" where there is.
        chars: length of the text; None where it is missing.
        around: the needles with what stands around them; the beginning where nobody knows the needles.
        chunks: by span: what a retriever returned.
    """

    needles: tuple[Placed, ...]
    distractors: tuple[Placed, ...]
    tokens: int
    missing: str = ""
    chars: int | None = None
    around: tuple[TextPart, ...] = ()
    chunks: Mapping[Span, tuple[TextPart, ...]] = field(default_factory=dict)

    @cached_property
    def chunk_places(self) -> Mapping[Span, int]:
        """The place of each of ``chunks`` among them."""
        return {span: place for place, span in enumerate(self.chunks)}


def view_sample(sample: Sample, spans: Iterable[Sequence[Span]], room: ExcerptLimits) -> SampleView:
    """What is shown of a sample, with those of the retrieved ``spans`` that are worth showing.

    Args:
        sample: of the run.
        spans: for every trial of the sample, its retrieved chunks, best first.
        room: how much text is kept.
    """
    try:
        with nothing_fetched():
            text = rebuild(sample).text
    except UserError as error:
        return SampleView(sample.needles, sample.distractors, sample.tokens, missing=error.message)
    marks = _marks(sample)
    whole = (0, len(text))
    shown = dict.fromkeys(span for best in spans for span in worth_showing(best, sample.needles))
    return SampleView(
        sample.needles,
        sample.distractors,
        sample.tokens,
        chars=len(text),
        around=_cut(text, whole, _near(sample.needles, room.around) or [(0, room.plain)], marks),
        chunks={span: excerpt(text, span, marks, room) for span in shown},
    )


def worth_showing(best: Sequence[Span], needles: Sequence[Placed]) -> list[Span]:
    """The first few of the chunks, and every further one that holds some of a needle; best first."""
    return [span for rank, span in enumerate(best) if rank < SHOWN_CHUNKS or _touches(span, needles)]


def excerpt(
    text: str, span: Span, marks: Sequence[tuple[PartKind, Placed]], room: ExcerptLimits
) -> tuple[TextPart, ...]:
    """A chunk cut to what stands around its needles and distractors, or to its beginning."""
    start, end = span
    inside = [placed for _, placed in marks if _touches(span, [placed])]
    kept = _near(inside, room.around) or [(start, min(end, start + room.plain))]
    return _cut(text, span, kept, marks)


def _marks(sample: Sample) -> list[tuple[PartKind, Placed]]:
    needles: list[tuple[PartKind, Placed]] = [("needle", placed) for placed in sample.needles]
    distractors: list[tuple[PartKind, Placed]] = [("distractor", placed) for placed in sample.distractors]
    return sorted(needles + distractors, key=lambda mark: mark[1].start)


def _touches(span: Span, placed: Sequence[Placed]) -> bool:
    start, end = span
    # A plain loop: a large report asks this a million times.
    for one in placed:  # noqa: SIM110
        if start < one.end and one.start < end:
            return True
    return False


def _near(placed: Sequence[Placed], around: int) -> list[Span]:
    return [(one.start - around, one.end + around) for one in placed]


def _cut(
    text: str, within: Span, kept: Sequence[Span], marks: Sequence[tuple[PartKind, Placed]]
) -> tuple[TextPart, ...]:
    """The ``kept`` stretches of ``within``, their marks, and gaps for the rest."""
    start, end = within
    parts: list[TextPart] = []
    at = start
    for first, last in _merged(kept, within):
        if first > at:
            parts.append(TextPart("gap", omitted=first - at))
        parts += _marked(text, (first, last), marks)
        at = last
    if at < end:
        parts.append(TextPart("gap", omitted=end - at))
    return tuple(parts)


def _merged(spans: Sequence[Span], within: Span) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted((max(start, within[0]), min(end, within[1])) for start, end in spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


def _marked(text: str, span: Span, marks: Sequence[tuple[PartKind, Placed]]) -> list[TextPart]:
    at, end = span
    parts: list[TextPart] = []
    for kind, placed in marks:
        first, last = max(at, placed.start), min(end, placed.end)
        if first >= last:
            continue
        if first > at:
            parts.append(TextPart("plain", text[at:first]))
        parts += _shortened(kind, text[first:last], placed.id)
        at = last
    return [*parts, TextPart("plain", text[at:end])] if at < end else parts


def _shortened(kind: PartKind, text: str, id: str) -> list[TextPart]:
    """A needle of several paragraphs by its beginning."""
    if len(text) <= _LONGEST_MARK:
        return [TextPart(kind, text, id)]
    return [TextPart(kind, text[:_LONGEST_MARK], id), TextPart("gap", omitted=len(text) - _LONGEST_MARK)]
