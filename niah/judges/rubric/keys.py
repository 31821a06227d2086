"""Which key an answer gives each value to, by reading order.

The rules, in the order in which they apply; a clause ends with a sentence, a line, "as follows:" or a "but":

* A key that is pinned to the value before it has that value: "50317 (copper gate)", "50317 for the copper
  gate", "50317 is the code of the copper gate".
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
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby, pairwise, takewhile
from typing import TypeVar

from niah.cases.sample import AnswerKey
from niah.judges.rubric.abstention import leaves_untold
from niah.judges.rubric.elements import Mention, Names, find_mentions, inflections, told_in, ways_to_write
from niah.judges.rubric.languages.cues import foreign_cues
from niah.judges.rubric.languages.detect import languages_of
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Element

_NO_LETTER = re.compile(r"[\W\d_]+")
_NUMBER = re.compile(r"(?<!\w)\d{3,}(?!\w)")

# "The granite gate, not the willow gate": the second key is given nothing.
_NOT_KEY = re.compile(
    r"(?:\b(?:not|never|nor|unlike|except|than|instead\s+of|nicht|kein\w*|statt|pas|não|non|sin[oó]|не)|n't)\s+"
    r"(?:(?:for|of|to|at|für|zu|pour|para|per|de|del|do|da|di|для|от)\s+)?(?:(?:the|der|die|das|den|le|la|el|il|lo|o|a)\s+)?\Z"
)
_WINDOW = 32

_LISTING = frozenset(
    re.findall(
        r"\w+",
        """
    and or nor the a an s of for to at as well also
    und oder der die das den dem des für zum zur von sowie et ou le la les l du de des pour y o e el los las
    del para os as do da dos das no na il lo gli i di della dello per и или для от
    """,
    )
)
_VERBS = frozenset(
    re.findall(r"\w+", "is are was were be has have ist sind hat lautet est sont es son é são è sono")
)
# With these before it the keys' last word names no other key: "each gate", "the second gate".
_NO_NAME = re.compile(
    r"in|on|by|each|every|any|all|both|no|n?either|same|(?:an)?other|next|last|th(?:is|at|ese)|which|what|its|their"
    r"|respective|correct|given|following|whole|entire|first|second|third|\w+th"
    r"|one|two|three|four|five|six|seven"
)

# "No. 50317" ends nothing, and neither does a line that breaks off after "is"; "as follows:" ends a lead-in.
_CLAUSE_END = re.compile(
    r"(?<!\bno)[.!?;]+(?=\s|\Z)|(?<!\n)(?<!\bis)\n+|(?<=follows):|(?<=\bare):"
    r"|\b(?:but|while|whereas|although|though|however|aber|während|mais|tandis|pero|mientras|mas|enquanto|ma"
    r"|mentre|но|тогда)\b"
)
_BETWEEN_VALUES = re.compile(r"[ \t]*(?:[,/、][ \t]*)?(?:(?:and|or|und|oder|et|ou|y|o|e|и|или)[ \t]+)?")
_BETWEEN_KEYS = re.compile(r"[\w \t,/='+]*")
_WORD = re.compile(r"\w+")
_JOINING = 1
_NOUN_FIRST = frozenset(("fr", "es", "pt", "it"))
_MOST_WORDS_OF_A_KEY = 3
_LEAST_NOUN = 4
"""Words between two values of one key: "50317 and 82946"."""

_T = TypeVar("_T")

_OWNER = (
    r"(?:(?:of|for|to)[ \t]+(?:the[ \t]+)?|(?:all[ \t]+round[ \t]+)?as[ \t]+(?:the|an?)[ \t]+"
    r"|(?:für|zu)[ \t]+(?:de[rnms]|das|die)[ \t]+|zu[rm][ \t]+"
    r"|(?:pour|para|per|de|di)[ \t]+(?:(?:les?|la|los|las|el|il|lo|[oa]s?)[ \t]+)?"
    r"|d(?:el|u|os?|as?|ella|ello)[ \t]+"
    r"|(?:для|от)[ \t]+)"
)
_PINS = re.compile(
    rf"[ \t]*[(\[][ \t]*(?:(?:\w+[ \t]+){{0,3}}?{_OWNER})?(?:the[ \t]+)?"
    r"|[ \t]+(?:(?:belongs?|goes|went|was\s+(?:given|assigned|issued)"
    r"|gehört|passt|appartient|sert|va|pertenece|corresponde|pertence|serve"
    rf"|appartiene|подходит)[ \t]+)?(?:(?:à|ao?s?|alla?|al)[ \t]+)?{_OWNER}"
    r"|[ \t]+(?:opens?|unlocks?|öffnet|ouvre|abre|apre|открывает)[ \t]+"
    r"(?:(?:the|das|die|den|la|le|les|el|il|lo|[oa])[ \t]+)?"
    rf"|[ \t]*,?[ \t]*(?:and[ \t]+)?(?:(?:which|that)[ \t]+)?(?:is|was)[ \t]+(?:\w+[ \t]+){{0,4}}?{_OWNER}"
)
# From a key to its value: "copper gate's code is 50317", "copper gate: 50317", "copper gate 50317".
_STATES = re.compile(
    r"'?s?[ \t]*(?:[^,;()\n]*?(?:\b(?:is|are|was|were|has|ist|sind|lautet|est|sont|es|son|é|são|è|sono)\b"
    r"|[:=→]|->)[ \t]*)?"
)

_POSSESSIVE = re.compile(r"\w?'?s[ \t]+")

_SAME = re.compile(
    r"\b(?:same|identical|each|both|gleiche?n?|dieselben?|beide|même|mismo|misma|mesmo|mesma|stess[oa]|одинаков\w+)\b"
)


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
    own = {element.name: element.key for element in answer_key.elements}
    if not own or not all(own.values()):
        return ClaimedElements(frozenset(right), frozenset())
    given = {(name, key) for name, key in _given(text, mentions, live, answer_key) if name in right}
    bare = right - {name for name, _ in given}
    return ClaimedElements(
        found=frozenset(bare | {name for name, key in given if key == own[name]}),
        misgiven=frozenset(f"{name} ({key})" for name, key in given if key != own[name]),
    )


def names_a_key(text: str, answer_key: AnswerKey) -> bool:
    """Whether a normalised text names one of the set's keys."""
    return bool(find_mentions(text, _key_words(answer_key).names))


