"""How many answers the rubric scores as they were scored by hand, before a judge saw them.

Whoever makes the rubric right about more of them raises the floor of the file.
"""

from __future__ import annotations

import pytest

from tests.bench.judge_table import PASSES, judged
from tests.judges.scored_answers import SCORED_BY_HAND

FLOORS = {
    "first_english": 123,
    "first_languages": 71,
    "second": 107,
    "third": 107,
    "fourth": 198,
    "told_apart": 87,
    "fifth": 147,
    "sixth": 174,
    "seventh": 177,
    "eighth": 141,
    "ninth_english": 199,
    "ninth_languages": 197,
    "tenth": 187,
    "eleventh_english": 115,
    "eleventh_languages": 122,
    "twelfth_english": 106,
    "twelfth_languages": 100,
    "thirteenth": 158,
    "fourteenth": 189,
    "fifteenth": 499,
    "sixteenth": 539,
    "seventeenth": 367,
    "eighteenth": 103,
    "nineteenth": 430,
    "twentieth": 284,
    "twentyfirst": 552,
    "twentysecond": 275,
    "twentythird": 287,
    "twentyfourth": 621,
}
"""Of each file, how many scores are equal."""
CEILINGS = {
    "first_english": 0,
    "first_languages": 0,
    "second": 0,
    "third": 0,
    "fourth": 0,
    "told_apart": 0,
    "fifth": 1,
    "sixth": 1,
    "seventh": 2,
    "eighth": 0,
    "ninth_english": 0,
    "ninth_languages": 1,
    "tenth": 1,
    "eleventh_english": 0,
    "eleventh_languages": 2,
    "twelfth_english": 2,
    "twelfth_languages": 1,
    "thirteenth": 1,
    "fourteenth": 1,
    "fifteenth": 2,
    "sixteenth": 0,
    "seventeenth": 4,
    "eighteenth": 2,
    "nineteenth": 2,
    "twentieth": 0,
    "twentyfirst": 4,
    "twentysecond": 3,
    "twentythird": 0,
    "twentyfourth": 1,
}
"""And how many answers pass that do not deserve it."""


@pytest.mark.parametrize("name", FLOORS)
def test_no_fewer_scores_are_right_than_were(name: str) -> None:
    answers = judged(next(path for path in SCORED_BY_HAND if path.stem == name))
    apart = [
        f"{one.answer.kind}, {one.answer.language}: {one.score}, not {one.answer.score}: {one.answer.answer}"
        for one in answers
        if one.levels_apart
    ]
    assert len(answers) - len(apart) >= FLOORS[name], "\n".join(apart)
    undeserved = [one.answer.answer for one in answers if one.score >= PASSES > one.answer.score]
    assert len(undeserved) <= CEILINGS[name], "\n".join(undeserved)


def test_every_file_has_its_floor() -> None:
    assert FLOORS.keys() == CEILINGS.keys() == {path.stem for path in SCORED_BY_HAND}
