"""What follows from a needle counts beside what the needle plants.

"Courage" answers what a trial tests only where the trial is named: elements that follow from a text are said
in everyday words, which any text has.
"""

from __future__ import annotations

from collections.abc import Collection

from niah.cases.sample import AnswerKey


def without_its_needle(found: Collection[str], key: AnswerKey) -> frozenset[str]:
    """The derived elements found whose needles plant others that are asked for, none of which was found."""
    derived = {element.name for element in key.elements if element.derived}
    planted = {element.name for element in key.elements} - derived
    owners = {name: _owners(name, planted, key) for name in derived.intersection(found)}
    return frozenset(name for name, own in owners.items() if own and own.isdisjoint(found))


def _owners(name: str, planted: Collection[str], key: AnswerKey) -> set[str]:
    """What the needles plant that the element follows from."""
    return {
        each
        for needle in key.needles
        if name in needle.elements
        for each in needle.elements
        if each in planted
    }
