"""A month of nights whose run files are written and not asked, with a reader that is bad for a week."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import numpy as np

from niah.analysis.compare import Limits
from niah.analysis.nights import NightVerdict
from tests.api.nights import Nights

SUITE = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
lengths: [640]
depths: [0, 100]
seeds: [1, 2, 3, 4, 5, 6, 7, 8]
"""
DAYS = tuple(day for day in range(1, 29) if day != 10)
"""Of November 2026; one night is missing."""
BAD = range(19, 25)
NOISE = 0.03
"""The share of trials that come to another score each night."""


def day_of(number: int) -> str:
    """A day of the month."""
    return f"2026-11-{number:02}"


def ask_both(nights: Nights) -> tuple[Path, Path]:
    """The run files of a night of a good reader and of a bad one, which alone are asked."""
    nights.write_config(suite=SUITE)
    shutil.rmtree("runs", ignore_errors=True)
    nights.run_part("2026-10-30", 64)
    with nights.handicapped():
        nights.run_part("2026-10-31", 64)
    kept = Path("good.sqlite"), Path("bad.sqlite")
    for day, path in zip(("2026-10-30", "2026-10-31"), kept, strict=True):
        nights.path(day).rename(path)
    shutil.rmtree("runs")
    Path("runs").mkdir()
    return kept


def write_night_of(source: Path, target: Path, seed: int) -> None:
    """A night as another was, but for some scores that luck changes."""
    shutil.copy(source, target)
    luck = np.random.default_rng(seed)
    with closing(sqlite3.connect(target)) as db, db:
        ids = [row[0] for row in db.execute("SELECT trial_id FROM verdicts ORDER BY trial_id")]
        for trial_id in luck.choice(ids, round(NOISE * len(ids)), replace=False):
            score = int(luck.choice([1, 3, 5, 7, 10]))
            db.execute("UPDATE verdicts SET score = ? WHERE trial_id = ?", (score, str(trial_id)))


def run_month(
    nights: Nights,
    kept: tuple[Path, Path],
    seed: int,
    bad: Collection[int] = BAD,
    accepted: Collection[int] = (),
) -> Iterator[tuple[int, NightVerdict]]:
    """Every day and its verdict; a person accepts the nights of ``accepted`` after they ran."""
    for day in DAYS:
        write_night_of(kept[day in bad], nights.path(day_of(day)), 100 * seed + day)
        yield day, nights.run(day_of(day), limits=Limits(detectable=3.0))
        if day in accepted:
            nights.accept(day_of(day))


def date_of(number: int) -> date:
    """A day of the month."""
    return date.fromisoformat(day_of(number))


def mixed(good: Path, bad: Path, share: float) -> Path:
    """The run file of a reader that answers a share of the trials as the bad one does."""
    path = Path("mixed.sqlite")
    shutil.copy(good, path)
    with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(bad)) as other, db:
        scores = dict(other.execute("SELECT trial_id, score FROM verdicts ORDER BY trial_id"))
        for trial_id in np.random.default_rng(0).choice([*scores], round(share * len(scores)), replace=False):
            update = "UPDATE verdicts SET score = ? WHERE trial_id = ?"
            db.execute(update, (scores[str(trial_id)], str(trial_id)))
    return path
