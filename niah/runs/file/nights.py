"""The nights of a folder: run files called NAME-YYYY-MM-DD.sqlite, one for each date of a run."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path

from niah.errors import RunFileError
from niah.paths import check_nights_folder
from niah.runs.file.read_model import RunScores, is_begun, read_scores

PATTERN = "NAME-YYYY-MM-DD.sqlite"
"""What the run file of a night is called."""

# niah run --model writes the reader behind the date: it is a run of its own.
_NIGHT = re.compile(r"(?P<run>.+)-(?P<date>\d{4}-\d{2}-\d{2})(?P<reader>--.+)?\.sqlite", re.ASCII)
_SHARD = re.compile(r"\.shard-\d+-of-\d+\.sqlite$", re.ASCII)


@dataclass(frozen=True)
class Night:
    """The run file of one night.

    Attributes:
        name: of the run that is repeated every night: "nightly", or "nightly--openai-gpt-4o" with a reader of
            the command line's.
        date: whose rotating seeds the run has.
        path: the run file.
    """

    name: str
    date: date
    path: Path


@dataclass(frozen=True)
class Skipped:
    """A file that is called like a night and cannot be used.

    Attributes:
        path: the file.
        reason: why, one line for people.
    """

    path: Path
    reason: str

    @property
    def night(self) -> Night | None:
        """The night that it would be; None where its date is not in the calendar."""
        try:
            return night_of(self.path)
        except ValueError:
            return None


Skip = Callable[[Skipped], None]


def nights(folder: Path, name: str | None = None, skip: Skip = lambda skipped: None) -> list[Night]:
    """The nights in ``folder``, by date and name, those of the run called ``name`` alone if one is given.

    Shards, locks, drafts and all other files are passed over.

    Args:
        folder: not searched any deeper.
        name: as in ``Night``.
        skip: hears of every file that is called like one of these nights and cannot be used.

    Raises UserError where there is no such folder.
    """
    found = sorted(_named(folder, name, skip), key=lambda night: (night.date, night.name))
    return [night for night in found if _usable(night, skip, is_begun)]


def night_before(folder: Path, name: str, before: date, skip: Skip = lambda skipped: None) -> Night | None:
    """The latest night of that run before a date; None where there is none.

    Only files that might be it are opened; ``skip`` hears of those that cannot be used.
    """
    return next((night for night, _ in _nights_before(folder, name, before, skip)), None)


def whole_nights_before(
    folder: Path, name: str, before: date, most: int, among: Callable[[date], bool] = lambda day: True
) -> list[RunScores]:
    """The latest nights of that run of which every trial was run and some have a score.

    One in which the endpoint was down says nothing of those after it. Only files that might be it are opened.

    Args:
        folder: there are none where there is no such folder.
        name: as in ``Night``.
        before: a date.
        most: how many; the latest come first.
        among: whether the night of a date is looked at.
    """
    if not folder.is_dir():
        return []
    whole = (
        run
        for _, run in _nights_before(folder, name, before, lambda skipped: None, among)
        if run.whole and any(record.outcome == "scored" for record in run.records)
    )
    return list(islice(whole, most))


def night_of(path: Path) -> Night | None:
    """The night that a file's name says; None where it is not called like one.

    Raises ValueError for a date that is not in the calendar.
    """
    match = _NIGHT.fullmatch(path.name)
    if match is None or path.name.startswith(".") or _SHARD.search(path.name):
        return None
    return Night(f"{match['run']}{match['reader'] or ''}", date.fromisoformat(match["date"]), path)


def _nights_before(
    folder: Path, name: str, before: date, skip: Skip, among: Callable[[date], bool] = lambda day: True
) -> Iterator[tuple[Night, RunScores]]:
    """With what their run files hold; the latest first."""
    earlier = [night for night in _named(folder, name, skip) if night.date < before and among(night.date)]
    for night in sorted(earlier, key=lambda night: night.date, reverse=True):
        run = _usable(night, skip, read_scores)
        if isinstance(run, RunScores):
            yield night, run


def _named(folder: Path, name: str | None, skip: Skip) -> Iterator[Night]:
    """The files of ``folder`` that are called like nights."""
    for path in _files(folder):
        try:
            night = night_of(path)
        except ValueError:
            skip(Skipped(path, "its name holds a date that is not in the calendar."))
            continue
        if night and name in (None, night.name):
            yield night


def _files(folder: Path) -> list[Path]:
    check_nights_folder(folder)
    return sorted(path for path in folder.iterdir() if path.is_file())


def _usable(night: Night, skip: Skip, read: Callable[[Path], RunScores | bool]) -> RunScores | bool:
    """What ``read`` makes of a run file; False where that is no run, and ``skip`` hears why."""
    reason = "it may not be read."
    try:
        if os.access(night.path, os.R_OK):
            found = read(night.path)
            if found is True or (isinstance(found, RunScores) and found.config):
                return found
            reason = "it holds no trials."
    except RunFileError as error:
        reason = error.message
    skip(Skipped(night.path, reason))
    return False
