"""Which nights are accepted, and are what later ones are compared with; before a real loopback endpoint."""

from __future__ import annotations

import sqlite3
from datetime import date
from pathlib import Path

from niah.analysis.compare import Limits
from niah.analysis.nights import open_regression
from niah.api.nightly import accept_night
from niah.plots.verdicts import night_lines
from tests.api.nights import FIRST, FOURTH, PLANNED, SECOND, SUITE, THIRD, Nights

FIFTH = "2026-11-24"
ACCEPTED = "the last accepted night"


def entries(nights: Nights) -> dict[str, tuple[str | None, str | None]]:
    """What the record says of each night: its verdict, and who accepted it."""
    return {str(day): (entry.verdict, entry.accepted) for day, entry in nights.record().nights.items()}


def test_a_regression_is_one_every_night_until_it_is_mended(nights: Nights) -> None:
    assert nights.run(SECOND).kind == "no regression"
    with nights.handicapped():
        third, fourth = nights.run(THIRD), nights.run(FOURTH)
    fifth = nights.run(FIFTH)
    assert [third.kind, fourth.kind, fifth.kind] == ["regression", "regression", "no regression"]
    (found,) = third.comparisons.values()
    assert {row.parts["strategy"] for row in found.verdict.regressions} == {"lc"}  # closed-book is as blind
    assert next(iter(fourth.comparisons.values())).baseline == str(nights.path(SECOND))
    assert fourth.standing
    assert fourth.standing.since == date.fromisoformat(THIRD)
    assert fourth.standing.next_reference == nights.path(SECOND).stem
    assert entries(nights) == {
        SECOND: ("no regression", "by itself"),
        THIRD: ("regression", None),
        FOURTH: ("regression", None),
        FIFTH: ("no regression", "by itself"),
    }


def test_a_regression_that_is_accepted_is_what_nights_are_compared_with(nights: Nights) -> None:
    with nights.handicapped():
        assert nights.run(SECOND).kind == "regression"
        accepted = accept_night(SECOND)
        third = nights.run(THIRD)
    assert accepted.path == nights.path(SECOND)
    assert third.kind == "no regression"
    # What a person accepted stays accepted where the same night is run once more.
    with nights.handicapped():
        assert nights.run(SECOND).kind == "regression"
    assert entries(nights)[SECOND] == ("regression", "by hand")


def test_a_first_night_that_is_worse_than_a_baseline_is_mended(nights: Nights) -> None:
    release = nights.path(FIRST).rename("release.sqlite")
    with nights.handicapped():
        assert nights.run(SECOND, baseline=release).kind == "regression"
    assert nights.run(THIRD, baseline=release).kind == "no regression"
    assert entries(nights) == {SECOND: ("regression", None), THIRD: ("no regression", "by itself")}


def test_a_baseline_that_is_the_last_accepted_night_is_compared_with_once(nights: Nights) -> None:
    """Twice would halve the level: six seeds could say nothing."""
    same = nights.run(SECOND, baseline=nights.path(FIRST))
    assert (same.kind, list(same.comparisons)) == ("no regression", ["the baseline"])
    assert same.comparisons["the baseline"].limits.alpha == Limits().alpha
    assert entries(nights)[SECOND] == ("no regression", "by itself")


def test_a_last_night_that_was_not_run_to_its_end_is_compared_with(nights: Nights) -> None:
    with sqlite3.connect(nights.path(FIRST)) as db:
        db.execute("UPDATE trials SET outcome = 'not_run' WHERE place < 20")
    with nights.handicapped():
        second = nights.run(SECOND)
    assert (second.kind, list(second.comparisons)) == ("regression", ["last night"])


def test_another_judge_begins_a_new_level_where_only_gaps_are_in_common(nights: Nights) -> None:
    with sqlite3.connect(nights.path(FIRST)) as db:
        db.execute("UPDATE trials SET outcome = 'reader_error' WHERE place < 3")
    nights.write_config("judge: contained-match")
    second = nights.run(SECOND, common=True)
    assert "have nothing in common: judge: rubric" in second.hindrances[ACCEPTED]
    assert entries(nights)[SECOND] == ("incomplete", "by itself")


def test_a_night_that_cannot_say_enough_is_not_accepted_by_itself(nights: Nights) -> None:
    told = nights.server.answer
    with nights.answering(lambda prompt: told(prompt) if "lanterns" in prompt else ""):
        second = nights.run(SECOND, limits=Limits(missing=0.01))
    assert second.kind != "no regression"
    assert entries(nights)[SECOND][1] is None
    assert nights.run(THIRD).comparisons[ACCEPTED].baseline == str(nights.path(FIRST))


def test_a_night_of_another_suite_begins_anew(nights: Nights) -> None:
    nights.run(SECOND)
    nights.write_config(suite=SUITE.replace("[essays]", "[essays-de]"))
    third = nights.run(THIRD)
    assert (third.kind, third.comparisons) == ("incomplete", {})
    assert "have no trial in common" in third.hindrances["the last accepted night"]
    assert entries(nights)[THIRD] == ("incomplete", "by itself")
    fourth = nights.run(FOURTH)
    assert fourth.kind == "no regression"
    # And back: the nights before it are the ones that were asked alike.
    nights.write_config()
    with nights.handicapped():
        fifth = nights.run(FIFTH)
    assert fifth.kind == "regression"
    assert {each.baseline for each in fifth.comparisons.values()} == {str(nights.path(SECOND))}


def test_a_night_that_asks_otherwise_says_what_differs(nights: Nights) -> None:
    nights.write_config()
    config = Path("night.yaml")
    config.write_text(config.read_text().replace("{model: simulated", "{temperature: 0.5, model: simulated"))
    second = nights.run(SECOND)
    (why,) = second.hindrances.values()
    assert f"how simulated is asked: temperature - / 0.5 ({PLANNED} of {PLANNED} pairs)" in why
    assert entries(nights)[SECOND] == ("incomplete", "by itself")
    assert "accepted as a new level: later nights are compared with this one" in night_lines(second)


def test_what_both_asked_tells_whether_a_regression_is_mended(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        nights.run(THIRD)
    nights.write_config(suite=SUITE.replace("depths: [0, 100]", "depths: [100]"))
    assert nights.run(FOURTH, common=True).kind == "no regression"
    open_till = [open_regression(nights.record(), date.fromisoformat(day)) for day in (FOURTH, FIFTH)]
    assert [red is not None for red in open_till] == [True, False]


def test_where_the_accepted_nights_are_gone_a_person_decides(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        nights.run(THIRD)
        nights.path(FIRST).unlink()
        nights.path(SECOND).unlink()
        fourth = nights.run(FOURTH)
    assert fourth.kind == "no regression"  # than a bad one
    assert (
        f"the run file of no accepted night is left in runs: tonight is compared with {THIRD},"
        " which is not accepted." in nights.said
    )
    assert entries(nights)[FOURTH] == ("no regression", None)


def test_a_night_whose_accepted_nights_are_all_gone_says_so(nights: Nights) -> None:
    nights.run(SECOND)
    nights.path(FIRST).unlink()
    nights.path(SECOND).unlink()
    nights.run(THIRD)
    said = "the run file of no accepted night is left in runs: tonight is compared with none."
    assert said in nights.said
    assert entries(nights)[THIRD][1] is None  # a person decides what the new level is


def test_an_older_night_is_accepted(nights: Nights) -> None:
    nights.run(SECOND)
    accept_night(FIRST)
    assert entries(nights) == {FIRST: (None, "by hand"), SECOND: ("no regression", "by itself")}
