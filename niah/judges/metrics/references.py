"""What answers to a needle set are compared with."""

from __future__ import annotations

from niah.needles.needle_set import NeedleSet
from niah.text.templates import listed


def references(needle_set: NeedleSet) -> tuple[str, ...]:
    """The reference answer, then its short forms, each once.

    Several elements make one short form, their names in order: "figs, ham and cheese". A single one makes
    several: its name and each alias. None, for a question without an answer, makes none.
    """
    elements = needle_set.elements
    short = elements[0].names if len(elements) == 1 else (listed(tuple(e.name for e in elements)),)
    return tuple(dict.fromkeys(filter(None, (needle_set.answer, *short))))
