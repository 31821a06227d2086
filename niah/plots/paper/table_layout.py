"""How wide a table's columns are on paper, in one size of type: no word is torn, and no number broken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from niah.plots.kit.lettering import width_of
from niah.plots.table_columns import Column, in_parts, key_count, shared_columns

POINTS = 8.0
"""The type size of all tables."""

GAP = 0.16
"""Inches between two columns."""

_LONG_PIECE, _LONGEST_PIECE = 1.2, 2.4
_SOFT, _HARD = re.compile(r"[^\s/]*/|\S+?(?=[\s/]|$)/?|\s+"), re.compile(r"[^-_.:,;]*[-_.:,;]|[^-_.:,;]+")
_SQUEEZED = 0.5
"""A column of names is as narrow as this share of its longest name before a page is turned."""


@dataclass(frozen=True)
class TableLayout:
    """A table as it stands on pages.

    Attributes:
        across: whether its pages lie on their long side.
        shared: what all rows have in common, if columns that say so are left out; else "".
        parts: columns that stand side by side, with their widths in inches; the first ones name the rows.
    """

    across: bool
    shared: str
    parts: tuple[tuple[tuple[Column, float], ...], ...]


def laid_out(columns: Sequence[Column], upright: float, across: float) -> TableLayout:
    """The first that does: upright; without what all rows share; with names in two lines; across; in parts.

    Names that stand in several rows on end are written once, so they are the first to be narrow.

    Args:
        columns: at least one.
        upright, across: inches of a page's room, as it stands and on its long side.
    """
    shared, rest = shared_columns(columns)
    rest = rest or list(columns)
    natural, squeezed = [list(map(width, rest)) for width in (_natural, _squeezed)]
    every = [_natural(column) for column in columns]
    if _fit(every, upright):
        return _whole(columns, every, "", across=False)
    if _fit(natural, upright):
        return _whole(rest, natural, shared, across=False)
    narrow = [_least(column) if _repeats(column) else _squeezed(column) for column in rest]
    # Room goes first to the columns of which every row has its own.
    wanted = [
        least if _repeats(column) else most for column, least, most in zip(rest, narrow, natural, strict=True)
    ]
    for lies, room in ((False, upright), (True, across)):
        if _fit(narrow, room):
            widths = _spread(_spread(narrow, wanted, room), natural, room)
            return _whole(rest, widths, shared, across=lies)
    least = [_least(column) for column in rest]
    if _fit(least, across):
        return _whole(rest, _spread(least, natural, across), shared, across=True)
    parts = in_parts(squeezed, key_count(rest), across, GAP)
    return TableLayout(True, shared, tuple(_part(rest, squeezed, natural, part, across) for part in parts))


def broken(text: str, inches: float, *, bold: bool = False) -> list[str]:
    """``text`` in lines no wider than ``inches``, broken after spaces and "/", and where it must in words."""
    lines = [""]
    for piece in _pieces(text, inches, bold):
        if width_of((lines[-1] + piece).rstrip(), POINTS, bold=bold) > inches and lines[-1]:
            lines.append("")
            piece = piece.lstrip()
        lines[-1] += piece
    return [line.strip() for line in lines]


def _pieces(text: str, inches: float, bold: bool = False) -> Iterator[str]:
    """What no line may break: parts of names between "/", and of longer ones between other signs."""
    for piece in _SOFT.findall(text):
        if width_of(piece, POINTS, bold=bold) <= inches:
            yield piece
            continue
        for part in _HARD.findall(piece):
            yield from [part] if width_of(part, POINTS, bold=bold) <= inches else _torn(part, inches, bold)


def _torn(word: str, inches: float, bold: bool) -> Iterator[str]:
    """A word that has no room on any line."""
    while word:
        end = len(word)
        while end > 1 and width_of(word[:end], POINTS, bold=bold) > inches:
            end -= 1
        yield word[:end]
        word = word[end:]


def _head(column: Column) -> float:
    """The head has a line for each word."""
    return max((width_of(word, POINTS, bold=True) for word in column.head.split(" ")), default=0.0)


def _natural(column: Column) -> float:
    return max(_head(column), *(width_of(cell, POINTS) for cell in column.cells), 0.1) + 0.02


def _squeezed(column: Column) -> float:
    """As narrow as names in two lines, and prose in a few, let it be."""
    return max(_least(column), min(_SQUEEZED * _natural(column), _LONGEST_PIECE))


def _repeats(column: Column) -> bool:
    """Whether it names rows, and half of them or more as the row above."""
    alike = sum(cell == above for above, cell in pairwise(column.cells))
    return column.names and 2 * alike >= len(column.cells)


def _least(column: Column) -> float:
    """As narrow as its longest piece, which no line may break."""
    if column.numeric:
        return _natural(column)
    pieces = [piece for cell in set(column.cells) for piece in _pieces(cell, _LONG_PIECE)]
    longest = max((width_of(piece.rstrip(), POINTS) for piece in pieces), default=0.1)
    return max(_head(column), longest) + 0.02


def _fit(widths: Sequence[float], room: float) -> bool:
    return sum(widths) + GAP * (len(widths) - 1) <= room


def _spread(least: Sequence[float], most: Sequence[float], room: float) -> list[float]:
    """The most that columns want, first those that want little beyond the least; the last share the rest."""
    widths = list(least)
    spare = room - GAP * (len(least) - 1) - sum(least)
    wanting = sorted(range(len(least)), key=lambda place: most[place] - least[place])
    for done, place in enumerate(wanting):
        more = min(most[place] - least[place], spare / (len(wanting) - done))
        widths[place] += max(0.0, more)
        spare -= max(0.0, more)
    return widths


def _whole(columns: Sequence[Column], widths: Sequence[float], shared: str, *, across: bool) -> TableLayout:
    return TableLayout(across, shared, (tuple(zip(columns, widths, strict=True)),))


def _part(
    columns: Sequence[Column], least: Sequence[float], most: Sequence[float], part: Sequence[int], room: float
) -> tuple[tuple[Column, float], ...]:
    own = _spread([least[place] for place in part], [most[place] for place in part], room)
    return tuple((columns[place], width) for place, width in zip(part, own, strict=True))
