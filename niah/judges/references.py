"""What an answer key has to judge by, where it holds reference answers or options and no elements."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.needles.needle_set import Element
from niah.text.templates import join_names


def is_unanswerable(key: AnswerKey) -> bool:
    """Whether the right answer is to say that the text does not tell."""
    has_answer = key.elements or key.references or key.options or key.withheld
    return key.kind == "unanswerable" or not has_answer


def right_option(key: AnswerKey) -> str:
    """The text of the right option; "" of a question without options."""
    return key.options[key.answer_index] if key.answer_index is not None else ""


def right_options(key: AnswerKey) -> frozenset[int]:
    """The places of the right options: of most questions one; of a set those whose texts are elements."""
    if key.answer_index is not None:
        return frozenset({key.answer_index})
    names = {element.name for element in key.elements}
    return frozenset(place for place, option in enumerate(key.options) if option in names)


def references(key: AnswerKey) -> tuple[str, ...]:
    """The reference answers, then the right option and the short forms of the elements, each once.

    Several elements make one short form, their names in order: "figs, ham and cheese". A single one makes
    several: its name and each alias. None, for a question without an answer, makes none.
    """
    elements = key.elements
    short = elements[0].names if len(elements) == 1 else (join_names(tuple(e.name for e in elements)),)
    return tuple(dict.fromkeys(filter(None, (*key.references, right_option(key), *short))))


@lru_cache(maxsize=1024)
def with_elements(key: AnswerKey) -> AnswerKey:
    """The key, with the reference answer as its one element where nobody has written elements down.

    The element goes by every reference; the name is the right option, or the shortest reference. The other
    options are wrong elements.
    """
    if key.elements or is_unanswerable(key):
        return key
    name = right_option(key) or min(key.references, key=len)
    element = Element(name, tuple(text for text in key.references if text != name))
    wrong = tuple(Element(option) for option in key.options if option != name)
    return replace(key, elements=(element,), traps=(*key.traps, *wrong))
