"""A figure of equal panels in rows and columns, with title, key and note around them; all sizes in inches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Any

from niah.judges.verdict import SCORES
from niah.plots.kit.lettering import fitted, width_of, wrapped
from niah.plots.kit.page import page
from niah.plots.kit.scales import plain, y_names
from niah.plots.kit.score_scale import in_its_words, score_text
from niah.plots.kit.styles import Style
from niah.plots.kit.theme import INK, POINTS_PER_INCH, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

_EDGE = 0.2
_SCORES = "mean score"
_TITLE_LINE, _LINE = 0.28, 0.2
_TITLE, _SUBTITLE, _HEADING, _FACTS, _KEY, _NOTE = 14.0, 10.0, 11.0, 9.0, 10.0, 9.0
_HEADING_LINE, _FACTS_LINE = 0.2, 0.18
_TICKS, _AXIS_NAME = 0.3, 0.3
_KEY_GAP, _KEY_LINE, _SAMPLE, _SAMPLE_GAP, _KEY_SPACE = 0.14, 0.25, 0.5, 0.1, 0.3
_GAP_ACROSS, _GAP_DOWN = 0.3, 0.16
_NARROWEST = 6.4
_NARROWEST_PANEL, _READABLE_PANEL = 0.8, 2.2
_SHORT_NAMES = 1.6
_IN_ONE_ROW = 5
_BAR_GAP, _BAR_WIDTH, _BAR_LONGEST = 0.18, 0.14, 3.6
_BAR_WITH_TICKS = 0.9
_BAR_NAME = 10.0


@dataclass(frozen=True)
class Box:
    """A rectangle in inches; ``left`` and ``top`` are the distances from the figure's upper left corner."""

    left: float
    top: float
    width: float
    height: float


def add_axes(figure: Figure, box: Box) -> Axes:
    """Axes that fill ``box``."""
    from niah.plots.kit.light.axes import LightAxes  # it imports matplotlib

    width, height = figure.get_size_inches()
    bottom = height - box.top - box.height
    place = (box.left / width, bottom / height, box.width / width, box.height / height)
    return figure.add_axes(place, axes_class=LightAxes)


def write(figure: Figure, left: float, top: float, text: str, **style: Any) -> None:
    """Text at ``left``, its middle at ``top``, in inches from the upper left corner."""
    width, height = figure.get_size_inches()
    figure.text(left / width, 1 - top / height, text, **{"va": "center", "ha": "left", "color": INK} | style)


@dataclass(frozen=True)
class Swatch:
    """A filled area's colour in a key."""

    colour: str


Key = Sequence[tuple[str, Style | Swatch]]
"""Names with what they look like."""


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
        return self.heading_lines * _HEADING_LINE + self.facts_lines * _FACTS_LINE + 0.1

    @property
    def pitch(self) -> float:
        """From one row's top to the next one's."""
        return self.top + self.height + _GAP_DOWN + (_TICKS if self.ticks_everywhere else 0)

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
        return self.left if page().width is None or self.left < self.total_width / 4 else _EDGE

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


def _fitting_columns(columns: int, left: float, gap: float) -> int:
    """At most so many, and no more than can be read on the page."""
    if (room := page().width) is None:
        return columns
    return max(1, min(columns, int((room - left + gap) / (_READABLE_PANEL + gap))))


