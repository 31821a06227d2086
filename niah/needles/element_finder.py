"""Which elements a text mentions."""

from __future__ import annotations

from collections.abc import Iterable

from niah.needles.needle_set import Element
from niah.text.mentions import mentions, starts_around
from niah.text.name_index import NameIndex


class ElementFinder:
    """Finds elements in texts; agrees with ``niah.text.mentions`` on every element.

    However many elements there are, a text takes as long as it has words.
    """

    def __init__(self, elements: Iterable[Element]) -> None:
        self._elements = tuple(elements)
        self._named: dict[str, list[int]] = {}
        for place, element in enumerate(self._elements):
            for name in element.names:
                self._named.setdefault(name, []).append(place)
        self._index = NameIndex(self._named)

    def __call__(self, text: str) -> tuple[str, ...]:
        """Names of the elements that ``text`` mentions by name or alias, in the elements' order."""
        folded = text.casefold()
        found: set[int] = set()
        if len(folded) == len(text):
            for name, at in self._index.places(folded):
                if (
                    not found.issuperset(self._named[name])
                    and next(starts_around(name, text, at), None) is not None
                ):
                    found.update(self._named[name])
        else:  # folding "ß" moves all that follows
            for name in self._index.names_in(folded):
                if mentions(text, [name]):
                    found.update(self._named[name])
        return tuple(self._elements[place].name for place in sorted(found))
