"""Values in brackets behind another: noted of something else, or another answer to the same question."""

import pytest

from niah.judges import judge_by_rubric
from tests.judges.rubric.reading.test_disowned import FUNICULAR


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("1894 (work began in 1883)", 10),
        ("1894 (begun 1883)", 10),
        ("1894 (started in 1883; electrified in 1921)", 10),
        ("1894 [electrified in 1921]", 10),
        ("1894 (1883)", 5),
        ("1894 (or 1888)", 5),
        ("1894 (opened 1888)", 5),
        ("1894 (corrected to 1888)", 5),
        ("1894 (stated as 1888)", 5),
        ("1894 (actually it opened in 1888)", 5),
        ("1883 (electrified in 1894)", 1),
        ("1921 (work began in 1894)", 1),
        # The right one stays, where the note may be the answer.
        ("1888 (or 1894)", 5),
        ("1883 (the funicular opened in 1894, the railway later)", 5),
    ],
)
def test_a_note_claims_nothing_if_it_tells_of_something_else(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, FUNICULAR).score == score


@pytest.mark.parametrize(
    "again", ["Actually it opened in 1888.", "It opened in 1888.", "The opening was in 1888."]
)
def test_another_answer_in_the_words_of_the_question_is_wrong(again: str) -> None:
    assert judge_by_rubric(f"1894. {again}", FUNICULAR).score == 5
