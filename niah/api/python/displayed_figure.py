"""Figures that notebooks show as they are: as in reports, whatever matplotlib's settings are there."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 110


def displayed(figure: Figure) -> Figure:
    """The figure, which a notebook shows as a picture."""
    from niah.plots.kit.theme import themed

    def png() -> bytes:
        data = io.BytesIO()
        with themed():
            figure.savefig(data, format="png", dpi=_DPI)
        return data.getvalue()

    shown: Any = figure
    shown._repr_png_ = png
    return figure
