"""Which nights are accepted, and are what later ones are compared with; before a real loopback endpoint."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from niah.analysis.compare.verdict import Limits
from niah.analysis.nights.red_nights import is_red, red_nights
from niah.errors import ConfigError, UserError
from niah.plots.headlines.night_words import night_lines
from tests.api.nights import FIRST, FOURTH, PLANNED, SECOND, SUITE, THIRD, Nights

FIFTH = "2026-11-24"
ACCEPTED = "the last accepted night"
BLIND = Limits(detectable=9.0)


def entries(nights: Nights) -> dict[str, tuple[str | None, str | None]]:
    """What the record says of each night: its verdict, and who accepted it."""
    return {str(day): (entry.verdict, entry.accepted) for day, entry in nights.record().nights.items()}


def test_a_regression_is_one_every_night_until_it_is_mended(nights: Nights) -> None:
    assert nights.run(SECOND).kind == "no regression"
    with nights.handicapped():
        third, fourth = nights.run(THIRD), nights.run(FOURTH)
    fifth = nights.run(FIFTH)
    assert [(night.kind, *night.comparisons) for night in (third, fourth, fifth)] == [
        ("regression", "last night"),
        ("regression", ACCEPTED),
        ("no regression", ACCEPTED),
    ]
    assert fourth.comparisons[ACCEPTED].baseline == str(nights.path(SECOND))
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
        done = nights.accept(SECOND)
        third = nights.run(THIRD)
    assert (done.night.path, done.later) == (nights.path(SECOND), None)
    assert (third.kind, *third.comparisons) == ("no regression", "last night")
    # What a person accepted stays accepted where the same night is run once more.
    with nights.handicapped():
        assert nights.run(SECOND).kind == "regression"
    assert entries(nights)[SECOND] == ("regression", "by hand")


def test_a_night_that_cannot_say_enough_is_not_accepted_by_itself(nights: Nights) -> None:
    told = nights.server.answer
    with nights.answering(lambda prompt: told(prompt) if "lanterns" in prompt else ""):
        second = nights.run(SECOND, limits=Limits(missing=0.01))
    assert second.kind != "no regression"
    assert entries(nights)[SECOND][1] is None
    assert nights.run(THIRD).comparisons[ACCEPTED].baseline == str(nights.path(FIRST))


def test_a_night_of_another_suite_begins_anew(nights: Nights) -> None:
    nights.run(SECOND)
    nights.write_config(suite=SUITE.replace("[essays]", "[starlight]"))
    assert nights.run(THIRD).kind == "incomplete"
    assert entries(nights)[THIRD] == ("incomplete", "by itself")
    fourth = nights.run(FOURTH)
    assert (fourth.kind, *fourth.comparisons) == ("no regression", "last night")
    # And back: the nights before it are the ones that were asked alike.
    nights.write_config()
    with nights.handicapped():
        fifth = nights.run(FIFTH)
    assert (fifth.kind, *fifth.comparisons) == ("regression", "the last accepted night that was asked alike")
    assert {each.baseline for each in fifth.comparisons.values()} == {str(nights.path(SECOND))}


def test_a_night_of_another_suite_leaves_a_regression_open(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        assert nights.run(THIRD).kind == "regression"
        nights.write_config(suite=SUITE.replace("[512, 640]", "[512]"))
        fourth, fifth = nights.run(FOURTH), nights.run(FIFTH)
    for night, day in ((fourth, FOURTH), (fifth, FIFTH)):
        assert (night.kind, entries(nights)[day]) == ("incomplete", ("incomplete", None))
        told = [line for line in night_lines(night) if THIRD in line]
        assert len(told) == 1
        assert told[0].startswith(
            f"the regression since {THIRD} is open still: tonight is not compared with night-{SECOND}"
        )
        assert told[0].endswith(f"niah nightly accept night-{day} ends it unmended")
    assert is_red(nights.record())
    nights.accept(FIFTH)
    assert [red.why for red in red_nights(nights.record())] == [
        f"worse than night-{SECOND}; accepted by hand"
    ]
    with nights.handicapped():
        sixth = nights.run("2026-11-25")
    assert (sixth.kind, *sixth.comparisons) == ("no regression", "last night")
    assert not any(THIRD in line for line in night_lines(sixth))


def test_what_both_asked_tells_whether_a_regression_is_mended(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        nights.run(THIRD)
    nights.write_config(suite=SUITE.replace("[512, 640]", "[512]"))
    assert nights.run(FOURTH, common=True).kind == "no regression"
    (red,) = red_nights(nights.record())
    assert red.mended == date.fromisoformat(FOURTH)


def test_an_adaptive_night_finds_the_accepted_one_that_was_asked_alike(nights: Nights) -> None:
    nights.write_config(suite=SUITE.replace("[essays]", "[starlight]"))
    nights.run(SECOND)
    nights.write_config()
    third = nights.run(THIRD, adaptive=True)
    assert third.kind == "no regression"
    assert {each.baseline for each in third.comparisons.values()} == {str(nights.path(FIRST))}
    assert len(nights.asked(THIRD)) < PLANNED
    # It left trials out: it is no regression, and nothing is compared with it.
    assert entries(nights)[THIRD] == ("no regression", None)
    assert third.standing
    assert not third.standing.accepted


def test_nights_of_before_there_was_a_record(nights: Nights) -> None:
    shutil.copy(nights.path(FIRST), nights.path(SECOND))
    assert nights.record().nights == {}
    with nights.handicapped():
        third = nights.run(THIRD)
        fourth = nights.run(FOURTH)
    assert {each.baseline for each in third.comparisons.values()} == {str(nights.path(SECOND))}
    assert {each.baseline for each in fourth.comparisons.values()} == {str(nights.path(SECOND))}
    assert fourth.kind == "regression"


def test_a_night_without_a_verdict_is_not_compared_with(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        nights.run_part(THIRD, PLANNED)  # as niah run does
        fourth = nights.run(FOURTH)
    assert (fourth.kind, *fourth.comparisons) == ("regression", ACCEPTED)


def test_where_the_accepted_nights_are_gone_a_person_decides(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        nights.run(THIRD)
        nights.path(FIRST).unlink()
        nights.path(SECOND).unlink()
        fourth = nights.run(FOURTH)
    assert fourth.kind == "no regression"  # than a bad one
    assert nights.said[-1] == (
        f"the run file of no accepted night is left in runs: tonight is compared with {THIRD},"
        " which is not accepted."
    )
    assert entries(nights)[FOURTH] == ("no regression", None)


def test_a_mean_of_nights_is_of_accepted_ones(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        nights.run(THIRD)
        fourth = nights.run(FOURTH, pool=2)
        ((role, found),) = fourth.comparisons.items()
        assert (fourth.kind, role) == ("regression", "the mean of the last 2 accepted nights")
        assert any(line.endswith(f"left out as a regression: {THIRD}") for line in found.notes)
        nights.accept(FOURTH)
        fifth = nights.run(FIFTH, pool=2)
    assert (fifth.kind, *fifth.comparisons) == ("no regression", ACCEPTED)


def test_the_record_is_for_people(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        nights.run(THIRD)
    text = nights.record().path.read_text()
    assert nights.record().path == Path("runs/nights/night.yaml")
    assert text.splitlines()[-3:] == [
        "nights:",
        f"  {SECOND}: {{verdict: no regression, compared_with: night-{FIRST}, accepted: by itself}}",
        f"  {THIRD}: {{verdict: regression, compared_with: night-{SECOND},"
        " worse: [{reader: simulated, strategy: lc}]}",
    ]


def test_a_record_that_is_wrong_is_met_before_anything_is_asked(nights: Nights) -> None:
    nights.run(SECOND)
    asked = len(nights.server.prompts)
    path = nights.record().path
    path.write_text(path.read_text().replace("by itself", "by chance"))
    with pytest.raises(ConfigError, match=r"runs/nights/night.yaml: nights.2026-11-21.accepted: "):
        nights.run(THIRD)
    assert len(nights.server.prompts) == asked


def test_an_older_night_is_accepted_and_a_later_one_counts(nights: Nights) -> None:
    nights.run(SECOND)
    done = nights.accept(FIRST)
    assert (done.later, done.already) == (date.fromisoformat(SECOND), False)
    assert nights.accept(FIRST).already
    assert entries(nights) == {FIRST: (None, "by hand"), SECOND: ("no regression", "by itself")}


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("2026-11-19", "runs holds no night of 2026-11-19. The last is night-2026-11-20."),
        ("2026-11-31", "2026-11-31 is not in the calendar. Write a date as 2026-11-22."),
        ("night-2026-11-19", "no run file called 'night-2026-11-19'"),
        ("other", "runs/other.sqlite is no night: nights are called NAME-YYYY-MM-DD.sqlite."),
    ],
)
def test_what_cannot_be_accepted(nights: Nights, named: str, says: str) -> None:
    shutil.copy(nights.path(FIRST), "runs/other.sqlite")
    with pytest.raises(UserError) as found:
        nights.accept(named)
    assert says in str(found.value)
    assert not Path("runs/nights").exists()


def test_a_night_in_part_cannot_be_accepted(nights: Nights) -> None:
    nights.run_part(SECOND, 90)
    with pytest.raises(UserError, match=f"has not run {PLANNED - 90} of its {PLANNED} trials"):
        nights.accept(SECOND)


def test_a_date_of_two_nights_names_none(nights: Nights) -> None:
    shutil.copy(nights.path(FIRST), f"runs/day-{FIRST}.sqlite")
    with pytest.raises(UserError, match=f"runs holds 2 nights of {FIRST}: day-{FIRST}, night-{FIRST}."):
        nights.accept(FIRST)
    assert nights.accept(nights.path(FIRST).stem).night.path == nights.path(FIRST)
