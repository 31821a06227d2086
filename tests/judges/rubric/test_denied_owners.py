"""Who got nothing, and what "do not" ends a list of, is not claimed: "nothing went to X"."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle
from tests.judges.rubric.shared_keys import HUT

WILL = AnswerKey(
    "will",
    "Which three people did the late Baroness Holm remember in her testament?",
    references=("Greta Lund, Oskar Fehr and Hanna Pohl.",),
    elements=tuple(map(Element, ("Greta Lund", "Oskar Fehr", "Hanna Pohl"))),
    needles=(Needle("n", "The Baroness remembered Greta Lund, Oskar Fehr and Hanna Pohl.", ()),),
    distractors=(Distractor("d", "Her nephew Viktor Holm is not in it.", (Element("Viktor Holm"),)),),
)
TUNNEL = AnswerKey(
    "tunnel",
    "On which date was the Lorne tunnel opened to cars?",
    references=("The Lorne tunnel was opened to cars on 9 June 1952.",),
    elements=(Element("9 June 1952"),),
    needles=(Needle("n", "The Lorne tunnel was opened to cars on 9 June 1952.", ()),),
    distractors=(
        Distractor("d", "The Orm tunnel was opened to cars on 8 August 1960.", (Element("8 August 1960"),)),
    ),
)


@pytest.mark.parametrize(
    "last",
    [
        "nothing went to Viktor Holm.",
        "nothing at all was left to her nephew Viktor Holm.",
        "Viktor Holm got nothing.",
        "Viktor Holm inherited nothing at all.",
        "she left Viktor Holm nothing.",
        "Viktor Holm was not.",
    ],
)
def test_who_got_nothing_is_not_claimed(last: str) -> None:
    assert judge_by_rubric(f"Greta Lund, Oskar Fehr and Hanna Pohl were; {last}", WILL).score == 10


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Greta Lund and Oskar Fehr were remembered; Hanna Pohl wasn't.", 7),
        ("Greta Lund and Oskar Fehr got something; Hanna Pohl got nothing.", 7),
        ("Greta Lund and Oskar Fehr got something; nothing went to Hanna Pohl.", 7),
        (
            "Greta Lund got nothing but pearls, Oskar Fehr nothing but a mill, Hanna Pohl nothing but a dog.",
            10,
        ),
        ("Greta Lund, Oskar Fehr and Hanna Pohl; Viktor Holm got nothing but a button.", 7),
        ("Nothing less went to Greta Lund, Oskar Fehr and Hanna Pohl than they had asked for.", 10),
        ("Greta Lund, Oskar Fehr, Hanna Pohl and Viktor Holm. Nothing is said of the dog.", 7),
        ("Greta Lund and Oskar Fehr; Hanna Pohl is mentioned, but isn't one of those remembered.", 7),
    ],
)
def test_right_ones_that_got_nothing_are_missing(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, WILL).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("The pickaxe belongs to it. The lantern, the ice saw and the rope ladder do not.", 3),
        ("The pickaxe belongs to it. The lantern, the bed and the rope ladder don't.", 3),
        ("The pickaxe, the lantern and the ice saw do. The rope ladder does not.", 7),
        ("The pickaxe, the lantern, the ice saw and the rope ladder do.", 10),
    ],
)
def test_a_list_that_ends_in_do_not_is_denied(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, HUT).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Pickaxe, lantern, ice saw, rope ladder. It also has a sledge, but that is only borrowed.", 10),
        ("Pickaxe, lantern, ice saw, rope ladder. It also has a sledge, but that is only a guess.", 7),
    ],
)
def test_what_is_only_on_loan_is_not_claimed(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, HUT).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            "The tunnel was opened to cars on 9 June 1952. It was also opened to cars on 8 August 1960.",
            5,
        ),
        (
            "The tunnel was opened to cars on 9 June 1952. The Orm tunnel is of 8 August 1960.",
            10,
        ),
    ],
)
def test_it_was_also_says_it_of_the_same(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, TUNNEL).score == score
