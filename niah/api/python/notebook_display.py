"""What notebooks show: results as terminals do, and figures as reports do, whatever matplotlib's settings."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

_WIDTH = 100
_DPI = 110
_PRE = (
    '<pre style="white-space:pre;overflow-x:auto;line-height:normal;'
    "font-family:Menlo,'DejaVu Sans Mono',Consolas,'Courier New',monospace\">{code}</pre>"
)


def printed_text(print_to: Callable[[Console], None]) -> str:
    """What is printed, without colours."""
    from rich.console import Console

    text = io.StringIO()
    print_to(Console(file=text, width=_WIDTH, force_terminal=False, force_jupyter=False, color_system=None))
    return text.getvalue().rstrip("\n")


def printed_html(print_to: Callable[[Console], None]) -> str:
    """What is printed, with its colours, as one element of HTML."""
    from rich.console import Console

    console = Console(file=io.StringIO(), width=_WIDTH, record=True, force_terminal=True, force_jupyter=False)
    print_to(console)
    return console.export_html(inline_styles=True, code_format=_PRE)


def displayed(figure: Figure) -> Figure:
    """The figure, which a notebook shows as a picture."""
    from niah.plots.theme import themed

    def png() -> bytes:
        data = io.BytesIO()
        with themed():
            figure.savefig(data, format="png", dpi=_DPI)
        return data.getvalue()

    shown: Any = figure
    shown._repr_png_ = png
    return figure
