"""What a total is made of, a right number that is but one of many, and one bounded to the other side."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

DOSE = AnswerKey(
    "dose",
    "What is the maximum dose of Quilo per day for an adult dog?",
    references=("The maximum dose of Quilo for an adult dog is 300 mg per day.",),
    elements=(Element("300 mg"),),
    needles=(Needle("n", "An adult dog may get a maximum of 300 mg of Quilo per day.", ()),),
    distractors=(
        Distractor("d", "A puppy gets 150 mg of Quilo.", (Element("150 mg"),)),
        Distractor("e", "A capsule of Quilo holds 60 mg.", (Element("60 mg"),)),
    ),
)
FLOUR = AnswerKey(
    "flour",
    "How much flour does the baker of Lunn use for a batch of rye bread?",
    references=("The baker of Lunn uses 12 kg of flour for a batch of rye bread.",),
    elements=(Element("12 kg"),),
    needles=(Needle("n", "For a batch of rye bread the baker of Lunn uses 12 kg of flour.", ()),),
    distractors=(Distractor("d", "For a batch of rolls he uses 4 kg of flour.", (Element("4 kg"),)),),
)
HIKE = AnswerKey(
    "hike",
    "What is the minimum age for the night hike of Orr?",
    references=("The minimum age for the night hike of Orr is 14 years.",),
    elements=(Element("14"),),
    needles=(Needle("n", "For the night hike of Orr one must be at least 14 years old.", ()),),
)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (DOSE, "150 mg twice a day, no more than 300 mg in total."),
        (DOSE, "300 mg, split into two doses of 150 mg."),
        (DOSE, "The limit is 300 mg (2 x 150 mg)."),
        (DOSE, "At most 300 mg, i.e. two and a half times 120 mg or five capsules of 60 mg."),
        (DOSE, "A dog must not be given more than 300 mg a day."),
        (DOSE, "Anything over 300 mg a day is too much."),
        (DOSE, "300 mg or less."),
        (FLOUR, "12 kg: 8 kg of rye and 4 kg of wheat."),
        (FLOUR, "He uses 12 kg of flour, added in three portions of 4 kg."),
        (HIKE, "You have to be 14 or older."),
        (HIKE, "Hikers under 14 may not come."),
        (HIKE, "Children of less than 14 years are turned away."),
    ],
)
def test_parts_that_come_to_the_total_are_not_wrong(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (DOSE, "300 mg or 150 mg three times a day.", 5),
        (DOSE, "300 mg, or 150 mg.", 5),
        (DOSE, "150 mg twice a day.", 1),
        (FLOUR, "12 kg: 9 kg of rye and 4 kg of wheat.", 5),
        (FLOUR, "12 kg of flour, and 4 kg for the same bread.", 5),
    ],
)
def test_parts_that_do_not_come_to_it_are_wrong(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (DOSE, "300 mg three times a day."),
        (DOSE, "At least 300 mg a day."),
        (DOSE, "300 mg or more."),
        (DOSE, "No less than 300 mg a day."),
        (HIKE, "At most 14."),
        (HIKE, "You must be under 14."),
        (HIKE, "No older than 14."),
    ],
)
def test_one_of_many_and_another_bound_are_not_found(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 1
