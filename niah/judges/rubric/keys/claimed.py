"""Which key an answer gives each value to, by reading order.

The rules, in the order in which they apply; a clause ends with a sentence, a line, "as follows:" or a "but":

* A key that is pinned to the value before it has that value: "50317 (copper gate)", "50317 for the copper
  gate", "50317 is the code of the copper gate".
* Where each item of a list has one key and one value, in either order, they belong together: "45 seconds,
  6 retries, port 7411". A value without a key has a unit of its own, or goes on from the last.
* Otherwise keys in a row have the values in a row that follow, first to first, second to second. Keys in the
  values' own clause come before those of earlier clauses, and a key named again starts the row anew: a
  lead-in that names all keys ("the codes of A, B and C are: A: 1") has nothing.
* Where a clause runs from a value to a key ("1 A, 2 B"), or a whole answer does whose lines hold either,
  values in a row belong to the keys in a row that follow.
* One value, several keys: the list of keys next to it has it ("A, B and C are all 1"), and all keys of the
  row if the text says "same". If they stand in an earlier clause, none has it: a lead-in says no more than
  the question.
* Several values, more keys: the list of keys next to them has them, from its first key on; where that list is
  too short, the last keys of the row.
* More values than keys: those that go on from the last one ("A: 1 and 2"), and that the row has not said yet,
  belong to its last key; of values in a later clause, those that no key has yet. One that has words of its
  own belongs to none, and a last clause that names one value for each key sums up.
* No key anywhere: as many values as there are keys (repetitions aside) are taken in the question's order.
  Fewer, or more, belong to none: the question need not be repeated to answer a part of it. Nor do values
  that tell by their units what they are ("48 minutes, 7 eggs").
* A key that is named only to say that nothing is told of it has nothing.

A value that no key has is taken for what it is, unless the answer gives it to a key elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.keys.key_reading import KeyReading, in_one_list, read_keys, split_lists
from niah.judges.rubric.keys.key_words import KeyWords, key_words
from niah.judges.rubric.keys.listed import pair_in_lists
from niah.judges.rubric.keys.pins import pin_keys
from niah.judges.rubric.keys.rows import pair_rows
from niah.judges.rubric.normalise import normalise

_NO_LETTER = re.compile(r"[\W\d_]+")
_LEADING_NUMBER = re.compile(r"\A\d[\d.,]*\s*")
_NUMBER = re.compile(r"(?<!\w)\d{3,}(?!\w)")


@dataclass(frozen=True)
class ClaimedElements:
    """What an answer says of the elements.

    Attributes:
        found: names of the elements that it gives to their own key, or to none.
        misgiven: right values with the wrong key they are given to: "17685 (copper gate)".
    """

    found: frozenset[str]
    misgiven: frozenset[str]


def claimed_elements(
    text: str, mentions: Sequence[Mention], out: Collection[Mention], answer_key: AnswerKey
) -> ClaimedElements:
    """What the answer claims; in a set without keys, every right mention that is not ruled out.

    Args:
        text: normalised (see ``niah.judges.rubric.normalise``).
        mentions: every value in it, right or wrong, in reading order.
        out: those that the text rules out.
        answer_key: what was asked.
    """
    live = [mention for mention in mentions if mention not in out]
    right = {mention.name for mention in live if mention.right}
    own = _own_keys(answer_key)
    if not own:
        return ClaimedElements(frozenset(right), frozenset())
    given = {(name, key) for name, key in _given(text, mentions, live, answer_key) if name in right}
    if _are_of_different_kinds(answer_key):
        given = {(name, key) for name, key in given if key == own[name] or _is_stated(text, key, name, live)}
    given -= {
        (name, key)
        for name, key in given
        if key != own[name] and _has_its_own(key, name, given, own) and not _is_stated(text, key, name, live)
    }
    bare = right - {name for name, _ in given}
    return ClaimedElements(
        found=frozenset(bare | {name for name, key in given if key == own[name]}),
        misgiven=frozenset(f"{name} ({key})" for name, key in given if key != own[name]),
    )


def _has_its_own(key: str, name: str, given: Collection[tuple[str, str]], own: Mapping[str, str]) -> bool:
    """Whether a key has its own value, of another unit than one that goes on from it: "80 mg, q8h"."""
    held = [value for value, other in own.items() if other == key and (value, key) in given]
    if not held or not all(value[0].isdigit() and _unit_of(value) for value in (*held, name)):
        return False
    return _unit_of(name) not in map(_unit_of, held)


@lru_cache(maxsize=256)
def _own_keys(answer_key: AnswerKey) -> dict[str, str]:
    """The key of each element; none unless all have one."""
    own = {element.name: element.key for element in answer_key.elements}
    return {name: key for name, key in own.items() if key} if all(own.values()) else {}


def names_a_key(text: str, answer_key: AnswerKey) -> bool:
    """Whether a normalised text names one of the set's keys."""
    return bool(find_mentions(text, key_words(answer_key).names))


