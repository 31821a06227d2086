"""What answers to a question are compared with."""

from __future__ import annotations

from niah.cases.sample import AnswerKey
from niah.text.templates import join_names


def references(key: AnswerKey) -> tuple[str, ...]:
    """The reference answers, then the short forms of their elements, each once.

    Several elements make one short form, their names in order: "figs, ham and cheese". A single one makes
    several: its name and each alias. None, for a question without an answer, makes none.
    """
    elements = key.elements
    short = elements[0].names if len(elements) == 1 else (join_names(tuple(e.name for e in elements)),)
    return tuple(dict.fromkeys(filter(None, (*key.references, *short))))
