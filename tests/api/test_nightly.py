"""Night after night, before a real loopback endpoint."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from niah.analysis.compare import Limits
from niah.analysis.nights import NightVerdict
from niah.errors import RunFileError
from niah.runs.file.read_model import read_run
from tests.api.nights import FIRST, FOURTH, SECOND, SUITE, THIRD, Nights

BLIND = Limits(detectable=9.0)
STARLIGHT = SUITE.replace("[essays]", "[starlight]")
ROTATING = "seeds: {anchor: [1, 2, 3, 4, 5, 6, 7, 8], rotating: 2}"


def worse(night: NightVerdict, role: str = "") -> set[str]:
    found = night.comparisons[role] if role else next(iter(night.comparisons.values()))
    return {row.parts["strategy"] for row in found.verdict.regressions}


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
    assert third.comparisons["the last accepted night"].verdict.kind != "regression"
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
    assert "have no trial in common" in second.hindrances["the last accepted night"]


def test_a_night_without_any_score_is_not_compared_with(nights: Nights) -> None:
    nights.server.broken = True
    second = nights.run(SECOND)
    # Nothing was scored: that is worse, and no score says how much.
    assert (second.kind, second.scored) == ("regression", 0)
    nights.server.broken = False
    third = nights.run(THIRD)
    ((role, comparison),) = third.comparisons.items()
    assert (third.kind, role, comparison.baseline) == (
        "no regression", "the last accepted night", str(nights.path(FIRST))
    )  # fmt: skip


def test_a_damaged_baseline_is_met_before_anything_is_asked(nights: Nights) -> None:
    shutil.copy(nights.path(FIRST), "damaged.sqlite")
    damage(Path("damaged.sqlite"))
    with pytest.raises(RunFileError, match=r"damaged.sqlite is damaged"):
        nights.run(SECOND, baseline=Path("damaged.sqlite"))
    assert nights.server.prompts == []
    assert not nights.path(SECOND).exists()


def test_a_damaged_night_does_not_stop_those_after_it(nights: Nights) -> None:
    damage(nights.edited(SECOND))
    third = nights.run(THIRD)
    assert third.kind == "no regression"
    assert any(f"{nights.path(SECOND)} is damaged" in line for line in nights.said)
    (comparison,) = third.comparisons.values()
    assert comparison.baseline == str(nights.path(FIRST))


def test_tonight_is_no_baseline_of_tonight(nights: Nights) -> None:
    with pytest.raises(RunFileError, match=r"runs/night-2026-11-20.sqlite is tonight's own run file."):
        nights.run(FIRST, baseline=nights.path(FIRST))


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
    second = nights.run(SECOND)
    assert second.kind == "no regression"
    with nights.handicapped():
        third = nights.run(THIRD)
    assert (third.kind, worse(third)) == ("regression", {"lc"})
    assert next(iter(third.comparisons.values())).rows[0].clusters == 8


def test_a_night_that_leaves_out_impossible_cases_compares_all_others(nights: Nights) -> None:
    nights.write_config(suite=SUITE.replace("[512, 640]", "[64, 512, 640]") + "skip: impossible\n")
    assert nights.run(SECOND).kind == "no regression"
    left_out = read_run(nights.path(SECOND)).left_out
    assert {(each.context_length, each.seed) for each in left_out} == {(64, seed) for seed in range(1, 9)}
    assert len(left_out) == 2 * 2 * 8
