"""From when to when a run was red, and what ended it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from niah.analysis.nights.red_nights import is_red, red_nights
from niah.runs.file.night_record import NightEntry, NightRecord

GREEN = NightEntry(verdict="no regression", accepted="by itself")
SPARED = NightEntry(verdict="no regression")
RED = NightEntry(verdict="regression", compared_with="a-2026-11-01")
TAKEN = NightEntry(verdict="regression", compared_with="a-2026-11-01", accepted="by hand")
DARK = NightEntry(verdict="incomplete")
ANEW = NightEntry(verdict="incomplete", accepted="by itself")


def record(*entries: NightEntry) -> NightRecord:
    """Of the first nights of November."""
    return NightRecord(Path("a.yaml"), {date(2026, 11, at): entry for at, entry in enumerate(entries, 1)})


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([GREEN, GREEN], []),
        ([GREEN, RED, RED], [(2, 3, "")]),
        ([GREEN, RED, DARK, RED, GREEN], [(2, 4, "mended on 2026-11-05")]),
        ([GREEN, RED, SPARED, RED], [(2, 2, "mended on 2026-11-03"), (4, 4, "")]),
        ([GREEN, RED, TAKEN, GREEN], [(2, 3, "accepted by hand")]),
        ([GREEN, TAKEN, RED], [(2, 2, "accepted by hand"), (3, 3, "")]),
        ([GREEN, RED, ANEW], [(2, 2, "mended on 2026-11-03")]),
    ],
)
def test_stretches(entries: list[NightEntry], found: list[tuple[int, int, str]]) -> None:
    told = record(*entries)
    assert [(red.first.day, red.last.day, red.ended) for red in red_nights(told)] == found
    assert is_red(told) == bool(found and not found[-1][2])


def test_in_words() -> None:
    (red,) = red_nights(record(GREEN, RED))
    assert red.why == "worse than a-2026-11-01; neither mended nor accepted"
