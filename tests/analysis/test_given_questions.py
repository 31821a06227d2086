"""Questions over given documents: no depth, no seed, lengths as they come, clusters that are documents."""

from __future__ import annotations

from itertools import product

import pytest
from pandas import DataFrame

from niah.analysis.frame import trial_frame
from niah.analysis.patterns import find_patterns
from niah.cases.sample import Sample
from tests.analysis.small_trials import given_sample, given_trial

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


def test_no_pattern_is_sought_in_what_nobody_has_written_down(frame: DataFrame) -> None:
    assert find_patterns(frame).empty
