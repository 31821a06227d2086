"""A run file says the same when needle sets, haystacks, question sets and suites are gone."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer
from tests.plots.html.unpacking import blocks_of

NEEDLES = """
question: Which access codes open the oak gate and the elm gate?
answer: The access code of the oak gate is 41726 and of the elm gate 90318.
elements: [{name: "41726", key: oak gate}, {name: "90318", key: elm gate}]
needles:
  - {id: oak, text: The access code of the oak gate is 41726., elements: ["41726"]}
  - {id: elm, text: The access code of the elm gate is 90318., elements: ["90318"]}
distractors:
  - {id: fir, text: The access code of the fir gate is 11111., elements: [{name: "11111"}]}
"""
SUITE = """
needle_sets: [mine]
haystacks: [haystacks/texts]
lengths: [400, 500]
depths: [0, 100]
seeds: [1, 2]
distractors: 1
mode: contiguous
questions: questions.jsonl
"""
QUESTIONS = [
    {"id": "a", "document_id": "hall", "question": "What is the access code?", "answers": ["505"]},
    {"id": "b", "document_id": "hall", "question": "Which hall?", "options": ["north", "south"],
     "answer_index": 0, "evidence": ["The hall stands in the north."]},
]  # fmt: skip
HALL = "# Hall\n\nThe hall stands in the north.\nIts access code is 505.\n"
COMMANDS = [
    ["export", "one", "--out", "one.jsonl"],
    ["report", "one", "--out", "plots/one"],
    ["judge", "metrics", "one"],
    ["judge", "one", "--judge", "rubric"],
    ["compare", "one", "two"],
    ["show", "one"],
]
SCRIPT = """
import contextlib, io, json, sys
from niah.cli.main import main
told = []
for command in json.loads(sys.argv[1]):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(command)
    # A report tells its page's size, which has no contexts without the sources.
    told.append([command, code, out.getvalue() if command[0] != "report" else ""])
print(json.dumps(told))
"""


def told(*commands: list[str]) -> list[tuple[list[str], int, str]]:
    """What the commands say in a process that has read nothing before, of answers new to the rubric."""
    with closing(sqlite3.connect("runs/one.sqlite")) as db, db:
        db.execute("DELETE FROM verdicts WHERE judge = 'rubric'")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(commands)], capture_output=True, text=True, check=True
    )
    return [tuple(each) for each in json.loads(done.stdout)]


def written() -> dict[str, bytes]:
    """The export, and every table and figure's numbers of the report."""
    return {str(path): path.read_bytes() for path in [Path("one.jsonl"), *Path("plots/one").rglob("*.csv")]}


def test_everything_is_said_without_the_sources(
    simulated_server: SimulatedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parents[2])]))
    for folder in ("needles", "haystacks/texts", "runs"):
        Path(folder).mkdir(parents=True)
    Path("needles/mine.yaml").write_text(NEEDLES)
    Path("haystacks/texts/a.txt").write_text(
        " ".join(f"Ship {n} came in late and left again before the bells of noon." for n in range(300))
    )
    Path("suite.yaml").write_text(SUITE)
    Path("questions.jsonl").write_text("".join(json.dumps(each) + "\n" for each in QUESTIONS))
    Path("questions.documents.jsonl").write_text(json.dumps({"id": "hall", "text": HALL}) + "\n")
    Path("run.yaml").write_text(
        "suite: suite.yaml\njudge: auto\nstrategies: [lc, bm25/top-2/norm, closed-book]\n"
        f"readers: [{{model: simulated, api_base: '{simulated_server.base_url}'}}]\n"
    )
    for name in ("one", "two"):
        assert main(["run", "run.yaml", "--out", f"runs/{name}.sqlite"]) == 0
    with_sources = told(*COMMANDS)
    # The rubric gives no verdict where nobody has written down the elements.
    assert [code for _, code, _ in with_sources] == [0, 0, 0, 3, 0, 0]
    before = written()
    assert len(before) > 10

    for path in (*Path().glob("*.yaml"), *Path().glob("questions*")):
        path.unlink()
    for folder in ("needles", "haystacks"):
        shutil.rmtree(folder)
    assert told(*COMMANDS) == with_sources
    assert written() == before
    views = [view for block in blocks_of(Path("plots/one/index.html")) for view in block["samples"]]
    assert views
    assert all(view["missing"] for view in views)
