"""Colours that stand out on white paper and on dark paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from matplotlib.colors import to_rgba

from niah.plots.kit.dark import ON_DARK_PAPER, ink_on_either
from niah.plots.kit.styles import ERRORS, length_styles


def contrast(one: str, other: str) -> float:
    """Of WCAG 2.2: from 1 to 21."""
    low, high = sorted(luminance(each) + 0.05 for each in (one, other))
    return high / low


def luminance(colour: str) -> float:
    parts = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgba(colour)[:3])
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def turned(colour: str) -> str:
    return ON_DARK_PAPER.get(colour, colour)


@pytest.mark.parametrize("colour", sorted({colour for colour, _ in ERRORS.values()}))
def test_numbers_in_bars_can_be_read_on_either_paper(colour: str) -> None:
    ink = ink_on_either(colour)
    assert contrast(ink, colour) >= 3
    assert contrast(turned(ink), turned(colour)) >= 3


@pytest.mark.parametrize("count", [1, 2, 5, 13])
def test_lines_of_lengths_can_be_seen_on_either_paper(count: int) -> None:
    for style in length_styles(range(count)).values():
        assert contrast(style.colour, "#ffffff") >= 1.8
        assert contrast(style.colour, turned("#ffffff")) >= 2.6


def test_no_pale_area_of_a_figure_stays_pale_on_dark_paper() -> None:
    folder = Path(__file__).parents[3] / "niah/plots/figures"
    written = {
        colour
        for path in folder.rglob("*.py")
        for colour in re.findall(r'"(#[0-9a-f]{6})"', path.read_text())
    }
    assert written
    assert {colour for colour in written if luminance(colour) > 0.7} <= ON_DARK_PAPER.keys()
