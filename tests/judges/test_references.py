from __future__ import annotations

from niah.cases.sample import AnswerKey
from niah.judges.metrics import METRICS
from niah.judges.verdict import references
from niah.needles.needle_set import Element


def _key(*elements: Element, answer: str = "The whole answer.") -> AnswerKey:
    return AnswerKey(name="some", question="What?", references=(answer,), elements=elements)


def test_several_elements_make_one_short_form() -> None:
    elements = (Element("figs", ("dried figs",)), Element("ham"), Element("goat cheese"))
    assert references(_key(*elements)) == ("The whole answer.", "figs, ham and goat cheese")
    assert references(_key(*elements[:2])) == ("The whole answer.", "figs and ham")


def test_a_single_element_goes_by_each_of_its_names() -> None:
    element = Element("gold mist", ("golden mist",))
    assert references(_key(element)) == ("The whole answer.", "gold mist", "golden mist")


def test_a_question_without_an_answer_has_the_reference_answer() -> None:
    assert references(_key()) == ("The whole answer.",)


def test_each_reference_comes_once() -> None:
    assert references(_key(Element("42"), answer="42")) == ("42",)


def test_a_short_answer_is_an_exact_match() -> None:
    found = references(_key(Element("figs"), Element("ham")))
    assert METRICS["exact-match"].score("Figs and ham.", found) == 1.0
