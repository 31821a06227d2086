"""Questions that the text does not answer: the right answer is to say so."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.error_types import paper_error_type
from niah.judges.rubric import judge_by_rubric, refusal_score
from niah.needles.needle_set import Distractor, Element, Needle

WELL = AnswerKey(
    name="well",
    question="Who dug the well behind the Copper Heron?",
    references=("The text does not say who dug the well behind the Copper Heron.",),
    distractors=(
        Distractor("pump", "Sela Marrin dug the pond behind the Copper Heron.", (Element("Sela Marrin"),)),
        Distractor("other", "Odo Fenn dug the well behind the Blue Ladder.", (Element("Odo Fenn"),)),
    ),
    kind="unanswerable",
)


@pytest.mark.parametrize(
    ("answer", "score", "wrong", "doubts", "kind"),
    [
        ("The text does not say who dug the well behind the Copper Heron.", 10, (), False, "correct"),
        ("That is not mentioned in the passage.", 10, (), False, "correct"),
        ("I cannot find this in the text.", 10, (), False, "correct"),
        ("There is no information about it.", 10, (), False, "correct"),
        ("Not stated.", 10, (), False, "correct"),
        ("I am not sure, but I believe the text does not mention it.", 10, (), False, "correct"),
        ("Not Odo Fenn; the text does not say who it was.", 10, (), False, "correct"),
        ("Sela Marrin.", 1, ("Sela Marrin",), False, "wrong_only"),
        ("Perhaps it was Odo Fenn.", 1, ("Odo Fenn",), True, "wrong_only"),
        ("Odo Fenn. On second thoughts, the text does not say.", 5, ("Odo Fenn",), False, "wrong_only"),
        ("It was dug by Barnaby Cruse.", 1, (), False, "other"),
        ("", 1, (), False, "other"),
    ],
)
def test_answers_to_what_the_text_does_not_tell(
    answer: str, score: int, wrong: tuple[str, ...], doubts: bool, kind: str
) -> None:
    verdict = judge_by_rubric(answer, WELL)
    assert (verdict.score, verdict.wrong, verdict.self_doubt) == (score, wrong, doubts)
    assert (verdict.found, verdict.missing, paper_error_type(verdict)) == ((), (), kind)


@pytest.mark.parametrize(
    "answer",
    [
        "It was dug by an anonymous monk of Tarrow.",
        "Brother Odwin, whose name is missing from the roll, dug the well.",
        "It was dug by the nameless one, Garrick Stone.",
        "Clara Binns dug it. She went by no other name.",
    ],
)
def test_an_answer_that_speaks_of_somebody_without_a_name_refuses_nothing(answer: str) -> None:
    assert judge_by_rubric(answer, WELL).score == 1


def test_the_reason_does_not_count_what_cannot_be_found() -> None:
    assert judge_by_rubric("Not stated.", WELL).reason == "refused"


def test_an_answer_that_does_not_refuse_never_scores() -> None:
    assert [refusal_score(wrong, refused=False) for wrong in range(3)] == [1, 1, 1]
    assert [refusal_score(wrong, refused=True) for wrong in range(3)] == [10, 5, 5]


TALLY = AnswerKey(
    name="tally",
    question="Which word is called most often?",
    references=("Brindle is called most often.",),
    elements=(Element("brindle"),),
    needles=(
        Needle("one", "First watch: brindle, tollop, brindle.", ("brindle",)),
        Needle("two", "Second watch: brindle and wence.", ("brindle",)),
    ),
    kind="aggregation",
    traps=(Element("tollop"), Element("wence", ("wences",))),
)


def test_a_trap_is_a_wrong_element() -> None:
    verdict = judge_by_rubric("Brindle and tollop.", TALLY)
    assert (verdict.score, verdict.found, verdict.wrong) == (5, ("brindle",), ("tollop",))
    assert judge_by_rubric("Wence.", TALLY).wrong == ("wence",)
