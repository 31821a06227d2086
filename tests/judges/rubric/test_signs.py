"""A sign that a text is searched for before a longer pattern stands in all that the pattern matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from niah.judges.rubric import abstention, attribution, doubt, negation
from niah.judges.rubric.forms import text_words
from niah.judges.rubric.normalise import tidy
from niah.judges.rubric.reading import asides
from niah.judges.rubric.reading.mended import partly_withdrawn, standing
from tests.judges.scored_answers import HAND_MADE, SCORED_BY_HAND, scored_answers


def _any_of(signs: Iterable[str]) -> Callable[[str], bool]:
    return lambda text: any(sign in text for sign in signs)


SIGNS: dict[str, tuple[list[re.Pattern[str]], Callable[[str], object]]] = {
    "abstention": ([abstention.ABSTENTIONS], abstention._SIGN_OF_ABSTENTION.search),
    "doubt": ([doubt._UNSURE, doubt._OPEN], doubt._may_be_unsure),
    "maybe": ([doubt._MAYBE], doubt._MAYBE_WORD.search),
    "denial": ([negation._EXCLUDES, negation._DENIES], negation._SIGN_OF_DENIAL.search),
    "contrast": ([attribution._CONTRAST], _any_of(attribution._CONTRASTS)),
    "first impression": ([asides._HIDDEN], _any_of(asides._SIGNS_OF_HIDDEN)),
    "withdrawal": ([partly_withdrawn._WITHDRAWS], _any_of(partly_withdrawn._SIGNS_OF_WITHDRAWAL)),
    "retraction": ([standing._RETRACTS], _any_of(standing._SIGNS_OF_RETRACTION)),
    "either": ([text_words._EITHER], text_words._MAY_BE_EITHER.search),
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
        (attribution._COUNTED.pattern, _any_of(attribution._ORDINALS)),
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
