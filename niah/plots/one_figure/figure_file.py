"""One figure as a file of its own, for a paper, a slide or a page: its format, width and style."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from niah.errors import UserError
from niah.files import atomic_write
from niah.plots.kit.dark import darken
from niah.plots.kit.page import Page, drawn_for
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.theme import themed
from niah.plots.registry import figure_named

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

FigureFormat = Literal["pdf", "svg", "png"]

_LENGTH = re.compile(r"\s*([0-9]{1,4}(?:\.[0-9]{1,4})?|\.[0-9]{1,4})\s*(in|cm|mm|pt)\s*")
_PER_INCH = {"in": 1.0, "cm": 2.54, "mm": 25.4, "pt": 72.0}
_LEAST_INCHES, _MOST_INCHES = 1.5, 60.0
_SVG_SIZE = re.compile(r'\b(width|height)="([0-9.]+)pt"')


@dataclass(frozen=True)
class FigureStyle:
    """How a figure looks on what it is for.

    Attributes:
        description: one line for people.
        scale: of type and lines; 1 is 9 to 14 points, as in a report.
        width: inches where nobody says; None for as wide as the figure likes.
        dark: on dark paper.
        dpi: dots an inch of a picture in dots, where nobody says.
    """

    description: str
    scale: float = 1.0
    width: float | None = None
    dark: bool = False
    dpi: int = 200


STYLES: Mapping[str, FigureStyle] = {
    "page": FigureStyle("as in a report"),
    "paper": FigureStyle("small type, one column of a paper wide", 0.72, 3.3, dpi=300),
    "slide": FigureStyle("large type, a slide wide", 1.5, 12.0, dpi=160),
    "dark": FigureStyle("as in a report, on dark paper", dark=True),
}


@dataclass(frozen=True)
class FigureLook:
    """What somebody wants of a figure.

    Attributes:
        style: a name of ``STYLES``.
        width: inches of the whole figure; the style's without it.
        titled: whether title and subtitle stand above it.
        dpi: dots an inch of a PNG; the style's without it.
    """

    style: str = "page"
    width: float | None = None
    titled: bool = True
    dpi: int | None = None


def inches(text: str) -> float:
    """A width as people write it ("3.3in", "84mm", "8.4cm", "240pt") in inches. Raises UserError."""
    if not (found := _LENGTH.fullmatch(text)):
        raise UserError(f"{text!r} is no width.", "Write 3.3in, 84mm, 8.4cm or 240pt.")
    wide = float(found[1]) / _PER_INCH[found[2]]
    if not _LEAST_INCHES <= wide <= _MOST_INCHES:
        raise UserError(
            f"a figure {text.strip()} wide cannot be drawn.",
            f"From {_LEAST_INCHES:g} to {_MOST_INCHES:g} inches.",
        )
    return wide


def write_figure(frame: DataFrame, name: str, path: Path, kind: FigureFormat, look: FigureLook) -> bool:
    """Draw one figure into a file; False where the trials have nothing for it, and nothing is written.

    Text stays text in SVG and PDF: it can be searched and edited. The same trials give the same bytes.

    Args:
        frame: of trials, see ``trial_frame``.
        name: a figure's, as reports have them.
        path: of the file, which is replaced as a whole.
        kind: its format.
        look: how it is to look.

    Raises UnknownName for a figure that there is not.
    """
    return write_drawn(lambda: figure_named(frame, name), path, kind, look)


def write_drawn(
    draw: Callable[[], RenderedFigure | None], path: Path, kind: FigureFormat, look: FigureLook
) -> bool:
    """Write what ``draw`` gives; False, and nothing is written, where that is None.

    Args:
        draw: is called with our settings of matplotlib, for the page that is wanted.
        path, kind, look: as for ``write_figure``.
    """
    style = STYLES[look.style]
    width = look.width or style.width
    with themed(), drawn_for(Page(width / style.scale if width else None, look.titled)):
        if (drawn := draw()) is None:
            return False
        if style.dark:
            darken(drawn.figure)
        scale = width / drawn.figure.get_size_inches()[0] if width else style.scale
        content = _bytes(drawn.figure, kind, float(scale), look.dpi or style.dpi)
    with atomic_write(path) as file:
        file.write(content)
    return True


def _bytes(figure: Figure, kind: FigureFormat, scale: float, dpi: int) -> bytes:
    """The file's content: everything in it so many times as large as it was drawn."""
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none", "pdf.fonttype": 42}):
        made = BytesIO()
        match kind:
            case "png":
                # What the file says of itself is what was asked: else it is placed in another size.
                said = {"dpi": (dpi, dpi)}
                figure.savefig(
                    made, format="png", dpi=dpi * scale, metadata={"Software": None}, pil_kwargs=said
                )
            case "svg":
                figure.savefig(made, format="svg", metadata={"Date": None, "Creator": "niah"})
                return _scaled_svg(made.getvalue().decode(), scale).encode()
            case "pdf":
                metadata = {"CreationDate": None, "Creator": "niah", "Producer": None}
                figure.savefig(made, format="pdf", metadata=metadata)
                return _scaled_pdf(made, scale)
        return made.getvalue()


def _scaled_svg(svg: str, scale: float) -> str:
    """The same drawing in another size: its view box stays."""
    end = svg.index(">", svg.index("<svg"))
    return _SVG_SIZE.sub(lambda m: f'{m[1]}="{float(m[2]) * scale:.6g}pt"', svg[:end]) + svg[end:]


def _scaled_pdf(made: BytesIO, scale: float) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(made))
    writer.pages[0].scale_by(scale)
    writer.metadata = {"/Creator": "niah"}
    scaled = BytesIO()
    writer.write(scaled)
    return scaled.getvalue()