def values_by_key(
    text: str, mentions: Sequence[Mention], answer_key: AnswerKey
) -> frozenset[tuple[str, str]]:
    """Names of values, each with a key that a normalised text gives it to; none in a set without keys."""
    if not mentions or not _own_keys(answer_key):
        return frozenset()
    return frozenset(_given(text, mentions, mentions, answer_key))


def _given(
    text: str, mentions: Sequence[Mention], live: Sequence[Mention], answer_key: AnswerKey
) -> set[tuple[str, str]]:
    """Names of values, each with a key that has it."""
    words = key_words(answer_key)
    # A wrong value that is ruled out claims nothing either, but keeps its own key from the value before it.
    idle = {mention for mention in mentions if not mention.right}.difference(live)
    values = sorted((*live, *idle, *_unknown_numbers(text, mentions)), key=_start)
    reading = read_keys(text, values, words)
    if not any(event.is_key for event in reading.events):
        names = [] if _tell_themselves(answer_key) else [value.name for value in values]
        return _in_question_order(names, words.order)
    summary = _summary(reading, words)
    body = replace(reading, events=reading.events[: len(reading.events) - len(summary)])
    bindings, rest = pin_keys(body)
    listed, rest = pair_in_lists(body, rest, words.order)
    given = {(value.name, key) for value, key in (*bindings, *listed, *pair_rows(body, rest))}
    return given | _left_over(summary, given, words)


def _summary(reading: KeyReading, words: KeyWords) -> list[str]:
    """What a last clause names that has no key, but a value for each, all of them said before."""
    events = reading.events
    last = [event for event in events if event.clause == events[-1].clause]
    names = [event.mention.name for event in last]
    before = {event.mention.name for event in events[: -len(last)]}
    if any(event.is_key for event in last) or len(words.order) < 2:
        return []
    return names if len(set(names)) == len(names) == len(words.order) and before.issuperset(names) else []


def _left_over(names: Sequence[str], given: set[tuple[str, str]], words: KeyWords) -> set[tuple[str, str]]:
    """The values of a summary that no key has yet, with the keys that have none of the others, in order."""
    new = [name for name in names if name not in {value for value, _ in given}]
    taken = {key for value, key in given if value in names}
    keys = [key for key in words.order if key not in taken]
    return set(zip(new, keys, strict=True)) if len(new) == len(keys) else set()


def _in_question_order(names: Sequence[str], order: Sequence[str]) -> set[tuple[str, str]]:
    for said in (names, list(dict.fromkeys(names))):
        if len(said) == len(order):
            return set(zip(said, order, strict=True))
    return set()


def _is_stated(text: str, key: str, name: str, mentions: Sequence[Mention]) -> bool:
    """Whether a text gives a value to a key in so many words: "memory limit: 45 seconds", "timeout = 6"."""
    said = re.escape(normalise(key))
    return any(
        mention.name == name
        and re.search(rf"{said}{_STATES}\Z|{_CELL}{said}[^\S\n]*,\s*\Z", text[: mention.start])
        for mention in mentions
    )


# "3 devices, 60 days" gives the devices nothing behind them; "devices, 60 days" in a row of a table does.
_CELL = r"(?:\A|[\n,;])\s*(?:the\s+)?"
_STATES = r"[^\w,;]{0,4}(?:(?:is|are|was|were|of|at|ist|est|es|é|è)\s+)?"


@lru_cache(maxsize=256)
def _are_of_different_kinds(answer_key: AnswerKey) -> bool:
    """Whether nobody takes one value for another's: "768 MiB", "45 seconds", a bare "6" and one name."""
    units = [_NO_LETTER.sub("", normalise(element.name)) for element in answer_key.elements]
    return (
        len(units) > 1
        and len(set(units)) == len(units)
        and sum(not element.name[0].isdigit() for element in answer_key.elements) <= 1
        and not any(any(map(str.isdigit, _unit_of(element.name))) for element in answer_key.elements)
    )


def _unit_of(name: str) -> str:
    """What stands behind a number: "MiB" of "768 MiB"; codes have digits there."""
    return _LEADING_NUMBER.sub("", normalise(name))


@lru_cache(maxsize=256)
def _tell_themselves(answer_key: AnswerKey) -> bool:
    """Whether the values are of so many units that none can be taken for another: "48 minutes", "7 eggs"."""
    units = [_NO_LETTER.sub("", normalise(element.name)) for element in answer_key.elements]
    return (
        all(units) and len(set(units)) == len(units) and all(e.name[0].isdigit() for e in answer_key.elements)
    )


def _unknown_numbers(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Numbers in a list with values. They claim nothing, but each has taken a key's place: "1999, 82946"."""
    numbers = [Mention(match[0], False, *match.span()) for match in _NUMBER.finditer(text)]
    if not numbers:
        return []
    taken = {offset for mention in mentions for offset in range(mention.start, mention.end)}
    unknown = {number for number in numbers if number.start not in taken}
    lists = split_lists(sorted({*mentions, *unknown}, key=_start), partial(in_one_list, text))
    return [
        number for group in lists if not unknown.issuperset(group) for number in unknown.intersection(group)
    ]


def _start(mention: Mention) -> int:
    return mention.start
