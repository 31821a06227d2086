"""The page of each kind of user, followed line by line in an empty folder against a real endpoint."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

import niah
from niah.cli.main import main
from niah.paths import shipped
from tests.conftest import SimulatedServer

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
ADDRESS = "http://127.0.0.1:8000/v1"
BLOCKS = re.compile(r'```(\w+)(?: title="([^"]+)")?\n(.*?)```', re.DOTALL)
"""Language, the file that the block is, and what stands in it."""


@pytest.fixture
def own_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader's folder, with some documents in ``docs``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for essay in sorted(shipped("haystacks/essays").glob("a-*.md")):
        shutil.copy(essay, tmp_path / "docs")


def follow(page: str, server: SimulatedServer, capsys: pytest.CaptureFixture[str]) -> None:
    """Write the files of a page and run its commands, in the order in which they stand there."""
    text = (DOCS / page).read_text().replace(ADDRESS, server.base_url)
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
@pytest.mark.parametrize("page", ["index.md", "model-teams.md", "researchers.md"])
def test_every_line_works(
    page: str, simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    follow(page, simulated_server, capsys)


@pytest.mark.usefixtures("own_documents")
def test_questions_over_own_documents_from_folder_to_report(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    follow("rag-teams.md", simulated_server, capsys)
    trials = niah.load_run("manual").frame()
    assert sorted(trials["document_id"].unique()) == ["crane", "kiln", "pump"]
    assert set(trials["outcome"]) == {"scored"}
    found = trials[trials["strategy"] == "bm25/top-1/document@40"]["retrieval_completeness"]
    assert found.notna().all()
    assert found.mean() > 0.5
    page = Path("plots/manual/index.html").read_text()
    assert "too few" in page
