from __future__ import annotations

import pytest

from niah.plots.kit.labels import amount_label, depth_label, duration_label, length_labels, mean_label


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


def test_depths_and_means() -> None:
    assert [depth_label(depth) for depth in (0, 12.5, 100.0)] == ["0 %", "12.5 %", "100 %"]
    assert [mean_label(mean) for mean in (10, 9.96, 7, 1)] == ["10", "10.0", "7.0", "1.0"]
    # Halves up, and 5.35 is less than a half in binary: as JavaScript's toFixed.
    assert [mean_label(mean) for mean in (5.25, 4.75, 5.35)] == ["5.3", "4.8", "5.3"]


@pytest.mark.parametrize(
    ("amount", "label"),
    [
        (None, "–"),
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (48_321, "48.3k"),
        (115_200, "115k"),
        (1_234_567, "1.2M"),
    ],
)
def test_amounts(amount: int | None, label: str) -> None:
    assert amount_label(amount) == label


@pytest.mark.parametrize(
    ("seconds", "label"),
    [(None, "–"), (0.44, "0.4 s"), (73.2, "73 s"), (99.6, "2 min"), (720, "12 min"), (12_240, "3.4 h")],
)
def test_durations(seconds: float | None, label: str) -> None:
    assert duration_label(seconds) == label
