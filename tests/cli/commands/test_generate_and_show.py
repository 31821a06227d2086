"""``niah generate`` and ``niah show``: good suites, wrong ones, the same bytes everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cli.main import main
from tests.cli.commands.small_suite import suite


def test_generate_writes_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", suite(), "--with-context", "--audit", "--out", "out.jsonl"]) == 0
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert len(rows) == 12
    wanted = (
        "case_id needle_set haystack context_length depth seed tokenizer mode question answer elements "
        "needles distractors tokens prompt_tokens sha256 context"
    )
    for row in rows:
        assert set(wanted.split()) <= row.keys()
        assert row["tokens"] + row["prompt_tokens"] == row["context_length"]
        for needle in row["needles"]:
            assert row["context"][needle["start"] : needle["end"]] == needle["text"]
            assert needle["token_start"] == needle["asked_token"]
    assert "12 cases" in capsys.readouterr().err


def test_show_marks_the_needles(capsys: pytest.CaptureFixture[str]) -> None:
    case = Case("three-gates", "essays", 700, 50)
    assert main(["show", case.case_id]) == 0
    out = capsys.readouterr().out
    assert all(f"[[{needle.text}]]" in out for needle in build_context(case).needles)
    assert "Question: Which numbers open the copper gate" in out


def test_a_reader_of_our_output_may_leave_early() -> None:
    suite()
    command = f"{sys.executable} -m niah generate mine.yaml --with-context | head -c 100"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert len(done.stdout) == 100
    assert "Traceback" not in done.stderr
