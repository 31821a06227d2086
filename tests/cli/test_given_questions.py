"""Questions over given documents: asked, judged, compared, reported, and reported without the documents."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer

PIER = "# Pier\n\n| lamp | colour |\n| --- | --- |\n| north | green lanterns |\n\nRain fell. It was late."
MILL = "The mill stood by the weir.\nIts access code is 4471. Nobody used it.\n\n    code = 1\n"
DOCUMENTS = [{"id": "pier", "text": PIER}, {"id": "mill", "text": MILL}]
QUESTIONS = [
    {"id": "colour", "document_id": "pier", "question": "Which lanterns?", "answers": ["green lanterns"]},
    {"id": "code", "document_id": "mill", "question": "Which code?", "answers": ["Its access code is 4471."],
     "evidence": ["Its access code is 4471."]},
    {"id": "where", "document_id": "mill", "question": "Where?", "options": ["by the weir", "by the pier"],
     "answer_index": 0},
]  # fmt: skip
RUN = """
suite: suite.yaml
readers: [{model: simulated, api_base: "%s"}]
strategies: [lc, bm25/half/document@100, closed-book]
"""


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulated_server: SimulatedServer) -> Path:
    """A working folder with a run config over two documents."""
    monkeypatch.chdir(tmp_path)
    for name, lines in (("mine.jsonl", QUESTIONS), ("mine.documents.jsonl", DOCUMENTS)):
        Path(name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    Path("suite.yaml").write_text("questions: mine.jsonl\n")
    Path("mine.yaml").write_text(RUN % simulated_server.base_url)
    return tmp_path


def exported(capsys: pytest.CaptureFixture[str]) -> dict[tuple[str, str], dict[str, str]]:
    capsys.readouterr()
    assert main(["export", "runs/mine.sqlite", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    return {(row["case_id"], row["strategy"]): row for row in rows}


def test_a_run_over_given_questions(
    questions: Path, simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", "mine.yaml"]) == 0
    assert main(["run", "mine.yaml"]) == 0
    assert all(any(text in prompt for prompt in simulated_server.prompts) for text in (PIER, MILL))
    trials = exported(capsys)
    assert len(trials) == 9
    code = trials["mine_code", "lc"]
    assert (code["outcome"], float(code["score"])) == ("scored", 10)  # quoted word for word: F1 is 1
    assert (code["needle_set"], code["depth"], code["seed"]) == ("", "", "")
    assert float(trials["mine_code", "closed-book"]["score"]) < 10
    assert trials["mine_colour", "bm25/half/document@100"]["retrieval_completeness"] == ""
    assert float(trials["mine_where", "lc"]["score"]) == 1  # it names no option
    asked = len(simulated_server.prompts)
    assert main(["run", "mine.yaml"]) == 0
    assert len(simulated_server.prompts) == asked


def test_everything_but_contexts_stands_without_the_documents(
    questions: Path, simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "mine.yaml"]) == 0
    assert main(["report", "runs/mine.sqlite", "--out", "before"]) == 0
    trials = exported(capsys)
    for name in ("mine.jsonl", "mine.documents.jsonl", "suite.yaml", "mine.yaml"):
        Path(name).unlink()
    assert main(["report", "runs/mine.sqlite", "--out", "after"]) == 0
    assert exported(capsys) == trials
    files = sorted(path.relative_to("before") for path in Path("before").rglob("*.*"))
    assert [Path("after", path).is_file() for path in files] == [True] * len(files)
    same = [path for path in files if Path("before", path).read_bytes() == Path("after", path).read_bytes()]
    assert set(files) - set(same) <= {Path("index.html")}
    assert main(["judge", "run", "runs/mine.sqlite", "--judge", "token-f1"]) == 0


def test_comparisons_cluster_by_document(questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "mine.yaml", "--out", "runs/a.sqlite"]) == 0
    assert main(["run", "mine.yaml", "--out", "runs/b.sqlite"]) == 0
    capsys.readouterr()
    assert main(["compare", "runs/a.sqlite", "runs/b.sqlite", "--format", "json"]) in (0, 3)
    compared = json.loads(capsys.readouterr().out)
    assert compared["rows"][0]["clusters"] == 2
