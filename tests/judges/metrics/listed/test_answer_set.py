from __future__ import annotations

import pytest

from niah.judges.metrics import listed_answers, set_f1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("figs, the ham and cheese", {"figs", "ham", "cheese"}),
        ("Figs, ham, and cheese.", {"figs", "ham", "cheese"}),
        ("figs; ham & cheese or figs", {"figs", "ham", "cheese"}),
        ("1. Figs\n2) ham\n(3) cheese", {"figs", "ham", "cheese"}),
        ("- gold mist\n* figs\n• ham", {"gold mist", "figs", "ham"}),
        ("1,000, 2.5 and -3", {"1000", "25", "3"}),
        ("火腿、无花果，１，０００；奶酪", {"火 腿", "无 花 果", "1000", "奶 酪"}),
        ("Anderson, Orlando", {"anderson", "orlando"}),
        ("A", {"a"}),
        (",", {","}),
        ("", set()),
        (" \n", set()),
    ],
)
def test_what_a_text_lists(text: str, expected: set[str]) -> None:
    assert listed_answers(text) == expected


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("ham and figs", "figs, ham", 1.0),
        # two of two and three: 2 * 2 / (2 + 3)
        ("figs, ham", "figs, ham and cheese", 0.8),
        ("figs, ham, olives", "figs and cheese", 0.4),
        ("figs, figs, figs", "figs", 1.0),
        # a part of an answer is another answer
        ("mist", "gold mist", 0.0),
        ("", "figs", 0.0),
        ("figs", "", 0.0),
        ("", "", 1.0),
    ],
)
def test_set_f1(answer: str, reference: str, expected: float) -> None:
    assert set_f1(answer, reference) == pytest.approx(expected)
