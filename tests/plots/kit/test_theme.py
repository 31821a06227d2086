"""Names in any script: drawn where a font has the letters, and no word of it where none has."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from matplotlib import rcParams
from matplotlib.figure import Figure

from niah.plots.kit.theme import families, save, themed

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
    assert families(["Unifont", "Comic Sans MS", "Noto Sans CJK JP", "DejaVu Sans"]) == [
        "DejaVu Sans",
        "Noto Sans CJK JP",
        "Unifont",
    ]
    assert families([]) == ["DejaVu Sans"]
    with themed():
        assert rcParams["font.family"][0] == "DejaVu Sans"
