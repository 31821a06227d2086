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


def test_metrics_stand_beside_the_judge(
    questions: Path, simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "mine.yaml"]) == 0
    config = Path("mine.yaml").read_text()
    Path("mine.yaml").write_text(f"{config}metrics: [accuracy, contained-match]\n")
    asked = len(simulated_server.prompts)
    assert main(["run", "mine.yaml"]) == 0  # the answers that are there are measured too
    assert len(simulated_server.prompts) == asked
    trials = exported(capsys)
    by_metric = {case: json.loads(trials[case, "lc"]["judge_scores"]) for case in ("mine_code", "mine_where")}
    assert by_metric["mine_code"] == {"auto": 10, "contained-match": 10}  # no options, no accuracy
    assert by_metric["mine_where"].keys() == {"auto", "accuracy", "contained-match"}
    assert main(["report", "mine", "--out", "shown"]) == 0
    # Another judge's report is a folder of its own, whose head says whose scores it has.
    capsys.readouterr()
    assert main(["report", "mine"]) == 0
    *_, figures, tables, last = capsys.readouterr().out.splitlines()
    assert (figures.split()[0], tables.split()[0]) == ("figures", "tables")
    assert last == "report   plots/mine/index.html"
    first = Path("plots/mine/index.html").read_bytes()
    assert main(["report", "mine", "--score", "contained-match"]) == 0
    assert Path("plots/mine/index.html").read_bytes() == first
    assert main(["report", "mine", "--out", "by-options", "--score", "accuracy"]) == 0
    with Path("by-options/tables/mean-scores.csv").open() as file:
        assert {row["n"] for row in csv.DictReader(file)} == {"1"}  # the question with options
    capsys.readouterr()
    assert main(["report", "mine", "--score", "rouge-l"]) == 2
    assert "niah judge runs/mine.sqlite --judge rouge-l" in capsys.readouterr().err
    Path("mine.yaml").write_text(f"{config}metrics: [contained]\n")
    assert main(["run", "mine.yaml"]) == 2
    assert "metrics.0" in (said := capsys.readouterr().err)
    assert "contained-match" in said


def test_comparisons_cluster_by_document(questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "mine.yaml", "--out", "runs/a.sqlite"]) == 0
    assert main(["run", "mine.yaml", "--out", "runs/b.sqlite"]) == 0
    capsys.readouterr()
    assert main(["compare", "runs/a.sqlite", "runs/b.sqlite", "--format", "json"]) in (0, 3)
    compared = json.loads(capsys.readouterr().out)
    assert compared["rows"][0]["clusters"] == 2


def run_of_brief_answers(address: str, *more: dict[str, str]) -> str:
    """Writes three questions with short answers, and more, and a run over them: its config."""
    brief = [("colour", "pier", "green lanterns"), ("code", "mill", "4471"), ("weir", "mill", "by the weir")]
    lines = [
        {"id": id_, "document_id": document, "question": f"Which {id_}?", "answers": [answer]}
        for id_, document, answer in brief
    ]
    Path("mine.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in (*lines, *more)))
    run = (RUN % address).replace("bm25/half/document@100, closed-book", "bm25/top-5/document")
    Path("mine.yaml").write_text(run)
    return run
