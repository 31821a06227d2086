"""Items of a list that each have a key and its value, in either order: "45 seconds, 6 retries, port 7411"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.keys.key_reading import KeyEvent, KeyReading, split_lists
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise

_PARTS = lazy_pattern(
    r"[,;/|·•、\n]|(?<!\w)(?:and|with|plus|und|mit|sowie|et|avec|y|con|e|com|и)(?!\w)", re.IGNORECASE
)
# A key that has a number that is none of the set's: "port 7141", "9 retries".
_NUMBER_BEHIND = lazy_pattern(r"[ \t]*(?:(?:is|are|of|number|no\.?)[ \t]+|[:=#][ \t]*)?\d")
_NUMBER_BEFORE = lazy_pattern(r"(?<![\w.,])\d+[ \t-]+(?:[^\W\d_]+[ \t]+)?\Z")
_UNIT = re.compile(r"\d[\d.,]*[\s-]*([^\d]*)")
_WORD = re.compile(r"\w+")
_JOINING = 1
"""Words between two values of one key: "7411 and 7400"."""


def pair_in_lists(
    reading: KeyReading, events: Sequence[KeyEvent], order: Sequence[str]
) -> tuple[list[tuple[Mention, str]], list[KeyEvent]]:
    """Values with the keys of their own items, and the events of clauses that are no such list.

    Only where the items differ: if all have the key first, or all have it last, rows say the same.

    Args:
        reading: of the answer.
        events: those that no key is pinned to.
        order: the set's keys.
    """
    bindings: list[tuple[Mention, str]] = []
    rest: list[KeyEvent] = []
    for clause in split_lists(events, lambda before, event: before.clause == event.clause):
        items = split_lists(clause, lambda one, two: not _PARTS.search(reading.gap(one, two)))
        if not _are_mixed(reading, items) or not all(_has_one_key(reading, item, clause) for item in items):
            rest += clause
            continue
        named = {event.mention.name for event in reading.events if event.is_key}
        unnamed = [key for key in order if key not in named]
        bindings += _paired(items, unnamed, clause)
    return bindings, rest


def _are_mixed(reading: KeyReading, items: Sequence[Sequence[KeyEvent]]) -> bool:
    """Whether a value stands before its key in one item, and not in all."""
    value_first = [_has_its_key_last(reading, item) for item in items]
    return any(value_first) and not all(value_first)


def _has_its_key_last(reading: KeyReading, item: Sequence[KeyEvent]) -> bool:
    if len(item) == 1 and item[0].is_key:
        start, _ = _around(reading, item[0])
        return _NUMBER_BEFORE.search(reading.text, start, item[0].mention.start) is not None
    return [event.is_key for event in item] == [False, True]


def _has_one_key(reading: KeyReading, item: Sequence[KeyEvent], clause: Sequence[KeyEvent]) -> bool:
    """Whether an item has one key and one value, or a value alone that needs no key beside it."""
    if len(item) == 2:
        return item[0].is_key != item[1].is_key
    place = clause.index(item[0])
    if len(item) != 1:
        return False
    if item[0].is_key:
        return _has_another_number(reading, item[0])
    if _tells_itself(item[0], clause):
        return True
    if not place:
        return False
    before = clause[place - 1]
    # "port 7411 and 7400"; "6 retries and listens on 7411"
    words = len(_WORD.findall(reading.gap(before, item[0])))
    return words > _JOINING if before.is_key else words == _JOINING


def _has_another_number(reading: KeyReading, key: KeyEvent) -> bool:
    _, end = _around(reading, key)
    behind = _NUMBER_BEHIND.match(reading.text, key.mention.end, end)
    return behind is not None or _has_its_key_last(reading, [key])


def _around(reading: KeyReading, key: KeyEvent) -> tuple[int, int]:
    """Where the event before a key ends and the one behind it begins."""
    place = reading.events.index(key)
    before, after = reading.events[max(0, place - 1) : place], reading.events[place + 1 : place + 2]
    start = before[0].mention.end if before else 0
    return start, after[0].mention.start if after else len(reading.text)


def _tells_itself(value: KeyEvent, clause: Sequence[KeyEvent]) -> bool:
    """Whether a value has a unit, and no other value of its clause has that: "45 seconds"."""
    own = _unit_of(value)
    return bool(own) and all(
        event.is_key or event.mention.name == value.mention.name or _unit_of(event) != own for event in clause
    )


def _unit_of(value: KeyEvent) -> str:
    unit = _UNIT.fullmatch(normalise(value.mention.name))
    return unit[1] if unit else ""


def _paired(
    items: Sequence[Sequence[KeyEvent]], unnamed: Sequence[str], clause: Sequence[KeyEvent]
) -> list[tuple[Mention, str]]:
    """Each value with its item's key; one without is the only key's that is not named, or the last one's."""
    bindings: list[tuple[Mention, str]] = []
    for place, item in enumerate(items):
        keys = [event.mention.name for event in item if event.is_key]
        values = [event.mention for event in item if not event.is_key]
        if not keys and place and not items[place - 1][-1].is_key and not _tells_itself(item[0], clause):
            keys = [key for _, key in bindings[-1:]]
        elif not keys and len(unnamed) == 1:
            keys = list(unnamed)
        bindings += [(value, key) for value in values for key in keys]
    return bindings
