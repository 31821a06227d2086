"""From when to when a run was red, and what ended it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from niah.analysis.nights.red_nights import is_red, red_nights, red_stretches
from niah.analysis.nights.trend_tables import event_table
from niah.judges.verdict import Score
from niah.runs.file.night_record import NightEntry, NightRecord
from tests.plots.history.trends_of import trends_of
from tests.runs.simulated_nights import READER, write_night

GREEN = NightEntry(verdict="no regression", compared_with="a-2026-11-01", accepted="by itself")
LATER = NightEntry(verdict="no regression", compared_with="a-2026-11-03", accepted="by itself")
SPARED = NightEntry(verdict="no regression", compared_with="a-2026-11-01")
RED = NightEntry(verdict="regression", compared_with="a-2026-11-01")
TAKEN = NightEntry(verdict="regression", compared_with="a-2026-11-01", accepted="by hand")
DARK = NightEntry(verdict="incomplete")
ANEW = NightEntry(verdict="incomplete", accepted="by itself")
CHOSEN = NightEntry(verdict="incomplete", accepted="by hand")


def record(*entries: NightEntry) -> NightRecord:
    """Of the first nights of November."""
    return NightRecord(Path("a.yaml"), {date(2026, 11, at): entry for at, entry in enumerate(entries, 1)})


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([GREEN, GREEN], []),
        ([GREEN, RED, RED], [(2, 3, None)]),
        ([GREEN, RED, DARK, RED, GREEN], [(2, 4, 5)]),
        ([GREEN, RED, SPARED, RED], [(2, 2, 3), (4, 4, None)]),
        ([GREEN, RED, TAKEN, GREEN], [(2, 3, True)]),
        ([GREEN, TAKEN, RED], [(2, 2, True), (3, 3, None)]),
        # Something else is asked: it tells nothing of what was before, nor do nights compared with it.
        ([GREEN, RED, ANEW, LATER], [(2, 2, None)]),
        ([GREEN, RED, ANEW, LATER, GREEN], [(2, 2, 5)]),
        ([GREEN, RED, CHOSEN, LATER], [(2, 2, True)]),
    ],
)
def test_stretches(entries: list[NightEntry], found: list[tuple[int, int, int | bool | None]]) -> None:
    told = record(*entries)
    stretches = [
        (red.first.day, red.last.day, red.is_accepted or (red.mended.day if red.mended else None))
        for red in red_nights(told)
    ]
    assert stretches == found
    assert is_red(told) == bool(found and not found[-1][2])


def test_in_words() -> None:
    told = [red.why for red in red_nights(record(GREEN, RED, GREEN, TAKEN, RED))]
    assert told == [
        "worse than a-2026-11-01; mended on 2026-11-03",
        "worse than a-2026-11-01; accepted by hand",
        "worse than a-2026-11-01; neither mended nor accepted",
    ]


def test_a_regression_is_told_with_the_levels_before_it_and_in_it(tmp_path: Path) -> None:
    scores: tuple[Score, ...] = (10, 7, 3, 5, 7)
    for day, score in enumerate(scores, 1):
        write_night(tmp_path, f"2026-11-0{day}", {"lc": [score, score]})
    entries = record(GREEN, GREEN, RED, RED, GREEN)
    (row,) = event_table(trends_of(tmp_path), {"nightly": entries}).rows
    assert row[:4] == (
        "2026-11-03",
        "2026-11-04",
        "regression",
        "worse than a-2026-11-01; mended on 2026-11-05",
    )
    assert row[-3:] == (8.5, 4.0, None)


def test_whose_stretches_they_are(tmp_path: Path) -> None:
    for day in range(1, 5):
        write_night(tmp_path, f"2026-11-0{day}", {"lc": [7, 7], "topk": [7, 7], "dos": [7, 7]})
    one = RED.model_copy(update={"worse": ({"reader": READER, "strategy": "lc", "depth": "end"},)})
    every = RED.model_copy(update={"worse": ({"reader": READER, "depth": "end"},)})
    other = RED.model_copy(update={"worse": ({"reader": READER, "strategy": "topk"},)})
    trends = {trend.strategy: trend for trend in trends_of(tmp_path)}
    told = {name: len(red_stretches(trend, record(GREEN, one, one, every))) for name, trend in trends.items()}
    assert told == {"lc": 1, "dos": 0, "topk": 0}
    told = {name: len(red_stretches(trend, record(GREEN, every, other))) for name, trend in trends.items()}
    assert told == {"lc": 1, "dos": 1, "topk": 1}  # half of its nights
    assert red_stretches(trends["lc"], None) == []
    # An earlier record does not say where.
    assert len(red_stretches(trends["dos"], record(GREEN, RED))) == 1


def test_a_strategy_that_got_better_is_not_one_for_a_small_part_in_one_night(tmp_path: Path) -> None:
    scores: tuple[tuple[Score, Score], ...] = ((10, 3), (3, 5), (3, 5), (3, 5))
    for day, (fell, rose) in enumerate(scores, 1):
        write_night(tmp_path, f"2026-11-0{day}", {"lc": [fell, fell], "dos": [rose, rose]})
    both = RED.model_copy(
        update={
            "worse": (
                {"reader": READER, "strategy": "lc"},
                {"reader": READER, "strategy": "dos", "depth": "end"},
            )
        }
    )
    alone = RED.model_copy(update={"worse": ({"reader": READER, "strategy": "lc"},)})
    told = record(GREEN, both, alone, alone)
    found = {trend.strategy: len(red_stretches(trend, told)) for trend in trends_of(tmp_path)}
    assert found == {"lc": 1, "dos": 0}
