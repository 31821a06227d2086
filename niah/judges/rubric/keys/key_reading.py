"""An answer as keys and values in reading order, each in its clause."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from niah.judges.rubric.elements import Mention
from niah.judges.rubric.keys.key_mentions import KeyWords, find_keys

# "No. 50317" ends nothing, and neither does a line that breaks off after "is"; "as follows:" ends a lead-in.
_CLAUSE_END = re.compile(
    r"(?<!\bno)[.!?;]+(?=\s|\Z)|(?<!\n)(?<!\bis)\n+|(?<=follows):|(?<=\bare):"
    r"|\b(?:but|while|whereas|although|though|however)\b"
)
_BETWEEN_VALUES = re.compile(r"[ \t]*(?:[,/][ \t]*)?(?:(?:and|or)[ \t]+)?")
_BETWEEN_KEYS = re.compile(r"[\w \t,/='+]*")
_WORD = re.compile(r"\w+")

T = TypeVar("T")


@dataclass(frozen=True)
class Event:
    """A key or a value of the answer. ``clause``: the number of the clause that it stands in."""

    mention: Mention
    is_key: bool
    clause: int


@dataclass(frozen=True)
class KeyReading:
    """An answer's events in reading order, and what stands between them.

    Attributes:
        text: normalised (see ``niah.judges.rubric.normalise``).
        events: keys and values that do not overlap.
        between: the words that may stand between two keys of one list.
    """

    text: str
    events: tuple[Event, ...]
    between: frozenset[str]

    def gap(self, before: Event, after: Event) -> str:
        """The text between two events."""
        return self.text[before.mention.end : after.mention.start]

    def linked(self, before: Event, after: Event) -> bool:
        """Whether two keys stand in one list: "the copper gate, the code of the willow gate"."""
        gap = self.gap(before, after)
        return _BETWEEN_KEYS.fullmatch(gap) is not None and self.between.issuperset(_WORD.findall(gap))


def read(text: str, values: Sequence[Mention], words: KeyWords) -> KeyReading:
    """The reading of an answer; where a key and a value overlap, the value stays."""
    taken = {offset for value in values for offset in range(value.start, value.end)}
    keys = [key for key in find_keys(text, words) if taken.isdisjoint(range(key.start, key.end))]
    ends = [match.start() for match in _CLAUSE_END.finditer(text)]
    events = [Event(value, False, bisect_right(ends, value.start)) for value in values]
    events += [Event(key, True, bisect_right(ends, key.start)) for key in keys]
    return KeyReading(text, tuple(sorted(events, key=lambda event: event.mention.start)), words.between)


def listed(text: str, before: Mention, after: Mention) -> bool:
    """Whether two values stand in one list: "50317 and 82946"."""
    return _BETWEEN_VALUES.fullmatch(text, before.end, after.start) is not None


def split(items: Sequence[T], together: Callable[[T, T], bool]) -> list[list[T]]:
    """The items in lists, cut wherever two neighbours are not ``together``."""
    lists = [[item] for item in items[:1]]
    for before, item in pairwise(items):
        if together(before, item):
            lists[-1].append(item)
        else:
            lists.append([item])
    return lists
