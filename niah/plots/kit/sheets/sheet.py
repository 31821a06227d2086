"""A figure of equal panels in rows and columns, with title, key and note around them; all sizes in inches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from niah.judges.verdict import SCORES
from niah.plots.kit.lettering import fitted, wrapped
from niah.plots.kit.page import page
from niah.plots.kit.scales import plain, y_names
from niah.plots.kit.score_scale import in_its_words, score_text
from niah.plots.kit.sheets.inches import Box, add_axes, write, write_upwards
from niah.plots.kit.sheets.key import KEY_LINE, Key, draw_key, key_columns, key_in_empty_place
from niah.plots.kit.sheets.layout import EDGE, FACTS_LINE, GAP_DOWN, TICKS_ROOM, SheetLayout
from niah.plots.kit.theme import POINTS_PER_INCH, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

_SCORES = "mean score"
_TITLE_LINE, _LINE = 0.28, 0.2
_TITLE, _SUBTITLE, _NOTE = 14.0, 10.0, 9.0
_AXIS_NAME, _KEY_GAP = 0.3, 0.14
_BAR_GAP, _BAR_WIDTH, _BAR_LONGEST = 0.18, 0.14, 3.6
_BAR_WITH_TICKS = 0.9
_BAR_NAME = 10.0
_TITLE_ID = "title"


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
        base -= self.layout.facts_lines * FACTS_LINE
        text, size = fitted(
            heading, self.layout.heading_points, width, max(1, self.layout.heading_lines), bold=True
        )
        write_upwards(self.figure, box.left, base - 0.04, text, fontsize=size, fontweight="bold")

    def name_x(self, name: str) -> None:
        """The name of all panels' x axis, below them."""
        layout = self.layout
        middle = layout.left + layout.panels_width / 2
        says = in_its_words(name)
        write(
            self.figure, middle, self._below + TICKS_ROOM + 0.14, says, ha="center", fontsize=10, color=QUIET
        )

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
        # Nothing else stands so far right: the name of a short bar may reach over its ends.
        beyond = min(layout.top, TICKS_ROOM + _AXIS_NAME)
        text, size = fitted(in_its_words(label), _BAR_NAME, height + 2 * beyond)
        bar.set_label(text, color=QUIET, labelpad=6, fontsize=size)

    @property
    def _below(self) -> float:
        """Where the panels end."""
        return self.box(self.layout.rows - 1, 0).top + self.layout.height


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
    top = (EDGE + 0.12 if titled else EDGE / 2) + title_height + len(subtitles) * _LINE + headroom
    panels_height = layout.rows * layout.pitch - (GAP_DOWN + TICKS_ROOM * layout.ticks_everywhere)
    below = top + panels_height + TICKS_ROOM + _AXIS_NAME + 0.05
    inside = key_in_empty_place(layout, key, top)
    columns, key_width = key_columns(key, room)
    key_lines = 0 if inside else ceil(len(key) / columns)
    # Small letters on a screen's grid are wider than their shapes.
    notes = wrapped(note, _NOTE, 0.95 * room)
    notes_top = below + (_KEY_GAP + key_lines * KEY_LINE if key_lines else 0) + 0.08
    height = notes_top + len(notes) * _LINE + EDGE / 2
    figure = Figure(figsize=(layout.total_width, height))
    write(
        figure,
        left,
        EDGE + title_height / 2,
        title_text,
        fontsize=title_size,
        fontweight="bold",
        linespacing=1.15,
        gid=_TITLE_ID,
    )
    for index, line in enumerate(subtitles):
        at = EDGE + title_height + (index + 0.5) * _LINE
        write(figure, left, at, line, fontsize=_SUBTITLE, color=QUIET)
    if inside:
        draw_key(figure, key, *inside)
    else:
        draw_key(figure, key, Box(left, below + _KEY_GAP, key_width, KEY_LINE), columns)
    for index, line in enumerate(notes):
        write(figure, left, notes_top + (index + 0.5) * _LINE, line, fontsize=_NOTE, color=QUIET)
    return Sheet(figure, layout, top)


def title_points(figure: Figure) -> float:
    """How far down a sheet its title reaches, in points from the upper edge; 0 where it has none."""
    for text in figure.texts:
        if text.get_gid() == _TITLE_ID and text.get_text():
            middle = (1 - text.get_position()[1]) * figure.get_size_inches()[1]
            return float(2 * middle - EDGE) * POINTS_PER_INCH
    return 0.0
