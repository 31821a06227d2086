"""Two facts that an answer tells apart by words of each, and values that are told the wrong way round."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle
from tests.judges.rubric.shared_keys import MAP

OVEN = AnswerKey(
    "oven",
    "At what hour does the baker of Fenn light the large oven on weekdays?",
    references=("The baker of Fenn lights the large oven at 04:30 on weekdays.",),
    elements=(Element("04:30"),),
    needles=(Needle("n", "On weekdays the baker of Fenn lights the large oven at 04:30 and sings.", ()),),
    distractors=(
        Distractor("d", "On Sundays the large oven of Fenn stays cold until 06:15.", (Element("06:15"),)),
        Distractor("e", "The small oven of Fenn is lit at 05:00.", (Element("05:00"),)),
        Distractor("f", "Under Mrs Dole the large oven was lit at 03:45.", (Element("03:45"),)),
    ),
)
TUNNEL = AnswerKey(
    "tunnel",
    "On which date was the Lorne tunnel opened to cars?",
    references=("The Lorne tunnel was opened to cars on 9 June 1952.",),
    elements=(Element("9 June 1952"),),
    needles=(Needle("n", "The Lorne tunnel was opened to cars on 9 June 1952, in a downpour.", ()),),
    distractors=(
        Distractor("d", "Drilling began on 2 February 1947.", (Element("2 February 1947"),)),
        Distractor("e", "Bicycles had used it since 1 April 1951.", (Element("1 April 1951"),)),
    ),
)
ORGAN = AnswerKey(
    "organ",
    "How much did the parish of Oake pay for its new organ?",
    references=("The parish of Oake paid 8,400 marks for its new organ.",),
    elements=(Element("8,400 marks"),),
    needles=(Needle("n", "For its new organ the parish of Oake paid 8,400 marks.", ()),),
    distractors=(
        Distractor("d", "The builder had at first demanded 11,000 marks.", (Element("11,000 marks"),)),
        Distractor("e", "The parish paid 2,150 marks for its pulpit.", (Element("2,150 marks"),)),
        Distractor("f", "For its organ the parish of Elm paid 6,300 marks.", (Element("6,300 marks"),)),
    ),
)
COACH = AnswerKey(
    "coach",
    "At what time does the mail coach leave Brenn, and at what time does it reach Talheim?",
    references=("It leaves Brenn at 07:20 and reaches Talheim at 13:05.",),
    elements=(Element("07:20", key="Brenn"), Element("13:05", key="Talheim")),
    needles=(Needle("n", "The mail coach leaves Brenn at 07:20 and reaches Talheim at 13:05.", ()),),
    distractors=(
        Distractor("d", "The mail coach halts at Oster at 10:15.", (Element("10:15"),)),
        Distractor("e", "The evening coach leaves Brenn at 18:40.", (Element("18:40"),)),
    ),
)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (OVEN, "At 04:30 on weekdays and at 06:15 on Sundays."),
        (OVEN, "04:30. The times 06:15 and 03:45 refer to Sundays and to Mrs Dole's days respectively."),
        (TUNNEL, "Opened to cars on 9 June 1952, a year after bicycles had begun to use it on 1 April 1951."),
        (TUNNEL, "After drilling, which began on 2 February 1947, it was opened to cars on 9 June 1952."),
        (
            ORGAN,
            "8,400 marks, which is 2,600 less than the 11,000 marks that the builder had first demanded.",
        ),
        (ORGAN, "It paid 2,150 marks for the pulpit and 8,400 marks for the organ."),
        (ORGAN, "Elm paid 6,300 marks, whereas Oake paid 8,400 marks."),
        (MAP, "The framed map was drawn by Ida Brandt, not by Marta Vogel."),
        (COACH, "The coach leaves Brenn at 07:20, halts at Oster at 10:15, and reaches Talheim at 13:05."),
    ],
)
def test_a_value_told_as_its_owners_is_a_side_fact(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (OVEN, "At 06:15 on weekdays and at 04:30 on Sundays."),
        (OVEN, "The small oven is lit at 04:30 and the large one at 05:00."),
        (TUNNEL, "It was opened to bicycles on 9 June 1952 and to cars on 1 April 1951."),
        (TUNNEL, "Drilling began on 9 June 1952; it was opened to cars on 2 February 1947."),
        (ORGAN, "The builder had demanded 8,400 marks, but the parish paid 11,000 marks."),
        (ORGAN, "Elm paid 8,400 marks, whereas Oake paid 6,300 marks for its new organ."),
        (MAP, "Ida Brandt framed it; the map was drawn by Marta Vogel."),
        (MAP, "The map was drawn by Marta Vogel and framed by Ida Brandt."),
    ],
)
def test_values_told_the_wrong_way_round_are_wrong(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 1


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (OVEN, "The large oven is lit at 04:30 and, on weekdays, at 06:15.", 5),
        (TUNNEL, "The tunnel, used by bicycles, was opened to cars on 9 June 1952 or 1 April 1951.", 5),
        (ORGAN, "The parish paid 8,400 marks and 11,000 marks for the new organ.", 5),
        (ORGAN, "11,000 marks, or 8,400.", 5),
        (MAP, "The map was drawn by Ida Brandt and her colleague from the Reed workshop, Paul Kessler.", 5),
        (COACH, "It leaves Brenn at 07:20 and 18:40 and reaches Talheim at 13:05.", 7),
        (COACH, "It leaves Brenn at 18:40, halts at Oster, and reaches Talheim at 13:05.", 5),
    ],
)
def test_what_nothing_tells_apart_is_claimed(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
