"""Asked who did not do a thing, a denial of just that names who."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric

TREATY = AnswerKey("treaty", "Which country did not sign the treaty?", references=("Norway",), kind="detail")
MODEL = AnswerKey("model", "Which pump is not covered by the warranty?", references=("X200",), kind="detail")
ATE = AnswerKey("ate", "Which country signed the treaty?", references=("Norway",), kind="detail")


@pytest.mark.parametrize(
    ("answer", "key", "score"),
    [
        ("Norway did not sign the treaty.", TREATY, 10),
        ("Norway didn't sign.", TREATY, 10),
        ("All countries signed except Norway.", TREATY, 10),
        ("Norway", TREATY, 10),
        ("Not Norway, but Sweden.", TREATY, 1),
        ("It was not Norway.", TREATY, 1),
        ("The X200 is not covered.", MODEL, 10),
        ("The X200 is not one of them.", MODEL, 1),
        ("Norway did not sign the treaty.", ATE, 1),
        ("All countries signed except Norway.", ATE, 1),
    ],
)
def test_a_denial_of_what_is_denied(answer: str, key: AnswerKey, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
