from __future__ import annotations

import math

import pytest

from niah.analysis.frame import trial_frame
from niah.analysis.tables.score_tables import (
    scores_by,
    scores_by_length,
    scores_by_needle_set_and_length,
)
from tests.analysis.small_trials import at, near, trial

FERRY = at(1000, needle_set="ferry-lanterns")
RECORDS = [
    trial("lc", 10),
    trial("topk", 7),
    trial("lc", 1, case=FERRY, kind="single"),
    trial("topk", 10, case=FERRY, kind="single"),
]
LC = (None, None, None, None)


@pytest.mark.parametrize(
    ("length", "band"),
    [
        (300, "1-16k"),
        (16_000, "1-16k"),
        (16_384, "1-16k"),
        (16_385, "16-32k"),
        (32_768, "16-32k"),
        (65_536, "32-64k"),
        (128_000, "64-128k"),
        (131_072, "64-128k"),
        (131_073, "over 128k"),
    ],
)
def test_a_band_takes_its_upper_border(length: int, band: str) -> None:
    assert trial_frame([trial("lc", 1, context_length=length)])["length_band"].tolist() == [band]


def test_mean_and_deviation_by_hand() -> None:
    records = [
        trial("lc", 10),
        trial("lc", 7, repeat=1),
        trial("lc", 1, repeat=2),
        trial("lc", None, repeat=3),
        trial("lc", 5, case=at(20_000)),
        trial("topk", None),
    ]
    # Mean 18 / 3 = 6; squares 16 + 1 + 25 = 42, over n - 1 = 2: root of 21.
    assert scores_by_length(trial_frame(records)).rows == (
        ("simulated", "lc", 1000, 6.0, near(math.sqrt(21)), 3, 1),
        ("simulated", "lc", 20_000, 5.0, None, 1, 0),
        ("simulated", "topk", 1000, None, None, 0, 1),
    )


def test_needle_sets_by_themselves() -> None:
    records = [trial("lc", 10), trial("lc", 1, case=at(1000, needle_set="rainbow-potion"))]
    assert [row[:5] for row in scores_by_needle_set_and_length(trial_frame(records)).rows] == [
        ("simulated", "pizza-ingredients", "lc", 1000, 10.0),
        ("simulated", "rainbow-potion", "lc", 1000, 1.0),
    ]


def test_kinds_by_hand() -> None:
    table = scores_by(trial_frame(RECORDS), "kind")
    assert table.rows == (
        ("simulated", "lc", "multi-needle", 10.0, None, 1, 0, 1.0, *LC),
        ("simulated", "lc", "single", 1.0, None, 1, 0, 0.0, *LC),
        # One pair each: 7 against 10 is lost, and lc's alone; 10 against 1 is won.
        ("simulated", "topk", "multi-needle", 7.0, None, 1, 0, 0.0, 1, 0, 1, 0.0),
        ("simulated", "topk", "single", 10.0, None, 1, 0, 1.0, 1, 1, 0, 1.0),
    )


def test_what_no_sample_has_makes_no_table() -> None:
    assert scores_by(trial_frame(RECORDS), "question_set").rows == ()
    assert scores_by(trial_frame([trial("lc", 1, kind=None)]), "kind").rows == ()


def test_haystacks_and_needle_sets() -> None:
    frame = trial_frame([*RECORDS[:2], trial("topk", None, haystack="starlight")])
    assert [(*row[:3], *row[5:]) for row in scores_by(frame, "haystack").rows] == [
        ("simulated", "lc", "essays", 1, 0, 1.0, *LC),
        ("simulated", "topk", "essays", 1, 0, 0.0, 1, 0, 1, 0.0),
        ("simulated", "topk", "starlight", 0, 1, None, 0, 0, 0, None),
    ]
    assert [row[2] for row in scores_by(trial_frame(RECORDS), "needle_set").rows] == [
        *("ferry-lanterns", "pizza-ingredients"),
        *("ferry-lanterns", "pizza-ingredients"),
    ]
