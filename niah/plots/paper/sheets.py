"""A4 pages that fill from top to bottom with text and tables, in the figures' font."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from niah.plots.kit.lettering import width_of, wrapped
from niah.plots.kit.theme import INK, POINTS_PER_INCH, QUIET

if TYPE_CHECKING:
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

WIDTH, HEIGHT, MARGIN = 8.27, 11.69, 0.7
ROOM = WIDTH - 2 * MARGIN
_LEADING = 1.35
_GAP = 0.16
_SIZES = (8.0, 7.0, 6.0, 5.0)
_LEAST_COLUMN = 0.5


_Piece = tuple[float, str, str]
"""Inches from the margin, a text, and which end of it stands there."""


@dataclass
class Sheets:
    """Pages of one PDF; ``close`` writes the last one.

    Attributes:
        file: where finished pages go.
    """

    file: PdfPages
    _page: Figure | None = None
    _at: float = field(default=0.0)

    def text(self, text: str, points: float = 9.5, *, bold: bool = False, quiet: bool = False) -> None:
        """A paragraph, as wide as the page allows."""
        for line in wrapped(text, points, ROOM, bold=bold):
            self._line([(0.0, line, "left")], points, bold=bold, quiet=quiet)

    def space(self, inches: float = 0.12) -> None:
        """Nothing, unless the page is new."""
        if self._page is not None:
            self._at -= inches

    def keep(self, inches: float) -> None:
        """Start a new page where so much does not fit on this one."""
        if self._page is not None and self._at - inches < MARGIN:
            self.close()

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> None:
        """A table with its heads on every page; set smaller, then with broken lines, where it is too wide."""
        widths, points = _column_widths(heads, rows)
        height = points / POINTS_PER_INCH * _LEADING

        def broken(row: Sequence[str], *, bold: bool = False) -> list[list[str]]:
            """The row's lines: a line of a cell for each column, "" where a cell has fewer."""
            cells = [wrapped(text, points, width, bold=bold) for text, width in zip(row, widths, strict=True)]
            return [list(line) for line in zip_longest(*cells, fillvalue="")]

        head = broken(heads, bold=True)
        for place, lines in enumerate([head, *map(broken, rows)]):
            if place and (self._page is None or self._at - len(lines) * height < MARGIN):
                self.close()
                for line in head:
                    self._row(line, widths, numeric, points, bold=True)
            for line in lines:
                self._row(line, widths, numeric, points, bold=place == 0)

    def close(self) -> None:
        """Write the page that is being filled, if there is one."""
        if self._page is not None:
            self.file.savefig(self._page)
            self._page = None

    def _row(
        self,
        cells: Sequence[str],
        widths: Sequence[float],
        numeric: Sequence[bool],
        points: float,
        *,
        bold: bool,
    ) -> None:
        left = 0.0
        placed: list[_Piece] = []
        for text, width, is_number in zip(cells, widths, numeric, strict=True):
            placed.append((left + width, text, "right") if is_number else (left, text, "left"))
            left += width + _GAP
        self._line(placed, points, bold=bold)

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

        height = points / POINTS_PER_INCH * _LEADING
        self.keep(height)
        if self._page is None:
            self._page, self._at = Figure(figsize=(WIDTH, HEIGHT)), HEIGHT - MARGIN
        self._at -= height
        for x, text, end in pieces:
            self._page.text(
                (MARGIN + x) / WIDTH,
                self._at / HEIGHT,
                text,
                ha=end,
                va="baseline",
                fontsize=points,
                fontweight="bold" if bold else "normal",
                color=QUIET if quiet else INK,
            )


def _column_widths(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[float], float]:
    """Inches of each column, and the type size; the widest give where even the smallest size does not fit."""
    room = ROOM - _GAP * (len(heads) - 1)
    for points in _SIZES:
        widths = [
            max(width_of(head, points, bold=True), *(width_of(text, points) for text in column), 0.1) + 0.02
            for head, *column in zip(heads, *rows, strict=True)
        ]
        if sum(widths) <= room:
            return widths, points
    least = min(_LEAST_COLUMN, room / len(heads))
    while sum(widths) > room and max(widths) > least:
        widest = widths.index(max(widths))
        widths[widest] = max(least, widths[widest] - max(0.1, sum(widths) - room) / 2)
    return widths, _SIZES[-1]
