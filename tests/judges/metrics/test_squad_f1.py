from __future__ import annotations

import pytest

from niah.judges.metrics.squad_f1 import squad_f1


def test_repeats_count() -> None:
    # one shared of three and one: 2 * 1 / (3 + 1)
    assert squad_f1("fig fig fig", "fig") == 0.5


def test_articles_do_not_count() -> None:
    # cat, leaps, table of four and four: 2 * 3 / 8
    assert squad_f1("cat leaps table quickly", "the cat leaps over the table") == 0.75
    assert squad_f1("The fig", "a fig") == 1.0


@pytest.mark.parametrize(("answer", "reference", "expected"), [("", "", 1.0), ("x", "", 0.0), ("", "x", 0.0)])
def test_empty_texts(answer: str, reference: str, expected: float) -> None:
    assert squad_f1(answer, reference) == expected
