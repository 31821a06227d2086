"""Axes that look as matplotlib's do, and take less time: a report has a hundred and forty of them.

What is overridden saves work whose result is known. Where a version of matplotlib calls these methods
otherwise, it does the work again and draws the same.
"""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.axis import Axis, Tick, XAxis, YAxis
from matplotlib.backend_bases import RendererBase


class _LightAxis(Axis):
    """An axis whose ticks are all alike, and whose labels are measured for its name alone."""

    _is_drawn = False

    def draw(self, renderer: RendererBase) -> None:
        """Draw it, measuring no label without need."""
        self._is_drawn = True
        try:
            super().draw(renderer)
        finally:
            self._is_drawn = False

    def _copy_tick_props(self, src: Tick, dest: Tick) -> None:
        """Nothing but where it ends: it has what its axis says, as the first one has until all are made."""
        dest.set_clip_path(self.axes.patch)

    def _get_ticklabel_bboxes(self, ticks: list[Tick], renderer: RendererBase) -> tuple[list[object], ...]:
        if self._is_drawn and not self.label.get_text() and not self.get_major_formatter().get_offset():
            return [], []
        found: tuple[list[object], ...] = super()._get_ticklabel_bboxes(ticks, renderer)  # type: ignore[misc]
        return found


class _LightXAxis(_LightAxis, XAxis):
    pass


class _LightYAxis(_LightAxis, YAxis):
    pass


class LightAxes(Axes):
    """Axes for ``Figure.add_axes``."""

    def _init_axis(self) -> None:
        super()._init_axis()  # type: ignore[misc]
        for axis, sides in ((_LightXAxis, ("bottom", "top")), (_LightYAxis, ("left", "right"))):
            made = axis(self, clear=False)
            setattr(self, f"{made.axis_name}axis", made)
            for side in sides:
                self.spines[side].register_axis(made)
