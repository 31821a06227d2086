"""The report as a PDF: what stands on its pages, and that it is the same bytes each time."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from pypdf import PdfReader

from niah.analysis.tables.table import Table
from niah.cli.main import main
from niah.plots.paper.sheets import HEIGHT, MARGIN, WIDTH, Sheets
from niah.plots.paper.stacked import FIGURE_SCALE, FIGURE_WIDTH, stacked
from niah.plots.paper.table_layout import GAP, POINTS
from niah.plots.report import write_pdf
from niah.plots.table_columns import Column
from niah.plots.table_words import shown_row
from niah.runs.file.read_model import read_run
from tests.plots.html.simulated_run import Size, write_run

SMALL = Size(lengths=(512, 1024), depths=(0,), sets=("ferry-lanterns",), strategies=("lc", "topk"))


class Pages:
    """What ``PdfPages`` gets."""

    def __init__(self) -> None:
        self.pages: list[Figure] = []

    def savefig(self, figure: Figure) -> None:
        self.pages.append(figure)

    def sheets(self) -> Sheets:
        return Sheets(cast("Any", self))

    @property
    def texts(self) -> list[list[str]]:
        return [[text.get_text() for text in page.texts] for page in self.pages]


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> list[Column]:
    return [
        Column(head, cells, number, not number)
        for head, cells, number in zip(heads, zip(*rows, strict=True), numeric, strict=True)
    ]


def test_a_long_table_has_its_heads_on_every_page_and_all_rows() -> None:
    pages = Pages()
    sheets = pages.sheets()
    rows = [[str(place), f"dos-{place % 2}", f"{place / 7:.2f}"] for place in range(200)]
    sheets.table(columns(["place", "strategy", "mean"], rows, [True, False, True]))
    sheets.close()
    assert len(pages.pages) > 1
    assert all(texts[:3] == ["place", "strategy", "mean"] for texts in pages.texts)
    told = [text for texts in pages.texts for text in texts[3:]]
    assert told == [cell for row in rows for cell in row]


NAMES = ["bm25/budget-2000/document", "arctic@100/top-15/reverse", "openai/text-embedding-3-small/top-5/norm"]


@pytest.mark.parametrize("numbers", [3, 9, 13, 30])
def test_no_word_is_torn_and_no_column_touches_another(numbers: int) -> None:
    """However wide a table is: upright, on a page that lies, or in parts, in one size of type."""
    pages = Pages()
    sheets = pages.sheets()
    heads = ["reader", "strategy", "needle set", *(f"retrieval completeness {at}" for at in range(numbers))]
    rows = [
        [f"model-{place % 2}", NAMES[place % 3], f"academy-courses-{place}", *["19,587.30"] * numbers]
        for place in range(9)
    ]
    sheets.table(columns(heads, rows, [False] * 3 + [True] * numbers))
    sheets.close()
    words = set(re.findall(r"[^\s/]+/?", " ".join([*heads, *(cell for row in rows for cell in row)])))
    for page in pages.pages:
        assert tuple(page.get_size_inches()) in ((WIDTH, HEIGHT), (HEIGHT, WIDTH))
        assert {text.get_fontsize() for text in page.texts} == {POINTS}
        for text in page.texts:
            assert set(re.findall(r"[^\s/]+/?", text.get_text())) <= words
        boxes = [box_of(page, text) for text in page.texts]
        for one, other in itertools.combinations(boxes, 2):
            assert not Bbox.intersection(one, other)
            if abs(one.y0 - other.y0) < 0.02:
                assert max(one.x0, other.x0) - min(one.x1, other.x1) > GAP / 2
    shown = {text for texts in pages.texts for text in texts}
    assert {str(at) for at in range(numbers)} <= shown  # the last words of the heads


def test_a_table_too_wide_to_stand_lies_and_a_short_one_after_it_goes_there_too() -> None:
    pages = Pages()
    sheets = pages.sheets()
    for count in (3, 14, 3):
        heads = [f"column {at}" for at in range(count)]
        sheets.table(columns(heads, [["12,345.67"] * count] * 4, [True] * count), f"{count} columns")
    sheets.close()
    assert [page.get_size_inches()[0] for page in pages.pages] == [WIDTH, HEIGHT]


def test_names_that_stand_in_rows_on_end_are_written_once_a_page_and_leave_room_for_others() -> None:
    whats = ["full context correct", "RAG correct", "only full context", "only RAG"]
    rows = [
        [reader, strategy, f"part {part}", what, *["0.25"] * 7]
        for reader, strategy in (("a", NAMES[0]), ("b", NAMES[2]))
        for part in range(20)
        for what in whats
    ]
    heads = ["reader", "strategy", "part", "what", *(f"n{at}" for at in range(7))]
    pages = Pages()
    sheets = pages.sheets()
    sheets.table(columns(heads, rows, [False] * 4 + [True] * 7))
    sheets.close()
    # 160 rows of a line each, but for names in several: three pages that stand
    assert [tuple(page.get_size_inches()) for page in pages.pages] == [(WIDTH, HEIGHT)] * 3
    assert [texts.count("a") + texts.count("b") for texts in pages.texts] == [1, 2, 1]
    told = [text for texts in pages.texts for text in texts]
    assert {what: told.count(what) for what in whats} == dict.fromkeys(whats, 40)
    # the first row of a page says all again
    assert [texts[11] for texts in pages.texts] == ["a", "a", "b"]


def box_of(page: Figure, text: Text) -> Bbox:
    """In inches."""
    # A canvas keeps its renderer, and a renderer a picture of the whole page: one a page, not one a text.
    canvas = page.canvas if isinstance(page.canvas, FigureCanvasAgg) else FigureCanvasAgg(page)
    return text.get_window_extent(canvas.get_renderer()).transformed(page.dpi_scale_trans.inverted())


def test_nothing_stands_beyond_the_margins() -> None:
    pages = Pages()
    sheets = pages.sheets()
    wide = [f"a column of many words number {place}" for place in range(14)]
    rows = [[f"provider/a-very-long-name-{place}-{row}" for place in range(14)] for row in range(40)]
    sheets.table(columns(wide, rows, [False] * 14))
    sheets.text("A sentence that is much wider than the page. " * 20)
    sheets.close()
    for page in pages.pages:
        width, height = page.get_size_inches()
        for box in (box_of(page, text) for text in page.texts):
            assert box.x0 >= MARGIN - 0.05
            assert box.x1 <= width - MARGIN + 0.12
            assert box.y0 >= MARGIN - 0.1
            assert box.y1 <= height - MARGIN + 0.1


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    folder = tmp_path_factory.mktemp("pdf")
    write_run(folder / "small.sqlite", SMALL)
    return folder / "small.sqlite", write_pdf([read_run(folder / "small.sqlite")], folder).page.read_bytes()


def test_text_stays_text_in_fonts_that_can_be_searched(pdf: tuple[Path, bytes]) -> None:
    _, content = pdf
    assert content.startswith(b"%PDF-")
    assert content.count(b"/FontFile2") > 0  # TrueType, which can be searched and copied
    assert content.count(b"/Type3") == 0


def test_every_page_is_a4_and_every_figure_is_on_one_within_the_margins(pdf: tuple[Path, bytes]) -> None:
    _, content = pdf
    pages = PdfReader(BytesIO(content)).pages
    sizes = {(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in pages}
    assert sizes <= {(595, 842), (842, 595)}
    text = "\n".join(page.extract_text() for page in pages)
    for title in ("Score over context length", "Error types", "Score against tokens", "Mean scores"):
        assert title in text
    assert len(pages) < 20  # figures stand below one another


@pytest.mark.parametrize(
    ("size", "page", "scale"),
    [
        ((FIGURE_WIDTH, 4.0), (WIDTH, HEIGHT), FIGURE_SCALE),
        ((6.0, 4.0), (WIDTH, HEIGHT), FIGURE_SCALE),  # not larger than the others
        ((FIGURE_WIDTH, 20.0), (WIDTH, HEIGHT), (HEIGHT - 2 * MARGIN) / 20),
        ((16.0, 5.0), (HEIGHT, WIDTH), (HEIGHT - 2 * MARGIN) / 16),
    ],
)
def test_a_figure_is_as_large_as_the_others_or_as_the_page(
    size: tuple[float, float], page: tuple[float, float], scale: float
) -> None:
    drawn = BytesIO()
    with PdfPages(drawn) as file:
        file.savefig(Figure(figsize=size))
    made = PdfReader(BytesIO(stacked(drawn.getvalue(), [0], "t", "c"))).pages
    assert len(made) == 1
    assert [float(side) / 72 for side in made[0].mediabox[2:]] == pytest.approx(page)
    content = made[0].get_contents()
    assert content is not None
    placed = rb"([\d.]+) 0(?:\.0)? 0(?:\.0)? ([\d.]+) ([\d.]+) ([\d.]+) cm"
    numbers = re.search(placed, content.get_data())
    assert numbers is not None
    across, down, left, bottom = map(float, numbers.groups())
    assert (across, down) == pytest.approx((scale, scale), rel=1e-3)
    assert left / 72 == pytest.approx(MARGIN)
    assert bottom / 72 + size[1] * scale == pytest.approx(page[1] - MARGIN)


def test_the_first_figure_stands_below_the_answers_where_it_fits() -> None:
    def pages_with(room: float) -> int:
        drawn = BytesIO()
        with PdfPages(drawn) as file:
            file.savefig(Figure(figsize=(WIDTH, HEIGHT)))
            file.savefig(Figure(figsize=(FIGURE_WIDTH, 5.0)))
        return len(PdfReader(BytesIO(stacked(drawn.getvalue(), [1], "t", "c", room))).pages)

    assert [pages_with(room) for room in (0.0, 4.0, 4.3)] == [2, 2, 1]


def test_shares_are_called_as_the_columns_of_their_counts() -> None:
    table = Table(
        "shares", "Shares", ("what", "share"), (("lc_correct", 0.5), ("only_rag", 0.25), ("gap", 0.1))
    )
    assert [shown_row(table, row)[0] for row in table.rows] == ["full context correct", "only RAG", "gap"]


def test_the_first_page_says_what_each_sentence_is_about(pdf: tuple[Path, bytes]) -> None:
    _, content = pdf
    first = PdfReader(BytesIO(content)).pages[0].extract_text()
    assert re.search(r"^Best overall: ", first, re.MULTILINE)
    assert re.search(r"^Blind spots: Full context ", first, re.MULTILINE)


def test_the_command_says_where_it_is_and_the_bytes_are_the_same(
    pdf: tuple[Path, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, content = pdf
    assert main(["report", str(path), "--format", "pdf", "--out", str(tmp_path / "paper")]) == 0
    assert f"report   {tmp_path}/paper/report.pdf" in capsys.readouterr().out.replace("\n", " ")
    assert (tmp_path / "paper" / "report.pdf").read_bytes() == content
    assert not (tmp_path / "paper" / "index.html").exists()
    assert (tmp_path / "paper" / "tables" / "outcomes.csv").is_file()
    assert main(["report", str(path), "--format", "docx"]) == 2
    assert "--format: 'docx' is not one of 'html', 'pdf'" in capsys.readouterr().err
