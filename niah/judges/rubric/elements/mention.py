"""One place where a text names an element."""

from __future__ import annotations

from typing import NamedTuple


class Mention(NamedTuple):
    """One place where a text names an element.

    Attributes:
        name: the element's name as the needle set spells it.
        right: whether it belongs to the answer; a distractor's element does not.
        start, end: character offsets in the normalised text, end exclusive.
    """

    name: str
    right: bool
    start: int
    end: int
