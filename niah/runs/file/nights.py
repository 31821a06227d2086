"""The nights of a folder: run files called NAME-YYYY-MM-DD.sqlite, one for each date of a run."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from niah.errors import RunFileError, UserError
from niah.runs.file.store import open_for_reading

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
    return [night for night in found if _is_readable(night, skip)]


def night_before(folder: Path, name: str, date: date, skip: Skip = lambda skipped: None) -> Night | None:
    """The latest night of that run before ``date``; None where there is none.

    Only files that might be it are opened; ``skip`` hears of those that cannot be used.
    """
    return next(_nights_before(folder, name, date, skip), None)


def whole_night_before(
    folder: Path, name: str, date: date, skip: Skip = lambda skipped: None
) -> Night | None:
    """The latest night of that run before ``date`` to compare with; None where there is none.

    Every trial of it was run, and some have a score: one in which the endpoint was down says nothing of those
    after it. Only files that might be it are opened; ``skip`` hears of those that cannot be used.
    """
    return next((night for night in _nights_before(folder, name, date, skip) if _is_whole(night)), None)


def night_of(path: Path) -> Night | None:
    """The night that a file's name says; None where it is not called like one.

    Raises ValueError for a date that is not in the calendar.
    """
    match = _NIGHT.fullmatch(path.name)
    if match is None or path.name.startswith(".") or _SHARD.search(path.name):
        return None
    return Night(f"{match['run']}{match['reader'] or ''}", date.fromisoformat(match["date"]), path)


def _nights_before(folder: Path, name: str, date: date, skip: Skip) -> Iterator[Night]:
    """The latest first."""
    earlier = [night for night in _named(folder, name, skip) if night.date < date]
    newest_first = sorted(earlier, key=lambda night: night.date, reverse=True)
    return (night for night in newest_first if _is_readable(night, skip, throughout=True))


def _is_whole(night: Night) -> bool:
    with open_for_reading(night.path) as store:
        return store.whole and any(record.outcome == "scored" for record in store.records())


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
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder.", "Name the one that holds the run files of the nights.")
    return sorted(path for path in folder.iterdir() if path.is_file())


def _is_readable(night: Night, skip: Skip, *, throughout: bool = False) -> bool:
    """Whether it is a run file that has been begun; ``skip`` hears why not."""
    reason = _hindrance(night.path, throughout=throughout)
    if reason:
        skip(Skipped(night.path, reason))
    return not reason


def _hindrance(path: Path, *, throughout: bool) -> str:
    """Why a run file cannot be read, or its trials if it is read ``throughout``; "" where it can."""
    if not os.access(path, os.R_OK):
        return "it may not be read."
    try:
        with open_for_reading(path) as store:
            if throughout:
                store.records()
            return "" if store.primary else "it holds no trials."
    except RunFileError as error:
        return error.message
    except ValueError as error:
        return f"it is damaged: {error}."
