"""A4 pages that fill from top to bottom with text and tables, in the figures' font."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from niah.plots.kit.lettering import wrapped
from niah.plots.kit.theme import INK, POINTS_PER_INCH, QUIET
from niah.plots.paper.table_layout import GAP, POINTS, TableLayout, broken, laid_out
from niah.plots.table_columns import Column

if TYPE_CHECKING:
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

WIDTH, HEIGHT, MARGIN = 8.27, 11.69, 0.7
ROOM, ROOM_ACROSS = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
_LEADING = 1.35
_ROW = POINTS / POINTS_PER_INCH * _LEADING
_RULE = 0.06


_Piece = tuple[float, str, str]
"""Inches from the margin, a text, and which end of it stands there."""

_Part = Sequence[tuple[Column, float]]


@dataclass
class Sheets:
    """Pages of one PDF; ``close`` writes the last one.

    Attributes:
        file: where finished pages go.
    """

    file: PdfPages
    _page: Figure | None = None
    _at: float = field(default=0.0)
    _across: bool = field(default=False)

    def text(self, text: str, points: float = 9.5, *, bold: bool = False, quiet: bool = False) -> None:
        """A paragraph, as wide as the page allows."""
        room = ROOM_ACROSS if self._across else ROOM
        for line in wrapped(text, points, room, bold=bold, orphans=True):
            self._line([(0.0, line, "left")], points, bold=bold, quiet=quiet)

    def space(self, inches: float = 0.12) -> None:
        """Nothing, unless the page is new."""
        if self._page is not None:
            self._at -= inches

    def keep(self, inches: float) -> None:
        """Start a new page where so much does not fit on this one."""
        if self._page is not None and self._at - inches < MARGIN:
            self.close()

    def table(self, columns: Sequence[Column], title: str = "") -> None:
        """A table with its heads on every page, below its title; on pages that lie where it is too wide."""
        layout = self._turned(columns)
        self.keep(1.2)
        if title:
            self.text(title, 12, bold=True)
        if layout.shared:
            self.text(layout.shared, POINTS, quiet=True)
        for place, part in enumerate(layout.parts):
            self.space(0.16 if place else 0.0)
            self.keep(0.8)
            self._part(part)

    @property
    def room(self) -> float:
        """Inches below what stands on the page that is being filled; none where it lies on its long side."""
        return self._at - MARGIN if self._page is not None and not self._across else 0.0

    def close(self) -> None:
        """Write the page that is being filled, if there is one; the next one stands upright."""
        if self._page is not None:
            self.file.savefig(self._page)
            self._page = None
        self._across = False

    def _turned(self, columns: Sequence[Column]) -> TableLayout:
        """The table's layout, on a page that is turned as it wants.

        A short one that could stand goes on the page that lies, where there is one with room for it.
        """
        layout = laid_out(columns, ROOM, ROOM_ACROSS)
        if self._across and not layout.across:
            lying = laid_out(columns, ROOM_ACROSS, ROOM_ACROSS)
            if _height(lying) < self._at - MARGIN:
                return lying
        if layout.across != self._across:
            self.close()
            self._across = layout.across
        return layout

    def _part(self, part: _Part) -> None:
        heads = list(zip(*_level([column.head.split(" ") for column, _ in part]), strict=True))
        self._heads(part, heads)
        for whole, cells in zip(_broken_rows(part), _broken_rows(_without_repeats(part)), strict=True):
            lines = list(zip_longest(*cells, fillvalue=""))
            if self._page is None or self._at - len(lines) * _ROW < MARGIN:
                across = self._across
                self.close()
                self._across = across
                self._heads(part, heads)
                lines = list(zip_longest(*whole, fillvalue=""))
            for line in lines:
                self._row(line, part)
        self.space(_RULE)

    def _heads(self, part: _Part, heads: Sequence[Sequence[str]]) -> None:
        """The heads, and a rule below them."""
        from matplotlib.lines import Line2D

        for line in heads:
            self._row(line, part, bold=True)
        self._at -= _RULE
        assert self._page is not None
        width, height = self._page.get_size_inches()
        wide = sum(each for _, each in part) + GAP * (len(part) - 1)
        ends = [MARGIN / width, (MARGIN + wide) / width]
        y = self._at / height
        self._page.add_artist(
            Line2D(ends, [y, y], color=QUIET, linewidth=0.5, transform=self._page.transFigure)
        )

    def _row(self, cells: Sequence[str], part: _Part, *, bold: bool = False) -> None:
        left = 0.0
        placed: list[_Piece] = []
        for text, (column, width) in zip(cells, part, strict=True):
            placed.append((left + width, text, "right") if column.numeric else (left, text, "left"))
            left += width + GAP
        self._line(placed, POINTS, bold=bold)

    def _line(
        self,
        pieces: Sequence[_Piece],
        points: float,
        *,
        bold: bool = False,
        quiet: bool = False,
    ) -> None:
        """Texts side by side."""
        from matplotlib.figure import Figure

        line_height = points / POINTS_PER_INCH * _LEADING
        if self._page is not None and self._at - line_height < MARGIN:
            across = self._across
            self.close()
            self._across = across
        width, height = (HEIGHT, WIDTH) if self._across else (WIDTH, HEIGHT)
        if self._page is None:
            self._page, self._at = Figure(figsize=(width, height)), height - MARGIN
        self._at -= line_height
        for x, text, end in pieces:
            if not text:
                continue
            self._page.text(
                (MARGIN + x) / width,
                self._at / height,
                text,
                ha=end,
                va="baseline",
                fontsize=points,
                fontweight="bold" if bold else "normal",
                color=QUIET if quiet else INK,
            )


def _level(heads: Sequence[Sequence[str]]) -> list[list[str]]:
    """Heads of as many lines as the highest, which all end in the last."""
    height = max(map(len, heads))
    return [[""] * (height - len(head)) + list(head) for head in heads]


def _height(layout: TableLayout) -> float:
    """Inches that a table takes, with its title and heads."""
    parts = map(_without_repeats, layout.parts)
    return sum(1.2 + _ROW * sum(max(map(len, row)) for row in _broken_rows(part)) for part in parts)


def _without_repeats(part: _Part) -> _Part:
    """The columns with the first ones, which name the rows, empty where they say what the row above does."""
    told, alike = [], [False, *[True] * (len(part[0][0].cells) - 1)]
    for column, width in part:
        above = [None, *column.cells[:-1]]
        same = [cell == before for cell, before in zip(column.cells, above, strict=True)]
        alike = [column.names and both for both in map(all, zip(alike, same, strict=True))]
        cells = tuple("" if left_out else cell for cell, left_out in zip(column.cells, alike, strict=True))
        told.append((replace(column, cells=cells), width))
    return told


def _broken_rows(part: _Part) -> Iterator[list[list[str]]]:
    """The lines of each cell, row by row."""
    for row in zip(*(column.cells for column, _ in part), strict=True):
        yield [broken(text, width) for text, (_, width) in zip(row, part, strict=True)]
