"""Colours, fonts and the way to save: every figure looks alike, and the same figure is the same bytes."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Perceptually uniform and safe for the colour-blind.
PALETTE = "viridis"
INK = "#1f2328"
QUIET = "#656d76"
PAPER = "#ffffff"
MISSING = "#ececec"
HATCH = "#c4c4c4"

POINTS_PER_INCH = 72

_FONT = "DejaVu Sans"
"""Comes with matplotlib: the same everywhere."""

_SETTINGS = {
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": QUIET,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "hatch.linewidth": 0.8,
    "text.parse_math": False,  # a "$" in a name is a dollar
    "svg.fonttype": "path",
    "svg.hashsalt": "niah",  # ids in the SVG follow from the drawing alone
}


# Fonts with the letters of other scripts, as systems call them: names may be of any script.
_FOR_OTHER_LETTERS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans JP",
    "Noto Sans SC",
    "Noto Sans KR",
    "Source Han Sans",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "IPAGothic",
    "IPAexGothic",
    "TakaoGothic",
    "NanumGothic",
    "Hiragino Sans",
    "PingFang SC",
    "Apple SD Gothic Neo",
    "Yu Gothic",
    "MS Gothic",
    "Microsoft YaHei",
    "SimHei",
    "Malgun Gothic",
    "Arial Unicode MS",
    "Noto Sans Devanagari",
    "Noto Sans Bengali",
    "Noto Sans Tamil",
    "Noto Sans Thai",
    "Nirmala UI",
    "Unifont",
)


@contextmanager
def themed() -> Iterator[None]:
    """matplotlib with our settings, whatever the user's own are; draw and save inside.

    A letter that no font here has becomes a box, and nobody is told.
    """
    import matplotlib
    from matplotlib.font_manager import fontManager

    with matplotlib.rc_context(), warnings.catch_warnings():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        matplotlib.rcParams["font.family"] = families(font.name for font in fontManager.ttflist)
        warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from", UserWarning)
        yield


def families(installed: Iterable[str]) -> list[str]:
    """The fonts to draw with, each where those before lack a letter: ours, then what is installed."""
    there = set(installed)
    return [_FONT, *(name for name in _FOR_OTHER_LETTERS if name in there)]


def save(figure: Figure, folder: Path, stem: str, *, dpi: int = 200) -> list[Path]:
    """Write ``stem``.png and ``stem``.svg, without dates or versions; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    png, svg = folder / f"{stem}.png", folder / f"{stem}.svg"
    figure.savefig(png, format="png", dpi=dpi, metadata={"Software": None})
    figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": "niah"})
    return [png, svg]


def ink_on(colour: tuple[float, float, float, float]) -> str:
    """Dark or white, whichever stands out more on an sRGB colour (relative luminance, WCAG 2.2)."""
    luminance = _luminance(colour)
    on_white = 1.05 / (luminance + 0.05)
    on_dark = (luminance + 0.05) / (_luminance(_DARK) + 0.05)
    return INK if on_dark > on_white else PAPER


_DARK = (0x1F / 255, 0x23 / 255, 0x28 / 255, 1.0)


def _luminance(colour: tuple[float, float, float, float]) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
