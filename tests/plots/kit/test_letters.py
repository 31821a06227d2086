"""Letters that are laid out once stand where matplotlib puts them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from niah.plots.kit import letters
from niah.plots.kit.theme import save, themed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TEXTS = ("10", "10", "128k", "fi ffi AV, Ünïcode", "two\nlines", "$5 and $6", "針", "مرحبا")


def _figure() -> Figure:
    from matplotlib.figure import Figure

    figure = Figure((4, 3))
    axes = figure.add_axes((0.1, 0.1, 0.8, 0.8))
    axes.set_xticks([0, 0.5, 1], ["1k", "2k", "10"])
    for place, text in enumerate(TEXTS):
        look = {"weight": "bold"} if place % 2 else {"rotation": 90}
        axes.text(place / 9, 0.5, text, fontsize=8 + place % 3, **look)
    return figure


def test_files_are_matplotlibs_own(tmp_path: Path) -> None:
    with themed():
        first, second = (save(_figure(), tmp_path / name, "a", dpi=110) for name in ("first", "second"))
        png, svg = tmp_path / "a.png", tmp_path / "a.svg"
        _figure().savefig(png, format="png", dpi=110)
        _figure().savefig(svg, format="svg", metadata={"Date": None, "Creator": "niah"})
    for own in (first, second):
        with Image.open(own[0]) as ours, Image.open(png) as theirs:
            assert ours.mode == "RGB"
            assert ours.info["dpi"] == pytest.approx((110, 110), abs=0.1)
            assert ours.tobytes() == theirs.convert("RGB").tobytes()
            assert theirs.getchannel("A").getextrema() == (255, 255)
        assert own[1].read_bytes() == svg.read_bytes()


def test_a_second_figure_lays_nothing_out(tmp_path: Path) -> None:
    kept = (letters._extent, letters._extent_in_dots, letters._glyphs)
    with themed():
        save(_figure(), tmp_path, "a", dpi=110)
        before = [each.cache_info() for each in kept]
        save(_figure(), tmp_path, "b", dpi=110)
    for each, known in zip(kept, before, strict=True):
        assert each.cache_info().misses == known.misses
        assert each.cache_info().hits > known.hits


def test_a_figure_that_lays_itself_out_is_written_as_matplotlib_writes_it(tmp_path: Path) -> None:
    from matplotlib.figure import Figure

    def laid_out() -> Figure:
        figure = Figure((4, 3), layout="constrained")
        figure.subplots().set_ylabel("score")
        return figure

    with themed():
        (ours, _) = save(laid_out(), tmp_path, "ours", dpi=110)
        laid_out().savefig(tmp_path / "theirs.png", format="png", dpi=110)
    with Image.open(ours) as own, Image.open(tmp_path / "theirs.png") as theirs:
        assert own.tobytes() == theirs.convert("RGB").tobytes()
