"""Pages for users, followed line by line in an empty folder against a real endpoint."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

import niah
from niah.cli.main import main
from niah.files import shipped
from tests.conftest import SimulatedServer

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
ADDRESS = re.compile(r"http://127\.0\.0\.1:800\d/v1")
BLOCKS = re.compile(r'```(\w+)(?: title="([^"]+)")?\n(.*?)```', re.DOTALL)
"""Language, the file that the block is, and what stands in it."""


@pytest.fixture
def own_documents(in_folder: Path) -> None:
    """The reader's folder, with some documents in ``docs``."""
    (in_folder / "docs").mkdir()
    for essay in sorted(shipped("haystacks/essays").glob("a-*.md")):
        shutil.copy(essay, in_folder / "docs")


def follow(
    page: str, server: SimulatedServer, capsys: pytest.CaptureFixture[str], start: str = "# ", end: str = "\0"
) -> None:
    """Write the files of a page and run its commands in their order, from one heading up to another."""
    text = ADDRESS.sub(server.base_url, (DOCS / page).read_text())
    text = text.replace("niah run engine", "niah run engine --lengths 4k")  # in place of 4 million tokens
    text = text[text.index(start) :].partition(end)[0]
    lines = []
    for language, file, content in BLOCKS.findall(text):
        if file:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(content)
        elif language == "sh":
            whole = content.replace("\\\n", " ").splitlines()
            lines = [line for line in whole if line.startswith("niah ")]
            for line in lines:
                code = main(shlex.split(line, comments=True)[1:])
                assert code == 0, f"{line}: {code}\n{capsys.readouterr().err}"
    assert lines


@pytest.mark.usefixtures("own_documents")
@pytest.mark.parametrize(("page", "start"), [("quickstart.md", "## Ask your own"), ("engine-teams.md", "# ")])
def test_every_line_works(
    page: str, start: str, simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    follow(page, simulated_server, capsys, start)
    if page == "engine-teams.md":
        assert Path("plots/before--after/figures/difference-heatmap.svg").is_file()


@pytest.mark.usefixtures("own_documents")
def test_a_first_night(simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]) -> None:
    follow("nightly.md", simulated_server, capsys, "# Nightly", "## Seeds")
    (verdict,) = Path("plots").glob("tonight-*/verdict.md")
    assert verdict.read_text().strip()


@pytest.mark.usefixtures("own_documents")
def test_questions_over_own_documents_from_folder_to_report(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    follow("suites-and-questions.md", simulated_server, capsys, "## A grid", "## Published datasets")
    trials = niah.load_run("manual").frame()
    assert sorted(trials["document_id"].unique()) == ["crane", "kiln", "pump"]
    assert set(trials["outcome"]) == {"scored"}
    found = trials[trials["strategy"] == "bm25/top-1/document@40"]["retrieval_completeness"]
    assert found.notna().all()
    assert found.mean() > 0.5
    page = Path("plots/manual/index.html").read_text()
    assert "too few" in page
