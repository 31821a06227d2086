"""Stretches of nights that were regressions: from the first of them until it was mended or accepted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from statistics import fmean

from niah.analysis.nights.trends import Trend
from niah.runs.file.night_record import NightEntry, NightRecord
from niah.runs.file.nights import night_of


@dataclass(frozen=True)
class RedNights:
    """Nights in a row that were worse than one accepted night.

    Attributes:
        first, last: of these nights.
        compared_with: name of the run that the first was worse than.
        mended: the night in which it was no longer so; None where there is none yet.
        is_accepted: whether a person accepted the last of them, or one after it.
    """

    first: date
    last: date
    compared_with: str
    mended: date | None = None
    is_accepted: bool = False

    @property
    def is_over(self) -> bool:
        """Whether they were mended or accepted."""
        return self.is_accepted or self.mended is not None

    @property
    def why(self) -> str:
        """In a few words for people."""
        ended = f"mended on {self.mended}" if self.mended else "neither mended nor accepted"
        return f"worse than {self.compared_with}; {'accepted by hand' if self.is_accepted else ended}"

    def is_mended_by(self, entry: NightEntry) -> bool:
        """Whether a night shows that it is no longer so: nothing got worse than before it.

        A night that was compared with a later one, or with none, shows nothing of it.
        """
        return entry.verdict == "no regression" and self.is_told_by(entry)

    def is_told_by(self, entry: NightEntry) -> bool:
        """Whether a night was compared with what these were worse than, or with a night before them."""
        return entry.compared_with is not None and (
            entry.compared_with == self.compared_with or _is_before(entry.compared_with, self.first)
        )


def _is_before(run: str, day: date) -> bool:
    """Whether a run is a night of before that day."""
    try:
        night = night_of(Path(f"{run}.sqlite"))
    except ValueError:
        return False
    return night is not None and night.date < day


def red_nights(record: NightRecord, before: date = date.max) -> Iterator[RedNights]:
    """The stretches of a run's nights, by date, of those before a day.

    Nights that could not say enough end none, unless a person accepts them.
    """
    found: RedNights | None = None
    for day, entry in sorted((day, entry) for day, entry in record.nights.items() if day < before):
        if entry.verdict == "regression":
            known = found or RedNights(day, day, entry.compared_with or "the night before")
            found = replace(known, last=day, is_accepted=entry.accepted is not None)
        elif found and entry.accepted == "by hand":
            found = replace(found, is_accepted=True)
        elif found and found.is_mended_by(entry):
            found = replace(found, mended=day)
        if found and found.is_over:
            yield found
            found = None
    if found:
        yield found


def red_stretches(trend: Trend, record: NightRecord | None) -> list[RedNights]:
    """The stretches in which the trend's reader and strategy had got worse: in half of the nights at least.

    Where a night names them both, one is enough: a part of all strategies may have been worse for another's
    sake. It is not where scores rose on the whole: then luck in a small part was named beside another's drop.
    """
    found = []
    for red in red_nights(record) if record else ():
        nights = [one for day, one in record.nights.items() if red.first <= day <= red.last] if record else []
        nights = [entry for entry in nights if entry.verdict == "regression"]
        own = [entry for entry in nights if entry.is_worse(trend.reader, trend.strategy)]
        both = {"reader": trend.reader, "strategy": trend.strategy}.items()
        is_named = any(both <= part.items() for one in own for part in one.worse)
        if 2 * len(own) >= len(nights) or (is_named and not _rose(trend, red)):
            found.append(red)
    return found


def _rose(trend: Trend, red: RedNights) -> bool:
    """Whether the mean of these nights is above that of those before, of the nights that asked the same."""
    within = [night for night in trend.counted if night.score and red.first <= night.date <= red.last]
    alike = {night.identity for night in within}
    before = [
        night for night in trend.counted if night.score and night.date < red.first and night.identity in alike
    ]
    means = [[night.score.estimate for night in nights if night.score] for nights in (before, within)]
    return all(means) and fmean(means[1]) > fmean(means[0])


def open_regression(record: NightRecord, before: date = date.max) -> RedNights | None:
    """The last stretch of the nights before a day, where it is neither mended nor accepted."""
    *_, last = None, *red_nights(record, before)
    return None if last is None or last.is_over else last


def is_red(record: NightRecord) -> bool:
    """Whether a regression of a run is open: neither mended nor accepted."""
    return open_regression(record) is not None
