"""A correction that first says what went wrong: "X. Edit: I mixed up the workshops. It was Y."."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle
from tests.judges.rubric.shared_keys import HUT, MAP

CREW = AnswerKey(
    "crew",
    "Who is the conductor and who the pianist of the Arven orchestra? The later programme counts.",
    references=("The conductor is Lea Amsel and the pianist Tom Rieger.",),
    elements=(Element("Lea Amsel", key="conductor"), Element("Tom Rieger", key="pianist")),
    needles=(Needle("n", "The programme of 1998 has Lea Amsel as conductor, Tom Rieger as pianist.", ()),),
    distractors=(
        Distractor("d", "The programme of 1991 has Ulla Dorn as the conductor.", (Element("Ulla Dorn"),)),
        Distractor("e", "In that of 1991 the pianist is Karl Wick.", (Element("Karl Wick"),)),
    ),
)


@pytest.mark.parametrize(
    "confession",
    [
        "Edit: I mixed up the workshops.",
        "Sorry, I misread the passage.",
        "Update: I had the wrong workshop.",
        "Correction: I confused two people.",
    ],
)
@pytest.mark.parametrize("again", ["It was {}.", "{}.", "The right name is {}.", "The answer should be {}."])
@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ("Ida Brandt", "Paul Kessler", 1),
        ("Paul Kessler", "Ida Brandt", 10),
        ("Paul Kessler", "Marta Vogel", 1),
    ],
)
def test_what_follows_a_confession_counts(
    first: str, confession: str, again: str, second: str, score: int
) -> None:
    assert judge_by_rubric(f"{first}. {confession} {again.format(second)}", MAP).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Ida Brandt. Edit: I added the workshop for clarity. The frame was made by Marta Vogel.", 10),
        ("Ida Brandt. I nearly mixed it up. It was Paul Kessler at Reed.", 10),
        ("Ida Brandt. It was Paul Kessler.", 5),
        ("Ida Brandt. Edit: I mixed up nothing. It was Paul Kessler.", 5),
    ],
)
def test_what_takes_nothing_back_replaces_nothing(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, MAP).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            "Pickaxe, lantern, sledge, rope ladder. Correction: the sledge is only on loan."
            " The four are pickaxe, lantern, ice saw, rope ladder.",
            10,
        ),
        (
            "At first I took it for pickaxe, lantern, ice saw and rope ladder, but those belong to others."
            " The correct answer is that the hut owns a stove and a sledge.",
            1,
        ),
        ("Pickaxe and lantern. The correct answer is completed by the ice saw and the rope ladder.", 10),
    ],
)
def test_of_several_all_are_named_again(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, HUT).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Ulla Dorn and Karl Wick. But these are from 1991; in 1998 it is Lea Amsel and Tom Rieger.", 10),
        ("Lea Amsel and Tom Rieger, or Ulla Dorn and Karl Wick. The latter are from 1991, which counts.", 5),
        ("Ulla Dorn and Karl Wick. These are from 1991.", 1),
    ],
)
def test_what_the_next_sentence_gives_to_an_owner_is_not_claimed(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, CREW).score == score
