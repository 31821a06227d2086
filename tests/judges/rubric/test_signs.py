"""A sign that a text is searched for before a longer pattern stands in all that the pattern matches."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from niah.judges.rubric import abstention, doubt, negation
from niah.judges.rubric.normalise import tidy
from tests.judges.scored_answers import HAND_MADE, SCORED_BY_HAND, scored_answers

SIGNS: dict[str, tuple[list[re.Pattern[str]], Callable[[str], object]]] = {
    "abstention": ([abstention.ABSTENTIONS], abstention._SIGN_OF_ABSTENTION.search),
    "doubt": ([doubt._UNSURE, doubt._OPEN], doubt._may_be_unsure),
    "maybe": ([doubt._MAYBE], doubt._MAYBE_WORD.search),
    "denial": ([negation._EXCLUDES, negation._DENIES], negation._SIGN_OF_DENIAL.search),
}


def test_no_answer_matches_without_a_sign() -> None:
    texts = [tidy(one.answer) for one in scored_answers([*HAND_MADE, *SCORED_BY_HAND])]
    for patterns, has_sign in SIGNS.values():
        matching = [text for text in texts if any(pattern.search(text) for pattern in patterns)]
        assert matching
        assert all(map(has_sign, matching))


@pytest.mark.parametrize(
    ("expression", "has_sign"),
    [
        *((way, abstention._SIGN_OF_ABSTENTION.search) for way in abstention._WAYS),
        *((pattern.pattern, sign) for patterns, sign in SIGNS.values() for pattern in patterns),
    ],
)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_nothing_that_an_expression_matches_is_without_a_sign(
    expression: str, has_sign: Callable[[str], object], data: st.DataObject
) -> None:
    said = data.draw(st.from_regex(expression))
    assert has_sign(said) or not re.search(expression, said)
