"""Keys that are pinned to a value from behind: "50317 (copper gate)"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.keys.key_reading import KeyEvent, KeyReading, in_one_list
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise

_OWNER = (
    r"(?:(?:of|for|to)[ \t]+(?:the[ \t]+)?|(?:all[ \t]+round[ \t]+)?as[ \t]+(?:the|an?)[ \t]+"
    r"|(?:für|zu)[ \t]+(?:de[rnms]|das|die)[ \t]+|zu[rm][ \t]+"
    r"|(?:pour|para|per|de|di)[ \t]+(?:(?:les?|la|los|las|el|il|lo|[oa]s?)[ \t]+)?"
    r"|d(?:el|u|os?|as?|ella|ello)[ \t]+"
    r"|(?:для|от)[ \t]+)"
)
_PINS = lazy_pattern(
    rf"[ \t]*[(\[][ \t]*(?:(?:\w+[ \t]+){{0,3}}?{_OWNER})?(?:the[ \t]+)?"
    r"|[ \t]+(?:(?:belongs?|goes|went|was\s+(?:given|assigned|issued)"
    r"|gehört|passt|appartient|sert|va|pertenece|corresponde|pertence|serve"
    rf"|appartiene|подходит)[ \t]+)?(?:(?:à|ao?s?|alla?|al)[ \t]+)?{_OWNER}"
    r"|[ \t]+(?:opens?|unlocks?|öffnet|ouvre|abre|apre|открывает)[ \t]+"
    r"(?:(?:the|das|die|den|la|le|les|el|il|lo|[oa])[ \t]+)?"
    rf"|[ \t]*,?[ \t]*(?:and[ \t]+)?(?:(?:which|that)[ \t]+)?(?:is|was)[ \t]+(?:\w+[ \t]+){{0,4}}?{_OWNER}"
)
# From a key to its value: "copper gate's code is 50317", "copper gate: 50317", "copper gate 50317".
_STATES = lazy_pattern(
    r"'?s?[ \t]*(?:[^,;()\n]*?(?:\b(?:is|are|was|were|has|ist|sind|lautet|est|sont|es|son|é|são|è|sono)\b"
    r"|[:=→]|->)[ \t]*)?"
)
_ALTERNATING = 4
"""Values and keys in turn, from which on each key has the value before it."""
_POSSESSIVE = re.compile(r"\w?'?s[ \t]+")


def pin_keys(reading: KeyReading) -> tuple[list[tuple[Mention, str]], list[KeyEvent]]:
    """Values with the keys pinned to them, and the events that are left to pair off in rows.

    A value that also follows a single key stays: "the copper gate's code is 17685 (granite gate)" says both.
    """
    events = reading.events
    bindings: list[tuple[Mention, str]] = []
    rest: list[KeyEvent] = []
    place = 0
    while place < len(events):
        event, behind = events[place], place + 1 + _pinned_keys(reading, place)
        if behind == place + 1 or _follows_one_key(rest, event):
            rest.append(event)
        bindings += [(event.mention, key.mention.name) for key in events[place + 1 : behind]]
        place = behind
    return bindings, rest


def _pinned_keys(reading: KeyReading, place: int) -> int:
    """How many keys are pinned to the event at ``place``; none to a key.

    Nor several to the last value of a list: "50317 and 82946 for the copper and the willow gate" is two rows.
    """
    if not _is_pinned(reading, place):
        return 0
    count = 1
    while _goes_on(reading, place + count):
        count += 1
    return 0 if count > 1 and _ends_a_list(reading, place) else count


def _ends_a_list(reading: KeyReading, place: int) -> bool:
    if not place or reading.events[place - 1].is_key:
        return False
    before, value = reading.events[place - 1 : place + 1]
    return in_one_list(reading.text, before.mention, value.mention)


def _is_pinned(reading: KeyReading, place: int) -> bool:
    """Whether a value stands at ``place`` and a key is pinned to it.

    In "50317 for the willow gate 82946" none is: the key belongs to the value that follows.
    """
    events = reading.events
    if [event.is_key for event in events[place : place + 2]] != [False, True]:
        return False
    value, key = events[place : place + 2]
    following = [event for event in events[place + 2 : place + 3] if not event.is_key]
    taken = any(_STATES.fullmatch(reading.gap(key, after)) for after in following)
    return not taken and (
        _PINS.fullmatch(reading.gap(value, key)) is not None or _is_possessive(reading.text, value, key)
    )


def _is_possessive(text: str, value: KeyEvent, key: KeyEvent) -> bool:
    """Whether a value stands in the genitive right before its key: "Rosalba's kiosk", "Ottos Kiosk"."""
    between = text[value.mention.end - 1 : key.mention.start]
    own = normalise(value.mention.name)
    return _POSSESSIVE.fullmatch(between) is not None and not own.endswith("s")


def _goes_on(reading: KeyReading, place: int) -> bool:
    """Whether pinned keys go on from the one at ``place``: "for the copper and the willow gate"."""
    events = reading.events[place : place + 2]
    if len(events) < 2 or not events[1].is_key or not reading.linked(*events):
        return False
    following = reading.events[place + 2 : place + 3]
    free = all(event.is_key or event.clause != events[1].clause for event in following)
    return free or _is_pinned(reading, place + 2)


def _follows_one_key(before: Sequence[KeyEvent], value: KeyEvent) -> bool:
    own = [event.is_key for event in before if event.clause == value.clause]
    if own == [False, True] * (len(own) // 2) and len(own) >= _ALTERNATING:
        return False  # "1 A, 2 B and 3 for C"
    return own[-2:] in ([True], [False, True])
