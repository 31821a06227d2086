"""One figure as a file: formats, widths, styles, and what is said of wrong ones."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from matplotlib.colors import to_hex
from pypdf import PdfReader

from niah.analysis.frame import trial_frame
from niah.cli.reporting.figure import figure_command
from niah.errors import UnknownName, UserError
from niah.plots.kit.dark import ON_DARK_PAPER, darken
from niah.plots.kit.page import Page, drawn_for
from niah.plots.kit.theme import themed
from niah.plots.one_figure.figure_file import STYLES, FigureFormat, FigureLook, inches, write_figure
from niah.plots.one_figure.figure_request import (
    FIGURE_FORMATS,
    figure_look,
    write_run_figure,
    write_run_figures,
)
from niah.plots.registry import figure_named, rendered_figures
from tests.plots.figures.layout import faults
from tests.plots.figures.simulated_records import World, simulate

if TYPE_CHECKING:
    from pandas import DataFrame

WORLD = World(
    readers=("simulated-a", "simulated-b"),
    strategies=("lc", "topk", "topk-rev", "oracle"),
    lengths=(1000, 4000, 16000),
    depths=(0, 50, 100),
    sets=("pizza-ingredients", "needle-in-needle"),
    seeds=(1, 2, 3),
    failing=0.1,
)


@pytest.fixture(scope="module")
def frame() -> DataFrame:
    records, samples = simulate(WORLD)
    return trial_frame(records, samples)


@pytest.mark.parametrize(
    ("text", "wide"), [("3.3in", 3.3), (" 84 mm", 84 / 25.4), ("8.4cm", 8.4 / 2.54), ("240pt", 240 / 72)]
)
def test_widths_have_units(text: str, wide: float) -> None:
    assert inches(text) == pytest.approx(wide)


@pytest.mark.parametrize("text", ["3", "wide", "-3in", "3.3 inches", "0.2in", "900cm", "in", "1e3in"])
def test_what_is_no_width_is_named(text: str) -> None:
    with pytest.raises(UserError) as problem:
        inches(text)
    assert text.strip() in str(problem.value)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", get_args(FigureFormat))
def test_a_file_is_as_wide_as_it_was_asked(
    frame: DataFrame, tmp_path: Path, style: str, kind: FigureFormat
) -> None:
    path = tmp_path / f"one.{kind}"
    assert write_figure(frame, "score-by-length", path, kind, FigureLook(style, 4.0, dpi=100))
    content = path.read_bytes()
    match kind:
        case "pdf":
            wide = float(PdfReader(path).pages[0].mediabox.width) / 72
        case "svg":
            wide = float(re.search(rb'<svg[^>]* width="([0-9.]+)pt"', content)[1]) / 72  # type: ignore[index]
        case "png":
            wide = struct.unpack(">I", content[16:20])[0] / 100
    assert wide == pytest.approx(4.0, abs=0.011)  # a dot more or less


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("dpi", [100, 300, 600])
@pytest.mark.parametrize("width", [None, 3.3, 7.0])
def test_a_png_says_the_dots_an_inch_that_were_asked_for(
    frame: DataFrame, tmp_path: Path, style: str, dpi: int, width: float | None
) -> None:
    """What places it, LaTeX or Word, divides its dots by what it says: that has to give its width."""
    from PIL import Image

    path = tmp_path / "one.png"
    assert write_figure(frame, "error-types", path, "png", FigureLook(style, width, dpi=dpi))
    with Image.open(path) as image:
        assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.02)  # a chunk pHYs has whole dots a metre
        if wide := width or STYLES[style].width:
            assert image.width / image.info["dpi"][0] == pytest.approx(wide, abs=1.1 / dpi)


def test_a_paper_is_a_column_wide_and_the_page_as_wide_as_it_likes(frame: DataFrame, tmp_path: Path) -> None:
    def wide(style: str) -> float:
        write_figure(frame, "score-by-length", tmp_path / "one.pdf", "pdf", FigureLook(style))
        return float(PdfReader(tmp_path / "one.pdf").pages[0].mediabox.width) / 72

    assert wide("paper") == pytest.approx(3.3)
    assert wide("slide") == pytest.approx(12)
    assert wide("page") > 6


def test_text_is_text_and_titles_can_be_left_out(frame: DataFrame, tmp_path: Path) -> None:
    pdf, svg = tmp_path / "one.pdf", tmp_path / "one.svg"
    write_figure(frame, "score-by-length", pdf, "pdf", FigureLook("paper"))
    assert "Score over context length" in PdfReader(pdf).pages[0].extract_text()
    write_figure(frame, "score-by-length", pdf, "pdf", FigureLook("paper", titled=False))
    text = PdfReader(pdf).pages[0].extract_text()
    assert "Score over" not in text
    assert "simulated-b" in text
    assert "context length" in text
    write_figure(frame, "score-by-length", svg, "svg", FigureLook("paper"))
    assert "Score over context length</text>" in svg.read_text()


@pytest.mark.parametrize("width", [4.6, 8.0])
def test_nothing_overlaps_where_it_is_narrow(frame: DataFrame, width: float) -> None:
    """4.6 inches is a column of a paper before it is made smaller, 8 a slide before it is made larger."""
    with themed(), drawn_for(Page(width)):
        drawn = list(rendered_figures(frame))
        assert {one.name: found for one in drawn if (found := faults(one.figure))} == {}
    narrow = [one.name for one in drawn if one.figure.get_size_inches()[0] <= width + 0.01]
    assert {"score-by-length", "effective-length", "error-types", "heatmaps--simulated-a"} <= set(narrow)


def test_the_same_trials_give_the_same_bytes(frame: DataFrame, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for kind in FIGURE_FORMATS:
        for path in (one, other):
            write_figure(frame, "score-by-tokens", path, kind, FigureLook("dark"))
        assert one.read_bytes() == other.read_bytes(), kind


def test_heatmaps_of_several_readers_are_the_figure_that_shows_all(frame: DataFrame) -> None:
    with themed():
        drawn = [figure_named(frame, name) for name in ("heatmaps", "heatmaps--simulated-b")]
    assert [one.name for one in drawn if one is not None] == ["heatmaps", "heatmaps--simulated-b"]


def test_dark_paper(frame: DataFrame) -> None:
    with themed():
        drawn = figure_named(frame, "score-by-length")
        assert drawn is not None
        darken(drawn.figure)
    assert to_hex(drawn.figure.get_facecolor()) == ON_DARK_PAPER["#ffffff"]
    inks = {to_hex(text.get_color()) for text in drawn.figure.texts}
    assert inks
    assert inks <= {ON_DARK_PAPER["#1f2328"], ON_DARK_PAPER["#656d76"]}
    assert all(to_hex(line.get_color()) != "#000000" for axes in drawn.figure.axes for line in axes.lines)


def test_another_style_is_another_file(
    frame: DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for style in ("page", "paper", "slide"):
        write_run_figure(frame, Path("run"), "score-by-length", None, "svg", FigureLook(style))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "score-by-length--paper.svg",
        "score-by-length--slide.svg",
        "score-by-length.svg",
    ]


@pytest.mark.parametrize(
    ("out", "kind", "says"),
    [
        ("one.gif", None, "no format gif"),
        ("one.svg", "pdf", "ends in .svg"),
        ("one.csv", "pdf", "ends in .csv, and PDF would be written. End it in .pdf."),
        (".", None, "is a folder"),
        ("one", "tiff", "no format tiff"),
    ],
)
def test_what_cannot_be_written_is_said_and_nothing_is(
    frame: DataFrame, tmp_path: Path, out: str, kind: str | None, says: str
) -> None:
    with pytest.raises(UserError, match=says):
        write_run_figure(frame, Path("run"), "score-by-length", tmp_path / out, kind, FigureLook())
    assert not list(tmp_path.iterdir())


def test_a_figure_without_trials_and_one_that_there_is_not(frame: DataFrame, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no trials for the figure distractors"):
        write_run_figure(frame, Path("run"), "distractors", tmp_path / "one.pdf", None, FigureLook())
    with pytest.raises(UnknownName, match="score-by-lenght"):
        write_run_figure(frame, Path("run"), "score-by-lenght", tmp_path / "one.pdf", None, FigureLook())
    assert not list(tmp_path.iterdir())


def test_wrong_looks() -> None:
    with pytest.raises(UnknownName, match="papper"):
        figure_look("papper", None, True, None)
    with pytest.raises(UserError, match="5 dots"):
        figure_look("page", None, True, 5)


def test_the_command_line_offers_what_there_is() -> None:
    offered = {option.name: getattr(option.type, "choices", ()) for option in figure_command.params}
    assert tuple(offered["style"]) == tuple(STYLES)
    assert tuple(offered["kind"]) == FIGURE_FORMATS


def test_a_name_of_several_figures_writes_each(
    frame: DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["score-by-depth--simulated-a", "score-by-depth--simulated-b"]
    written = write_run_figures(frame, Path("run"), "score-by-depth", None, "svg", FigureLook())
    assert [path.name for path in written] == [f"{name}.svg" for name in names]
    assert all(path.stat().st_size for path in written)
    with pytest.raises(UserError, match=f"2 figures score-by-depth: {', '.join(names)}"):
        write_run_figures(frame, Path("run"), "score-by-depth", tmp_path / "one.svg", None, FigureLook())
    assert len(list(tmp_path.iterdir())) == 2


def test_a_name_of_one_figure_is_its_file(
    frame: DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (written,) = write_run_figures(frame, Path("run"), "error-types", None, "svg", FigureLook())
    assert written == Path("error-types.svg")
