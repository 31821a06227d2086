"""Stretches of nights that were regressions: from the first of them until it was mended or accepted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from niah.runs.file.night_record import NightRecord


@dataclass(frozen=True)
class RedNights:
    """Nights in a row that were worse than one accepted night.

    Attributes:
        first, last: of these nights.
        compared_with: name of the run that the first was worse than.
        ended: "mended on 2026-11-23", "accepted by hand"; "" where neither.
    """

    first: date
    last: date
    compared_with: str
    ended: str = ""

    @property
    def why(self) -> str:
        """In a few words for people."""
        return f"worse than {self.compared_with}; {self.ended or 'neither mended nor accepted'}"


def red_nights(record: NightRecord) -> Iterator[RedNights]:
    """The stretches of a run's nights, by date. Nights that could not say enough end none."""
    found: RedNights | None = None
    for day, entry in sorted(record.nights.items()):
        if entry.verdict == "regression":
            known = found or RedNights(day, day, entry.compared_with or "the night before")
            found = replace(known, last=day)
            ended = "accepted by hand" if entry.accepted else ""
        else:
            ended = f"mended on {day}" if entry.verdict == "no regression" or entry.accepted else ""
        if found and ended:
            yield replace(found, ended=ended)
            found = None
    if found:
        yield found


def is_red(record: NightRecord) -> bool:
    """Whether the last nights of a run are regressions, neither mended nor accepted."""
    *_, last = None, *red_nights(record)
    return last is not None and not last.ended
