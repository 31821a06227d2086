"""Night after night, before a real loopback endpoint."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from niah.analysis.compare.verdict import Limits
from niah.analysis.nights.night_verdict import NightVerdict
from niah.api.history import read_history
from niah.errors import RunFileError
from niah.runs.file.read_model import read_run
from tests.api.nights import FIRST, FOURTH, PLANNED, SECOND, SUITE, THIRD, Nights

BLIND = Limits(detectable=9.0)
STARLIGHT = SUITE.replace("[essays]", "[starlight]")
ROTATING = "seeds: {anchor: [1, 2, 3, 4, 5, 6, 7, 8], rotating: 2}"


def decisions(night: NightVerdict) -> dict[tuple[str, str], str]:
    assert night.adaptive
    return {(arm.strategy, arm.measure): arm.decision for arm in night.adaptive.arms}


def worse(night: NightVerdict, role: str = "last night") -> set[str]:
    return {row.parts["strategy"] for row in night.comparisons[role].verdict.regressions}


def damage(path: Path) -> None:
    """Overwrite the first page of the trials; the file still opens."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        ((size,),) = db.execute("PRAGMA page_size")
        ((page,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'trials'")
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_every_night_asks_anew_and_a_drop_is_named(nights: Nights) -> None:
    assert nights.run(SECOND).kind == "no regression"
    assert len(nights.server.prompts) == PLANNED  # a kept answer would hide a change of the model
    with nights.handicapped():
        third = nights.run(THIRD)
    assert third.kind == "regression"
    assert worse(third) == {"lc"}  # closed-book is as blind as it was


def test_the_same_night_goes_on(nights: Nights) -> None:
    shutil.copy(nights.path(FIRST), nights.path(SECOND))
    assert nights.run(SECOND).kind == "no regression"
    assert nights.server.prompts == []


def test_a_baseline_beside_last_night(nights: Nights) -> None:
    with nights.answering(lambda prompt: "The text does not say."):
        assert nights.run(SECOND).kind == "regression"
        nights.accept(SECOND)
        # As bad as the accepted night, and worse than the baseline.
        third = nights.run(THIRD, baseline=nights.path(FIRST))
    assert third.kind == third.comparisons["the baseline"].verdict.kind == "regression"
    assert third.comparisons["last night"].verdict.kind != "regression"
    assert nights.run(FOURTH, baseline=nights.path(FIRST)).kind == "no regression"


def test_a_baseline_that_is_the_accepted_night_is_compared_with_once(nights: Nights) -> None:
    second = nights.run(SECOND, baseline=nights.path(FIRST))
    assert {role: each.limits.alpha for role, each in second.comparisons.items()} == {"the baseline": 0.04}
    assert second.standing
    assert second.standing.accepted


def test_a_night_of_another_suite_is_not_compared(nights: Nights) -> None:
    nights.write_config(suite=STARLIGHT)
    second = nights.run(SECOND)
    assert (second.kind, second.comparisons) == ("incomplete", {})
    assert "have no trial in common" in second.hindrances["last night"]


@pytest.mark.parametrize("adaptive", [False, True])
def test_a_night_without_any_score_is_not_compared_with(nights: Nights, adaptive: bool) -> None:
    nights.server.broken = True
    second = nights.run(SECOND)
    # Nothing was scored: that is worse, and no score says how much.
    assert (second.kind, second.scored) == ("regression", 0)
    nights.server.broken = False
    third = nights.run(THIRD, adaptive=adaptive)
    ((role, comparison),) = third.comparisons.items()
    assert (third.kind, role, comparison.baseline) == (
        "no regression", "the last accepted night", str(nights.path(FIRST))
    )  # fmt: skip


def test_rotating_seeds_are_compared_with_anchors(nights: Nights) -> None:
    nights.write_config(ROTATING)
    shutil.rmtree("runs")
    assert not nights.run(FIRST).drift
    second = nights.run(SECOND)
    assert second.kind == "no regression"
    assert [row.reader for row in second.contamination] == ["simulated"]
    assert [row.reader for row in second.drift] == ["simulated"]
    assert second.comparisons["last night"].unpaired


@pytest.mark.parametrize("adaptive", [False, True])
def test_a_damaged_baseline_is_met_before_anything_is_asked(nights: Nights, adaptive: bool) -> None:
    shutil.copy(nights.path(FIRST), "damaged.sqlite")
    damage(Path("damaged.sqlite"))
    with pytest.raises(RunFileError, match=r"damaged.sqlite is damaged"):
        nights.run(SECOND, baseline=Path("damaged.sqlite"), adaptive=adaptive)
    assert nights.server.prompts == []
    assert not nights.path(SECOND).exists()


def test_a_damaged_night_does_not_stop_those_after_it(nights: Nights) -> None:
    damage(nights.edited(SECOND))
    third = nights.run(THIRD)
    assert third.kind == "no regression"
    assert any(f"{nights.path(SECOND)} is damaged" in line for line in nights.said)
    (comparison,) = third.comparisons.values()
    assert comparison.baseline == str(nights.path(FIRST))


def test_a_night_of_an_older_version_is_passed_over_with_one_line(nights: Nights) -> None:
    with closing(sqlite3.connect(nights.edited(SECOND))) as db:
        db.execute("PRAGMA user_version = 4")
    third = nights.run(THIRD)
    assert (third.kind, [each.baseline for each in third.comparisons.values()]) == (
        "no regression", [str(nights.path(FIRST))]
    )  # fmt: skip
    (line,) = nights.said
    assert line.startswith(f"{nights.path(SECOND)} is a run file of an older niah (format 4).")
    history = read_history(Path("runs"))
    assert [one.path for one in history.skipped] == [nights.path(SECOND)]
    assert [gap.why for gap in history.trends[0].gaps] == ["the run file cannot be read"]


@pytest.mark.parametrize("adaptive", [False, True])
def test_tonight_is_no_baseline_of_tonight(nights: Nights, adaptive: bool) -> None:
    with pytest.raises(RunFileError, match=r"runs/night-2026-11-20.sqlite is tonight's own run file."):
        nights.run(FIRST, baseline=nights.path(FIRST), adaptive=adaptive)


def test_a_night_in_part_is_told(nights: Nights) -> None:
    nights.path(FIRST).unlink()
    nights.run_part(FIRST, 90)
    second = nights.run(SECOND, limits=BLIND)
    told = f"{nights.path(FIRST)} has not run {PLANNED - 90} of the {PLANNED} pairs' trials"
    assert second.kind == "no regression"
    assert told in second.comparisons["last night"].notes


def test_a_folder_in_the_place_of_the_run_file(nights: Nights) -> None:
    nights.path(SECOND).mkdir()
    with pytest.raises(RunFileError, match=r"runs/night-2026-11-21.sqlite is a folder, not a run file."):
        nights.run(SECOND)
    assert not Path(f"{nights.path(SECOND)}.lock").exists()


def test_nights_of_given_questions(nights: Nights) -> None:
    for path in Path("runs").iterdir():
        path.unlink()
    gates = ("ash", "birch", "cedar", "deodar", "elm", "fir", "gorse", "holly")
    codes = {gate: f"The access code of {gate} is {number}." for number, gate in enumerate(gates, 310)}
    documents = [{"id": gate, "text": "The road is long. " * 40 + code} for gate, code in codes.items()]
    questions = [
        {
            "id": f"{gate}-{at}",
            "document_id": gate,
            "question": f"Code of {gate}, time {at}?",
            "answers": [code],
        }
        for gate, code in codes.items()
        for at in range(3)
    ]
    for name, lines in (("mine.jsonl", questions), ("mine.documents.jsonl", documents)):
        Path(name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    nights.write_config(suite="questions: mine.jsonl")
    nights.run(FIRST)
    second = nights.run(SECOND, adaptive=True)
    assert second.kind == "no regression"
    with nights.handicapped():
        third = nights.run(THIRD)
    assert (third.kind, worse(third, "the last whole night")) == ("regression", {"lc"})
    assert third.comparisons["the last whole night"].rows[0].clusters == 8


class TestAdaptive:
    def test_a_night_like_the_last_takes_fewer_trials(self, nights: Nights) -> None:
        second = nights.run(SECOND, adaptive=True)
        asked = len(nights.server.prompts)
        assert asked == len(nights.asked(SECOND)) < 0.65 * PLANNED  # three looks of five
        assert second.adaptive
        assert (second.kind, second.adaptive.asked, second.adaptive.planned) == (
            "no regression", asked, PLANNED,
        )  # fmt: skip
        assert set(decisions(second).values()) == {"no regression"}
        # Cells that were asked where they tell most of the verdict tell little of a length.
        assert second.lengths == ()
        # The same night is done with.
        assert nights.run(SECOND, adaptive=True).kind == "no regression"
        assert len(nights.server.prompts) == asked

    def test_without_a_night_before_all_is_asked(self, nights: Nights) -> None:
        nights.write_config(suite=SUITE.replace("8]", "8, 9]").replace("512, ", ""))
        nights.path(FIRST).unlink()
        assert nights.run(FIRST, adaptive=True).adaptive is None
        assert nights.said[-1] == "no whole night to compare with yet: all trials are asked."
        assert len(nights.server.prompts) == 2 * 2 * 9 * 2

    def test_a_drop_is_found_and_named(self, nights: Nights) -> None:
        with nights.handicapped():
            second = nights.run(SECOND, adaptive=True)
        assert second.kind == "regression"
        assert worse(second) == {"lc"}
        assert decisions(second) == {
            ("lc", "score"): "regression",
            ("lc", "not scored"): "no regression",
            ("closed-book", "score"): "no regression",
            ("closed-book", "not scored"): "no regression",
        }
        assert len(nights.asked(SECOND)) < PLANNED

    def test_trials_that_fail_are_a_regression(self, nights: Nights) -> None:
        nights.server.broken = True
        second = nights.run(SECOND, adaptive=True)
        assert second.kind == "regression"
        assert decisions(second)["lc", "not scored"] == "regression"
        assert len(nights.asked(SECOND)) < PLANNED

    def test_the_last_whole_night_is_what_counts(self, nights: Nights) -> None:
        nights.run(SECOND, adaptive=True)
        with nights.handicapped():
            third = nights.run(THIRD, adaptive=True)
            # A night without looks takes the same one.
            fourth = nights.run(FOURTH)
        ((role, found),) = third.comparisons.items()
        assert (third.kind, role, found.baseline) == (
            "regression", "the last whole night", str(nights.path(FIRST))
        )  # fmt: skip
        assert fourth.kind == "regression"
        assert fourth.comparisons["the last accepted night"].pairs == PLANNED

    def test_a_baseline_in_the_place_of_the_night_before(self, nights: Nights) -> None:
        nights.edited(SECOND, "UPDATE verdicts SET score = 1")
        with nights.handicapped():
            third = nights.run(THIRD, adaptive=True, baseline=nights.path(FIRST))
        assert (third.kind, list(third.comparisons)) == ("regression", ["the baseline"])
        assert third.since == "the baseline"

    def test_effective_lengths_are_set_against_the_baseline(self, nights: Nights) -> None:
        with nights.handicapped():
            third = nights.run(THIRD, baseline=nights.path(FIRST))
        # There lc held to the end, and now it holds nowhere.
        lc = next(each for each in third.lengths if each.tonight.strategy == "lc")
        assert lc.before
        assert (lc.before.length, lc.tonight.length) == (640, None)

    def test_rotating_seeds_are_all_asked(self, nights: Nights) -> None:
        nights.write_config(ROTATING)
        nights.run(SECOND, adaptive=True)
        seeds = [record.seed for record in nights.asked(SECOND) if record.seed is not None]
        assert sum(seed > 8 for seed in seeds) == PLANNED // 4
        assert sum(seed <= 8 for seed in seeds) < PLANNED

    def test_a_night_that_cannot_be_compared_is_run_as_a_whole(self, nights: Nights) -> None:
        nights.write_config(suite=STARLIGHT)
        assert nights.run(SECOND, adaptive=True).kind == "incomplete"
        assert len(nights.asked(SECOND)) == PLANNED
        assert nights.run(THIRD, adaptive=True).kind == "no regression"
        assert len(nights.asked(THIRD)) < PLANNED

    def test_a_night_that_was_stopped_goes_on_and_ends_alike(self, nights: Nights) -> None:
        # Its first trials are not those of its first look.
        nights.run_part(SECOND, 30)
        assert len(nights.asked(SECOND)) == 30
        second = nights.run(SECOND, adaptive=True)
        assert second.kind == "no regression"
        assert set(decisions(second).values()) == {"no regression"}

    def test_few_trials_of_which_the_first_look_has_none(self, nights: Nights) -> None:
        shutil.rmtree("runs")
        few = "needle_sets: [three-gates], lengths: [512], depths: [0], seeds: [1, 2]"
        nights.write_config(suite=f"{{haystacks: [essays], {few}}}")
        nights.run(FIRST)
        second = nights.run(SECOND, adaptive=True)
        assert second.comparisons["last night"].alike == second.asked > 0
        assert set(decisions(second).values()) == {"undecided"}  # two clusters

    def test_a_baseline_that_has_run_nothing(self, nights: Nights) -> None:
        none = nights.edited("none", "UPDATE trials SET outcome = 'not_run'", "DELETE FROM verdicts")
        second = nights.run(SECOND, adaptive=True, baseline=none)
        assert second.kind == "incomplete"
        assert f"{none} has run none of the trials of" in second.hindrances["the baseline"]
        assert len(nights.asked(SECOND)) == PLANNED

    def test_a_baseline_in_part_is_compared_with_as_far_as_it_goes(self, nights: Nights) -> None:
        part = nights.edited("part", "UPDATE trials SET outcome = 'not_run' WHERE place % 2")
        second = nights.run(SECOND, adaptive=True, baseline=part, limits=BLIND)
        assert second.adaptive
        assert (second.kind, second.adaptive.planned) == ("no regression", PLANNED // 2)
        told = f"{part} has not run {PLANNED // 2} of the {PLANNED} pairs' trials"
        assert told in second.comparisons["the baseline"].notes

    @pytest.mark.parametrize("common", [False, True])
    def test_a_baseline_of_another_version_of_the_judge(self, nights: Nights, common: bool) -> None:
        old = nights.edited("old", "UPDATE verdicts SET version = 'old'")
        second = nights.run(SECOND, adaptive=True, baseline=old, common=common)
        assert second.kind == "incomplete"
        assert "judge: rubric old / rubric" in second.hindrances["the baseline"]
        assert len(nights.asked(SECOND)) == PLANNED

    def test_what_is_not_in_common_is_asked(self, nights: Nights) -> None:
        nights.write_config(suite=SUITE.replace("640]", "640, 700]"))
        assert nights.run(SECOND, adaptive=True, common=True).kind == "no regression"
        asked = nights.asked(SECOND)
        new = [record for record in asked if record.context_length == 700]
        assert len(new) == PLANNED // 2
        assert len(asked) < PLANNED + len(new)


def test_a_night_that_leaves_out_impossible_cases_compares_all_others(nights: Nights) -> None:
    nights.write_config(suite=SUITE.replace("[512, 640]", "[64, 512, 640]") + "skip: impossible\n")
    assert nights.run(SECOND).kind == "no regression"
    assert len(nights.server.prompts) == PLANNED
    left_out = read_run(nights.path(SECOND)).left_out
    assert {(each.context_length, each.seed) for each in left_out} == {(64, seed) for seed in range(1, 9)}
    assert len(left_out) == 2 * 2 * 8
