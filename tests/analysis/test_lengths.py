"""How lengths are written."""

from __future__ import annotations

import pytest

from niah.analysis.lengths import length_labels


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
