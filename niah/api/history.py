"""How scores went from night to night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.analysis.nights import history_table
from niah.analysis.table import Table
from niah.errors import RunFileError, UserError, did_you_mean
from niah.runs.file.night_record import NightRecord, read_night_record
from niah.runs.file.nights import PATTERN, Night, Skipped, nights
from niah.runs.file.read_model import RunScores, read_scores


@dataclass(frozen=True)
class History:
    """The nights of a folder.

    Attributes:
        table: one row per night, model and strategy.
        skipped: files that are called like nights and cannot be used.
        records: by run, which nights were regressions and which are accepted.
    """

    table: Table
    skipped: tuple[Skipped, ...]
    records: Mapping[str, NightRecord]


def read_history(folder: Path, name: str | None = None) -> History:
    """The nights in ``folder``: run files called NAME-YYYY-MM-DD.sqlite; only anchor cases count.

    Args:
        folder: not searched any deeper.
        name: only the nights of this run; of all runs without it.

    Raises UserError where there is no night that can be read, and ConfigError for a record of nights that is
    not as it should be.
    """
    skipped: list[Skipped] = []
    read: list[tuple[Night, RunScores]] = []
    for night in nights(folder, name, skipped.append):
        try:
            read.append((night, read_scores(night.path)))
        except RunFileError as error:
            skipped.append(Skipped(night.path, error.message))
    if not read:
        raise _no_nights(folder, name, skipped)
    records = {run: read_night_record(folder, run) for run in {night.name for night, _ in read}}
    return History(history_table(read, records), tuple(skipped), records)


def _no_nights(folder: Path, name: str | None, skipped: Sequence[Skipped]) -> UserError:
    of = f" of {name!r}" if name else ""
    known = {night.name for night in nights(folder)}
    if skipped and (not name or name in known):
        problem = f"{folder} holds no night{of} that can be read: {skipped[0].path.name}: {skipped[0].reason}"
        return UserError(problem, f"{len(skipped)} left out.")
    pattern = f"The run file of a night is called {PATTERN}."
    return UserError(
        f"{folder} holds no nights{of}.", did_you_mean(name, known) if name and known else pattern
    )
