"""What a history says of a night besides its scores: its verdict, and where its page is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from html import escape
from pathlib import Path
from urllib.parse import quote

from niah.analysis.nights.red_nights import RedNights, red_stretches
from niah.analysis.nights.trends import Trend
from niah.runs.file.night_record import NightEntry, NightRecord

_HEAD_BYTES = 4096  # a report's title stands within its first kilobyte


@dataclass(frozen=True)
class NightMark:
    """One night.

    Attributes:
        entry: what the record says of it; empty where it says nothing.
        address: of its page, seen from the history's; "" where there is none.
    """

    entry: NightEntry
    address: str

    @property
    def label(self) -> str:
        """Its verdict in words; "" where there is none."""
        if self.entry.verdict is None:
            return ""
        taken = ", accepted by hand" if self.entry.accepted == "by hand" else ""
        red = self.entry.verdict == "regression" and self.entry.compared_with
        against = f" against {self.entry.compared_with}" if red else ""
        return f"{self.entry.verdict}{against}{taken}"


@dataclass(frozen=True)
class NightMarks:
    """The nights of a history.

    Attributes:
        nights: by run and date.
        records: by run.
    """

    nights: Mapping[tuple[str, date], NightMark]
    records: Mapping[str, NightRecord]

    def of(self, run: str, day: date) -> NightMark:
        """Of one night; an empty one where nothing is known of it."""
        return self.nights.get((run, day)) or NightMark(NightEntry(), "")

    def red_stretches(self, trend: Trend) -> list[RedNights]:
        """When the trend was worse than an accepted night."""
        return red_stretches(trend, self.records.get(trend.run))


NO_MARKS = NightMarks({}, {})


def night_marks(trends: Iterable[Trend], records: Mapping[str, NightRecord], folder: Path) -> NightMarks:
    """Of every night of the trends, for a page in ``folder``."""
    found = {}
    for trend in trends:
        record = records.get(trend.run)
        for night in trend.nights:
            entry = record.nights.get(night.date) if record else None
            page, fragment = _page(trend.run, night.date, entry, record)
            own = _is_page_of(page, f"{trend.run}-{night.date}")
            address = f"{_address(page, folder)}{fragment}" if own else ""
            found[trend.run, night.date] = NightMark(entry or NightEntry(), address)
    return NightMarks(found, records)


def _page(run: str, day: date, entry: NightEntry | None, record: NightRecord | None) -> tuple[Path, str]:
    """A night's page, as the record has it or where it is by default; and a place on it."""
    if record is None or entry is None or entry.page is None:
        return Path("plots") / f"{run}-{day}" / "index.html", ""
    path, hash_sign, place = entry.page.partition("#")
    return record.path.parent / path, f"{hash_sign}{place}"


def _is_page_of(page: Path, run: str) -> bool:
    """Whether that page is there and of that run: a later report may have been written in its place."""
    try:
        with page.open("rb") as file:
            head = file.read(_HEAD_BYTES).decode(errors="replace")
    except OSError:
        return False
    return f"<title>{escape(run)}</title>" in head


def _address(page: Path, folder: Path) -> str:
    return quote(Path(os.path.relpath(page.resolve(), folder.resolve())).as_posix())
