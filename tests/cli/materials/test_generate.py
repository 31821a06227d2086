"""``niah generate`` where a suite asks for what cannot be, or the disk is full."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from niah.errors import ConfigError
from niah.needles.load import load_needle_set

# Room for prompt and needles is from about 200 tokens on; the essays hold far fewer than nine million.
SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [64, 512, 9000000]
depths: [0, 50, 100]
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


def lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def present() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def test_without_skip_the_first_impossible_case_stops_all_and_names_the_key(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["generate", "mine.yaml", "--out", "o.jsonl"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "skip: impossible in the suite, or --skip impossible." in error
    assert present() == ["mine.yaml"]


@pytest.mark.parametrize("by", ["key", "option", "variable"])
def test_skip_leaves_out_what_cannot_be_built_and_says_what_and_why(
    by: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--skip", "impossible"] if by == "option" else []
    if by == "key":
        Path("mine.yaml").write_text(SUITE + "skip: impossible\n")
    if by == "variable":
        monkeypatch.setenv("NIAH_GENERATE_SKIP", "impossible")
    assert main(["generate", "mine.yaml", "--audit", "--out", "o.jsonl", *options]) == 0
    rows, left_out = lines("o.jsonl"), lines("o.left-out.jsonl")
    assert {row["context_length"] for row in rows} == {512}
    assert (len(rows), len(left_out)) == (6, 12)
    assert {(each["context_length"], each["reason"]) for each in left_out} == {
        (64, "too short for prompt and needles"),
        (9_000_000, "longer than the haystack"),
    }
    assert left_out[0]["case_id"] == "ferry-lanterns_essays_64_d0_s1"
    assert "Use a length of at least" in left_out[0]["message"]
    error = capsys.readouterr().err
    assert "6 cases, " in error
    assert "12 cases left out" in error
    table = [line.split() for line in error.splitlines() if "9,000,000" in line]
    assert [row[-1] for row in table] == ["3", "3"]
    assert "o.left-out.jsonl" in error


def test_the_command_line_may_ask_for_all_or_nothing_again() -> None:
    Path("mine.yaml").write_text(SUITE + "skip: impossible\n")
    assert main(["generate", "mine.yaml", "--skip", "nothing"]) == 2


def test_an_older_file_of_what_was_left_out_goes_with_its_cases() -> None:
    assert main(["generate", "mine.yaml", "--skip", "impossible", "--out", "o.jsonl"]) == 0
    Path("mine.yaml").write_text(SUITE.replace("64, 512, 9000000", "512"))
    assert main(["generate", "mine.yaml", "--skip", "impossible", "--out", "o.jsonl"]) == 0
    assert present() == ["mine.yaml", "o.jsonl"]


def test_a_suite_with_nothing_possible_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.yaml").write_text(SUITE.replace("64, 512, 9000000", "64"))
    assert main(["generate", "mine.yaml", "--skip", "impossible", "--out", "o.jsonl"]) == 2
    assert "none of the 6 cases can be built" in capsys.readouterr().err
    assert present() == ["mine.yaml"]


def generate_with_room(room: int, *options: str) -> subprocess.CompletedProcess[str]:
    """``niah generate`` in a process of its own, whose files may hold ``room`` bytes each."""
    command = [sys.executable, "-m", "niah", "generate", "mine.yaml", "--with-context", *options]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )


def test_a_full_disk_keeps_whole_lines_and_says_how_many_and_where() -> None:
    Path("mine.yaml").write_text(SUITE.replace("64, 512, 9000000", "512, 1024"))
    assert main(["generate", "mine.yaml", "--with-context", "--out", "o.jsonl"]) == 0
    whole = Path("o.jsonl").read_bytes()
    fits = whole.splitlines(keepends=True)[:5]
    done = generate_with_room(sum(map(len, fits)) + 100, "--out", "o.jsonl")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "o.jsonl: no space left after 5 cases, which o.partial.jsonl keeps." in done.stderr
    assert Path("o.partial.jsonl").read_bytes() == b"".join(fits)
    assert Path("o.jsonl").read_bytes() == whole
    again = generate_with_room(len(fits[0]) + 100, "--out", "o.jsonl")
    assert "after 1 case, which o.partial2.jsonl keeps." in again.stderr
    assert Path("o.partial.jsonl").read_bytes() == b"".join(fits)
    assert [name for name in present() if "draft" in name] == []


def test_a_disk_full_before_the_first_line_leaves_nothing() -> None:
    Path("mine.yaml").write_text(SUITE.replace("64, 512, 9000000", "512"))
    done = generate_with_room(10, "--out", "o.jsonl")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "o.jsonl: no space left after 0 cases; nothing is written." in done.stderr
    assert [name for name in present() if name.startswith((".o", "o"))] == []


def test_a_device_that_is_full_has_whole_lines_counted() -> None:
    Path("mine.yaml").write_text(SUITE.replace("64, 512, 9000000", "512"))
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "niah", "generate", "mine.yaml"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "standard output: no space left after 0 cases." in done.stderr
    assert main(["generate", "mine.yaml", "--out", "/dev/full"]) == 2


GATE = """
kind: single
most: 1
set: {who: {one_of: [Marn Ottle, Pell Quayle]}}
each: {toll: {number: [100, 999]}}
element: toll
question: What toll did {{ who }} ask for?
answer: "{{ elements }} pence."
needles:
  - "{{ who }} asked for {% if who == 'Pell Quayle' %}{{ toll }}{% else %}x{{ toll }}{% endif %} pence."
"""


@pytest.mark.parametrize("rule", ["nothing", "impossible"])
def test_a_first_seed_that_draws_no_right_set_is_left_out_like_any_other(
    rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("needles/families").mkdir(parents=True)
    Path("needles/families/gate.yaml").write_text(GATE)
    drawn = {seed: can_be_drawn("gate@1", seed) for seed in range(1, 12)}
    bad, good = (
        next(seed for seed, is_good in drawn.items() if is_good == wanted) for wanted in (False, True)
    )
    grid = "haystacks: [essays]\nneedle_sets: [gate@1]\nlengths: [512]\ndepths: [50]\n"
    Path("gates.yaml").write_text(f"{grid}seeds: [{bad}, {good}]\nskip: {rule}\n")
    assert main(["generate", "gates.yaml", "--out", "o.jsonl"]) == (2 if rule == "nothing" else 0)
    assert "mentions neither it nor an alias" in " ".join(capsys.readouterr().err.split())
    if rule == "impossible":
        assert [row["seed"] for row in lines("o.jsonl")] == [good]
        Path("gates.yaml").write_text(f"{grid}seeds: [{bad}]\nskip: {rule}\n")
        assert main(["generate", "gates.yaml", "--out", "p.jsonl"]) == 2


def can_be_drawn(name: str, seed: int) -> bool:
    try:
        load_needle_set(name, seed)
    except ConfigError:
        return False
    return True
