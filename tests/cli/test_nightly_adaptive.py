"""niah nightly --adaptive, before a real loopback endpoint."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from niah.runs.file.store import open_for_reading
from tests.cli.nights.test_nightly import PLANNED, SUITE, nightly, verdict, write_config

FIRST, SECOND, THIRD = "2026-11-20", "2026-11-21", "2026-11-22"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulated_server: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid.yaml").write_text(SUITE)
    write_config(simulated_server)


def handicap(server: Any) -> None:
    """From now on the reader sees but the first third of a long context."""
    whole = server.answer
    server.answer = lambda prompt: whole(prompt[: len(prompt) // 3] + "Question:")


def asked_of(date: str) -> list[tuple[str, str, int]]:
    with open_for_reading(Path("runs") / f"night-{date}.sqlite") as store:
        return [(one.case_id, one.strategy, one.seed) for one in store.records() if one.outcome != "not_run"]


def decisions(date: str) -> dict[tuple[str, str], str]:
    return {(arm["strategy"], arm["measure"]): arm["decision"] for arm in verdict(date)["adaptive"]["arms"]}


def test_a_night_like_the_last_takes_fewer_trials(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert nightly(FIRST, "--adaptive") == 0
    assert "no whole night to compare with yet: all trials are asked" in capsys.readouterr().err
    assert len(simulated_server.prompts) == PLANNED

    assert nightly(SECOND, "--adaptive") == 0
    asked = len(simulated_server.prompts) - PLANNED
    assert asked == len(asked_of(SECOND)) < 0.65 * PLANNED  # three looks of five
    found = verdict(SECOND)
    assert (found["kind"], found["adaptive"]["asked"], found["adaptive"]["planned"]) == (
        "no regression", asked, PLANNED,
    )  # fmt: skip
    assert set(decisions(SECOND).values()) == {"no regression"}
    assert f"{asked} of {asked} trials scored; {PLANNED - asked} not needed" in capsys.readouterr().out
    markdown = Path(f"plots/night-{SECOND}/verdict.md").read_text()
    assert f"Adaptive: {asked:,} of {PLANNED:,} pairs were asked" in markdown

    # Effective lengths are those of the trials that both nights have run: nothing changed there.
    assert all(each["tonight"] == each["before"] for each in found["lengths"])

    # The same night is done with.
    assert nightly(SECOND, "--adaptive") == 0
    assert len(simulated_server.prompts) == PLANNED + asked


def test_a_drop_is_found_and_named(simulated_server: Any) -> None:
    assert nightly(FIRST) == 0
    handicap(simulated_server)
    assert nightly(SECOND, "--adaptive") == 1
    found = verdict(SECOND)["comparisons"]["last night"]["verdict"]["regressions"]
    assert [row["parts"]["strategy"] for row in found] == ["lc"]
    assert decisions(SECOND) == {
        ("lc", "score"): "regression",
        ("lc", "not scored"): "no regression",
        ("closed-book", "score"): "no regression",
        ("closed-book", "not scored"): "no regression",
    }
    assert len(asked_of(SECOND)) < PLANNED


def test_trials_that_fail_are_a_regression(simulated_server: Any) -> None:
    assert nightly(FIRST) == 0
    simulated_server.broken = True
    assert nightly(SECOND, "--adaptive") == 1
    assert decisions(SECOND)["lc", "not scored"] == "regression"
    assert len(asked_of(SECOND)) < PLANNED


def test_the_last_whole_night_is_what_counts(simulated_server: Any) -> None:
    assert nightly(FIRST) == 0
    assert nightly(SECOND, "--adaptive") == 0
    handicap(simulated_server)
    assert nightly(THIRD, "--adaptive") == 1
    (role, found), *rest = verdict(THIRD)["comparisons"].items()
    assert (role, found["baseline"], rest) == ("the last whole night", f"runs/night-{FIRST}.sqlite", [])
    # A night without --adaptive takes the same one.
    assert nightly("2026-11-23") == 1
    assert verdict("2026-11-23")["comparisons"]["the last whole night"]["pairs"] == PLANNED


def test_a_baseline_in_the_place_of_the_night_before(simulated_server: Any) -> None:
    assert nightly(FIRST) == 0
    handicap(simulated_server)
    assert nightly(SECOND) == 1
    assert nightly(THIRD, "--adaptive", "--baseline", f"night-{FIRST}") == 1
    found = verdict(THIRD)
    assert list(found["comparisons"]) == ["the baseline"]
    # Effective lengths are set against the same run: there lc held to the end, and now it holds nowhere.
    assert found["since"] == "the baseline"
    lc = next(each for each in found["lengths"] if each["tonight"]["strategy"] == "lc")
    assert (lc["before"]["length"], lc["tonight"]["length"]) == (640, None)


def test_rotating_seeds_are_all_asked(simulated_server: Any) -> None:
    write_config(simulated_server, "seeds: {anchor: [1, 2, 3, 4, 5, 6, 7, 8], rotating: 2}")
    assert nightly(FIRST) == 0
    assert nightly(SECOND, "--adaptive") == 0
    seeds = [seed for *_, seed in asked_of(SECOND)]
    assert sum(seed > 8 for seed in seeds) == PLANNED // 4
    assert sum(seed <= 8 for seed in seeds) < PLANNED


def test_a_night_that_cannot_be_compared_is_run_as_a_whole(simulated_server: Any) -> None:
    assert nightly(FIRST) == 0
    Path("grid.yaml").write_text(SUITE.replace("[essays]", "[starlight]"))
    assert nightly(SECOND, "--adaptive") == 3
    assert len(asked_of(SECOND)) == PLANNED
    assert nightly(THIRD, "--adaptive") == 0
    assert len(asked_of(THIRD)) < PLANNED


def test_a_night_that_was_stopped_goes_on_and_ends_alike(simulated_server: Any) -> None:
    assert nightly(FIRST) == 0
    assert nightly(SECOND, "--adaptive") == 0
    # The first trials of the next night come from elsewhere, and not those of its first look.
    config = ["run", "night.yaml", "--limit", "30", "--no-cache", "--out", f"runs/night-{THIRD}.sqlite"]
    assert main(config) == 0
    assert len(asked_of(THIRD)) == 30
    assert nightly(THIRD, "--adaptive") == 0
    assert decisions(THIRD) == decisions(SECOND)


def test_few_trials_of_which_the_first_look_has_none(simulated_server: Any) -> None:
    Path("grid.yaml").write_text(
        "{haystacks: [essays], needle_sets: [three-gates], lengths: [512], depths: [0], seeds: [1, 2]}"
    )
    assert nightly(FIRST) == 0
    assert nightly(SECOND, "--adaptive") == 0
    found = verdict(SECOND)
    assert found["comparisons"]["last night"]["alike"] == found["asked"] > 0
    assert set(decisions(SECOND).values()) == {"undecided"}  # two clusters


def test_a_baseline_that_has_run_nothing(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert nightly(FIRST) == 0
    edit("none", "UPDATE trials SET outcome = 'not_run'", "DELETE FROM verdicts")
    assert nightly(SECOND, "--adaptive", "--baseline", "none") == 3
    assert "runs/none.sqlite has run none of the trials of" in " ".join(capsys.readouterr().out.split())
    assert len(asked_of(SECOND)) == PLANNED


def test_a_baseline_in_part_is_compared_with_as_far_as_it_goes(simulated_server: Any) -> None:
    assert nightly(FIRST) == 0
    edit("part", "UPDATE trials SET outcome = 'not_run' WHERE place % 2")
    assert nightly(SECOND, "--adaptive", "--baseline", "part", "--detectable-limit", "9") == 0
    found = verdict(SECOND)
    assert found["adaptive"]["planned"] == PLANNED // 2
    told = f"runs/part.sqlite has not run {PLANNED // 2} of the {PLANNED} pairs' trials"
    assert told in found["comparisons"]["the baseline"]["notes"]


def test_a_baseline_of_another_version_of_the_judge(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert nightly(FIRST) == 0
    edit("old", "UPDATE verdicts SET version = 'old'")
    for more in ([], ["--common"]):
        date = THIRD if more else SECOND
        assert nightly(date, "--adaptive", "--baseline", "old", *more) == 3
        assert "judge: rubric old / rubric" in " ".join(capsys.readouterr().out.split())
        assert len(asked_of(date)) == PLANNED


def test_what_is_not_in_common_is_asked(simulated_server: Any) -> None:
    assert nightly(FIRST) == 0
    Path("grid.yaml").write_text(SUITE.replace("640]", "640, 700]"))
    assert nightly(SECOND, "--adaptive", "--common") == 0
    with open_for_reading(Path(f"runs/night-{SECOND}.sqlite")) as store:
        new = [one.outcome for one in store.records() if one.context_length == 700]
    assert set(new) == {"scored"}
    assert len(asked_of(SECOND)) < PLANNED + len(new)


def edit(name: str, *statements: str) -> None:
    """runs/NAME.sqlite is the first night's, changed."""
    path = Path(f"runs/{name}.sqlite")
    shutil.copy(f"runs/night-{FIRST}.sqlite", path)
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            assert db.execute(statement).rowcount
