"""The report as a PDF: what stands on its pages, and that it is the same bytes each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from niah.cli.main import main
from niah.plots.paper.sheets import HEIGHT, MARGIN, WIDTH, Sheets
from niah.plots.report import write_pdf
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


def test_a_long_table_has_its_heads_on_every_page_and_all_rows() -> None:
    pages = Pages()
    sheets = pages.sheets()
    rows = [[str(place), "dos", f"{place / 7:.2f}"] for place in range(200)]
    sheets.table(["place", "strategy", "mean"], rows, [True, False, True])
    sheets.close()
    assert len(pages.pages) > 1
    assert all(texts[:3] == ["place", "strategy", "mean"] for texts in pages.texts)
    told = [text for texts in pages.texts for text in texts[3:]]
    assert told == [cell for row in rows for cell in row]


def test_nothing_stands_beyond_the_margins() -> None:
    pages = Pages()
    sheets = pages.sheets()
    wide = [f"a column of many words number {place}" for place in range(14)]
    sheets.table(wide, [[f"provider/a-very-long-name-{place}" for place in range(14)]] * 40, [False] * 14)
    sheets.text("A sentence that is much wider than the page. " * 20)
    sheets.close()
    for page in pages.pages:
        renderer = FigureCanvasAgg(page).get_renderer()
        for text in page.texts:
            box = text.get_window_extent(renderer).transformed(page.dpi_scale_trans.inverted())
            assert box.x0 >= MARGIN - 0.05
            assert box.x1 <= WIDTH - MARGIN + 0.12
            assert box.y0 >= MARGIN - 0.1
            assert box.y1 <= HEIGHT - MARGIN + 0.1


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    folder = tmp_path_factory.mktemp("pdf")
    write_run(folder / "small.sqlite", SMALL)
    return folder / "small.sqlite", write_pdf([read_run(folder / "small.sqlite")], folder).page.read_bytes()


def test_text_stays_text_and_every_figure_has_a_page(pdf: tuple[Path, bytes]) -> None:
    _, content = pdf
    assert content.startswith(b"%PDF-")
    assert content.count(b"/FontFile2") > 0  # TrueType, which can be searched and copied
    assert content.count(b"/Type3") == 0
    assert content.count(b"/Type /Page ") > 10


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
