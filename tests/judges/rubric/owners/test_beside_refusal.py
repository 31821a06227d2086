"""Side facts and guesses beside a refusal, where the text does not answer."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element

BATH = AnswerKey(
    "bath",
    "In which year was the bath house of Merrow sold?",
    references=("The text does not say in which year the bath house of Merrow was sold.",),
    distractors=(
        Distractor("d", "The bath house of Merrow was built in 1888 by a widow.", (Element("1888"),)),
        Distractor("e", "The roof of the bath house was renewed in 1921, in slate.", (Element("1921"),)),
        Distractor("f", "The school of Merrow was sold in 1950.", (Element("1950"),)),
        Distractor("g", "The bath house of Dunn was sold in 1963.", (Element("1963"),)),
    ),
    kind="unanswerable",
)
BELL = AnswerKey(
    "bell",
    "Which guild gave the town hall of Perrin its bell?",
    references=("The text does not name the guild that gave the town hall of Perrin its bell.",),
    distractors=(
        Distractor("d", "The clock was paid for by the bakers' guild.", (Element("bakers' guild"),)),
        Distractor("e", "The tanners' guild gave the church a bell.", (Element("tanners' guild"),)),
    ),
    kind="unanswerable",
)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (BATH, "The year is left open: we hear only of the building (1888) and the new roof (1921)."),
        (
            BATH,
            "Not told. The text mentions other dates (1888, 1921) related to its construction and repair.",
        ),
        (
            BATH,
            "| Event | Year |\n|---|---|\n| Construction | 1888 |\n| Roof | 1921 |\n| Sale | not mentioned |",
        ),
        (BATH, "The text does not say, and one should not guess that it was sold in 1950 like the school."),
        (BATH, "Not stated. The school was sold in 1950, but that was most likely another sale."),
        (BATH, "The text gives no year. It must have been some time ago."),
        (BELL, "The guild is not named. Perhaps the same guild that paid for the clock."),
        (BELL, "Not stated. The bakers' guild paid for the clock, probably out of vanity."),
    ],
)
def test_what_is_told_instead_is_harmless(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (
            BATH,
            "The text doesn't state it, but the bath house was most likely sold in 1950, like the school.",
        ),
        (BATH, "Not mentioned, but presumably the bath house was sold in 1963, like that of Dunn."),
        (BATH, "The text does not say. 1972."),
        (BATH, "The text gives no year. It must have been 1921."),
        (BATH, "The text does not say. It does mention that it shut its doors in 1888."),
        (BATH, "Not stated. The only year given for its sale is 1888."),
        (BATH, "The text does not say.\n\nSale: 1888"),
        (BATH, "Not stated. Other sources give 1888."),
        (BELL, "The guild is unnamed, but it was most likely the bakers' guild, as with the clock."),
        (BELL, "The guild is unnamed. The coopers' guild."),
        (BELL, "The guild is unnamed. Perhaps the coopers' guild gave it."),
    ],
)
def test_a_guess_beside_a_refusal_is_wrong(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 5
