from __future__ import annotations

import pytest

from niah.judges.metrics.exact_match import exact_match
from niah.judges.metrics.metric import Metric
from niah.judges.metrics.token_f1 import token_f1

_EXACT = Metric("exact-match", "", exact_match)


def test_the_best_reference_counts() -> None:
    # {gold, mist} against {gold, mist, and, figs} is 4/6, against {mist} 2/3, against {figs} 0
    assert Metric("token-f1", "", token_f1).score(
        "gold mist", ["figs", "gold mist and figs"]
    ) == pytest.approx(4 / 6)
    assert _EXACT.score("figs", ("ham", "figs")) == 1.0


@pytest.mark.parametrize("answer", ["<think>ham?</think>figs", "ham?</think>\nfigs", "figs<think>or ham"])
def test_reasoning_does_not_count(answer: str) -> None:
    assert _EXACT.score(answer, ["figs"]) == 1.0
    assert _EXACT.score(answer, ["ham"]) == 0.0


def test_no_reference_is_a_defect_of_the_caller() -> None:
    with pytest.raises(ValueError, match="exact-match has no reference"):
        _EXACT.score("figs", [])
