"""What a question's answers may name: its elements, and the wrong ones."""

from __future__ import annotations

from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.names import Names, ways_to_write
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Element


@lru_cache(maxsize=256)
def names_of(key: AnswerKey) -> Names:
    """Every way to write the set's elements, and the wrong ones: its traps and what its distractors plant.

    A wrong element that is also an element, or that the question itself names, is not wrong; but the question
    names all its options.
    """
    right = ways_to_write(key.elements, right=True)
    question = normalise(key.question)
    wrong = ways_to_write(wrong_elements(key), right=False)
    spared = {name.exactly for name in right}
    options = {trap.name for trap in key.traps if trap.derived}
    exact = {name for name, match in wrong.matches(question) if name.is_exact(match)}
    asked = {name for name in exact if name.element not in options}
    return Names(
        (*right, *(name for name in wrong if name.exactly not in spared and name not in asked)),
        told_in(key),
    )


def told_in(key: AnswerKey) -> tuple[str, ...]:
    """Every text of the needle set, its question first, then the names of its elements."""
    names = (name for element in (*key.elements, *wrong_elements(key)) for name in element.names)
    told = (*(needle.text for needle in key.needles), *(distractor.text for distractor in key.distractors))
    return (key.question, *key.references, *told, *names)


def wrong_elements(key: AnswerKey) -> tuple[Element, ...]:
    """The elements that the distractors plant, then the traps in the needles themselves."""
    planted = (element for distractor in key.distractors for element in distractor.elements)
    return (*planted, *key.traps)
