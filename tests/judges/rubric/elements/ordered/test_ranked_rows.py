"""Orders told by a column of places, from the last to the first, or by the two ends."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

RACE = key_of("in-order@4", 9)
FIRST, SECOND, THIRD, FOURTH = (element.name for element in RACE.elements)
VALVES = AnswerKey(
    "valves",
    "In which order are the four valves of the Brack boiler opened, the first one first?",
    references=(
        "First the drain valve, then the feed valve, then the steam valve, and last the relief valve.",
    ),
    elements=tuple(map(Element, ("drain valve", "feed valve", "steam valve", "relief valve"))),
    needles=(Needle("n", "The Brack boiler has a drain, a feed, a steam and a relief valve.", ()),),
    ordered=True,
)


def table(heads: str, *rows: str) -> str:
    return "\n".join(f"| {row} |" for row in (heads, "---|---|---", *rows))


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            table(
                "Boat | Minutes | Place",
                f"{FOURTH} | 427 | 4",
                f"{FIRST} | 160 | 1",
                f"{THIRD} | 368 | 3",
                f"{SECOND} | 332 | 2",
            ),
            10,
        ),
        (table("Place | Boat", f"4th | {FOURTH}", f"1st | {FIRST}", f"3rd | {THIRD}", f"2nd | {SECOND}"), 10),
        (table("Boot | Platz", f"{SECOND} | 2.", f"{FIRST} | 1.", f"{FOURTH} | 4.", f"{THIRD} | 3."), 10),
        (table("Place | Boat", f"1 | {FIRST}", f"2 | {SECOND}", f"3 | {THIRD}", f"4 | {FOURTH}"), 10),
        (table("Place | Boat", f"4 | {FIRST}", f"3 | {SECOND}", f"2 | {THIRD}", f"1 | {FOURTH}"), 3),
        (table("Boat | Berth", f"{FOURTH} | 4", f"{THIRD} | 3", f"{SECOND} | 2", f"{FIRST} | 1"), 3),
        (
            f"The {FOURTH} was last; ahead of it came the {THIRD}, before that the {SECOND}, "
            f"and the winner was the {FIRST}.",
            10,
        ),
        (
            f"De laatste was de {FOURTH}; daarvoor kwam de {THIRD}, daarvoor de {SECOND}, en de {FIRST} won.",
            10,
        ),
        (f"Letzter war {FOURTH}; davor kam {THIRD}, davor {SECOND}, und Sieger war {FIRST}.", 10),
        (
            f"De laatste was de {FIRST}; daarvoor kwam de {SECOND}, daarvoor de {THIRD}, en de {FOURTH} won.",
            3,
        ),
        (f"The {FIRST} won, ahead of the {SECOND}, the {THIRD} and the {FOURTH}.", 10),
        (f"Eerst de {FIRST}, dan de {SECOND}, dan de {THIRD} en ten slotte de {FOURTH}.", 10),
    ],
)
def test_the_order_of_a_race(answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, RACE)
    assert verdict.score == score, verdict.reason


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            "Start with the drain valve and finish with the relief valve; between them come the feed valve "
            "and then the steam valve.",
            10,
        ),
        (
            "One begins with the drain valve and ends with the relief valve. "
            "In between: feed valve, steam valve.",
            10,
        ),
        (
            "Start with the drain valve and finish with the relief valve; between them come the steam valve "
            "and then the feed valve.",
            5,
        ),
        (
            "The relief valve is last; ahead of it the steam valve, before that the feed valve, "
            "and first the drain valve.",
            10,
        ),
        (
            "Start with the drain valve, then the feed valve, the steam valve, "
            "and finish with the relief valve.",
            10,
        ),
    ],
)
def test_the_order_told_by_its_ends(answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, VALVES)
    assert verdict.score == score, verdict.reason
