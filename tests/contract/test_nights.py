"""Comparing runs and nights: exit codes, verdicts, and which nights are accepted."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from xml.etree import ElementTree

import pytest

import niah
from tests.contract.conftest import LAMP, Result, answering, blind, read_closely, run_niah, write
from tests.loopback import Reply

Nights = tuple[Path, dict[str, Result]]

_RAG = "bm25/top-1/document@100"
_SUITE = """\
haystacks: [essays]
needle_sets: [needles/lamp.yaml]
lengths: [512]
depths: [50]
seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
"""


# Day, model, exit code, kind of the verdict.
_NIGHTS: list[tuple[str, Callable[[str], str | Reply], int, str | None]] = [
    ("01", read_closely, 0, None),  # nothing to compare with
    ("02", read_closely, 0, "no regression"),
    ("03", blind, 1, "regression"),
    ("04", blind, 1, "regression"),  # the 3rd is not accepted: compared with the 2nd
    ("05", blind, 0, "no regression"),  # the 4th is accepted by hand
    ("06", lambda prompt: Reply({"error": {"message": "no such key"}}, 401), 4, "incomplete"),
]


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Nights:
    """A folder of these nights and of half a run, and what each command came to."""
    folder = tmp_path_factory.mktemp("nights")
    write(folder / "needles" / "lamp.yaml", LAMP)
    write(folder / "cases" / "lamps.yaml", _SUITE)
    done: dict[str, Result] = {}
    with answering() as endpoint:
        readers = [{"model": "m", "api_base": endpoint.base}]
        config = {"suite": "cases/lamps.yaml", "readers": readers, "strategies": ["lc", _RAG]}
        write(folder / "runs" / "tonight.yaml", json.dumps(config))
        with chdir(folder):
            niah.run("tonight", limit=12, out="runs/half.sqlite", progress=False)
        for day, model, _, _ in _NIGHTS:
            if day == "05":
                done["accept"] = run_niah("nightly", "accept", "2026-01-04", cwd=folder)
            endpoint.models["m"] = model
            done[day] = run_niah("nightly", "tonight", "--date", f"2026-01-{day}", cwd=folder)
    return folder, done


def _failed(junit: Path) -> bool:
    return any(node.tag in ("failure", "error") for node in ElementTree.parse(junit).getroot().iter())


@pytest.mark.parametrize(("day", "model", "code", "kind"), _NIGHTS)
def test_a_night_ends_with_its_verdict(
    nights: Nights, day: str, model: object, code: int, kind: str | None
) -> None:
    folder, done = nights
    assert done[day].code == code, done[day].err
    page = folder / "plots" / f"tonight-2026-01-{day}"
    assert (page / "index.html").is_file()
    assert (page / "verdict.md").read_text(encoding="utf-8").strip()
    assert _failed(page / "verdict.xml") == (code != 0)
    verdict = json.loads((page / "verdict.json").read_text(encoding="utf-8"))
    assert verdict["date"] == f"2026-01-{day}"
    comparisons = list(verdict["comparisons"].values())
    assert [found["verdict"]["kind"] for found in comparisons] == ([kind] if kind else [])
    rows = [row for found in comparisons for row in found["verdict"]["regressions"]]
    assert [row["parts"] for row in rows] == ([{"reader": "m", "strategy": "lc"}] if code == 1 else [])
    for row in rows:
        assert (row["baseline"], row["candidate"], row["n"], row["clusters"]) == (10, 1, 12, 12)
        assert row["adjusted"] < 0.025


def test_the_same_answers_raise_no_alarm(nights: Nights) -> None:
    folder, done = nights
    rows = [run_niah("export", f"tonight-2026-01-{day}", cwd=folder).rows for day in ("01", "02")]
    first, second = ({row["trial_id"]: row["answer"] for row in night} for night in rows)
    assert first == second
    case = re.search(r"one that fell: (\S+), full context\n", done["03"].out)
    assert case
    assert run_niah("show", case[1], cwd=folder).code == 0
    assert len(first) == 24
    assert done["accept"].code == 0


@pytest.mark.parametrize(
    ("before", "after", "code", "kind"),
    [
        ("tonight-2026-01-01", "tonight-2026-01-02", 0, "no regression"),
        ("tonight-2026-01-01", "tonight-2026-01-03", 1, "regression"),
        ("tonight-2026-01-03", "tonight-2026-01-01", 0, "no regression"),  # better is no regression
        ("tonight-2026-01-01", "half", 3, "incomplete"),
    ],
)
def test_two_runs_compare(nights: Nights, before: str, after: str, code: int, kind: str) -> None:
    folder, _ = nights
    done = run_niah("compare", before, after, "--format", "json", cwd=folder)
    assert done.code == code, done.err
    verdict = json.loads(done.out)["verdict"]
    assert verdict["kind"] == kind
    fallen = [row["parts"]["strategy"] for row in verdict["regressions"]]
    assert fallen == (["lc"] if code == 1 else [])
    assert run_niah("compare", before, after, "--format", "junit", "--out", "x.xml", cwd=folder).code == code
    assert _failed(folder / "x.xml") == (code != 0)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("compare tonight-2026-01-01 nowhere", "nowhere"),
        ("compare tonight-2026-01-01 tonight-2026-01-01", "tonight-2026-01-01"),
        ("compare tonight-2026-01-01 tonight-2026-01-02 --alpha 2", "--alpha"),
        ("nightly tonight --date 2026-01-32", "--date"),
        ("nightly tonight --date 2026-02-01 --baseline nowhere", "nowhere"),
        ("nightly accept 2026-03-01", "2026-03-01"),
    ],
)
def test_wrong_input_ends_with_2_and_writes_nothing(nights: Nights, words: str, named: str) -> None:
    folder, _ = nights
    before = sorted(folder.rglob("*"))
    done = run_niah(*words.split(), cwd=folder)
    assert done.code == 2
    assert named in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert sorted(folder.rglob("*")) == before
