"""A run file says the same when needle sets, haystacks, question sets and suites are gone."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

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
