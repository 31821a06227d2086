"""The documented Python calls, and the gate for pytest."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import niah
from tests.contract.conftest import LAMP, Endpoint, answering, blind, read_closely, run_niah, write

_RAG = "bm25/top-1/document@100"


@dataclass
class Asked:
    """A run of a model that reads all, one of a model that reads no whole context, and their server."""

    good: niah.Run
    bad: niah.Run
    server: Endpoint


def _asking(server: Endpoint, model: str, **more: Any) -> dict[str, Any]:
    reader = {"model": model, "name": "m", "api_base": server.base}
    asking = {"readers": [reader], "strategies": ["lc", _RAG], "out": f"runs/{model}.sqlite"}
    return {"config": "cases/lamps.yaml", "progress": False, **asking, **more}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """Both runs, in a working folder that all tests here are in."""
    folder = tmp_path_factory.mktemp("python")
    write(folder / "needles" / "lamp.yaml", LAMP)
    grid = "haystacks: [essays]\nneedle_sets: [needles/lamp.yaml]\nlengths: [512, 1k]\ndepths: [100]\n"
    write(folder / "cases" / "lamps.yaml", f"{grid}seeds: [1, 2, 3, 4, 5, 6, 7, 8]\n")
    with contextlib.chdir(folder), answering(good=read_closely, bad=blind) as server:
        yield Asked(niah.run(**_asking(server, "good")), niah.run(**_asking(server, "bad")), server)


def test_a_run_asks_what_was_planned_and_nothing_twice(asked: Asked, tmp_path: Path) -> None:
    posts = len(asked.server.posts)
    arguments = _asking(asked.server, "good")
    again = niah.run(**arguments)
    assert len(asked.server.posts) == posts
    assert niah.load_run("good").frame()["score"].tolist() == again.frame()["score"].tolist() == [10] * 32
    arguments = {name: value for name, value in arguments.items() if name != "progress"}
    plan = niah.plan(**arguments | {"out": str(tmp_path / "x.sqlite")})
    assert plan.calls == len(asked.server.bodies("good")) == 32
    assert not (tmp_path / "x.sqlite").exists()


def test_a_frame_has_the_export_and_means_are_its_means(asked: Asked) -> None:
    bad = asked.bad
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


def test_figures_tables_and_the_report(asked: Asked, tmp_path: Path) -> None:
    bad = asked.bad
    figure = bad.heatmap("lc")
    figure.savefig(tmp_path / "heatmap.png")
    assert (tmp_path / "heatmap.png").read_bytes().startswith(b"\x89PNG")
    assert "mean-scores" in bad.tables
    table = bad.table("mean-scores").set_index("strategy")
    assert table["mean"].to_dict() == {"lc": 1, _RAG: 10}
    one = {"lengths": [512], "seeds": [1]}
    small = [
        niah.run(**_asking(asked.server, name, out=f"{name}-1.sqlite", **one)) for name in ("good", "bad")
    ]
    niah.report(small, tmp_path / "page")
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "good-1" in page
    assert "bad-1" in page


def test_runs_compare_as_objects_names_and_files(asked: Asked) -> None:
    good, bad = asked.good, asked.bad
    for before, after in ((good, bad), ("good", "bad"), ("runs/good.sqlite", Path("runs/bad.sqlite"))):
        found = niah.compare(before, after)
        assert found.verdict.kind == "regression"
        assert [row.parts["strategy"] for row in found.regressions] == ["lc"]
        lengths = {row.parts.get("length_band") for row in found.rows}
        assert lengths == {None, "512 tokens", "1,024 tokens"}  # of one band, and told apart
    assert niah.compare(bad, good).verdict.kind == "no regression"
    named = {"model": "bad", "name": "n", "api_base": asked.server.base}
    other = niah.run(**_asking(asked.server, "bad") | {"readers": [named], "out": "runs/n.sqlite"})
    found = niah.compare(good, other, readers=("m", "n"))
    assert (found.verdict.kind, found.baseline, found.candidate) == (
        "regression",
        "runs/good.sqlite",
        "runs/n.sqlite",
    )


def test_cases_are_built_and_answers_judged(asked: Asked) -> None:
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
        ("run('cases/lamps.yaml', readers=['m'], strategies=['lcc'])", "lcc"),
        ("run('cases/lamps.yaml', readers=5, strategies=['lc'])", "readers: should be text or a mapping"),
        ("plan('cases/lamps.yaml', readers=['m'], strategies=['lc'], lengths=['x'])", "lengths"),
        ("plan('cases/lamps.yaml', sources=['lc'])", "no argument called 'sources'."),
        ("compare('good', 'nowhere')", "nowhere"),
        ("judge('48213', 'nowhere')", "nowhere"),
        ("judge('48213', 'needles/lamp.yaml', 'accuracy')", "Take auto (rubric for this question)"),
        ("judge('48213', 'needles/lamp.yaml', 'nope/x')", "litellm knows no provider called 'nope'."),
        ("load_run('good').table('no-table')", "no-table"),
        ("load_run('good').mean(strategy='dos')", "dos"),
    ],
)
def test_a_mistake_is_a_user_error_of_one_line(asked: Asked, call: str, named: str) -> None:
    with pytest.raises(niah.UserError) as caught:
        eval(f"niah.{call}", {"niah": niah})
    assert named in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


_GATES = """\
def test_passages(niah_gate): niah_gate.load("bad").at_least(9, lower=7, strategy="bm25/top-1/document@100")
def test_everything(niah_gate): niah_gate.load("bad").at_least(9, strategy="lc", length=1024)
def test_no_worse(niah_gate): niah_gate.load("bad").no_worse_than("good")
def test_better(niah_gate): niah_gate.load("good").no_worse_than()
def test_nan(niah_gate): niah_gate.load("good").at_least(float("nan"))
def test_below(niah_gate): niah_gate.load("good").at_least(0.9)
def test_above(niah_gate): niah_gate.load("good").at_least(9, lower=10.5)
def test_share(niah_gate): niah_gate.load("good").at_least(9, missing=10)
"""


def test_the_gate_passes_and_fails_in_a_pytest_of_its_own(asked: Asked) -> None:
    write(Path("test_gates.py"), _GATES)

    def gated(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", "-rA", *words]
        return subprocess.run([*command, "test_gates.py"], capture_output=True, text=True)

    done = gated("--niah", "--niah-accepted", "bad")
    assert done.returncode == 1, done.stderr
    passed = re.findall(r"^(PASSED|FAILED) test_gates.py::test_(\w+)", done.stdout, re.MULTILINE)
    wanted = {"passages": "PASSED", "everything": "FAILED", "no_worse": "FAILED", "better": "PASSED"}
    mistakes = {"nan": "mean=nan", "below": "mean=0.9", "above": "lower=10.5", "share": "missing=10"}
    assert {name: outcome for outcome, name in passed} == wanted | dict.fromkeys(mistakes, "FAILED")
    for said in mistakes.values():
        assert f"niah: at_least: {said} is no" in done.stdout
    assert "8 skipped" in gated().stdout
