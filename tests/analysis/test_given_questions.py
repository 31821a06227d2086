"""Questions over given documents: no depth, no seed, lengths as they come, clusters that are documents."""

from __future__ import annotations

from itertools import product

import pytest
from pandas import DataFrame

from niah.analysis.cells import cells
from niah.analysis.effective_length import effective_lengths
from niah.analysis.frame import is_length_grid, trial_frame
from niah.analysis.patterns import find_patterns
from niah.analysis.tables.registry import report_tables
from niah.analysis.tables.summary import summarise
from niah.cases.sample import Sample
from tests.analysis.small_trials import given_sample, given_trial, trial

STRATEGIES = ("lc", "topk", "topk-rev", "dos", "closed-book")
# Two questions over each of three documents.
SAMPLES = {f"q{at}": given_sample(f"q{at}", f"document {at // 2}") for at in range(6)}
SCORES = {"lc": 5.5, "topk": 10, "topk-rev": 10, "dos": 1, "closed-book": 1}


def length_of(sample: Sample) -> int:
    """Documents are as long as they are."""
    return 1000 + 117 * int(sample.sample_id[1:])


@pytest.fixture(scope="module")
def frame() -> DataFrame:
    asked = product(SAMPLES.values(), STRATEGIES)
    records = [given_trial(s, name, SCORES[name], context_length=length_of(s)) for s, name in asked]
    return trial_frame(records, SAMPLES)


def test_lengths_are_no_grid_and_there_is_no_map(frame: DataFrame) -> None:
    assert not is_length_grid(frame)
    assert cells(frame) == cells(frame, per_needle_set=True) == ()
    assert effective_lengths(frame) == []


def test_tables_without_the_facets_that_they_need_are_left_out(frame: DataFrame) -> None:
    found = {table.name: table for table in report_tables(frame, SAMPLES)}
    assert list(found) == [
        *(
            "mean-scores",
            "crossover",
            "scores-by-length",
            "win-rates",
            "win-lose",
            "lc-vs-rag",
            "lc-vs-rag-shares",
            "overlaps",
            "scores-by-question-set",
            "scores-by-source",
        ),
        *("question-words", "causes", "outcomes", "resources"),
    ]
    assert found["scores-by-question-set"].rows[0][:5] == ("simulated", "lc", "mine", 5.5, 0.0)
    # Without an oracle or elements nothing tells why; 5.5 and 1 are not correct.
    assert [(row[1], row[2], row[3], row[-1]) for row in found["causes"].rows] == [
        ("lc", 6, 6, 6),
        ("dos", 6, 6, 6),
        ("topk", 6, 0, 0),
        ("topk-rev", 6, 0, 0),
    ]


def test_no_pattern_is_sought_in_what_nobody_has_written_down(frame: DataFrame) -> None:
    assert {pattern.n for pattern in find_patterns(frame, SAMPLES)} == {0}


def test_generated_and_given_questions_stand_in_one_summary(frame: DataFrame) -> None:
    sample = SAMPLES["q1"]
    both = trial_frame([trial("lc", 10), given_trial(sample, "lc", 1)], SAMPLES)
    (row,) = summarise(both)
    assert (row.score, row.n) == (5.5, 2)
    (grid,) = cells(both)
    assert (grid.n, grid.mean) == (1, 10)
