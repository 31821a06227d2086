"""Who turned back, gave up or stayed behind did not get to what the question asks for."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

NEEDLE = "Tove Rask, Milan Duda and Oda Bern finished the Fell race of 1951."
RACE = AnswerKey(
    "race",
    "Which three runners finished the Fell race of 1951?",
    references=(NEEDLE,),
    elements=tuple(map(Element, ("Tove Rask", "Milan Duda", "Oda Bern"))),
    needles=(Needle("n", NEEDLE, ()),),
    distractors=(Distractor("d", "Per Holt gave up at the ford.", (Element("Per Holt"),)),),
)
LEAGUE = AnswerKey(
    "league",
    "Which three guards of the Fell fort ate with the captain?",
    references=(NEEDLE,),
    elements=RACE.elements,
    needles=(Needle("n", "Tove Rask, Milan Duda and Oda Bern ate with the captain.", ()),),
)


@pytest.mark.parametrize(
    ("rest", "score"),
    [
        ("Oda Bern gave up at the ford.", 7),
        ("Oda Bern had to turn back.", 7),
        ("Oda Bern failed to finish.", 7),
        ("Oda Bern, lame in one foot, dropped out.", 7),
        ("Oda Bern stayed behind.", 7),
        ("Oda Bern turned back once, but finished in the end.", 10),
        ("Oda Bern gave up at noon. An hour later she tried again and finished.", 10),
        ("Oda Bern gave up her shoes and finished barefoot.", 10),
        ("Oda Bern turned around to wave and was third.", 10),
        ("Oda Bern stayed behind until the last mile and then came in third.", 10),
        ("Oda Bern was third. Per Holt gave up at the ford.", 10),
    ],
)
def test_who_fell_short_is_not_claimed(rest: str, score: int) -> None:
    assert judge_by_rubric(f"Tove Rask and Milan Duda finished the race. {rest}", RACE).score == score


def test_where_nobody_had_to_get_anywhere_it_denies_nothing() -> None:
    assert judge_by_rubric("Tove Rask, Milan Duda, and Oda Bern, who turned back.", LEAGUE).score == 10
