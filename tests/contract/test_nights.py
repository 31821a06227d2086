"""Comparing runs and nights: exit codes, verdicts, and which nights are accepted."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.contract.conftest import LAMP, Result, answering, read_closely, run_niah, write
from tests.loopback import Reply

_SUITE = """\
haystacks: [essays]
needle_sets: [needles/lamp.yaml]
lengths: [512]
depths: [50]
seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
"""


def _blind(prompt: str) -> str:
    """Reads a passage, and no whole context."""
    return read_closely(prompt) if len(prompt.split()) < 250 else "I do not know."


def _gone(prompt: str) -> Reply:
    return Reply({"error": {"message": "no such key"}}, 401)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Result]]:
    """A folder of six nights of one model, and what each command came to, by its day."""
    folder = tmp_path_factory.mktemp("nights")
    write(folder / "needles" / "lamp.yaml", LAMP)
    write(folder / "cases" / "lamps.yaml", _SUITE)
    done: dict[str, Result] = {}
    with answering() as endpoint:
        config = {
            "suite": "cases/lamps.yaml",
            "readers": [{"model": "m", "api_base": endpoint.base}],
            "strategies": ["lc", "bm25/top-1/document@100"],
        }
        write(folder / "runs" / "tonight.yaml", json.dumps(config))

        def night(day: str) -> None:
            done[day] = run_niah("nightly", "tonight", "--date", f"2026-01-{day}", cwd=folder)

        night("01")
        night("02")
        done["half"] = run_niah("run", "tonight", "--limit", 12, "--out", "runs/half.sqlite", cwd=folder)
        endpoint.models["m"] = _blind
        night("03")
        night("04")
        done["accept"] = run_niah("nightly", "accept", "2026-01-04", cwd=folder)
        night("05")
        endpoint.models["m"] = _gone
        night("06")
    return folder, done


_KINDS = {
    "01": (0, None),  # nothing to compare with
    "02": (0, "no regression"),
    "03": (1, "regression"),
    "04": (1, "regression"),  # against the last accepted night, not against last night
    "05": (0, "no regression"),  # the level of the 4th is accepted
    "06": (4, "incomplete"),
}


@pytest.mark.parametrize("day", _KINDS)
def test_a_night_ends_with_its_verdict(nights: tuple[Path, dict[str, Result]], day: str) -> None:
    folder, done = nights
    code, kind = _KINDS[day]
    assert done[day].code == code, done[day].err
    page = folder / "plots" / f"tonight-2026-01-{day}"
    assert (page / "index.html").is_file()
    assert (page / "verdict.md").read_text(encoding="utf-8").strip()
    verdict = json.loads((page / "verdict.json").read_text(encoding="utf-8"))
    assert verdict["date"] == f"2026-01-{day}"
    suites = ElementTree.parse(page / "verdict.xml").getroot()
    failed = [node for node in suites.iter() if node.tag in ("failure", "error")]
    assert bool(failed) == (code != 0)
    kinds = [found["verdict"]["kind"] for found in verdict["comparisons"].values()]
    assert kinds == ([kind] if kind else [])
    if kind:
        assert verdict["kind"] == kind


def test_a_regression_names_the_strategy_that_fell(nights: tuple[Path, dict[str, Result]]) -> None:
    folder, _ = nights
    verdict = json.loads((folder / "plots" / "tonight-2026-01-03" / "verdict.json").read_text())
    (comparison,) = verdict["comparisons"].values()
    (row,) = comparison["verdict"]["regressions"]
    assert row["parts"] == {"reader": "m", "strategy": "lc"}
    assert (row["baseline"], row["candidate"], row["n"], row["clusters"]) == (10, 1, 12, 12)
    assert row["adjusted"] < 0.025


def test_the_same_answers_raise_no_alarm_and_the_next_night_compares_with_them(
    nights: tuple[Path, dict[str, Result]],
) -> None:
    folder, done = nights
    assert done["accept"].code == 0
    rows = [run_niah("export", f"tonight-2026-01-{day}", cwd=folder).rows for day in ("01", "02")]
    first, second = ({row["trial_id"]: row["answer"] for row in night} for night in rows)
    assert first == second
    assert len(first) == 24
    verdict = json.loads((folder / "plots" / "tonight-2026-01-05" / "verdict.json").read_text())
    (comparison,) = verdict["comparisons"].values()
    assert comparison["baseline"].endswith("tonight-2026-01-04.sqlite")


@pytest.mark.parametrize(
    ("before", "after", "code", "kind"),
    [
        ("tonight-2026-01-01", "tonight-2026-01-02", 0, "no regression"),
        ("tonight-2026-01-01", "tonight-2026-01-03", 1, "regression"),
        ("tonight-2026-01-03", "tonight-2026-01-01", 0, "no regression"),  # better is no regression
        ("tonight-2026-01-01", "half", 3, "incomplete"),
    ],
)
def test_two_runs_compare(
    nights: tuple[Path, dict[str, Result]], before: str, after: str, code: int, kind: str
) -> None:
    folder, _ = nights
    done = run_niah("compare", before, after, "--format", "json", cwd=folder)
    assert done.code == code, done.err
    verdict = json.loads(done.out)["verdict"]
    assert verdict["kind"] == kind
    fallen = [row["parts"]["strategy"] for row in verdict["regressions"]]
    assert fallen == (["lc"] if code == 1 else [])


def test_a_comparison_is_a_file_for_a_pull_request_or_a_ci_server(
    nights: tuple[Path, dict[str, Result]],
) -> None:
    folder, _ = nights
    pair = ("compare", "tonight-2026-01-01", "tonight-2026-01-03")
    assert run_niah(*pair, "--format", "junit", "--out", "x.xml", cwd=folder).code == 1
    assert any(node.tag == "failure" for node in ElementTree.parse(folder / "x.xml").getroot().iter())
    assert run_niah(*pair, "--format", "markdown", "--out", "x.md", cwd=folder).code == 1
    assert "| " in (folder / "x.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("compare tonight-2026-01-01 nowhere", "nowhere"),
        ("compare tonight-2026-01-01 tonight-2026-01-01", "tonight-2026-01-01"),
        ("compare tonight-2026-01-01 cases/lamps.yaml", "lamps.yaml"),
        ("compare tonight-2026-01-01 tonight-2026-01-02 --alpha 2", "--alpha"),
        ("nightly tonight --date 2026-01-32", "--date"),
        ("nightly tonight --date 2026-02-01 --baseline nowhere", "nowhere"),
        ("nightly accept 2026-03-01", "2026-03-01"),
        ("nightly nowhere", "nowhere"),
    ],
)
def test_wrong_input_ends_with_2_and_writes_nothing(
    nights: tuple[Path, dict[str, Result]], words: str, named: str
) -> None:
    folder, _ = nights
    before = sorted(folder.rglob("*"))
    done = run_niah(*words.split(), cwd=folder)
    assert done.code == 2
    assert named in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert sorted(folder.rglob("*")) == before
