"""How tables part lengths: a grid's few by themselves, many in bands, and given documents as figures do."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from niah.analysis.frame import trial_frame
from niah.analysis.lengths import length_groups, length_labels
from niah.runs.trial import TrialRecord
from tests.analysis.small_trials import at, trial


@pytest.mark.parametrize(
    ("lengths", "labels"),
    [
        ([512, 1024, 2048, 4096], ["512", "1k", "2k", "4k"]),
        ([1000, 4000, 128000, 1000000], ["1k", "4k", "128k", "1M"]),
        ([1500, 131072, 1048576], ["1.5k", "128k", "1M"]),
        ([300, 7345], ["300", "7.34k"]),
        ([1000, 1024, 2048], ["1000", "1024", "2k"]),
    ],
)
def test_lengths(lengths: list[int], labels: list[str]) -> None:
    assert length_labels(lengths) == labels


def of(lengths: Sequence[int]) -> list[TrialRecord]:
    return [trial("lc", 10, case=at(length)) for length in lengths]


def shown(records: Sequence[TrialRecord]) -> list[int | str]:
    return [length for _, length, _ in length_groups(trial_frame(records), "reader")]


@pytest.mark.parametrize(
    "lengths",
    [
        [2048, 8192, 16384],  # all in one band of u-niah
        [1000 * place for place in range(1, 16)],  # the same, however many
        [1000, 16000, 32000, 128000],  # few
    ],
)
def test_lengths_that_were_asked_for_stand_each_by_itself(lengths: list[int]) -> None:
    assert shown(of(lengths)) == lengths


def test_many_lengths_over_several_bands_stand_in_these() -> None:
    assert shown(of([8000 * place for place in range(1, 10)])) == ["1-16k", "16-32k", "32-64k", "64-128k"]


def test_groups_are_the_rows_of_names_and_length() -> None:
    frame = trial_frame([*of([1000, 2000]), trial("topk", 7, case=at(2000))])
    found = [(names, length, rows.tolist()) for names, length, rows in length_groups(frame, "strategy")]
    assert found == [(("lc",), 1000, [0]), (("lc",), 2000, [1]), (("topk",), 2000, [2])]
