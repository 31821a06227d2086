from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest
from matplotlib import colormaps, rcParams
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from niah.plots.kit.theme import PALETTE, SHADES, font_families, save, score_colour, score_ink, themed

IN_MANY_SCRIPTS = "あ 名前 한국어 नमस्ते ไทย 🦊"


def drawn(folder: Path, text: str) -> list[Path]:
    figure = Figure(figsize=(2, 1))
    figure.text(0.1, 0.5, text)
    return save(figure, folder, "name")


def test_letters_that_no_font_has_are_no_news(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with themed():
            assert [path.stat().st_size > 0 for path in drawn(tmp_path, IN_MANY_SCRIPTS)] == [True, True]


def test_other_warnings_stay() -> None:
    with themed(), pytest.warns(UserWarning, match="Something else is missing"):
        warnings.warn("Something else is missing", UserWarning, stacklevel=1)


def test_ours_comes_first_and_then_what_is_installed() -> None:
    assert font_families(["Unifont", "Comic Sans MS", "Noto Sans CJK JP", "DejaVu Sans"]) == [
        "DejaVu Sans",
        "Noto Sans CJK JP",
        "Unifont",
    ]
    assert font_families([]) == ["DejaVu Sans"]
    with themed():
        assert rcParams["font.family"][0] == "DejaVu Sans"


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


def test_of_a_font_without_bold_letters_nothing_is_said(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("matplotlib.font_manager")
    log.warning("Failed to find font weight bold for Some Font, now using 400.")
    assert len(caplog.records) == 1, "matplotlib would say so"
    with themed():
        log.warning("Failed to find font weight bold for Some Font, now using 400.")
    assert len(caplog.records) == 1
    assert log.isEnabledFor(logging.WARNING), "afterwards as before"