def spread_over_figures(name: str, items: Sequence[str], most: int) -> Iterator[tuple[str, Sequence[str]]]:
    """What stands across, evenly on as few figures as hold ``most`` each; before it the figure's name."""
    count = ceil(len(items) / most)
    for number in range(count):
        first, last = (len(items) * place // count for place in (number, number + 1))
        yield (f"{name}-{number + 1}" if count > 1 else name), items[first:last]


def facts_points(facts: Iterable[str], width: float) -> float:
    """The type size at which each of these facts fits above a panel of that width, one line each."""
    return min((fitted(text, _FACTS, width)[1] for text in facts), default=_FACTS)


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


@dataclass(frozen=True)
class Sheet:
    """A figure in the making; ``new_sheet`` makes one."""

    figure: Figure
    layout: SheetLayout
    top: float

    def box(self, row: int, column: int) -> Box:
        """Where a panel stands."""
        layout = self.layout
        return Box(
            layout.left + column * (layout.width + layout.gap),
            self.top + layout.top + row * layout.pitch,
            layout.width,
            layout.height,
        )

    def panel(self, row: int, column: int, heading: str = "", facts: str = "", *, span: int = 1) -> Axes:
        """The axes of one panel, with a bold heading and quiet facts above; the heading may span columns."""
        self.head(row, column, heading, facts, span=span)
        axes = add_axes(self.figure, self.box(row, column))
        axes.set_gid("panel")
        return axes

    def named_rows(self, index: int, heading: str, facts: str, names: Sequence[str]) -> Axes:
        """The axes of the panel at ``index``, with a row for each name; the first column shows the names."""
        row, column = divmod(index, self.layout.columns)
        axes = self.panel(row, column, heading, facts)
        plain(axes, "x")
        y_names(axes, [""] * len(names) if column else names, self.layout.left - 0.2)
        return axes

    def head(self, row: int, column: int, heading: str, facts: str, *, span: int = 1) -> None:
        """What stands above a panel."""
        box = self.box(row, column)
        width = span * (box.width + self.layout.gap) - self.layout.gap
        base = box.top - 0.1
        if self.layout.facts_lines:
            text, size = fitted(facts, self.layout.facts_points, box.width)
            write_upwards(self.figure, box.left, base - 0.04, text, fontsize=size, color=QUIET)
        base -= self.layout.facts_lines * _FACTS_LINE
        text, size = fitted(
            heading, self.layout.heading_points, width, max(1, self.layout.heading_lines), bold=True
        )
        write_upwards(self.figure, box.left, base - 0.04, text, fontsize=size, fontweight="bold")

    def name_x(self, name: str) -> None:
        """The name of all panels' x axis, below them."""
        layout = self.layout
        middle = layout.left + layout.panels_width / 2
        says = in_its_words(name)
        write(self.figure, middle, self._below + _TICKS + 0.14, says, ha="center", fontsize=10, color=QUIET)

    def add_colour_bar(
        self, mesh: ScalarMappable, ticks: Sequence[float] = SCORES, label: str = _SCORES
    ) -> None:
        """The one colour bar of heatmaps, right of the first rows of panels.

        Args:
            mesh: what is coloured.
            ticks: from one end of the bar to the other, rising.
            label: what colours mean.
        """
        layout, box = self.layout, self.box(0, 0)
        height = min((min(2, layout.rows) - 1) * layout.pitch + layout.height, _BAR_LONGEST)
        left = box.left + layout.panels_width + _BAR_GAP
        axes = add_axes(self.figure, Box(left, box.top, _BAR_WIDTH, height))
        axes.set_gid("colour-bar")
        shown = ticks if height >= _BAR_WITH_TICKS else (ticks[0], ticks[-1])
        bar = self.figure.colorbar(mesh, cax=axes, ticks=shown)
        bar.ax.set_ylim(ticks[0], ticks[-1])
        if label == _SCORES:
            bar.ax.set_yticks(shown, [score_text(tick) for tick in shown])
        bar.ax.tick_params(length=0, pad=4, labelsize=8.5)
        bar.outline.set_visible(False)
        text, size = fitted(in_its_words(label), _BAR_NAME, height)
        bar.set_label(text, color=QUIET, labelpad=6, fontsize=size)

    @property
    def _below(self) -> float:
        """Where the panels end."""
        return self.box(self.layout.rows - 1, 0).top + self.layout.height


def write_upwards(
    figure: Figure, left: float, base: float, text: str, *, fontsize: float, **style: Any
) -> None:
    """Lines of text of which the last one stands on ``base``."""
    for index, line in enumerate(reversed(text.split("\n"))):
        top = base - index * fontsize * 1.2 / POINTS_PER_INCH
        write(figure, left, top, line, fontsize=fontsize, va="baseline", **style)


def heading_lines(headings: Iterable[str], width: float) -> int:
    """How many lines the longest of some panels' headings takes, 2 at most."""
    return max(fitted(name, _HEADING, width, 2, bold=True)[0].count("\n") + 1 for name in headings)


def headed_alike(layout: SheetLayout, headings: Sequence[str]) -> SheetLayout:
    """The layout on the page, with lines for these headings of its panels, and one type size for all."""
    layout = layout.on_page()
    lines = heading_lines(headings, layout.width)
    points = min(fitted(name, _HEADING, layout.width, lines, bold=True)[1] for name in headings)
    return replace(layout, heading_lines=lines, heading_points=points)


def new_sheet(
    layout: SheetLayout,
    title: str,
    subtitle: str,
    key: Key = (),
    note: str = "",
    headroom: float = 0.0,
) -> Sheet:
    """An empty sheet with its title, subtitle, key and note; the panels are still to be drawn.

    ``headroom`` is left free above them.
    """
    from matplotlib.figure import Figure

    layout = layout.on_page()
    titled = page().titled
    left = layout.left_of_words
    room = layout.total_width - left - 0.15
    title_text, title_size = fitted(title, _TITLE, room, 2, bold=True) if titled else ("", _TITLE)
    subtitles = wrapped(in_its_words(subtitle), _SUBTITLE, room) if titled else []
    title_height = (title_text.count("\n") + 1) * _TITLE_LINE if titled else 0.0
    top = (_EDGE + 0.12 if titled else _EDGE / 2) + title_height + len(subtitles) * _LINE + headroom
    panels_height = layout.rows * layout.pitch - (_GAP_DOWN + _TICKS * layout.ticks_everywhere)
    below = top + panels_height + _TICKS + _AXIS_NAME + 0.05
    inside = _key_in_empty_place(layout, key, top)
    columns, key_width = _key_columns(key, room)
    key_lines = 0 if inside else ceil(len(key) / columns)
    # Small letters on a screen's grid are wider than their shapes.
    notes = wrapped(note, _NOTE, 0.95 * room)
    notes_top = below + (_KEY_GAP + key_lines * _KEY_LINE if key_lines else 0) + 0.08
    height = notes_top + len(notes) * _LINE + _EDGE / 2
    figure = Figure(figsize=(layout.total_width, height))
    write(
        figure,
        left,
        _EDGE + title_height / 2,
        title_text,
        fontsize=title_size,
        fontweight="bold",
        linespacing=1.15,
    )
    for index, line in enumerate(subtitles):
        at = _EDGE + title_height + (index + 0.5) * _LINE
        write(figure, left, at, line, fontsize=_SUBTITLE, color=QUIET)
    if inside:
        _draw_key(figure, key, *inside)
    else:
        _draw_key(figure, key, Box(left, below + _KEY_GAP, key_width, _KEY_LINE), columns)
    for index, line in enumerate(notes):
        write(figure, left, notes_top + (index + 0.5) * _LINE, line, fontsize=_NOTE, color=QUIET)
    return Sheet(figure, layout, top)


def _key_in_empty_place(layout: SheetLayout, key: Key, top: float) -> tuple[Box, int] | None:
    """A key's first cell and its columns, where the last row has a place without a panel and it fits there.

    Args:
        top: where the first row of panels begins, in inches from above.
    """
    if not (key and layout.empty and layout.rows > 1):
        return None
    left = layout.left + (layout.columns - layout.empty) * (layout.width + layout.gap)
    columns, width = _key_columns(key, layout.empty * (layout.width + layout.gap) - layout.gap)
    if ceil(len(key) / columns) * _KEY_LINE > layout.height:
        return None
    return Box(left, top + layout.top + (layout.rows - 1) * layout.pitch, width, _KEY_LINE), columns


def _key_columns(key: Key, room: float) -> tuple[int, float]:
    """How many columns a key has, and how wide each is."""
    if not key:
        return 1, room
    widest = max(width_of(name, _KEY) for name, _ in key) + _SAMPLE + _SAMPLE_GAP + _KEY_SPACE
    fit = max(1, min(len(key), int(room / widest)))
    columns = ceil(len(key) / ceil(len(key) / fit))
    return columns, min(widest, room / columns)


def _draw_key(figure: Figure, key: Key, cell: Box, columns: int) -> None:
    for index, (name, look) in enumerate(key):
        row, column = divmod(index, columns)
        left, middle = cell.left + column * cell.width, cell.top + (row + 0.5) * cell.height
        figure.add_artist(_sample(figure, left, middle, look))
        text, size = fitted(name, _KEY, cell.width - _SAMPLE - _SAMPLE_GAP)
        write(figure, left + _SAMPLE + _SAMPLE_GAP, middle, text, fontsize=size)


def _sample(figure: Figure, left: float, middle: float, look: Style | Swatch) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle

    width, height = figure.get_size_inches()
    y = 1 - middle / height
    if isinstance(look, Swatch):
        size = (0.3 / width, 0.15 / height)
        corner = ((left + 0.1) / width, y - size[1] / 2)
        return Rectangle(corner, *size, facecolor=look.colour, edgecolor="none", transform=figure.transFigure)
    x = [(left + share * _SAMPLE) / width for share in (0, 0.5, 1)]
    # A mark that stands alone is as large as in the panels.
    alone = {"markersize": 8} if look.dash == "none" else {}
    return Line2D(x, [y] * 3, markevery=[1], **{**look.line, **alone})
