"""Keys in a row and values in a row: first to first, second to second."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.keys.key_reading import KeyEvent, KeyReading, split_lists
from niah.judges.rubric.lazy_pattern import lazy_pattern

_WORD = re.compile(r"\w+")
_JOINING = 1
"""Words between two values of one key: "50317 and 82946"."""
_SAME = lazy_pattern(
    r"\b(?:same|identical|each|both|gleiche?n?|dieselben?|beide|même|mismo|misma|mesmo|mesma|stess[oa]|одинаков\w+)\b"
)


@dataclass(frozen=True)
class _Row:
    """Keys and the values that belong to them. ``keys_first``: whether they stand before the values."""

    keys: tuple[KeyEvent, ...]
    values: tuple[KeyEvent, ...]
    keys_first: bool


def pair_rows(reading: KeyReading, events: Sequence[KeyEvent]) -> list[tuple[Mention, str]]:
    """Every value of ``events`` with a key that it is given to; values given to none are left out."""
    bindings: list[tuple[Mention, str]] = []
    for block, keys_first in _blocks(events):
        for row in _rows(block, keys_first):
            keys = _without_own_numbers(reading, row, _near(row))
            bindings += _pair_row(reading, row, keys)
            bindings += [(value, keys[-1].mention.name) for value in _surplus(reading, row, keys, bindings)]
    return bindings


def _blocks(events: Sequence[KeyEvent]) -> list[tuple[list[KeyEvent], bool]]:
    """The events in stretches of one direction, each with whether its keys stand before its values."""
    clauses = split_lists(events, lambda before, event: before.clause == event.clause)
    if all(len(_runs(clause)) == 1 for clause in clauses):
        body = _without_lead_in(events)
        return [(body, not _values_first(body))]
    blocks: list[tuple[list[KeyEvent], bool]] = []
    for clause in clauses:
        keys_first = not _values_first(clause)
        if keys_first and blocks and blocks[-1][1]:
            blocks[-1][0].extend(clause)
        else:
            blocks.append((clause, keys_first))
    return blocks


def _values_first(events: Sequence[KeyEvent]) -> bool:
    return bool(events) and not events[0].is_key and events[-1].is_key


def _without_lead_in(events: Sequence[KeyEvent]) -> list[KeyEvent]:
    """Without first keys that are named again before each could have had a value."""
    runs = _runs(events)
    if len(runs) > 2 and runs[0][0].is_key and len(runs[0]) > len(runs[1]):
        names = {key.mention.name for key in runs[0]}
        if len(names) == len(runs[0]) and runs[2][0].mention.name in names:
            return list(events[len(runs[0]) :])
    return list(events)


def _rows(block: Sequence[KeyEvent], keys_first: bool) -> list[_Row]:
    runs = _runs(block)
    if runs and runs[0][0].is_key != keys_first:
        runs = runs[1:]
    pairs = zip(runs[::2], runs[1::2], strict=False)
    return [_Row(a, b, True) if keys_first else _Row(b, a, False) for a, b in pairs]


def _runs(events: Iterable[KeyEvent]) -> list[tuple[KeyEvent, ...]]:
    """The events in runs of keys and of values."""
    return [tuple(group) for _, group in groupby(events, key=lambda event: event.is_key)]


def _pair_row(reading: KeyReading, row: _Row, keys: list[KeyEvent]) -> list[tuple[Mention, str]]:
    values = [value.mention for value in row.values]
    if len(values) == 1:
        return [(values[0], key.mention.name) for key in _sharing(reading, row, keys)]
    if len(values) < len(keys):
        group = _adjoining(reading, row, keys)
        keys = group if len(group) >= len(values) else keys[-len(values) :]
    return [(value, key.mention.name) for value, key in zip(values, keys, strict=False)]


def _surplus(
    reading: KeyReading, row: _Row, keys: Sequence[KeyEvent], before: Sequence[tuple[Mention, str]]
) -> list[Mention]:
    """Values beyond the row's keys that say something new.

    Next to the keys that is what the row has not said; in a later clause ("so the codes are ...") what no key
    has yet.
    """
    in_row = {value.mention.name for value in row.values[: len(keys)]}
    given = in_row | {value.name for value, _ in before}
    going_on = takewhile(lambda pair: _adds_to(reading, *pair), pairwise(row.values[len(keys) - 1 :]))
    return [
        value.mention
        for _, value in going_on
        if value.mention.name not in (in_row if value.clause == keys[-1].clause else given)
    ]


def _adds_to(reading: KeyReading, earlier: KeyEvent, value: KeyEvent) -> bool:
    """Whether a value goes on from the one before it, and has no words of its own."""
    return len(_WORD.findall(reading.gap(earlier, value))) <= _JOINING


def _near(row: _Row) -> list[KeyEvent]:
    """The row's keys in the values' own clause, or all if none is; from the last repetition on."""
    if not row.keys_first:
        return list(row.keys)
    own = [key for key in row.keys if key.clause == row.values[0].clause]
    near: dict[str, KeyEvent] = {}
    for key in own or row.keys:
        if key.mention.name in near:
            near = {}
        near[key.mention.name] = key
    return list(near.values())


def _without_own_numbers(reading: KeyReading, row: _Row, keys: list[KeyEvent]) -> list[KeyEvent]:
    """Without keys that another number follows, where those are left that the values stand behind."""
    if not row.keys_first or len(keys) < 2:
        return keys
    following = dict(pairwise((*keys, row.values[0])))
    without = [key for key in keys if not _OWN_NUMBER.match(reading.gap(key, following[key]))]
    return without if without and without[-1] is keys[-1] else keys


# "Starting dose 45 drops, dosing interval 8 hours": what is measured is the first key's.
_OWN_NUMBER = re.compile(r"[ \t]*(?:(?:is|are|of|was)[ \t]+|[:=][ \t]*)?\d[\d.,]*[ \t]*[^\W\d]")


def _sharing(reading: KeyReading, row: _Row, keys: list[KeyEvent]) -> list[KeyEvent]:
    """The keys that have the row's only value."""
    value = row.values[0]
    if row.keys_first and _SAME.search(reading.text, keys[0].mention.end, value.mention.start):
        return keys
    if not row.keys_first or keys[-1].clause == value.clause:
        return _adjoining(reading, row, keys)
    label = [key for key in keys if key.clause == keys[-1].clause]
    return label if len(label) == 1 else []


def _adjoining(reading: KeyReading, row: _Row, keys: Sequence[KeyEvent]) -> list[KeyEvent]:
    """The list of keys next to the values."""
    lists = split_lists(keys, reading.linked)
    return lists[-1] if row.keys_first else lists[0]
