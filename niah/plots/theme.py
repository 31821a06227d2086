"""Colours, type, and the way to save: a strategy looks alike in every figure."""

from __future__ import annotations

import logging
import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from niah.errors import UserError
from niah.files import atomic_write

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing
    from pandas import DataFrame

SCORES = "viridis"
MISSING, HATCH, AREA = "#ececec", "#c4c4c4", "#dfe3e6"
INK, GREY, PALE = "#1f2328", "#767676", "#a8a8a8"
# Okabe and Ito's colours, which the colour-blind can tell apart, without yellow; then three of Tol's.
CATEGORIES = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#882255", "#86862d", "#4d4d4d"),
)
_MARKERS = "os^DvPXp<>h"
FORMATS = (".pdf", ".svg", ".png")

_OTHER_SCRIPTS = re.compile(
    "CJK|Source Han|Hiragino|PingFang|YaHei|SimHei|Malgun|Nanum|IPA|Noto Sans (Dev|Ben|Tam|Thai)"
)


class Look(NamedTuple):
    """How one figure is to look."""

    points: float = 9.0  # of type
    inches: float | None = None  # across; None: as its panels need
    dpi: int = 110  # dots an inch of a PNG
    titled: bool = True


PAGE = Look()  # as in a report
STYLES = {"page": Look(dpi=200), "paper": Look(7.0, 3.3, 300), "slide": Look(14.0, 12.0, 160)}


@contextmanager
def themed(look: Look = PAGE) -> Iterator[None]:
    """matplotlib with our settings, whatever the user's own are; draw and save inside."""
    import matplotlib
    from matplotlib.font_manager import fontManager

    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    fonts = sorted({font.name for font in fontManager.ttflist if _OTHER_SCRIPTS.search(font.name)})
    with matplotlib.rc_context(), warnings.catch_warnings():
        log.setLevel(logging.ERROR)
        warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from", UserWarning)
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "font.family": ["DejaVu Sans", *fonts],
                "font.size": look.points,
                "axes.titlesize": "medium",
                "figure.titlesize": "large",
                **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
                **dict.fromkeys(("axes.edgecolor", "grid.color"), "#d9dde1"),
                **dict.fromkeys(("axes.spines.top", "axes.spines.right", "legend.frameon"), False),
                "axes.grid.axis": "y",
                "axes.axisbelow": True,
                "grid.linewidth": 0.6,
                "hatch.linewidth": 0.8,
                "lines.linewidth": 1.5,
                "lines.markersize": 5.5,
                "text.parse_math": False,  # a "$" in a name is a dollar
                "svg.hashsalt": "niah",
                "svg.fonttype": "path" if look == PAGE else "none",
                "pdf.fonttype": 42,
            }
        )
        try:
            yield
        finally:
            log.setLevel(level)


def write_drawing(drawing: Drawing, path: Path, look: Look) -> None:
    """Write a figure whole or not at all; text stays text in PDF, and in SVG but for a report's pages.

    Raises UserError where the path's ending is no format of figures.
    """
    if (kind := path.suffix.lower()) not in FORMATS:
        raise UserError(f"{path}: that is no figure's ending.", f"Choose one of {', '.join(FORMATS)}.")
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(kind, {})
    if layout := drawing.get_layout_engine():  # laid out once, whatever the formats
        layout.execute(drawing)
        drawing.set_layout_engine(None)
    made = BytesIO()
    drawing.savefig(made, format=kind[1:], dpi=look.dpi, metadata=undated)
    with atomic_write(path) as file:
        file.write(made.getvalue())


def strategy_styles(strategies: DataFrame) -> dict[str, dict[str, Any]]:
    """matplotlib's properties of each strategy's line; ``strategies``: rows of their frame, one of each.

    Full context is ink, ceiling and floor are grey; reverse order is the dashed twin of norm.
    """
    styles, families = dict[str, dict[str, Any]](), dict[str, str]()
    rows: list[Any] = list(strategies.itertuples())
    for one in rows:
        if one.sends_context:
            styles[one.strategy] = {"color": INK, "marker": "o", "linestyle": "-"}
        elif one.is_oracle:
            styles[one.strategy] = {"color": GREY, "marker": "s", "linestyle": (0, (5, 1.5))}
        elif one.is_closed_book:
            styles[one.strategy] = {"color": PALE, "marker": "^", "linestyle": ":"}
        else:
            order = "" if one.best_first or one.best_last else one.order
            families[one.strategy] = f"{one.retrieval}/{order}"
    coloured = plain_styles(list(dict.fromkeys(families.values())))
    twin = {"linestyle": (0, (4, 1.6)), "markerfacecolor": "none"}
    dashed = {one.strategy: twin for one in rows if one.best_last}
    return styles | {name: coloured[own] | dashed.get(name, {}) for name, own in families.items()}


def plain_styles(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The same for names that are no strategies: a colour and a mark by their place."""
    marks = zip(names, cycle(CATEGORIES), cycle(_MARKERS), strict=False)
    return {name: {"color": colour, "marker": mark, "linestyle": "-"} for name, colour, mark in marks}


def ink_on(colour: tuple[float, float, float, float]) -> str:
    """Dark or white, whichever stands out more on an sRGB colour (relative luminance, WCAG 2.2)."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3])
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return INK if (luminance + 0.05) / 0.0637 > 1.05 / (luminance + 0.05) else "#ffffff"


def palette() -> list[str]:
    """The colours of scores from the lowest to the highest, in 91 equal steps."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    return [to_hex(colormaps[SCORES](at / 90)) for at in range(91)]


def file_stem(*names: str) -> str:
    """Names as a file's name without ending: ASCII letters, digits, full stops, hyphens; 150 at most."""
    plain = (unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() for name in names)
    parts = (re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.") for name in plain)
    return "--".join(filter(None, parts))[:150] or "niah"
