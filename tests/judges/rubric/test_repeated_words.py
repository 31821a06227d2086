"""What an answer repeats is not what it says: the question's words, a passage's, a field of each record."""

from __future__ import annotations

import json

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

WORDS = AnswerKey(
    "words",
    "Above are the lines of a list of words, in no order. Which word of the list comes most often?",
    ("Bollard.",),
    elements=(Element("bollard"),),
    needles=(Needle("n", "The list has: bollard, rope, bollard.", ("bollard",)),),
)
_MARKET = (
    "On the market at Regastun you may buy whatever has been mended, since it is held there that a thing"
    " which was never broken cannot be trusted, and the dictionary stands near the door of the library, and"
    " the road beyond it is laid with oyster shells, then with roof tiles, and in the end with several"
    " hundred copies of a sermon that nobody had wanted. "
)
LETTER = f"{_MARKET}The boots gave out. Lowbrand Haverstro brought home the iron fiddle. {_MARKET}"
OBJECT = AnswerKey(
    "object",
    "Which object did Ubb Wharlton bring home?",
    ("The tin spade.",),
    elements=(Element("tin spade"),),
    needles=(Needle("n", "Ubb Wharlton brought home the tin spade.", ("tin spade",)),),
    distractors=(Distractor("d", LETTER, (Element("iron fiddle"),)),),
)
GATES = AnswerKey(
    "gates",
    "Which code opens the oak gate, and which the elm gate?",
    ("Oak 50317, elm 82946.",),
    elements=(Element("50317", key="oak gate"), Element("82946", key="elm gate")),
    needles=(Needle("n", "The oak gate opens with 50317, the elm gate with 82946.", ("50317", "82946")),),
)
ABOARD = AnswerKey(
    "aboard",
    "Is Siv Hauge in the boat now?",
    ("No.",),
    elements=(Element("no", derived=True),),
    needles=(Needle("n", "Siv Hauge went ashore.", ("no",)),),
    traps=(Element("yes", derived=True),),
)
BELLS = AnswerKey(
    "bells",
    "Quels sont les trois objets de la vitrine ?",
    ("Un grelot, une sonnette et une cloche.",),
    elements=(Element("grelot"), Element("sonnette"), Element("cloche")),
    needles=(Needle("n", "Dans la vitrine : un grelot, une sonnette et une cloche.", ()),),
)


@pytest.mark.parametrize("lead", ["", 'You ask: "'])
def test_the_question_said_again_is_no_refusal(lead: str) -> None:
    verdict = judge_by_rubric(f"{lead}{WORDS.question} That is my answer.", WORDS)
    assert (verdict.score, verdict.self_doubt) == (1, False)
    assert judge_by_rubric(f"{lead}{WORDS.question} In no line is that told.", WORDS).self_doubt


def test_a_common_word_of_a_long_passage_tells_of_no_owner() -> None:
    verdict = judge_by_rubric("This item is known to be broken:\nthe iron fiddle, the tin spade.", OBJECT)
    assert verdict.wrong == ("iron fiddle",)


@pytest.mark.parametrize("lead", ["Lowbrand Haverstro's", "Of Haverstro"])
def test_a_name_of_a_long_passage_tells_of_one(lead: str) -> None:
    assert judge_by_rubric(f"{lead}:\nthe iron fiddle.\n\nUbb's: the tin spade.", OBJECT).wrong == ()


def records(*claims: tuple[str, str]) -> str:
    return json.dumps([{"for": key, "answer": code} for key, code in claims])


def test_a_field_that_every_record_has_is_no_conclusion() -> None:
    answer = records(("oak gate", "50317"), ("oak gate", "11111"), ("elm gate", "82946"))
    verdict = judge_by_rubric(answer, GATES)
    assert (verdict.found, verdict.wrong) == (("50317", "82946"), ("11111",))


def test_a_field_given_twice_has_its_last_value() -> None:
    assert judge_by_rubric('{"answer": "82946", "answer": "50317 and 82946"}', GATES).score == 10


@pytest.mark.parametrize(
    "answer", ['{"answer": ["no"]}', '["no"]', "[No]", '```json\n{"answer": ["No"]}\n```']
)
def test_a_yes_or_no_in_a_list_of_json(answer: str) -> None:
    verdict = judge_by_rubric(answer, ABOARD)
    assert (verdict.score, verdict.self_doubt) == (10, False)
    assert judge_by_rubric(answer.replace("no", "yes").replace("No", "yes"), ABOARD).wrong


def test_a_french_nobody_refuses_only_where_something_is_told() -> None:
    full = "Un grelot, une sonnette et une cloche que personne n'entend plus."
    assert judge_by_rubric(full, BELLS).score == 10
    assert not judge_by_rubric(
        "Un tambour, une lampe et un miroir que personne n'entend plus.", BELLS
    ).self_doubt
    assert judge_by_rubric("Personne ne le dit.", BELLS).self_doubt
