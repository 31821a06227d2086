"""How an answer is laid out: lines, headings, bullets, table cells, and what is in bold or in a box."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

from niah.judges.rubric.normalise import tidy
from niah.judges.rubric.reading.spans import TextRange

LineKind = Literal["text", "heading", "label", "bullet", "row", "rule", "blank"]
"""A label is a line that ends in a colon, or a bullet that does: it leads in what follows."""

# For private use, so no text has them: they mark places while an answer is tidied, then go.
_BAR, _STRONG, _BOX = "\ue000", "\ue001", "\ue002"
_MARKS = re.compile(f"[{_BAR}{_STRONG}{_BOX}]")
_BOXED = r"\\boxed\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_STRUCTURE = re.compile(rf"\*\*|__|\||{_BOXED}|</?(?:b|strong)>", re.IGNORECASE)

_HEADING = re.compile(r"[ \t]*(#{1,6})[ \t]+\S")
_BOLD_LINE = re.compile(r"[ \t]*(?:\*\*|__)(?:(?!\*\*|__).)+(?:\*\*|__)[ \t]*:?[ \t]*\Z")
_BULLET = re.compile(r"[ \t]*(?:>[ \t]*)?(?:[-*+•·–▪◦‣]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+\S")
_ROW = re.compile(r"[ \t]*\|.*\||[^|]+\|[^|]+\|")
_RULE = re.compile(r"[ \t|:*_=+-]{3,}")
_LABEL = re.compile(r"[:：][ \t*_]*\Z")
_PLAIN_LINE = re.compile(r"[^\W\d_]{2}[^|*_:：\n]*")
"""Most lines: plain text, as any way of telling kinds would say."""
_BELOW_ALL = 7


class AnswerLine(NamedTuple):
    """One line of an answer.

    Attributes:
        kind: what its marks say that it is.
        start, end: offsets in the tidied text, its line break left out.
        level: of a heading, from 1; of everything else, more than any heading has, deeper with its indent.
        cells: of a table's row, the offsets of each cell.
    """

    kind: LineKind
    start: int
    end: int
    level: int
    cells: tuple[TextRange, ...] = ()


@dataclass(frozen=True)
class Layout:
    """The lines of a tidied answer, in reading order, and the spans that it sets in bold or in a box."""

    lines: tuple[AnswerLine, ...]
    bold: tuple[TextRange, ...] = ()
    boxed: tuple[TextRange, ...] = ()

    @cached_property
    def _starts(self) -> list[int]:
        return [line.start for line in self.lines]

    def line_at(self, offset: int) -> int:
        """The number of the line that an offset stands in."""
        return max(0, bisect_right(self._starts, offset) - 1)

    @cached_property
    def lists(self) -> tuple[TextRange, ...]:
        """Where bullets or rows stand together."""
        lists: list[TextRange] = []
        going_on = False
        for line in self.lines:
            if line.kind in ("bullet", "row"):
                start = lists.pop()[0] if going_on else line.start
                lists.append((start, line.end))
                going_on = True
            elif line.kind not in ("blank", "rule"):
                going_on = False
        return tuple(lists)

    def paragraph_below(self, number: int) -> int:
        """The last line of the paragraph that a line goes on with, or leads in; a heading leads in none."""
        first = self._filled_below[number]
        if first is None or self.lines[first].kind == "heading":
            return number
        return self._paragraph_ends[first]

    @cached_property
    def _filled_below(self) -> list[int | None]:
        filled: list[int | None] = []
        below: int | None = None
        for number in range(len(self.lines) - 1, -1, -1):
            filled.append(below)
            below = below if self.lines[number].kind == "blank" else number
        return filled[::-1]

    @cached_property
    def _paragraph_ends(self) -> list[int]:
        ends: list[int] = []
        for number in range(len(self.lines) - 1, -1, -1):
            last = number + 1 == len(self.lines) or self.lines[number + 1].kind in (
                "blank",
                "rule",
                "heading",
            )
            ends.append(number if last else ends[-1])
        return ends[::-1]

    def tables(self) -> list[list[AnswerLine]]:
        """The rows of each table, its rule left out."""
        tables: list[list[AnswerLine]] = []
        open_table = False
        for line in self.lines:
            if line.kind == "row":
                if not open_table:
                    tables.append([])
                tables[-1].append(line)
            open_table = line.kind == "row" or (open_table and line.kind == "rule")
        return [rows for rows in tables if len(rows) > 1]

    def branch_below(self, number: int) -> TextRange:
        """Where the deeper lines stand that follow a bullet; empty where none do."""
        lead = self.lines[number]
        end = lead.end
        for line in self.lines[number + 1 :]:
            if line.kind not in ("bullet", "text", "label") or line.level <= lead.level:
                break
            end = line.end
        return lead.end, end

    def block_below(self, number: int) -> TextRange:
        """Where the block stands that a heading or label leads in: up to the next of its rank.

        The block of a label ends with the paragraph, or with the list that begins below it.
        """
        lead = self.lines[number]
        end = lead.end
        paragraph, bulleted = False, False
        for line in self.lines[number + 1 :]:
            if line.kind == "heading" and line.level <= lead.level:
                break
            if lead.kind != "heading":
                if line.kind == "heading" or (
                    line.kind == "label" and line.level <= lead.level and paragraph
                ):
                    break
                if line.kind == "blank" and paragraph and not bulleted:
                    break
                if bulleted and line.kind in ("text", "label") and line.level <= lead.level:
                    break
                paragraph = paragraph or line.kind != "blank"
                bulleted = bulleted or line.kind in ("bullet", "row")
            end = line.end
        return lead.end, end


@lru_cache(maxsize=2)
def read_layout(answer: str, tidied: str) -> Layout:
    """The layout of ``answer``, with offsets in ``tidied``.

    Where tidying moved lines, or would have read the marks otherwise, plain lines are all that is known.

    Args:
        answer: as the reader gave it, without reasoning.
        tidied: the same, tidied (see ``niah.judges.rubric.normalise.tidy``).
    """
    texts, raw = tidied.split("\n"), answer.split("\n")
    starts = [0, *accumulate(len(text) + 1 for text in texts)]
    if len(texts) != len(raw):
        raw = texts
    bars, bold, boxed = _marked_places(answer, tidied)
    lines = []
    for number, (text, line) in enumerate(zip(texts, raw, strict=True)):
        start, end = starts[number], starts[number] + len(text)
        if _PLAIN_LINE.fullmatch(line):
            lines.append(AnswerLine("text", start, end, _BELOW_ALL + 1))
            continue
        kind = _kind(line)
        cells = _cells(bars, start, end) if kind == "row" else ()
        if kind == "row" and len(cells) < 2:
            kind, cells = "text", ()
        lines.append(AnswerLine(kind, start, end, _level(line, kind), cells))
    return Layout(tuple(lines), _pairs(bold), _pairs(boxed))


def _marked_places(answer: str, tidied: str) -> tuple[list[int], list[int], list[int]]:
    """Offsets in ``tidied`` of bars, of the borders of bold text, and of boxes."""
    places: dict[str, list[int]] = {_BAR: [], _STRONG: [], _BOX: []}
    if not _STRUCTURE.search(answer) or _MARKS.search(answer):
        return places[_BAR], places[_STRONG], places[_BOX]
    lines = (line if _RULE.fullmatch(line) else _STRUCTURE.sub(_mark, line) for line in answer.split("\n"))
    marked = tidy("\n".join(lines))
    if _MARKS.sub("", marked) == tidied:
        for count, mark in enumerate(_MARKS.finditer(marked)):
            places[mark[0]].append(mark.start() - count)
    return places[_BAR], places[_STRONG], places[_BOX]


def _mark(match: re.Match[str]) -> str:
    if match[0] == "|":
        return _BAR + match[0]
    return f"{_BOX}{match[0]}{_BOX}" if match[0].startswith("\\") else _STRONG + match[0]


def _pairs(borders: list[int]) -> tuple[TextRange, ...]:
    return tuple((start, end) for start, end in zip(borders[::2], borders[1::2], strict=False) if start < end)


def _kind(line: str) -> LineKind:
    if not line.strip():
        return "blank"
    if _RULE.fullmatch(line):
        return "rule"
    if _HEADING.match(line) or _BOLD_LINE.match(line):
        return "heading"
    if _ROW.match(line):
        return "row"
    if _LABEL.search(line):
        return "label"
    return "bullet" if _BULLET.match(line) else "text"


def _level(line: str, kind: LineKind) -> int:
    heading = _HEADING.match(line)
    if heading:
        return len(heading[1])
    if kind == "heading":
        return _BELOW_ALL
    indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
    return _BELOW_ALL + 1 + indent + (1 if _BULLET.match(line) else 0)


def _cells(bars: list[int], start: int, end: int) -> tuple[TextRange, ...]:
    """The spans between the bars of a line; the bars stand as commas in the tidied text."""
    inside = bars[bisect_left(bars, start) : bisect_left(bars, end)]
    if not inside:
        return ()
    borders = [start - 1, *inside, end]
    cells = [(before + 1, after) for before, after in pairwise(borders)]
    first, last = cells[0], cells[-1]
    if first[0] >= first[1]:
        cells = cells[1:]
    if last[0] >= last[1]:
        cells = cells[:-1]
    return tuple(cells)
