"""Each family of rules that the ablation names is there, and can be switched off."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from tests.bench.judge_ablation import FAMILIES

ANSWER = "First I thought olives.\n\n**Answer:** figs, prosciutto and goat cheese, nicht Oliven (not basil)."


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_of_rules_is_switched_off_and_on_again(family: str) -> None:
    key = key_of("pizza-ingredients", 1)
    judged = judge_by_rubric(ANSWER, key)
    with FAMILIES[family]():
        assert judge_by_rubric(ANSWER, key).score in (1, 3, 5, 7, 10)
    assert judge_by_rubric(ANSWER, key) == judged
