"""Ranges of offsets in a text: whether one holds an offset, and the text without them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from niah.judges.rubric.elements.mention import Mention

TextRange = tuple[int, int]
"""Begin and end, end exclusive."""

_NOT_A_BREAK = re.compile(r"[^\n]")
SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)|[;\n]")


class Spans:
    """Ranges that may overlap, in any order."""

    def __init__(self, ranges: Iterable[TextRange]) -> None:
        self.joined: list[TextRange] = []
        for start, end in sorted(ranges):
            if self.joined and start <= self.joined[-1][1]:
                self.joined[-1] = (self.joined[-1][0], max(end, self.joined[-1][1]))
            elif start < end:
                self.joined.append((start, end))
        self._starts = [start for start, _ in self.joined]

    def __contains__(self, offset: int) -> bool:
        place = bisect_right(self._starts, offset) - 1
        return place >= 0 and offset < self.joined[place][1]

    def cover(self, start: int, end: int) -> bool:
        """Whether they hold everything from ``start`` to ``end``."""
        place = bisect_right(self._starts, start) - 1
        return place >= 0 and end <= self.joined[place][1]


def mentions_inside(mentions: Sequence[Mention], span: TextRange) -> Sequence[Mention]:
    """Those of the mentions, given in reading order, that begin in a span."""
    first, end = (bisect_left(mentions, offset, key=lambda mention: mention.start) for offset in span)
    return mentions[first:end]


def mentions_in_any(mentions: Iterable[Mention], ranges: Iterable[TextRange]) -> Iterator[Mention]:
    """Those of the mentions that begin in one of the ranges."""
    spans = Spans(ranges)
    return (mention for mention in mentions if mention.start in spans) if spans.joined else iter(())


def sentence_around(text: str, mention: Mention) -> TextRange:
    """Where the sentence stands that has a mention; its sign at the end belongs to it."""
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    start = max((end for end in ends if end <= mention.start), default=0)
    return start, min((end for end in ends if end >= mention.end), default=len(text))


def without_spans(text: str, ranges: Collection[TextRange]) -> str:
    """The text with spaces for what stands in the ranges; line breaks and every place stay as they are."""
    if not ranges:
        return text
    pieces, kept = [], 0
    for start, end in Spans(ranges).joined:
        pieces += [text[kept:start], _NOT_A_BREAK.sub(" ", text[start:end])]
        kept = end
    return "".join((*pieces, text[kept:]))
