"""Names whose words stand apart, and what is no such name."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Element


def _named(text: str, *names: str, question: str = "What did the toll-keeper take?") -> list[str]:
    key = AnswerKey("loot", question, elements=tuple(map(Element, names)))
    return [mention.name for mention in find_mentions(normalise(text), names_of(key))]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a soldier cast in lead", "lead soldier"),
        ("Ottilia Brolle's", "Ottilia Brole"),
        ("the fiddle (walnut), among others", "walnut fiddle"),
        ("mutton, cold; then cake", "cold mutton"),
        ("the lentil that grows in marshes", "marsh lentil"),
        ("un botón de color azul", "botón azul"),
        ("un miroir qui était fêlé", "miroir fêlé"),
        ("die Schnur der großen Glocke", "Glockenschnur"),
        ("무쇠로 만든 솥을 샀다", "무쇠솥"),
        ("绿色的手套", "绿手套"),
    ],
)
def test_words_of_a_name_may_stand_apart(text: str, name: str) -> None:
    assert _named(text, name) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a walnut table and a fiddle", "walnut fiddle"),
        ("the fiddle was not of walnut", "walnut fiddle"),
        ("a golden soup, silver mist", "golden mist"),
        ("goat cheesecake", "goat cheese"),
        ("a fiddle. The walnut stood in the yard", "walnut fiddle"),
    ],
)
def test_words_of_two_things_are_no_name(text: str, name: str) -> None:
    assert _named(text, name) == []


def test_words_that_another_name_has_are_taken() -> None:
    names = ("silver soldier", "lead soldier")
    assert _named("a silver soldier beside some lead", *names) == ["silver soldier"]


def test_what_the_question_says_itself_is_not_put_together() -> None:
    question = "Which keeper of the toll took the silk?"
    assert _named("The toll: its old keeper knows", "toll keeper", question=question) == []
