"""The colours of mean scores, everywhere the same: in figures, on pages, in terminals."""

from __future__ import annotations

from niah.judges.verdict import HIGHEST, LOWEST
from niah.plots.kit.theme import ink_on

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


def score_colour(mean: float) -> tuple[float, float, float, float]:
    """The colour of a mean score, 1 to 10, to the tenth: red, green, blue, opacity from 0 to 1."""
    shade = SHADES[round((mean - LOWEST) / (HIGHEST - LOWEST) * (len(SHADES) - 1))]
    red, green, blue = bytes.fromhex(shade[1:])
    return red / 255, green / 255, blue / 255, 1.0


def score_ink(mean: float) -> str:
    """What stands out on the colour of a mean score: dark or white."""
    return ink_on(score_colour(mean))
