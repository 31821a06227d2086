"""The light canvas draws what matplotlib's does, to the byte."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from matplotlib.figure import Figure

from niah.plots.kit.light.canvas import png_backend
from niah.plots.kit.theme import themed


def turned(figure: Figure) -> None:
    for angle in (0, 30, 45, 90, 270):
        figure.text(0.5, 0.5, "mean score, AVAT", rotation=angle, fontsize=7 + angle / 30, color="#336699")


def many_scripts(figure: Figure) -> None:
    for at, text in enumerate(("$5 and $6_x^2$", "fi ﬁ Ärger", "深度", "глубина", "عمق", "two\nlines\n")):
        figure.text(0.1, 0.1 + 0.13 * at, text)


def styled(figure: Figure) -> None:
    figure.text(0.1, 0.1, "the same words", fontweight="bold", alpha=0.4)
    figure.text(0.1, 0.3, "the same words", fontstyle="italic", fontsize=13.7)
    figure.text(0.1, 0.5, "the same words", antialiased=False)
    figure.text(0.1, 0.7, "the same words", parse_math=True)
    figure.text(0.1, 0.9, "$x_2$ of formulas", parse_math=True)


def axes(figure: Figure) -> None:
    figure.add_axes((0.2, 0.2, 0.7, 0.7)).plot([1e9, 1e9 + 1], [1e-7, 3e-7])


def drawn(fill: Callable[[Figure], None], dpi: int, backend: str | None) -> bytes:
    made = BytesIO()
    with themed():
        figure = Figure(figsize=(5, 3))
        fill(figure)
        figure.savefig(made, format="png", dpi=dpi, backend=backend)
    return made.getvalue()


def test_it_is_made_for_the_matplotlib_that_is_here() -> None:
    assert png_backend() is not None


@pytest.mark.parametrize("fill", [turned, many_scripts, styled, axes])
def test_the_same_bytes_and_again_when_all_is_known(fill: Callable[[Figure], None]) -> None:
    for dpi in (200, 100, 200):
        assert drawn(fill, dpi, png_backend()) == drawn(fill, dpi, None)
