"""Refusals that name what the text has instead: in a sentence, a field, a label or a table's row."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element

OVEN = AnswerKey(
    "oven",
    "How much did the Lindqvist bakery pay for its second oven?",
    kind="unanswerable",
    distractors=(
        Distractor(
            "d",
            "The Lindqvist bakery paid 18,400 crowns for its first oven, in 1962.",
            (Element("18,400 crowns"),),
        ),
        Distractor(
            "e",
            "The Marberg bakery paid 21,900 crowns for an oven of the same make.",
            (Element("21,900 crowns"),),
        ),
    ),
)
PORTRAIT = AnswerKey(
    "portrait",
    "Who painted the portrait of Callis Rennow that hangs on the stairs?",
    kind="unanswerable",
    distractors=(
        Distractor("d", "The frame of the portrait is by Odro Venable.", (Element("Odro Venable"),)),
        Distractor(
            "e", "Sephany Crewle painted a portrait at Lunaris Academy.", (Element("Sephany Crewle"),)
        ),
    ),
)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (
            OVEN,
            "Not stated.\n\n**In the text:**\n- 18,400 crowns: the first oven\n- 21,900 crowns: Marberg",
        ),
        (OVEN, "The second oven isn't priced. The Marberg bakery, by contrast, paid 21,900 crowns for one."),
        (OVEN, "| First oven | 18,400 crowns |\n|---|---|\n| Price of the second oven | not given |"),
        (OVEN, "The context gives the price of the first oven (18,400 crowns) but not of the second."),
        (OVEN, "It names a price for the first oven, 18,400 crowns, but not for this one."),
        (OVEN, "Only the price of the first oven is given (18,400 crowns)."),
        (OVEN, "Only the first oven's price (18,400 crowns) is mentioned; the second's isn't."),
        (OVEN, "Unknown \u2014 18,400 crowns was for the first oven."),
        (OVEN, "| Oven | Price |\n|---|---|\n| First (1962) | 18,400 crowns |\n| Second | not stated |"),
        (OVEN, "First oven: 18,400 crowns (1962)\nSecond oven: price not given"),
        (PORTRAIT, '{"painter": null}'),
        (PORTRAIT, '{"painter": "not stated", "frame": "Odro Venable"}'),
        (PORTRAIT, "painter: unknown\nframe: Odro Venable"),
        (
            PORTRAIT,
            "| Name | What |\n|---|---|\n| Odro Venable | the frame |\n| unknown | the portrait itself |",
        ),
        (PORTRAIT, "The text names only the maker of the frame, Odro Venable."),
    ],
)
def test_who_tells_only_something_else_refuses(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("key", "answer", "at_most"),
    [
        (OVEN, "For the second oven it paid 18,400 crowns, but not for the first.", 5),
        (OVEN, "Only the price of the second oven is given (21,900 crowns).", 5),
        (OVEN, "Not stated, though probably about 18,400 crowns, as for the first.", 5),
        (OVEN, "Only the price of the first oven is given (18,400 crowns), so it paid that again.", 1),
        (OVEN, "Not stated.\n- 18,400 crowns: the second oven", 5),
        (OVEN, "The second oven, by contrast, cost 21,900 crowns.", 1),
        (OVEN, "It was only a few hundred crowns, as is stated.", 1),
        (PORTRAIT, '{"painter": "Odro Venable", "frame": null}', 1),
        (PORTRAIT, "| Name | What |\n|---|---|\n| Odro Venable | the portrait |\n| unknown | the frame |", 5),
        (PORTRAIT, "Only Odro Venable is named as its painter.", 5),
        (PORTRAIT, "The text names only Odro Venable, who painted the portrait.", 5),
        (PORTRAIT, "The text names only the framer, Odro Venable, who most likely painted it as well.", 5),
        (PORTRAIT, "Only the painter's initials are given.", 1),
    ],
)
def test_who_claims_or_guesses_does_not(key: AnswerKey, answer: str, at_most: int) -> None:
    assert judge_by_rubric(answer, key).score <= at_most
