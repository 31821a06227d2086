"""What an LLM judge is told: fixed instructions, inert data."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from niah.cases.sample import AnswerKey, answer_key
from niah.judges import llm as llm_prompt
from niah.judges.normalise import strip_reasoning
from niah.needles.load import every_needle_set
from niah.needles.needle_set import Distractor, Element, Needle

GATES = AnswerKey(
    name="gates",
    question="What are the codes?",
    references=("17 and 42.",),
    elements=(Element("17", ("seventeen",), "copper gate"), Element("42", (), "willow gate")),
    needles=(Needle("n1", "The copper gate has 17.", ("17",)),),
    distractors=(Distractor("d1", "The plum gate has 99.", (Element("99"),)),),
    traps=(Element("13"), Element("99")),
)


def test_the_data() -> None:
    assert json.loads(llm_prompt.data("17.", GATES)) == {
        "question": "What are the codes?",
        "reference_answer": "17 and 42.",
        "elements": [
            {"name": "17", "aliases": ["seventeen"], "key": "copper gate"},
            {"name": "42", "aliases": [], "key": "willow gate"},
        ],
        "wrong_elements": ["99", "13"],
        "answer": "17.",
    }
    assert json.loads(llm_prompt.data("17.", GATES, "empty"))["refused"] == "empty"


def test_a_given_question_has_its_options_and_the_reference_as_its_element() -> None:
    city = AnswerKey(
        name="city", question="Where?", references=("Paris",), options=("Rome", "Paris"), answer_index=1
    )
    told = json.loads(llm_prompt.data("B", city))
    assert told["question"] == "Where?\nA or [[1]]: Rome\nB or [[2]]: Paris"
    assert told["elements"] == [{"name": "Paris", "aliases": []}]
    assert told["wrong_elements"] == ["Rome"]
    who = AnswerKey(name="who", question="Who?", references=("Fitzwilliam Darcy", "Mr. Darcy"))
    told = json.loads(llm_prompt.data("He.", who))
    assert told["reference_answer"] == "Fitzwilliam Darcy"
    assert told["elements"] == [{"name": "Mr. Darcy", "aliases": ["Fitzwilliam Darcy"]}]


def test_thoughts_are_not_judged() -> None:
    assert json.loads(llm_prompt.data("<think>13?</think>17.", GATES))["answer"] == "17."


@given(st.text(st.characters(exclude_categories=()), max_size=200), st.text())
def test_any_answer_is_inert_and_comes_out_as_it_went_in(answer: str, refused: str) -> None:
    text = llm_prompt.data(answer, GATES, refused)
    assert re.fullmatch(r"[ -~]*", text)
    assert json.loads(text)["answer"] == strip_reasoning(answer)
    inside = "".join(re.findall(r'"(?:[^"\\]|\\.)*"', text))
    assert not set(inside) & set("<>[]{}|`&")


def test_every_needle_set_comes_out_as_it_went_in() -> None:
    for key in map(answer_key, every_needle_set(1)):
        said = json.loads(llm_prompt.data(key.answer, key))
        assert said["answer"] == said["reference_answer"] == key.answer
        assert [element["name"] for element in said["elements"]] == [e.name for e in key.elements]


def test_answers_to_one_question_share_a_prefix() -> None:
    one, other = llm_prompt.data("17.", GATES), llm_prompt.data("42.", GATES)
    assert one.removesuffix('17."}') == other.removesuffix('42."}')


def test_the_instructions_name_every_field() -> None:
    fields = (*json.loads(llm_prompt.data("", GATES, "x")), *llm_prompt.Reply.model_fields)
    assert all(f'"{field}"' in llm_prompt.instructions() for field in fields)
