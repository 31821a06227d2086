from __future__ import annotations

import pytest

from niah.judges.metrics.exact_match import exact_match


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("The gold mist.", "gold  mist", 1.0),
        ("**Gold mist**", "gold mist", 1.0),
        ("MÜNCHEN", "münchen", 1.0),
        ("gold mist", "mist gold", 0.0),
        ("gold mist and figs", "gold mist", 0.0),
        ("A", "The", 0.0),
        ("+", "-", 0.0),
        ("", "gold mist", 0.0),
        ("gold mist", "", 0.0),
        ("", " ", 1.0),
    ],
)
def test_exact_match(answer: str, reference: str, expected: float) -> None:
    assert exact_match(answer, reference) == expected
