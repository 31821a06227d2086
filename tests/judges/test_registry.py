"""From names to judges."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.errors import UserError
from niah.judges.registry import check_suited, resolve_judge, second_judge
from niah.judges.verdict import RuleJudge
from niah.needles.needle_set import Element


def test_auto_with_a_metric_of_ones_own_choice() -> None:
    judge, auto = resolve_judge("auto:contained-match"), resolve_judge("auto")
    assert isinstance(judge, RuleJudge)
    assert isinstance(auto, RuleJudge)
    free = AnswerKey("q", "Who?", ("Ada Byron",))
    none = AnswerKey("q", "Who?", kind="unanswerable")
    options = AnswerKey("q", "Which?", options=("a", "b"), answer_index=0)
    assert judge.verdict("It was, I think, Ada Byron.", free).score == 10
    assert 1 < auto.verdict("It was, I think, Ada Byron.", free).score < 10
    for key, right, wrong in ((none, "The text does not say.", "Ada."), (options, "(a)", "(b)")):
        assert [judge.verdict(each, key).score for each in (right, wrong)] == [10, 1]
        assert second_judge(judge, key) is None
    assert judge.verdict("Ada.", none).judge == "auto:contained-match"
    assert second_judge(judge, free) == resolve_judge("squad-f1")
    assert second_judge(resolve_judge("auto:squad-f1"), free) is None


ELEMENTS = AnswerKey(
    name="potion", question="?", references=("Gold mist.",), elements=(Element("gold mist"),)
)
OPTIONS = AnswerKey(
    name="city", question="Where?", references=("Paris",), options=("Rome", "Paris"), answer_index=1
)
FREE = AnswerKey(
    name="why", question="Why?", references=("She is afraid of the dark.", "She does not like it at all.")
)


@pytest.mark.parametrize(
    ("judge", "key", "message"),
    [
        ("rubric", FREE, "cannot judge why: nobody has written down .* Take auto .squad-f1 for"),
        ("rubric", OPTIONS, "cannot judge city: it has options, .* Take auto .accuracy for"),
        ("accuracy", ELEMENTS, "cannot judge potion: it has no options. Take auto .rubric for"),
    ],
)
def test_a_judge_that_does_not_suit_is_refused_with_one_that_does(
    judge: str, key: AnswerKey, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        check_suited(resolve_judge(judge), [key])
