"""The documented Python calls, and the gate for pytest."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import niah
from tests.contract.conftest import LAMP, Endpoint, answering, read_closely, run_niah, write

_RAG = "bm25/top-1/document@100"


def _blind(prompt: str) -> str:
    """Reads a passage, and no whole context."""
    return read_closely(prompt) if len(prompt.split()) < 250 else "I do not know."


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder with a needle set and a suite."""
    folder = tmp_path_factory.mktemp("python")
    write(folder / "needles" / "lamp.yaml", LAMP)
    grid = "haystacks: [essays]\nneedle_sets: [needles/lamp.yaml]\nlengths: [512, 1k]\ndepths: [100]\n"
    write(folder / "cases" / "lamps.yaml", f"{grid}seeds: [1, 2, 3, 4, 5, 6, 7, 8]\n")
    return folder


@pytest.fixture(autouse=True)
def _there(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)


@pytest.fixture(scope="module")
def server() -> Iterator[Endpoint]:
    """Two models: one that reads all, and one that reads no whole context."""
    with answering(good=read_closely, bad=_blind) as endpoint:
        yield endpoint


def _asking(endpoint: Endpoint, model: str, **more: Any) -> dict[str, Any]:
    reader = {"model": model, "name": "m", "api_base": endpoint.base}
    return {"readers": [reader], "strategies": ["lc", _RAG], "out": f"runs/{model}.sqlite", **more}


@pytest.fixture(scope="module")
def runs(place: Path, server: Endpoint) -> tuple[niah.Run, niah.Run]:
    """A run of each model, under the same name."""
    with contextlib.chdir(place):
        asking = [_asking(server, model, progress=False) for model in ("good", "bad")]
        good, bad = (niah.run("cases/lamps.yaml", **arguments) for arguments in asking)
    return good, bad


def test_a_plan_says_what_a_run_asks(
    runs: tuple[niah.Run, niah.Run], server: Endpoint, tmp_path: Path
) -> None:
    asked = len(server.posts)
    plan = niah.plan("cases/lamps.yaml", **_asking(server, "good") | {"out": str(tmp_path / "x.sqlite")})
    assert plan.calls == len(server.bodies("good")) == 32
    assert len(server.posts) == asked
    assert not (tmp_path / "x.sqlite").exists()


def test_a_run_is_read_again_and_asks_nothing_twice(
    runs: tuple[niah.Run, niah.Run], server: Endpoint
) -> None:
    asked = len(server.posts)
    again = niah.run("cases/lamps.yaml", **_asking(server, "good", progress=False))
    assert len(server.posts) == asked
    loaded = niah.load_run("good")
    assert loaded.frame()["score"].tolist() == again.frame()["score"].tolist()
    assert loaded.strategies == ("lc", _RAG)


def test_a_frame_has_the_export_and_means_are_its_means(runs: tuple[niah.Run, niah.Run]) -> None:
    _, bad = runs
    frame = bad.frame()
    rows = {row["trial_id"]: row for row in run_niah("export", "bad", cwd=Path.cwd()).rows}
    assert len(frame) == len(rows) == 32
    for row in frame.to_dict("records"):
        told = rows[row["trial_id"]]
        for column in ("strategy", "context_length", "depth", "seed", "outcome", "score", "answer"):
            assert row[column] == told[column]
    assert bad.mean(strategy="lc").estimate == 1
    mean = bad.mean(strategy=_RAG, length=1024, depth=100)
    chosen = frame[(frame["strategy"] == _RAG) & (frame["context_length"] == 1024) & (frame["depth"] == 100)]
    assert (mean.estimate, mean.n) == (chosen["score"].mean(), 8)
    lead = bad.lead(_RAG, over="lc")
    assert lead.estimate == 9


