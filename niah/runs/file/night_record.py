"""Which nights of a run are accepted: a YAML file beside the run files, for people to read and mend.

    runs/nights/nightly.yaml

It says of each night what it came to and whether later nights may be compared with it. It is replaced as a
whole, so that it is never half written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from niah.files import FileModel, NonEmptyText, atomic_write, load_yaml
from niah.runs.file.nights import whole_nights_before
from niah.runs.file.read_model import RunScores

_HEAD = """\
# The nights of {name}: what each came to, and whether it is accepted. A night is compared with the last one
# before it that is accepted. One without a regression is accepted by itself, any other by hand:
#   niah nightly accept {name}-DATE
# Take `accepted` out of a line, and the nights after it are no longer compared with that night.
"""


class NightEntry(FileModel):
    """One night, as the file has it.

    Attributes:
        verdict: what it came to; None of a night that was accepted without any.
        compared_with: name of the run that it was compared with; None where there was none.
        accepted: who accepted it: the verdict itself, or a person; None while it is not accepted.
        worse: where it got worse: of each part its reader, strategy, lengths and depth.
        page: its report, seen from the file's folder; of a regression, at the trial that fell most.
    """

    verdict: Literal["no regression", "regression", "incomplete"] | None = None
    compared_with: NonEmptyText | None = None
    accepted: Literal["by itself", "by hand"] | None = None
    worse: tuple[dict[NonEmptyText, NonEmptyText], ...] = ()
    page: NonEmptyText | None = None

    @property
    def page_file(self) -> str | None:
        """The page without the place on it."""
        return self.page and self.page.partition("#")[0]


class _RecordFile(FileModel):
    nights: dict[date, NightEntry] = Field(default_factory=dict)


@dataclass(frozen=True)
class NightRecord:
    """What is known of a run's nights.

    Attributes:
        path: of the file, which need not be there.
        nights: by date; none where there is no file.
    """

    path: Path
    nights: Mapping[date, NightEntry]

    def accepts(self, day: date) -> bool:
        """Whether later nights may be compared with that night.

        Nights before the first that is recorded are of an earlier niah, which compared with any.
        """
        entry = self.nights.get(day)
        return entry.accepted is not None if entry else not self.nights or day < min(self.nights)

    @property
    def taken_by_hand(self) -> tuple[date, ...]:
        """The nights that a person accepted, in order: a new level may begin with each."""
        return tuple(day for day, entry in sorted(self.nights.items()) if entry.accepted == "by hand")

    @property
    def regressions(self) -> tuple[date, ...]:
        """The nights that are regressions and that nobody accepted, in order."""
        return tuple(
            day
            for day, entry in sorted(self.nights.items())
            if entry.verdict == "regression" and entry.accepted is None
        )


def record_folder(folder: Path) -> Path:
    """Where the records of the runs are whose run files are in ``folder``."""
    return folder / "nights"


def read_night_record(folder: Path, name: str) -> NightRecord:
    """The record of the nights of the run called ``name``, whose run files are in ``folder``.

    Raises ConfigError where the file is not as it should be.
    """
    path = record_folder(folder) / f"{name}.yaml"
    return NightRecord(path, load_yaml(path, _RecordFile).nights if path.is_file() else {})


def accepted_nights(folder: Path, name: str, before: date, most: int) -> list[RunScores]:
    """The latest whole nights of that run before a date that are accepted.

    None is from before the last night that a person accepted: with that a new level begins. The latest come
    first, as in ``whole_nights_before``. Raises ConfigError where the record is not as it should be.
    """
    record = read_night_record(folder, name)
    since = max((day for day in record.taken_by_hand if day < before), default=date.min)
    return whole_nights_before(folder, name, before, most, lambda day: day >= since and record.accepts(day))


def record_night(folder: Path, name: str, day: date, entry: NightEntry) -> None:
    """Put one night into the record, or another entry in its place. Raises ConfigError, OSError.

    Nights before it whose page was the same file have none any more: this night's stands in its place.
    """
    import yaml

    record = read_night_record(folder, name)
    others = {
        known: one.model_copy(update={"page": None})
        if one.page_file and one.page_file == entry.page_file
        else one
        for known, one in record.nights.items()
    }
    lines = [
        f"  {known}: {yaml.safe_dump(_stated(one), default_flow_style=True, sort_keys=False, width=10_000)}"
        for known, one in sorted({**others, day: entry}.items())
    ]
    with atomic_write(record.path) as file:
        file.write((_HEAD.format(name=name) + "nights:\n" + "".join(lines)).encode())


def _stated(entry: NightEntry) -> dict[str, Any]:
    return entry.model_dump(mode="json", exclude_defaults=True)
