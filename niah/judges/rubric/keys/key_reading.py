"""An answer as its keys and values in reading order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeVar

from niah.judges.rubric.abstention import leaves_untold
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.keys.key_words import KeyWords, find_keys
from niah.judges.rubric.languages.cues import foreign_cues
from niah.judges.rubric.lazy_pattern import lazy_pattern

# "No. 50317" ends nothing, and neither does a line that breaks off after "is"; "as follows:" ends a lead-in.
_CLAUSE_END = lazy_pattern(
    r"(?<!\bno)[.!?;]+(?=\s|\Z)|(?<!\n)(?<!\bis)\n+|(?<=follows):|(?<=\bare):"
    r"|\b(?:but|while|whereas|although|though|however|aber|während|mais|tandis|pero|mientras|mas|enquanto|ma"
    r"|mentre|но|тогда)\b"
)
_BETWEEN_VALUES = lazy_pattern(r"[ \t]*(?:[,/、][ \t]*)?(?:(?:and|or|und|oder|et|ou|y|o|e|и|или)[ \t]+)?")
_BETWEEN_KEYS = re.compile(r"[\w \t,/='+]*")
_WORD = re.compile(r"\w+")
# At the beginning of a line, a sentence, a bracket or a table's cell: "founded: 1652", "| founded | 1652 |".
_LABEL_REACH = 40
_LABEL = lazy_pattern(r"(?:\A|[\n.;,(])[ \t]*([^\W\d_]{4,})[ \t]*(?:[:=,\u2192-]|->)?[ \t]*\Z")
# "$85 for late payments".
_BEHIND = lazy_pattern(
    r"[ \t]+(?:for|in|as)[ \t]+(?:the[ \t]+|an?[ \t]+)?([^\W\d_]{4,})(?:[ \t]+[^\W\d_]{3,})?"
    r"(?=[ \t]*(?:[.,;)\n]|\Z))"
)
# The first row of a table, whose bars are commas, above its rule, which is a blank line.
_HEADS = lazy_pattern(r"(?:\A|(?<=\n))(?=[^\n]*[^\S\n],(?:[^\S\n]|\n))([^\n]+)\n\n(?=[^\n]*[^\S\n],[^\S\n])")
_HEAD = re.compile(r"[^,\n]+")
_T = TypeVar("_T")


class KeyEvent(NamedTuple):
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
    events: tuple[KeyEvent, ...]
    between: frozenset[str]

    def gap(self, before: KeyEvent, after: KeyEvent) -> str:
        """The text between two events."""
        return self.text[before.mention.end : after.mention.start]

    def linked(self, before: KeyEvent, after: KeyEvent) -> bool:
        """Whether two keys stand in one list: "the copper gate, the code of the willow gate"."""
        gap = self.gap(before, after)
        return _BETWEEN_KEYS.fullmatch(gap) is not None and self.between.issuperset(_WORD.findall(gap))


def read_keys(text: str, values: Sequence[Mention], words: KeyWords) -> KeyReading:
    """The reading of an answer; where a key and a value overlap, the value stays."""
    taken = {offset for value in values for offset in range(value.start, value.end)}
    ends = [match.start() for match in _CLAUSE_END.finditer(text)]
    named = find_keys(text, words, len({value.name for value in values}))
    keys = [key for key in named if taken.isdisjoint(range(key.start, key.end))]
    keys = _without_the_untold(text, keys, values, ends)
    keys += _heads(text, keys, words)
    keys += _labels(text, keys, values, words)
    events = [KeyEvent(value, False, bisect_right(ends, value.start)) for value in values]
    events += [KeyEvent(key, True, bisect_right(ends, key.start)) for key in keys]
    return KeyReading(text, tuple(sorted(events, key=lambda event: event.mention.start)), words.between)


def _labels(
    text: str, keys: Sequence[Mention], values: Sequence[Mention], words: KeyWords
) -> Iterator[Mention]:
    """Labels of values that are another form of a word that one key alone has: "Founded: 1652".

    Args:
        text: normalised.
        keys: those that it names in so many words.
        values: in reading order.
        words: how the keys are written.
    """
    spans = [(key.start, key.end) for key in keys]
    for value in values:
        label = _LABEL.search(text, max(0, value.start - _LABEL_REACH), value.start)
        for said in filter(None, (label, _BEHIND.match(text, value.end))):
            free = not any(start <= said.start(1) < end for start, end in spans)
            if free and (key := words.by_word(said[1]) or (said is label and words.by_form(said[1])) or ""):
                yield Mention(key, True, *said.span(1))


def _heads(text: str, keys: Sequence[Mention], words: KeyWords) -> list[Mention]:
    """The heads of a table's columns that have a word of one key alone, as "max upload" has."""
    named = {place for key in keys for place in range(key.start, key.end)}
    found = []
    for heads in _HEADS.finditer(text):
        for head in _HEAD.finditer(text, *heads.span(1)):
            said = list(_WORD.finditer(text, *head.span()))
            meant = {key: word for word in said if (key := words.by_word(word[0]))}
            if len(meant) == 1 and named.isdisjoint(range(*head.span())):
                found += [Mention(key, True, *word.span()) for key, word in meant.items()]
    return found


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


def in_one_list(text: str, before: Mention, after: Mention) -> bool:
    """Whether two values stand in one list: "50317 and 82946"."""
    return _BETWEEN_VALUES.fullmatch(text, before.end, after.start) is not None


def split_lists(items: Sequence[_T], together: Callable[[_T, _T], bool]) -> list[list[_T]]:
    """The items in lists, cut wherever two neighbours are not ``together``."""
    lists = [[item] for item in items[:1]]
    for before, item in pairwise(items):
        if together(before, item):
            lists[-1].append(item)
        else:
            lists.append([item])
    return lists