def _given(
    text: str, mentions: Sequence[Mention], live: Sequence[Mention], answer_key: AnswerKey
) -> set[tuple[str, str]]:
    """Names of values, each with a key that has it."""
    words = _key_words(answer_key)
    # A wrong value that is ruled out claims nothing either, but keeps its own key from the value before it.
    idle = {mention for mention in mentions if not mention.right}.difference(live)
    values = sorted((*live, *idle, *_unknown_numbers(text, mentions)), key=_start)
    reading = _read_keys(text, values, words)
    if not any(event.is_key for event in reading.events):
        names = [] if _tell_themselves(answer_key) else [value.name for value in values]
        return _in_question_order(names, words.order)
    summary = _summary(reading, words)
    body = replace(reading, events=reading.events[: len(reading.events) - len(summary)])
    bindings, rest = _pin_keys(body)
    given = {(value.name, key) for value, key in (*bindings, *_pair_rows(body, rest))}
    return given | _left_over(summary, given, words)


def _summary(reading: _KeyReading, words: _KeyWords) -> list[str]:
    """What a last clause names that has no key, but a value for each, all of them said before."""
    events = reading.events
    last = [event for event in events if event.clause == events[-1].clause]
    names = [event.mention.name for event in last]
    before = {event.mention.name for event in events[: -len(last)]}
    if any(event.is_key for event in last) or len(words.order) < 2:
        return []
    return names if len(set(names)) == len(names) == len(words.order) and before.issuperset(names) else []


def _left_over(names: Sequence[str], given: set[tuple[str, str]], words: _KeyWords) -> set[tuple[str, str]]:
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


@lru_cache(maxsize=256)
def _tell_themselves(answer_key: AnswerKey) -> bool:
    """Whether the values are of so many units that none can be taken for another: "48 minutes", "7 eggs"."""
    units = [_NO_LETTER.sub("", normalise(element.name)) for element in answer_key.elements]
    return (
        all(units) and len(set(units)) == len(units) and all(e.name[0].isdigit() for e in answer_key.elements)
    )


