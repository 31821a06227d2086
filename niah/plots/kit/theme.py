"""Colours, fonts and the way to save: every figure looks alike, and the same figure is the same bytes."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from niah.files import naming_what_is_full
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Perceptually uniform and safe for the colour-blind.
PALETTE = "viridis"
INK = "#1f2328"
QUIET = "#656d76"
PAPER = "#ffffff"
ON_BRIGHT, ON_DARK = "#1f2329", "#fefefe"
"""Ink on a colour: it stays as it is where a page shows a figure light on dark."""
MISSING = "#ececec"
HATCH = "#c4c4c4"

POINTS_PER_INCH = 72

# viridis at the scores 1.0, 1.1, ..., 10.0, as matplotlib has it: to import that takes half a second.
_VIRIDIS = (
    "44015445045746085c470d60471164481668481a6c481c6e482071482475482878472c7a472f7d"
    "46327e453581443983433d844240864144873f47883e49893d4d8a3c508b3a538b39568c375a8c"
    "365c8d355f8d33628d32658e31688e2f6b8e2e6e8e2d708e2c728e2b758e2a788e297b8e277e8e"
    "27808e26828e25858e23888e228b8d218e8d21918c20928c1f958b1f988b1e9b8a1f9e891fa188"
    "1fa28721a58522a88425ab8227ad812ab07f2db27d31b57b35b7793aba763fbc7344bf704ac16d"
    "4ec36b54c5685ac86460ca6067cc5c6ece5873d0567ad15181d34d89d54890d74398d83ea0da39"
    "a5db36addc30b5de2bbddf26c5e021cde11dd2e21bdae319e2e418eae51af1e51df8e621fde725"
)

SHADES = tuple(f"#{_VIRIDIS[at : at + 6]}" for at in range(0, len(_VIRIDIS), 6))
"""From the lowest score to the highest, in equal steps."""

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

_PNG = {"compress_level": 3}
"""In half the time of the usual 6, a tenth larger."""

_PNG_BACKEND = "module://niah.plots.kit.letters"


@contextmanager
def themed() -> Iterator[None]:
    """matplotlib with our settings, whatever the user's own are; draw and save inside.

    A letter that no font here has becomes a box, and nobody is told; nor of a font that has no bold letters.
    """
    import matplotlib
    from matplotlib.font_manager import fontManager

    with matplotlib.rc_context(), warnings.catch_warnings(), no_word_of_weights():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        matplotlib.rcParams["font.family"] = font_families(font.name for font in fontManager.ttflist)
        warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from", UserWarning)
        yield


@contextmanager
def no_word_of_weights() -> Iterator[None]:
    """matplotlib's log of fonts says on stderr which weight it took for another, once for every text."""
    log = logging.getLogger("matplotlib.font_manager")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


def font_families(installed: Iterable[str]) -> list[str]:
    """The fonts to draw with, each where those before lack a letter: ours, then what is installed."""
    there = set(installed)
    return [_FONT, *(name for name in _FOR_OTHER_LETTERS if name in there)]


def save(figure: Figure, folder: Path, stem: str, *, dpi: int = 200) -> list[Path]:
    """Write ``stem``.png and ``stem``.svg, without dates or versions; returns their paths.

    Raises OSError, for a lack of room too with the name of the file.
    """
    from niah.plots.kit.letters import known_letters

    folder.mkdir(parents=True, exist_ok=True)
    png, svg = folder / f"{stem}.png", folder / f"{stem}.svg"
    with naming_what_is_full(str(png)):
        figure.savefig(png, format="png", dpi=dpi, pil_kwargs=_PNG, backend=_PNG_BACKEND)
    with known_letters(), naming_what_is_full(str(svg)):
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": "niah"})
    return [png, svg]


def score_colour(mean: float) -> tuple[float, float, float, float]:
    """The colour of a mean score, 1 to 10, to the tenth: red, green, blue, opacity from 0 to 1."""
    shade = SHADES[round((mean - LOWEST) / (HIGHEST - LOWEST) * (len(SHADES) - 1))]
    red, green, blue = bytes.fromhex(shade[1:])
    return red / 255, green / 255, blue / 255, 1.0


def score_ink(mean: float) -> str:
    """What stands out on the colour of a mean score: dark or white."""
    return ink_on(score_colour(mean))


def ink_on(colour: tuple[float, float, float, float]) -> str:
    """Dark or white, whichever stands out more on an sRGB colour (relative luminance, WCAG 2.2)."""
    luminance = _luminance(colour)
    on_white = 1.05 / (luminance + 0.05)
    on_dark = (luminance + 0.05) / (_luminance(_DARK) + 0.05)
    return ON_BRIGHT if on_dark > on_white else ON_DARK


_DARK = (0x1F / 255, 0x23 / 255, 0x28 / 255, 1.0)


def _luminance(colour: tuple[float, float, float, float]) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
