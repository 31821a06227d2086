"""What an answer can claim of a needle set: its elements, and the wrong ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements import wrong_elements
from niah.needles.needle_set import Element
from niah.text.mentions import mentions


@dataclass(frozen=True)
class Claim:
    """One thing that an answer says is part of the answer.

    Attributes:
        element: what is claimed.
        right: whether it is an element of the needle set.
        key: what it is claimed for ("copper gate"); "" in a set without keys.
    """

    element: Element
    right: bool
    key: str = ""

    @property
    def name(self) -> str:
        """The element's name."""
        return self.element.name


def right_claims(key: AnswerKey) -> tuple[Claim, ...]:
    """All that a complete answer claims, in the needle set's order."""
    return tuple(Claim(element, True, element.key) for element in key.elements)


def wrong_claims(key: AnswerKey) -> tuple[Claim, ...]:
    """Wrong elements that an answer could claim, each once, in the needle set's order.

    Left out is what shares its words with an element, with the question or with another wrong one: whether
    an answer that says it is wrong would be a matter of opinion. Where elements have keys, each gets a key
    of the question in turn.
    """
    chosen: list[Element] = []
    for element in wrong_elements(key):
        others = (*key.elements, *chosen)
        asked = mentions(key.question, element.names)
        if not asked and not any(_share_words(element, other) for other in others):
            chosen.append(element)
    keys = [element.key for element in key.elements] or [""]
    return tuple(Claim(e, False, keys[position % len(keys)]) for position, e in enumerate(chosen))


def swapped(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims with the keys of the first two exchanged. Needs two claims with keys."""
    first, second, *rest = claims
    return (replace(first, key=second.key), replace(second, key=first.key), *rest)


def names_any(text: str, key: AnswerKey) -> bool:
    """Whether ``text`` happens to name an element of the set, right or wrong."""
    elements = (*key.elements, *wrong_elements(key))
    return bool(elements) and mentions(text, _names(elements))


def _share_words(one: Element, other: Element) -> bool:
    return any(mentions(a, other.names) for a in one.names) or any(
        mentions(b, one.names) for b in other.names
    )


def _names(elements: Iterable[Element]) -> list[str]:
    return [name for element in elements for name in element.names]
