from __future__ import annotations

import math

import pytest

from niah.analysis.frame import trial_frame
from niah.analysis.stats.bounded_mean import bounded_mean
from niah.analysis.tables.score_tables import (
    mean_scores,
    scores_by,
    scores_by_length,
    scores_by_needle_set_and_length,
)
from niah.runs.trial import TrialRecord
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


def test_a_mean_has_an_interval_for_new_seeds_and_one_for_other_needle_sets() -> None:
    scores = {("pizza", 1): 10, ("pizza", 2): 7, ("potion", 1): 5, ("potion", 2): 1}
    records = [
        trial("lc", score, case=at(1000, needle_set=name, seed=seed))
        for (name, seed), score in scores.items()
    ]
    records += [trial("lc", None, case=at(1000, seed=3)), trial("topk", None)]
    (row,) = mean_scores(trial_frame(records)).rows
    own = bounded_mean([10, 7, 5, 1], [0, 1, 2, 3], crossed=[1, 2, 1, 2], strata=[0, 0, 1, 1])
    wider = bounded_mean([10, 7, 5, 1], [0, 0, 1, 1], crossed=[1, 2, 1, 2])
    assert row == ("simulated", "lc", 5.75, 4, 1, own.low, own.high, 4, wider.low, wider.high, 2)


def test_one_needle_set_says_nothing_of_others() -> None:
    records = [trial("lc", 10, case=at(1000, seed=seed)) for seed in (1, 2, 3)]
    (row,) = mean_scores(trial_frame(records)).rows
    assert row[-3:] == (None, None, 1)
    assert row[5] is not None


def test_the_note_of_means_is_what_one_needs_to_read_them() -> None:
    def note(*records: TrialRecord) -> str:
        return mean_scores(trial_frame(records)).note

    one, two = trial("lc", 10), trial("lc", 10, case=at(1000, seed=2))
    given = trial("lc", 10, case_id="a", depth=None, seed=None, origin="given", needle_set=None)
    assert "95 % interval for needle sets like these with this one seed;" in note(one)
    assert "95 % interval for new seeds of these needle sets;" in note(one, two)
    assert "95 % interval for new documents of these question sets;" in note(given)
    assert "new seeds of these needle sets and new documents;" in note(one, two, given)
    assert "so that the mean can stand near its upper end" in note(one, two)
    assert "latter" not in note(one, two)


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
