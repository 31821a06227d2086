from __future__ import annotations

import pytest

from niah.judges.metrics.overlap import f1


@pytest.mark.parametrize(
    ("shared", "answer", "reference", "expected"),
    [
        # precision 3/4, recall 3/5: 2 * 0.45 / 1.35
        (3, 4, 5, 2 / 3),
        (0, 4, 5, 0.0),
        (0, 0, 5, 0.0),
        (0, 4, 0, 0.0),
        (0, 0, 0, 1.0),
    ],
)
def test_f1(shared: int, answer: int, reference: int, expected: float) -> None:
    assert f1(shared, answer, reference) == pytest.approx(expected)
