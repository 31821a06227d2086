"""Which words take an answer back, and which leave it as it is."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.judges.rubric.abstention import ABSTENTIONS, takes_back
from niah.needles.needle_set import Element, Needle

KEY = key_of("pizza-ingredients", 1)


def taken_back(text: str, *, complete: bool) -> bool:
    return any(takes_back(cue, KEY, complete=complete) for cue in ABSTENTIONS.finditer(text))


@pytest.mark.parametrize(
    "text",
    [
        *("the text does not say.", "no passage mentions the ingredients.", "answer: null", "unknown"),
        "none of them covers the ingredients.",
    ],
)
def test_a_refusal_takes_back(text: str) -> None:
    assert taken_back(text, complete=False)
    assert taken_back(text, complete=True)


@pytest.mark.parametrize(
    "text",
    [
        "the text does not say why.",
        "it does not answer to that.",
        "the text mentions no other ingredients.",
        "no passage says otherwise.",
        "figs (source: unknown)",
        "it gives no reason.",
    ],
)
def test_what_else_is_not_told_takes_nothing_back(text: str) -> None:
    assert not taken_back(text, complete=False)
    assert not taken_back(text, complete=True)


@pytest.mark.parametrize("text", ["the quantities are not stated.", "the other bakers are not mentioned."])
def test_beside_a_complete_answer_what_nobody_asked_for_may_be_untold(text: str) -> None:
    assert taken_back(text, complete=False)
    assert not taken_back(text, complete=True)


@pytest.mark.parametrize(
    "text",
    [
        "you have not mentioned the ingredients.",
        "that has not been stated.",
        "no ingredients given.",
        "the name of the baker goes unmentioned.",
        "this is absent from the text.",
        "the passage makes no reference to that.",
        "it's not possible to say what he needs.",
        "the context does not include that information.",
    ],
)
def test_a_refusal_in_other_structures(text: str) -> None:
    assert taken_back(text, complete=False)


@pytest.mark.parametrize(
    "text",
    [
        "i have no other information.",
        "i have no additional information about this.",
        "there is no information beyond this.",
        "no quantities given.",
        "no oven temperature has been stated.",
        "no further ingredients have been mentioned.",
    ],
)
def test_no_more_information_takes_nothing_back(text: str) -> None:
    assert not taken_back(text, complete=True)


APIARY = AnswerKey(
    name="apiary",
    question="How many hives stand behind the convent of Ellerby?",
    references=("Behind the convent of Ellerby stand 218 hives.",),
    elements=(Element("218"),),
    needles=(Needle("hives", "Behind the convent of Ellerby stand 218 hives.", ("218",)),),
)
FORGE = AnswerKey(
    name="forge",
    question="In which town did the smith Anders Holk open his forge?",
    references=("He opened it in Larkmere.",),
    elements=(Element("Larkmere"),),
    needles=(Needle("forge", "The smith Anders Holk opened his forge in Larkmere.", ("Larkmere",)),),
)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (APIARY, "218 hives. The text does not say how tall the hives are, though."),
        (APIARY, "218. Who built the hives of the convent is not stated."),
        (APIARY, "218 hives. However, the text does not mention where the bees of the convent feed."),
        (APIARY, "218. The size of the convent isn't given."),
        (APIARY, "218. How many hives there are in total is not stated."),
        (APIARY, "218 hives, though the text never says so in one sentence."),
        (FORGE, "Larkmere. It is not stated when the smith opened his forge."),
        (FORGE, "Larkmere. The name of the forge is not given."),
        (FORGE, "Larkmere. The text does not say who helped the smith Anders Holk."),
    ],
)
def test_another_question_that_shares_words_takes_a_complete_answer_not_back(
    key: AnswerKey, answer: str
) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (APIARY, "218. However, the text does not say how many hives stand there."),
        (APIARY, "218. Actually, the number of hives is not stated."),
        (APIARY, "218. I cannot tell which one is right, nor is any number given."),
        (FORGE, "Larkmere. But the text does not say where the smith worked."),
        (FORGE, "Larkmere. The text does not say in which city it was."),
        (FORGE, "Larkmere. Unfortunately the location of his forge is not stated."),
    ],
)
def test_the_question_in_other_words_does(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 1


def test_when_is_asked_for_by_a_noun_of_time_too() -> None:
    key = AnswerKey(
        name="council",
        question="At what time does the night council meet?",
        references=("At 23:15.",),
        elements=(Element("23:15"),),
        needles=(Needle("council", "The night council meets at 23:15.", ("23:15",)),),
    )
    assert judge_by_rubric("23:15. However, the text does not say when the council meets.", key).score == 1
