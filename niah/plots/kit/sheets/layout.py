"""What a sheet needs to know of its panels: how many, how large, with how much room around each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from niah.plots.kit.lettering import fitted
from niah.plots.kit.page import page

EDGE = 0.2
"""From the edge of a sheet to its words."""

TICKS_ROOM = 0.3
"""For tick labels below a panel."""

GAP_DOWN = 0.16
"""Between rows of panels."""

FACTS_LINE = 0.18
"""One of the lines of facts above a panel."""

_HEADING_LINE, _GAP_ACROSS = 0.2, 0.3
_HEADING, _FACTS = 11.0, 9.0
_NARROWEST = 6.4
_NARROWEST_PANEL, _READABLE_PANEL = 0.8, 2.2
_SHORT_NAMES = 1.6
_IN_ONE_ROW = 5


@dataclass(frozen=True)
class SheetLayout:
    """What a sheet needs to know of its panels.

    Attributes:
        rows, columns: of panels.
        width, height: of one panel.
        left: room for tick labels and the axis's name, left of every row.
        gap: between columns; as wide as ``left`` where every panel has tick labels of its own.
        right: room right of the panels.
        heading_lines, facts_lines: how many lines each panel has on top.
        heading_points: the type size of the headings; one that does not fit is set smaller.
        facts_points: the type size of the facts; one that does not fit is set smaller.
        ticks_everywhere: whether every row has tick labels below it, not the last one of a column alone.
        empty: places of the last row without a panel; the key stands there if it fits.
    """

    rows: int
    columns: int
    width: float
    height: float
    left: float = 0.75
    gap: float = _GAP_ACROSS
    right: float = 0.3
    heading_lines: int = 1
    facts_lines: int = 1
    facts_points: float = _FACTS
    heading_points: float = _HEADING
    ticks_everywhere: bool = True
    empty: int = 0

    @property
    def top(self) -> float:
        """Room above each panel."""
        return self.heading_lines * _HEADING_LINE + self.facts_lines * FACTS_LINE + 0.1

    @property
    def pitch(self) -> float:
        """From one row's top to the next one's."""
        return self.top + self.height + GAP_DOWN + (TICKS_ROOM if self.ticks_everywhere else 0)

    @property
    def panels_width(self) -> float:
        """Of all panels, gaps included."""
        return self.columns * (self.width + self.gap) - self.gap

    @property
    def total_width(self) -> float:
        """Of the whole figure."""
        return max(self._least, self.left + self.panels_width + self.right)

    @property
    def _least(self) -> float:
        """A title takes room; on a page of a given width it does without."""
        return min(_NARROWEST, page().width or _NARROWEST)

    @property
    def left_of_words(self) -> float:
        """Where title, key and note begin: with the panels, or far left of them where little room is left."""
        return self.left if page().width is None or self.left < self.total_width / 4 else EDGE

    def on_page(self) -> SheetLayout:
        """The same with panels as wide as the page has room for, where it has a width."""
        if (room := page().width) is None:
            return self
        panels = room - self.left - self.right - (self.columns - 1) * self.gap
        return replace(self, width=max(_NARROWEST_PANEL, panels / self.columns))


def reader_panels(names: Sequence[str], height: float = 2.6, left: float = 0.75) -> SheetLayout:
    """A layout for one panel per reader: few are wide, many are small."""
    count = len(names)
    # Seven in rows of three would leave one alone; five stand in one row, with no empty place.
    columns = 1 if count == 1 else 2 if count in (2, 4) else 3 if count <= 9 and count != 7 else 4
    columns = _fitting_columns(columns, left, max(0.5, left - 0.25))
    if count == _IN_ONE_ROW and page().width is None:
        columns = count
    width = {1: 6.8, 2: 4.7, 3: 3.3, 4: 2.5, _IN_ONE_ROW: 1.9}[columns]
    lines = heading_lines(names, width)
    gap = max(0.5, left - 0.25)
    rows = ceil(count / columns)
    empty = rows * columns - count
    return SheetLayout(rows, columns, width, height, left, gap, heading_lines=lines, empty=empty)


def row_panels(names: Sequence[str], left: float, height: float) -> SheetLayout:
    """A layout for one panel per reader with named rows, ``left`` being the room for these names."""
    count = len(names)
    # Three in rows of two would leave a place empty; where the names of rows are long, three have no room.
    wanted = 1 if count == 1 else 3 if count in (3, 5, 6, 9) and left <= _SHORT_NAMES else 2
    columns = _fitting_columns(wanted, left + 0.3, 0.75)
    rows, width = ceil(count / columns), {1: 5.6, 2: 3.7, 3: 2.9}[columns]
    return SheetLayout(
        rows,
        columns,
        width,
        max(height, 0.6),
        left + 0.3,
        0.75,
        0.75,
        heading_lines(names, width),
        empty=rows * columns - count,
    )


def _fitting_columns(columns: int, left: float, gap: float) -> int:
    """At most so many, and no more than can be read on the page."""
    if (room := page().width) is None:
        return columns
    return max(1, min(columns, int((room - left + gap) / (_READABLE_PANEL + gap))))


def headed_alike(layout: SheetLayout, headings: Sequence[str]) -> SheetLayout:
    """The layout on the page, with lines for these headings of its panels, and one type size for all."""
    layout = layout.on_page()
    lines = heading_lines(headings, layout.width)
    points = min(fitted(name, _HEADING, layout.width, lines, bold=True)[1] for name in headings)
    return replace(layout, heading_lines=lines, heading_points=points)


def heading_lines(headings: Iterable[str], width: float) -> int:
    """How many lines the longest of some panels' headings takes, 2 at most."""
    return max(fitted(name, _HEADING, width, 2, bold=True)[0].count("\n") + 1 for name in headings)


def facts_points(facts: Iterable[str], width: float) -> float:
    """The type size at which each of these facts fits above a panel of that width, one line each."""
    return min((fitted(text, _FACTS, width)[1] for text in facts), default=_FACTS)


def spread_over_figures(name: str, items: Sequence[str], most: int) -> Iterator[tuple[str, Sequence[str]]]:
    """What stands across, evenly on as few figures as hold ``most`` each; before it the figure's name."""
    count = ceil(len(items) / most)
    for number in range(count):
        first, last = (len(items) * place // count for place in (number, number + 1))
        yield (f"{name}-{number + 1}" if count > 1 else name), items[first:last]
