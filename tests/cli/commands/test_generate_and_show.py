"""``niah generate`` and ``niah show``: good suites, wrong ones, the same bytes everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cli.main import main
from tests.cli.commands.small_suite import SUITE, present, suite


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


def test_generate_to_standard_output_leaves_contexts_out(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["generate", suite()]) == 0
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert len(rows) == 12
    assert "context" not in rows[0]


def test_generate_is_the_same_in_every_process() -> None:
    suite()
    outputs = set()
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-m", "niah", "generate", "mine.yaml", "--with-context"]
        outputs.add(subprocess.run(command, capture_output=True, check=True, env=environment).stdout)
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == 12


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("lengths: [512", "lengths: [64"), "at least"),
        (("depths: [0", "depths: [-3"), "depths.0"),
        (("depths:", "depth:"), "Did you mean 'depths'"),
        (("needle_sets: [ferry-lanterns", "needle_sets: [ferry"), "needle_sets.0"),
        (("lengths: [512", "lengths: [9000000"), "longer haystack"),
    ],
)
def test_a_wrong_suite_writes_nothing(
    change: tuple[str, str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", suite(SUITE.replace(*change)), "--out", "out.jsonl"]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error
    assert present() == ["mine.yaml"]


def test_show_marks_the_needles(capsys: pytest.CaptureFixture[str]) -> None:
    case = Case("three-gates", "essays", 700, 50)
    assert main(["show", case.case_id]) == 0
    out = capsys.readouterr().out
    assert all(f"[[{needle.text}]]" in out for needle in build_context(case).needles)
    assert "Question: Which numbers open the copper gate" in out


def test_show_as_json_is_what_generate_writes(capsys: pytest.CaptureFixture[str]) -> None:
    case = Case("three-gates", "essays", 512, 50)
    assert main(["show", case.case_id, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert main(["generate", suite(), "--with-context", "--out", "out.jsonl"]) == 0
    rows = {row["case_id"]: row for row in map(json.loads, Path("out.jsonl").read_text().splitlines())}
    assert shown == rows[case.case_id]


@pytest.mark.parametrize(
    "case_id", ["nonsense", "three-gate_essays_700_d50_s1", "three-gates_essays_70_d50_s1"]
)
def test_show_refuses_what_is_no_case(case_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", case_id]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("in the way")
    assert main(["generate", suite(), "--out", "file/out.jsonl"]) == 2
    assert "file" in capsys.readouterr().err
    Path("folder").mkdir()
    assert main(["generate", suite(), "--out", "folder"]) == 2
    assert "folder" in capsys.readouterr().err
    assert present() == ["file", "folder", "mine.yaml"]


def test_a_reader_of_our_output_may_leave_early() -> None:
    suite()
    command = f"{sys.executable} -m niah generate mine.yaml --with-context | head -c 100"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert len(done.stdout) == 100
    assert "Traceback" not in done.stderr