def _unknown_numbers(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Numbers in a list with values. They claim nothing, but each has taken a key's place: "1999, 82946"."""
    taken = {offset for mention in mentions for offset in range(mention.start, mention.end)}
    numbers = (Mention(match[0], False, *match.span()) for match in _NUMBER.finditer(text))
    unknown = {number for number in numbers if number.start not in taken}
    lists = _split(sorted({*mentions, *unknown}, key=_start), partial(_in_one_list, text))
    return [
        number for group in lists if not unknown.issuperset(group) for number in unknown.intersection(group)
    ]


def _start(mention: Mention) -> int:
    return mention.start


# Where the text names keys


@dataclass(frozen=True)
class _KeyWords:
    """How a needle set's keys are written.

    Attributes:
        names: every way to write a key.
        foreign: finds "the plum gate" where all keys are gates; None where keys have no last word in common.
        between: the words that may stand between two keys of one list.
        order: the keys in the question's order.
    """

    names: Names
    foreign: re.Pattern[str] | None
    between: frozenset[str]
    order: tuple[str, ...]


@lru_cache(maxsize=256)
def _key_words(answer_key: AnswerKey) -> _KeyWords:
    """How the set's keys are written. Every element has a key."""
    keys = tuple(element.key for element in answer_key.elements)
    shared = _shared_word(keys)
    shorter = {
        key: (*_shorter(key, shared, answer_key), *_by_one_word(key, keys, answer_key)) for key in keys
    }
    written = ways_to_write((Element(key, shorter[key]) for key in keys), right=True)
    names = Names(written, told_in(answer_key))
    question = normalise(answer_key.question)
    asked = (mention.name for mention in find_mentions(question, names))
    words = {form for word in re.findall(r"\w+", question) for form in inflections(word)}
    return _KeyWords(
        names=names,
        foreign=_foreign(shared.word) if shared and shared.is_last else None,
        between=_LISTING | (words - _VERBS),
        order=tuple(dict.fromkeys((*asked, *keys))),
    )


def _find_keys(text: str, words: _KeyWords) -> list[Mention]:
    """Where ``text`` names a key, in reading order; keys that it excepts ("not the willow gate") stay out.

    A ``right`` mention is one of the set's keys. The others are keys that nobody asked for, by the words of
    the text ("plum gate"): what is given to one of them is not given to a key of the set.

    Args:
        text: normalised (see ``niah.judges.rubric.normalise``).
        words: from ``_key_words``.
    """
    own = find_mentions(text, words.names)
    inside = {offset for key in own for offset in range(key.start, key.end)}
    keys = (*own, *(key for key in _foreign_keys(text, words) if key.end - 1 not in inside))
    found = sorted(keys, key=lambda mention: mention.start)
    return [key for key in found if not _NOT_KEY.search(text[max(0, key.start - _WINDOW) : key.start])]


@dataclass(frozen=True)
class _SharedWord:
    """The word that all keys share: their last ("copper gate"), or their first ("cofre azul")."""

    word: str
    is_last: bool


def _shared_word(keys: Sequence[str]) -> _SharedWord | None:
    """None where they share none, or where that is all that one of them has."""
    words = [normalise(key).split() for key in keys]
    if len(words) < 2 or any(len(key) < 2 for key in words):
        return None
    for place in (-1, 0):
        if len({key[place] for key in words}) == 1:
            return _SharedWord(words[0][place], is_last=place == -1)
    return None


def _shorter(key: str, shared: _SharedWord | None, answer_key: AnswerKey) -> tuple[str, ...]:
    """The key without the shared word, unless the needle set uses that for something else ("copper roof")."""
    if shared is None:
        return ()
    word = re.escape(shared.word)
    if shared.is_last:
        short = normalise(key).removesuffix(shared.word).strip()
        alone = re.compile(rf"(?<!\w){re.escape(short)}(?!\w)(?!\s+{word})")
    else:
        short = normalise(key).removeprefix(shared.word).strip()
        alone = re.compile(rf"(?<!\w)(?<!{word}\s){re.escape(short)}(?!\w)")
    said = [answer_key.question, *(needle.text for needle in answer_key.needles)]
    said += [distractor.text for distractor in answer_key.distractors]
    return () if any(alone.search(text) for text in map(normalise, said)) else (short,)


def _by_one_word(key: str, keys: Sequence[str], answer_key: AnswerKey) -> tuple[str, ...]:
    """The noun of a key of several words: "Sledge" of "Hattie Sledge", "globo" of "globo de cristal".

    Not where another key, or a text of the needle set besides the key itself, has that word.
    """
    words = normalise(key).split()
    if not 2 <= len(words) <= _MOST_WORDS_OF_A_KEY or not all(map(str.isalpha, words)):
        return ()
    noun_first = not _NOUN_FIRST.isdisjoint(languages_of(normalise(answer_key.question)).known)
    noun = words[0] if noun_first and not key.istitle() else words[-1]
    others = (word for other in keys if other != key for word in normalise(other).split())
    said = normalise("\n".join(told_in(answer_key))).replace(" ".join(words), " ")
    told = {*re.findall(r"[^\W\d_]+", said), *others}
    return () if len(noun) < _LEAST_NOUN or noun in told else (noun,)


def _foreign(tail: str) -> re.Pattern[str]:
    opening = r"(?:^[ \t]*|\b(?:the|an?|of|for|and|or)[ \t]+|[,:;(\[{.][ \t]*)"
    return re.compile(rf"{opening}([^\W\d_][\w']*[ \t]+{re.escape(tail)})(?!\w)", re.MULTILINE)


def _foreign_keys(text: str, words: _KeyWords) -> Iterator[Mention]:
    # The set's own keys stand in the question, so their words are among those between keys.
    for match in words.foreign.finditer(text) if words.foreign else ():
        first, last = match[1].split()
        if first not in words.between | _VERBS and not _NO_NAME.fullmatch(first):
            yield Mention(f"{first} {last}", False, *match.span(1))


# Keys and values in reading order


@dataclass(frozen=True)
class _Event:
    """A key or a value of the answer. ``clause``: the number of the clause that it stands in."""

    mention: Mention
    is_key: bool
    clause: int


@dataclass(frozen=True)
class _KeyReading:
    """An answer's events in reading order, and what stands between them.

    Attributes:
        text: normalised (see ``niah.judges.rubric.normalise``).
        events: keys and values that do not overlap.
        between: the words that may stand between two keys of one list.
    """

    text: str
    events: tuple[_Event, ...]
    between: frozenset[str]

    def gap(self, before: _Event, after: _Event) -> str:
        """The text between two events."""
        return self.text[before.mention.end : after.mention.start]

    def linked(self, before: _Event, after: _Event) -> bool:
        """Whether two keys stand in one list: "the copper gate, the code of the willow gate"."""
        gap = self.gap(before, after)
        return _BETWEEN_KEYS.fullmatch(gap) is not None and self.between.issuperset(_WORD.findall(gap))


def _read_keys(text: str, values: Sequence[Mention], words: _KeyWords) -> _KeyReading:
    """The reading of an answer; where a key and a value overlap, the value stays."""
    taken = {offset for value in values for offset in range(value.start, value.end)}
    ends = [match.start() for match in _CLAUSE_END.finditer(text)]
    keys = [key for key in _find_keys(text, words) if taken.isdisjoint(range(key.start, key.end))]
    keys = _without_the_untold(text, keys, values, ends)
    events = [_Event(value, False, bisect_right(ends, value.start)) for value in values]
    events += [_Event(key, True, bisect_right(ends, key.start)) for key in keys]
    return _KeyReading(text, tuple(sorted(events, key=lambda event: event.mention.start)), words.between)


def _without_the_untold(
    text: str, keys: Sequence[Mention], values: Sequence[Mention], ends: Sequence[int]
) -> list[Mention]:
    """The keys without those of clauses that have no value and say why: "the willow gate's is not given"."""
    told = {bisect_right(ends, value.start) for value in values}
    untold: dict[int, bool] = {}
    for key in keys:
        clause = bisect_right(ends, key.start)
        if clause not in told and clause not in untold:
            start = ends[clause - 1] if clause else 0
            untold[clause] = _says_nothing(text[start : ends[clause] if clause < len(ends) else len(text)])
    return [key for key in keys if not untold.get(bisect_right(ends, key.start), False)]


def _says_nothing(clause: str) -> bool:
    foreign = foreign_cues(clause)
    return leaves_untold(clause) or (foreign is not None and foreign.refusal.search(clause) is not None)


def _in_one_list(text: str, before: Mention, after: Mention) -> bool:
    """Whether two values stand in one list: "50317 and 82946"."""
    return _BETWEEN_VALUES.fullmatch(text, before.end, after.start) is not None


def _split(items: Sequence[_T], together: Callable[[_T, _T], bool]) -> list[list[_T]]:
    """The items in lists, cut wherever two neighbours are not ``together``."""
    lists = [[item] for item in items[:1]]
    for before, item in pairwise(items):
        if together(before, item):
            lists[-1].append(item)
        else:
            lists.append([item])
    return lists


# Keys pinned to a value from behind


def _pin_keys(reading: _KeyReading) -> tuple[list[tuple[Mention, str]], list[_Event]]:
    """Values with the keys pinned to them, and the events that are left to pair off in rows.

    A value that also follows a single key stays: "the copper gate's code is 17685 (granite gate)" says both.
    """
    events = reading.events
    bindings: list[tuple[Mention, str]] = []
    rest: list[_Event] = []
    place = 0
    while place < len(events):
        event, behind = events[place], place + 1 + _pinned_keys(reading, place)
        if behind == place + 1 or _follows_one_key(rest, event):
            rest.append(event)
        bindings += [(event.mention, key.mention.name) for key in events[place + 1 : behind]]
        place = behind
    return bindings, rest


def _pinned_keys(reading: _KeyReading, place: int) -> int:
    """How many keys are pinned to the event at ``place``; none to a key.

    Nor several to the last value of a list: "50317 and 82946 for the copper and the willow gate" is two rows.
    """
    if not _is_pinned(reading, place):
        return 0
    count = 1
    while _goes_on(reading, place + count):
        count += 1
    return 0 if count > 1 and _ends_a_list(reading, place) else count


def _ends_a_list(reading: _KeyReading, place: int) -> bool:
    if not place or reading.events[place - 1].is_key:
        return False
    before, value = reading.events[place - 1 : place + 1]
    return _in_one_list(reading.text, before.mention, value.mention)


def _is_pinned(reading: _KeyReading, place: int) -> bool:
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


def _is_possessive(text: str, value: _Event, key: _Event) -> bool:
    """Whether a value stands in the genitive right before its key: "Rosalba's kiosk", "Ottos Kiosk"."""
    between = text[value.mention.end - 1 : key.mention.start]
    own = normalise(value.mention.name)
    return _POSSESSIVE.fullmatch(between) is not None and not own.endswith("s")


def _goes_on(reading: _KeyReading, place: int) -> bool:
    """Whether pinned keys go on from the one at ``place``: "for the copper and the willow gate"."""
    events = reading.events[place : place + 2]
    if len(events) < 2 or not events[1].is_key or not reading.linked(*events):
        return False
    following = reading.events[place + 2 : place + 3]
    free = all(event.is_key or event.clause != events[1].clause for event in following)
    return free or _is_pinned(reading, place + 2)


def _follows_one_key(before: Sequence[_Event], value: _Event) -> bool:
    own = [event.is_key for event in before[-2:] if event.clause == value.clause]
    return own in ([True], [False, True])


# Keys in a row and values in a row


@dataclass(frozen=True)
class _Row:
    """Keys and the values that belong to them. ``keys_first``: whether they stand before the values."""

    keys: tuple[_Event, ...]
    values: tuple[_Event, ...]
    keys_first: bool


def _pair_rows(reading: _KeyReading, events: Sequence[_Event]) -> list[tuple[Mention, str]]:
    """Every value of ``events`` with a key that it is given to; values given to none are left out."""
    bindings: list[tuple[Mention, str]] = []
    for block, keys_first in _blocks(events):
        for row in _rows(block, keys_first):
            keys = _near(row)
            bindings += _pair_row(reading, row, keys)
            bindings += [(value, keys[-1].mention.name) for value in _surplus(reading, row, keys, bindings)]
    return bindings


def _blocks(events: Sequence[_Event]) -> list[tuple[list[_Event], bool]]:
    """The events in stretches of one direction, each with whether its keys stand before its values."""
    clauses = _split(events, lambda before, event: before.clause == event.clause)
    if all(len(_runs(clause)) == 1 for clause in clauses):
        body = _without_lead_in(events)
        return [(body, not _values_first(body))]
    blocks: list[tuple[list[_Event], bool]] = []
    for clause in clauses:
        keys_first = not _values_first(clause)
        if keys_first and blocks and blocks[-1][1]:
            blocks[-1][0].extend(clause)
        else:
            blocks.append((clause, keys_first))
    return blocks


def _values_first(events: Sequence[_Event]) -> bool:
    return bool(events) and not events[0].is_key and events[-1].is_key


def _without_lead_in(events: Sequence[_Event]) -> list[_Event]:
    """Without first keys that are named again before each could have had a value."""
    runs = _runs(events)
    if len(runs) > 2 and runs[0][0].is_key and len(runs[0]) > len(runs[1]):
        names = {key.mention.name for key in runs[0]}
        if len(names) == len(runs[0]) and runs[2][0].mention.name in names:
            return list(events[len(runs[0]) :])
    return list(events)


def _rows(block: Sequence[_Event], keys_first: bool) -> list[_Row]:
    runs = _runs(block)
    if runs and runs[0][0].is_key != keys_first:
        runs = runs[1:]
    pairs = zip(runs[::2], runs[1::2], strict=False)
    return [_Row(a, b, True) if keys_first else _Row(b, a, False) for a, b in pairs]


def _runs(events: Iterable[_Event]) -> list[tuple[_Event, ...]]:
    """The events in runs of keys and of values."""
    return [tuple(group) for _, group in groupby(events, key=lambda event: event.is_key)]


def _pair_row(reading: _KeyReading, row: _Row, keys: list[_Event]) -> list[tuple[Mention, str]]:
    values = [value.mention for value in row.values]
    if len(values) == 1:
        return [(values[0], key.mention.name) for key in _sharing(reading, row, keys)]
    if len(values) < len(keys):
        group = _adjoining(reading, row, keys)
        keys = group if len(group) >= len(values) else keys[-len(values) :]
    return [(value, key.mention.name) for value, key in zip(values, keys, strict=False)]


def _surplus(
    reading: _KeyReading, row: _Row, keys: Sequence[_Event], before: Sequence[tuple[Mention, str]]
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


def _adds_to(reading: _KeyReading, earlier: _Event, value: _Event) -> bool:
    """Whether a value goes on from the one before it, and has no words of its own."""
    return len(_WORD.findall(reading.gap(earlier, value))) <= _JOINING


def _near(row: _Row) -> list[_Event]:
    """The row's keys in the values' own clause, or all if none is; from the last repetition on."""
    if not row.keys_first:
        return list(row.keys)
    own = [key for key in row.keys if key.clause == row.values[0].clause]
    near: dict[str, _Event] = {}
    for key in own or row.keys:
        if key.mention.name in near:
            near = {}
        near[key.mention.name] = key
    return list(near.values())


def _sharing(reading: _KeyReading, row: _Row, keys: list[_Event]) -> list[_Event]:
    """The keys that have the row's only value."""
    value = row.values[0]
    if row.keys_first and _SAME.search(reading.text, keys[0].mention.end, value.mention.start):
        return keys
    if not row.keys_first or keys[-1].clause == value.clause:
        return _adjoining(reading, row, keys)
    label = [key for key in keys if key.clause == keys[-1].clause]
    return label if len(label) == 1 else []


def _adjoining(reading: _KeyReading, row: _Row, keys: Sequence[_Event]) -> list[_Event]:
    """The list of keys next to the values."""
    lists = _split(keys, reading.linked)
    return lists[-1] if row.keys_first else lists[0]
