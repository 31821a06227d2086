"""Night after night, before a real loopback endpoint."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from niah.api.nightly import accept_night
from tests.api.nights import FIRST, FOURTH, SECOND, THIRD, Nights


def damage(path: Path) -> None:
    """Overwrite the first page of the trials; the file still opens."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        ((size,),) = db.execute("PRAGMA page_size")
        ((page,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'trials'")
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


def test_the_same_night_goes_on(nights: Nights) -> None:
    shutil.copy(nights.path(FIRST), nights.path(SECOND))
    assert nights.run(SECOND).kind == "no regression"
    assert nights.server.prompts == []


def test_a_baseline_beside_last_night(nights: Nights) -> None:
    with nights.answering(lambda prompt: "The text does not say."):
        assert nights.run(SECOND).kind == "regression"
        accept_night(SECOND)
        # As bad as the accepted night, and worse than the baseline.
        third = nights.run(THIRD, baseline=nights.path(FIRST))
    assert third.kind == third.comparisons["the baseline"].verdict.kind == "regression"
    assert third.comparisons["the last accepted night"].verdict.kind != "regression"
    assert nights.run(FOURTH, baseline=nights.path(FIRST)).kind == "no regression"


def test_a_damaged_night_does_not_stop_those_after_it(nights: Nights) -> None:
    shutil.copy(nights.path(FIRST), nights.path(SECOND))
    damage(nights.path(SECOND))
    third = nights.run(THIRD)
    assert third.kind == "no regression"
    assert any(f"{nights.path(SECOND)} is damaged" in line for line in nights.said)
    (comparison,) = third.comparisons.values()
    assert comparison.baseline == str(nights.path(FIRST))
