"""Figures on A4 pages, one below the other in one size of type, among pages that are A4 already."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from niah.plots.kit.theme import POINTS_PER_INCH
from niah.plots.paper.sheets import HEIGHT, MARGIN, WIDTH

if TYPE_CHECKING:
    from pypdf import PageObject, PdfWriter

FIGURE_SCALE = 0.8
"""Of figures as they are drawn: 9 to 14 points become 7 to 11, beside a text of 8 to 12."""

FIGURE_WIDTH = (WIDTH - 2 * MARGIN) / FIGURE_SCALE
"""Inches that a figure is laid out for, so that it is as wide as the text."""

_GAP = 0.25
_TURNED = 0.75
"""A figure that is so much smaller on a page that stands has one that lies."""


@dataclass(frozen=True)
class _Paper:
    """A page as it lies."""

    width: float
    height: float

    def scale(self, width: float, height: float) -> float:
        """Of a figure that keeps its type's size, if it has room."""
        across, down = self.width - 2 * MARGIN, self.height - 2 * MARGIN
        return min(FIGURE_SCALE, across / width, down / height)


_UPRIGHT, _ACROSS = _Paper(WIDTH, HEIGHT), _Paper(HEIGHT, WIDTH)


def stacked(content: bytes, figures: Iterable[int], title: str, creator: str, room: float = 0.0) -> bytes:
    """The PDF ``content`` with the pages ``figures``, which are as large as what is on them, put on A4 pages.

    Args:
        content: of a PDF whose other pages are A4.
        figures: places of pages.
        title, creator: what the PDF says of itself.
        room: inches below the text of the page before the first figure, which stands there if it fits.
    """
    from pypdf import PdfReader, PdfWriter

    writer, places = PdfWriter(), frozenset(figures)
    writer.metadata = {"/Title": title, "/Creator": creator}
    stack = _Stack(writer)
    for place, page in enumerate(PdfReader(BytesIO(content)).pages):
        if place in places:
            stack.add(page)
        else:
            stack.end()
            added = writer.add_page(page)
            if place + 1 == min(places, default=0):
                stack.begin(added, room)
    stack.end()
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


class _Stack:
    """The page that is being filled with figures."""

    def __init__(self, writer: PdfWriter) -> None:
        self._writer = writer
        self._page: PageObject | None = None
        self._left = 0.0

    def begin(self, page: PageObject, room: float) -> None:
        """With a page that has so many inches of room below its text."""
        self._page, self._left = page, room

    def add(self, figure: PageObject) -> None:
        """Below those that are there, or on a page of its own."""
        from pypdf import Transformation

        width, height = (float(side) / POINTS_PER_INCH for side in figure.mediabox[2:])
        paper = _UPRIGHT
        scale, lying = paper.scale(width, height), _ACROSS.scale(width, height)
        if scale < _TURNED * lying:
            paper, scale = _ACROSS, lying
        tall = height * scale
        if self._page is None or paper is _ACROSS or self._left - _GAP < tall:
            self.end()
            size = (paper.width * POINTS_PER_INCH, paper.height * POINTS_PER_INCH)
            self._page, self._left = self._writer.add_blank_page(*size), paper.height - 2 * MARGIN
        else:
            self._left -= _GAP
        self._left -= tall
        corner = (MARGIN * POINTS_PER_INCH, (MARGIN + self._left) * POINTS_PER_INCH)
        self._page.merge_transformed_page(figure, Transformation().scale(scale).translate(*corner))
        if paper is _ACROSS:
            self.end()

    def end(self) -> None:
        """What comes next begins a new page."""
        if self._page is not None:
            self._page.compress_content_streams()
            self._page = None
