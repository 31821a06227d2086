from __future__ import annotations

import pytest

from niah.judges.metrics.token_f1 import token_f1


def test_the_papers_own_example() -> None:
    # long-context-vs-rag, appendix A: TP 3, FP 1, FN 2
    assert token_f1("cat leaps table quickly", "the cat leaps over the table") == pytest.approx(
        0.67, abs=0.005
    )


def test_repeats_do_not_count() -> None:
    assert token_f1("fig fig fig", "fig") == 1.0


def test_articles_count() -> None:
    # {the, fig} and {fig}: 2 * 1 / (2 + 1)
    assert token_f1("The fig", "fig") == pytest.approx(2 / 3)
