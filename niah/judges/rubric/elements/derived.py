"""What follows from a needle counts beside what the needle plants.

"Courage" answers what a trial tests only where the trial is named: elements that follow from a text are said
in everyday words, which any text has.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache

from niah.cases.sample import AnswerKey


def without_its_needle(found: AbstractSet[str], key: AnswerKey) -> frozenset[str]:
    """The derived elements found whose needles plant others that are asked for, none of which was found."""
    owners = _owners(key)
    return frozenset(
        name for name in owners.keys() & found if owners[name] and owners[name].isdisjoint(found)
    )


@lru_cache(maxsize=256)
def _owners(key: AnswerKey) -> dict[str, frozenset[str]]:
    """Of each derived element, what the needles plant that it follows from."""
    derived = {element.name for element in key.elements if element.derived}
    planted = {element.name for element in key.elements} - derived
    return {
        name: frozenset(
            each
            for needle in key.needles
            if name in needle.elements
            for each in needle.elements
            if each in planted
        )
        for name in derived
    }
