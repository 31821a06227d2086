"""What a drawn figure's text covers, measured: nothing may lie outside, and no two texts on each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Pixels at 100 dpi that boxes may share: their edges are white.
_SLACK = 2.0


def faults(figure: Figure) -> list[str]:
    """Every text that leaves the figure or lies on another one."""
    boxes = _boxes(figure)
    width, height = (100 * inches for inches in figure.get_size_inches())
    outside = [
        f"outside: {text!r}"
        for text, box in boxes
        if box.x0 < -_SLACK or box.y0 < -_SLACK or box.x1 > width + _SLACK or box.y1 > height + _SLACK
    ]
    upon = [f"{a!r} on {b!r}" for (a, one), (b, other) in combinations(boxes, 2) if _overlap(one, other)]
    return outside + upon


def _boxes(figure: Figure) -> list[tuple[str, Any]]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    figure.set_dpi(100)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    texts: Any = figure.findobj(Text)
    shown = [text for text in texts if text.get_text().strip() and text.get_visible()]
    return [(text.get_text(), text.get_window_extent(canvas.get_renderer())) for text in shown]


def _overlap(one: Any, other: Any) -> bool:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    down = min(one.y1, other.y1) - max(one.y0, other.y0)
    return bool(across > _SLACK and down > _SLACK)
