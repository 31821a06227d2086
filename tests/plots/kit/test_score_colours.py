"""The colours of scores: matplotlib's viridis, and what stands out on it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from matplotlib import colormaps
from matplotlib.colors import to_hex

from niah.plots.kit.score_colours import SHADES, score_colour, score_ink
from niah.plots.kit.theme import PALETTE


def test_shades_are_the_figures_palette() -> None:
    assert [to_hex(colormaps[PALETTE](step / 90)) for step in range(91)] == list(SHADES)


@pytest.mark.parametrize(
    ("mean", "colour"), [(1, "#440154"), (5.5, SHADES[45]), (9.96, "#fde725"), (10, "#fde725")]
)
def test_a_mean_has_the_shade_of_its_tenth(mean: float, colour: str) -> None:
    assert to_hex(score_colour(mean)) == colour


@pytest.mark.parametrize("tenths", range(10, 101, 5))
def test_ink_stands_out_on_every_score(tenths: int) -> None:
    ink = [int(score_ink(tenths / 10)[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    dark, light = sorted((_luminance(score_colour(tenths / 10)), _luminance(ink)))
    assert (light + 0.05) / (dark + 0.05) > 3.9


def _luminance(colour: Sequence[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