def test_figures_tables_and_the_report(
    runs: tuple[niah.Run, niah.Run], server: Endpoint, tmp_path: Path
) -> None:
    _, bad = runs
    figure = bad.heatmap("lc")
    figure.savefig(tmp_path / "heatmap.png")
    assert (tmp_path / "heatmap.png").read_bytes().startswith(b"\x89PNG")
    assert "mean-scores" in bad.tables
    table = bad.table("mean-scores").set_index("strategy")
    assert table["mean"].to_dict() == {"lc": 1, _RAG: 10}
    small = {"lengths": [512], "depths": [50], "seeds": [1], "progress": False}
    two = [
        niah.run("cases/lamps.yaml", **_asking(server, model, **small) | {"out": f"{model}-1.sqlite"})
        for model in ("good", "bad")
    ]
    niah.report(two, tmp_path / "page")
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "good-1" in page
    assert "bad-1" in page


def test_runs_compare_as_objects_names_and_files(runs: tuple[niah.Run, niah.Run]) -> None:
    good, bad = runs
    for before, after in ((good, bad), ("good", "bad"), ("runs/good.sqlite", Path("runs/bad.sqlite"))):
        found = niah.compare(before, after)
        assert found.verdict.kind == "regression"
        assert [row.parts["strategy"] for row in found.regressions] == ["lc"]
    assert niah.compare(bad, good).verdict.kind == "no regression"


def test_cases_are_built_and_answers_judged() -> None:
    cases = list(niah.cases("cases/lamps.yaml"))
    assert len(cases) == 16
    for case in cases:
        assert "The code of the lamp room is 48213." in case.context
        assert case.question == "What is the code of the lamp room?"
        assert case.context in case.prompt
    right = niah.judge("It is 48213.", "needles/lamp.yaml")
    assert (right.score, right.found) == (10, ("48213",))
    wrong = niah.judge("I do not know.", cases[0])
    assert (wrong.score, wrong.missing) == (1, ("48213",))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        ("run('nowhere')", "nowhere"),
        ("run('cases/lamps.yaml', readers=['m'], strategies=['lcc'])", "lcc"),
        ("run('cases/lamps.yaml', readers=5, strategies=['lc'])", "readers"),
        ("plan('cases/lamps.yaml', readers=['m'], strategies=['lc'], lengths=['x'])", "lengths"),
        ("load_run('nowhere')", "nowhere"),
        ("compare('nowhere', 'elsewhere')", "nowhere"),
        ("cases('nowhere').__next__()", "nowhere"),
        ("judge('48213', 'nowhere')", "nowhere"),
        ("load_run('good').table('no-table')", "no-table"),
        ("load_run('good').mean(strategy='dos')", "dos"),
    ],
)
def test_a_mistake_is_a_user_error_of_one_line(
    runs: tuple[niah.Run, niah.Run], call: str, named: str
) -> None:
    with pytest.raises(niah.UserError) as caught:
        eval(f"niah.{call}", {"niah": niah})
    assert named in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


_GATES = """\
def test_reads_passages(niah_gate):
    niah_gate.load("bad").at_least(9, lower=7, strategy="bm25/top-1/document@100")

def test_reads_everything(niah_gate):
    niah_gate.load("bad").at_least(9, strategy="lc", length=1024)

def test_is_no_worse_than_the_good_one(niah_gate):
    niah_gate.load("bad").no_worse_than("good")

def test_the_good_one_is_no_worse_than_the_bad_one(niah_gate):
    niah_gate.load("good").no_worse_than()
"""


def test_the_gate_passes_and_fails_in_a_pytest_of_its_own(
    runs: tuple[niah.Run, niah.Run], place: Path
) -> None:
    write(place / "test_gates.py", _GATES)

    def gated(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", "-rA", *words]
        return subprocess.run([*command, "test_gates.py"], cwd=place, capture_output=True, text=True)

    done = gated("--niah", "--niah-accepted", "bad")
    assert done.returncode == 1, done.stderr
    outcomes = re.findall(r"^(PASSED|FAILED) test_gates.py::(\w+)", done.stdout, re.MULTILINE)
    assert sorted(outcomes) == [
        ("FAILED", "test_is_no_worse_than_the_good_one"),
        ("FAILED", "test_reads_everything"),
        ("PASSED", "test_reads_passages"),
        ("PASSED", "test_the_good_one_is_no_worse_than_the_bad_one"),
    ]
    assert "4 skipped" in gated().stdout
