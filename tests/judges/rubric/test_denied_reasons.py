"""A reason that is denied is not claimed, and one that something did not happen for is."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

KEY = AnswerKey(
    "fair",
    "Why did the Wexley fair not open in 1902?",
    references=("Because of an outbreak of measles.",),
    elements=(Element("outbreak of measles", ("measles",)),),
    needles=(
        Needle("n", "The Wexley fair did not open in 1902 because of measles.", ("outbreak of measles",)),
    ),
    distractors=(
        Distractor("d", "In 1904 it closed early because of a flood.", (Element("flood"),)),
        Distractor("e", "The Brask fair was moved on account of a quarrel.", (Element("quarrel"),)),
    ),
)


@pytest.mark.parametrize(
    "answer",
    [
        "It did not open because of measles and not because of the flood.",
        "Not because of a quarrel but because of measles.",
        "Measles; not on account of any quarrel.",
        "An outbreak of measles, not as a result of the flood.",
        "Because of measles rather than because of the flood.",
        "It wasn't because of a flood; it was because of measles.",
    ],
)
def test_a_denied_reason_is_not_claimed(answer: str) -> None:
    verdict = judge_by_rubric(answer, KEY)
    assert (verdict.score, verdict.wrong) == (10, ())


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("It did not open because of measles.", 10),
        ("It could not because of an outbreak of measles.", 10),
        ("It did not because of a flood.", 1),
        ("Not because of measles, but because of a flood.", 1),
        ("Because of measles, and not only because of the flood.", 5),
        ("Because of measles, if not because of a flood.", 5),
    ],
)
def test_a_reason_why_not_is_claimed(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, KEY).score == score
