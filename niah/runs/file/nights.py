"""The nights of a run, NAME-YYYY-MM-DD.sqlite, and which of them are accepted.

What each came to is in a YAML file for people to read and mend, runs/nights/NAME.yaml, replaced as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from math import inf
from pathlib import Path
from typing import Literal

from pydantic import Field

from niah.errors import RunFileError, Say, UserError
from niah.files import FileModel, NonEmptyText, atomic_write, load_yaml
from niah.runs import run_path
from niah.runs.file.read import RunContents, read_run

_HEAD = """\
# The nights of {name}: what each came to, and whether it is accepted. A night is compared with the mean of
# the last five accepted ones. One without a regression is accepted by itself, any other by hand:
#   niah nightly accept {name}-DATE
# Take `accepted` out of a line, and the nights after it are no longer compared with that night.
nights:
"""
PATTERN = "NAME-YYYY-MM-DD.sqlite"
"""What the run file of a night is called."""

# niah run --model writes the reader behind the date: it is a run of its own.
_NIGHT = re.compile(r"(?P<run>[^.].*)-(?P<date>\d{4}-\d{2}-\d{2})(?P<reader>--.+)?\.sqlite", re.ASCII)
_SHARD = re.compile(r"\.shard-\d+-of-\d+\.sqlite$", re.ASCII)


@dataclass(frozen=True)
class Night:
    """The run file of one night."""

    name: str  # of the run: "nightly", or "nightly--openai-gpt-4o" with a reader of the command line's
    date: date  # whose rotating seeds the run has
    path: Path


def night_of(path: Path) -> Night | None:
    """The night that a file's name says; None where it is not called like one."""
    match = _NIGHT.fullmatch(path.name)
    if match is None or _SHARD.search(path.name):
        return None
    try:
        return Night(f"{match['run']}{match['reader'] or ''}", date.fromisoformat(match["date"]), path)
    except ValueError:  # not in the calendar
        return None


def nights(folder: Path, name: str | None = None) -> list[Night]:
    """The nights in ``folder`` by date and name, of one run or all; none is opened. Raises UserError."""
    if not folder.is_dir():
        remedy = "Name the one that holds the run files of the nights; --name picks a config's."
        raise UserError(f"{folder}: no such folder.", remedy)
    found = [night for path in folder.iterdir() if path.is_file() and (night := night_of(path))]
    return sorted((each for each in found if name in (None, each.name)), key=lambda one: (one.date, one.name))


def open_night(night: Night) -> RunContents | str:
    """What its run file holds; in one line why it cannot be used, where it cannot."""
    try:
        run = read_run(night.path)
    except RunFileError as error:
        return error.message
    return run if run.config else "it holds no trials."


class NightEntry(FileModel):
    """One night, as the file has it."""

    verdict: Literal["no regression", "regression", "incomplete"] | None = None  # None: accepted without any
    compared_with: NonEmptyText | None = None  # name of that run
    accepted: Literal["by itself", "by hand"] | None = None
    worse: tuple[dict[NonEmptyText, NonEmptyText], ...] = ()  # of each part its reader, strategy, ...
    page: NonEmptyText | None = None  # its report, seen from the file's folder


class _RecordFile(FileModel):
    nights: dict[date, NightEntry] = Field(default_factory=dict)


@dataclass(frozen=True)
class NightRecord:
    """What is known of a run's nights, by date; ``path`` is of the file, which need not be there."""

    path: Path
    nights: Mapping[date, NightEntry]

    def accepts(self, day: date) -> bool:
        """Whether later nights may be compared with that night; without a record, with any."""
        entry = self.nights.get(day)
        return entry.accepted is not None if entry else not self.nights or day < min(self.nights)

    def level_since(self, before: date) -> date:
        """The last night before a date that a person accepted: with it a new level begins."""
        by_hand = (day for day, entry in self.nights.items() if entry.accepted == "by hand" and day < before)
        return max(by_hand, default=date.min)

    @property
    def regressions(self) -> tuple[date, ...]:
        """The nights that are regressions and that no one accepted, in order."""
        red = ((day, entry) for day, entry in sorted(self.nights.items()) if entry.verdict == "regression")
        return tuple(day for day, entry in red if entry.accepted is None)

    def latest_before(
        self,
        before: date,
        most: int,
        among: Callable[[date], bool] = lambda day: True,
        say: Say = lambda line: None,
        whole: bool = True,
    ) -> list[RunContents]:
        """The latest ``most`` nights that are scored, of some dates and ``whole`` ones, the latest first."""
        folder, found = self.path.parent.parent, list[RunContents]()
        for night in reversed(nights(folder, self.path.stem)) if folder.is_dir() else ():
            if len(found) == most:
                break
            if night.date < before and among(night.date):
                run = open_night(night)
                if isinstance(run, str):
                    say(f"{night.path.stem}: {run}")
                elif run.is_scored and (run.whole or not whole):
                    found.append(run)
        return found

    def accepted_before(self, before: date, most: int) -> list[RunContents]:
        """The latest ``most`` accepted nights of the level before a date, the latest first."""
        since = self.level_since(before)
        return self.latest_before(before, most, lambda day: day >= since and self.accepts(day))

    def add(self, day: date, entry: NightEntry) -> None:
        """Write one night into the file, or another entry in its place. Raises OSError."""
        import yaml

        entries = {**self.nights, day: entry}
        text = _HEAD.format(name=self.path.stem)
        for known, one in sorted(entries.items()):
            stated = one.model_dump(mode="json", exclude_defaults=True)
            if known != day and one.page == entry.page:  # the page is a later night's by now
                stated.pop("page", None)
            line = yaml.safe_dump(stated, default_flow_style=True, sort_keys=False, width=inf)
            text += f"  {known}: {line}"
        with atomic_write(self.path) as file:
            file.write(text.encode())


def read_night_record(folder: Path, name: str) -> NightRecord:
    """The record of the nights of a run whose run files are in ``folder``. Raises ConfigError."""
    path = folder / "nights" / f"{name}.yaml"
    return NightRecord(path, load_yaml(path, _RecordFile).nights if path.is_file() else {})


def accept_night(named: str, folder: Path = Path("runs")) -> Night:
    """Accept a night by hand, by run file, its name in ``folder``, or its date. Raises UserError."""
    dated = [night for night in nights(folder) if str(night.date) == named] if folder.is_dir() else []
    if len(dated) > 1:
        names = ", ".join(night.path.stem for night in dated)
        raise UserError(f"{folder} holds {len(dated)} nights of {named}.", f"Name one: {names}.")
    path = dated[0].path if dated else run_path(named)
    if (night := night_of(path)) is None:
        raise UserError(f"{path} is no night: nights are called {PATTERN}.", "Name a night, or its date.")
    run = read_run(path)
    if not run.whole or not run.is_scored:
        remedy = f"niah nightly with --date {night.date} runs the rest."
        raise UserError(f"{path} has trials that are not run, or none that is scored.", remedy)
    record = read_night_record(path.parent, night.name)
    entry = record.nights.get(night.date, NightEntry())
    record.add(night.date, entry.model_copy(update={"accepted": "by hand"}))
    return night
