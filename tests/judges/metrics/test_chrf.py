from __future__ import annotations

import pytest

from niah.judges.metrics import chrf


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        # one of three characters, recall one of one: only length 1 fits both, 5 * 1/3 * 1 / (4/3 + 1)
        ("abc", "a", 5 / 7),
        # the other way round recall is 1/3 and weighs four times: 5 * 1/3 / (4 * 1 + 1/3)
        ("a", "abc", 5 / 13),
        ("gold mist", "goldmist", 1.0),
        ("Figs", "figs", (3 / 4 + 2 / 3 + 1 / 2 + 0) / 4),
        ("霧の町", "霧の町", 1.0),
        ("ham", "fig", 0.0),
        ("", "", 1.0),
        ("", "figs", 0.0),
        ("figs", " ", 0.0),
    ],
)
def test_chrf(answer: str, reference: str, expected: float) -> None:
    assert chrf(answer, reference) == pytest.approx(expected)
