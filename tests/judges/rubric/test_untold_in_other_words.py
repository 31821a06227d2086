"""What was asked may be called untold in other words: "who got the letter" for "whom was it sent to"."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

LETTER = AnswerKey(
    "letter",
    "To whom was the letter from the lighthouse addressed?",
    references=("The letter from the lighthouse was addressed to Wilma Tack.",),
    elements=(Element("Wilma Tack"),),
    needles=(Needle("n", "The letter from the lighthouse was addressed to Wilma Tack.", ()),),
)
MAP = AnswerKey(
    "map",
    "Who drew the map that hangs in the keeper's cabin?",
    references=("The map was drawn by Ida Brandt.",),
    elements=(Element("Ida Brandt"),),
    needles=(Needle("n", "The map in the keeper's cabin was drawn by Ida Brandt.", ()),),
)
ORGAN = AnswerKey(
    "organ",
    "How much did the parish of Oake pay for its new organ?",
    references=("The parish of Oake paid 8,400 marks.",),
    elements=(Element("8,400 marks"),),
    needles=(Needle("n", "For its new organ the parish of Oake paid 8,400 marks.", ()),),
)


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (LETTER, "Wilma Tack. The text does not say who received the letter.", 1),
        (LETTER, "Wilma Tack. It is not stated to whom the letter was sent.", 1),
        (LETTER, "Wilma Tack. The text does not say who wrote the letter.", 10),
        (LETTER, "Wilma Tack. Who sent the letter is not stated.", 10),
        (LETTER, "Wilma Tack. The text does not say who received the parcel.", 10),
        (MAP, "Ida Brandt. The text does not say who made the map.", 1),
        (MAP, "Ida Brandt. The text does not say who made the frame.", 10),
        (MAP, "Ida Brandt. The text does not say who bought the map.", 10),
        (ORGAN, "8,400 marks. How much was spent on the organ is not mentioned.", 1),
        (ORGAN, "8,400 marks. The text does not say what the bellows cost.", 10),
    ],
)
def test_the_same_question_in_other_words_takes_back(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
