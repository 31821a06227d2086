"""Where an answer states a fact in other words: all that tells of it, in any order, within one sentence.

A fact is a name of two or more ordinary words ("her brother had rowed the boat"). It is stated where a
sentence has all of them, or words that mean the same, close together; of four or more, one may be left out if
its clause says nothing else. Words of the question may be left out too. Not where a clause denies what the
name does not, or the other way about; where it only nearly happened; where it has a contrary of one of the
words: another colour, another of the family. What stays is for ``unsure``.

Proper names, names with digits, and names in scripts without spaces (see ``runs``) are not read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import wrong_elements
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.text_words import split_words, words_as_in_names
from niah.judges.rubric.languages.detect import Language, languages_of
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.paraphrase.lexicon import (
    GUARD,
    NOT,
    Lexicon,
    TellingWords,
    Unit,
    akin,
    lexicon_of,
)
from niah.needles.needle_set import Element

_LETTERS = re.compile(r"[^\W\d_]+(?:[ '.,;-]+[^\W\d_]+)*\.?")
_SPACED = re.compile(r"[a-z\u00df-\u024f\u0370-\u04ff' .,;-]+")
_SENTENCE = re.compile(r"(?:[^.!?;\n]|[.](?=\S))+")
_CLAUSE_ENDS = lazy_pattern(
    r"[,:()\u2588]|\b(?:and|und|et|y|e|\u0438|but|because|while|whereas|since|although|though|instead|aber|sondern|weil|da|obwohl|mais|car"
    r"|parce|pero|sino|porque|aunque|mas|ma|perch\xe9|invece|\u043d\u043e|\u0430|\u043f\u043e\u0442\u043e\u043c\u0443|\u0445\u043e\u0442\u044f)\b"
)
_MOST_MEANT = 8
"""Words of a fact; a longer name is a passage."""
_MOST_PLACES = 4
"""Places of one of a fact's words that are tried."""
_MOST_FACTS = 60
"""Elements of a set whose facts are looked for."""
_SPARING = 4
"""Words of a fact from which on one may be left unsaid."""
_STRANGERS = 2
"""Words between those of a fact that are not its own, beside one for each of its own."""


@dataclass(frozen=True)
class Fact:
    """One way to state an element. ``meant`` are its words; ``denied`` tells whether it denies something."""

    element: str
    right: bool
    meant: tuple[frozenset[str], ...]
    denied: bool
    guarded: bool


def stated_facts(text: str, mentions: Sequence[Mention], key: AnswerKey) -> list[Mention]:
    """Where a text states elements in other words that it does not name; none overlap.

    Args:
        text: normalised.
        mentions: what it names.
        key: what was asked.
    """
    named = {mention.name for mention in mentions}
    if not _may_have_facts(key) or all(element.name in named for element in key.elements):
        return []
    languages = tuple(dict.fromkeys((*languages_of_key(key), *languages_of(text).known)))
    facts = [fact for fact in _facts(key, languages) if fact.element not in named]
    if not facts:
        return []
    lexicon, telling, least = lexicon_of(languages), _told_by(key, languages), min(map(_least_said, facts))
    if (text.isascii() or not mentions) and not telling.are_in(split_words(text).words, least):
        return []  # where spaces part words, there are no others beside the mentions
    free = _without(text, mentions)
    if mentions and not telling.are_in(words_as_in_names(free), least):
        return []
    asked = _asked(key, languages)
    found: list[tuple[int, int, Mention]] = []
    for sentence in _SENTENCE.finditer(free):
        units = lexicon.units(free, *sentence.span())
        near = [fact for fact in facts if _may_be_stated_in(units, fact)]
        clauses = _clauses(free, *sentence.span()) if near else []
        for fact in near:
            span = _stated_in(units, clauses, fact, asked, lexicon)
            if span:
                found.append((-len(fact.meant), span[1] - span[0], Mention(fact.element, fact.right, *span)))
    return _apart(found)


def _apart(found: list[tuple[int, int, Mention]]) -> list[Mention]:
    """Of facts that overlap, those of most words, and of those the closest."""
    kept: list[Mention] = []
    for *_, one in sorted(found, key=lambda each: (each[0], not each[2].right, each[1], each[2].start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return kept


def _without(text: str, mentions: Sequence[Mention]) -> str:
    pieces, end = [], 0
    for mention in sorted(mentions, key=lambda mention: mention.start):
        pieces += [text[end : mention.start], "\u2588" * (mention.end - mention.start)]
        end = mention.end
    return "".join([*pieces, text[end:]])


def _clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    edges = [start, *(match.start() for match in _CLAUSE_ENDS.finditer(text, start, end)), end]
    return list(pairwise(edges))


def _least_said(fact: Fact) -> int:
    return max(min(2, len(fact.meant)), len(fact.meant) - 1)


def _may_be_stated_in(units: Sequence[Unit], fact: Fact) -> bool:
    """Whether a sentence has enough of a fact's words: two at least, and all but one."""
    least = _least_said(fact)
    if len(units) < least:
        return False
    unsaid = 0
    for meant in fact.meant:
        if not any(akin(meant, unit.meanings) for unit in units):
            unsaid += 1
            if len(fact.meant) - unsaid < least:
                return False
    return True


def _stated_in(
    units: Sequence[Unit],
    clauses: Sequence[tuple[int, int]],
    fact: Fact,
    asked: Sequence[frozenset[str]],
    lexicon: Lexicon,
) -> tuple[int, int] | None:
    """The span in which a sentence states a fact."""
    places = [
        [place for place, unit in enumerate(units) if akin(meant, unit.meanings)][:_MOST_PLACES]
        for meant in fact.meant
    ]
    said = [found for found in places if found]
    unsaid = [meant for meant, found in zip(fact.meant, places, strict=True) if not found]
    window = _closest(said)
    if window is None:
        return None
    first, last = window
    within = [span for span in clauses if span[0] < units[last].end and units[first].start < span[1]]
    around = [unit for unit in units if any(start <= unit.start < end for start, end in within)]
    own = [unit for unit in units[first : last + 1] if any(akin(m, unit.meanings) for m in fact.meant)]
    strangers = [
        unit
        for unit in units[first : last + 1]
        if unit not in own and NOT not in unit.meanings and not any(akin(a, unit.meanings) for a in asked)
    ]
    if len(strangers) > len(said) + _STRANGERS - 1 or not _agrees(around, own, fact, lexicon):
        return None
    if unsaid and not _is_all_that_is_said(around, own, unsaid[0], asked, fact, lexicon):
        return None
    denials = [unit for unit in around if NOT in unit.meanings and unit.start < units[first].start]
    start = denials[0].start if fact.denied and denials else units[first].start
    return start, units[last].end


def _closest(places: Sequence[Sequence[int]]) -> tuple[int, int] | None:
    """The closest places of all words, each at one of its own."""
    windows = (
        (max(chosen) - min(chosen), min(chosen), max(chosen))
        for chosen in product(*places)
        if len(set(chosen)) == len(chosen)
    )
    best = min(windows, default=None)
    return None if best is None else best[1:]


def _agrees(around: Sequence[Unit], own: Sequence[Unit], fact: Fact, lexicon: Lexicon) -> bool:
    """Whether the clauses deny and qualify no more and no less than the fact, and say nothing contrary."""
    if fact.denied != any(NOT in unit.meanings and unit not in own for unit in around):
        return False
    if any(GUARD in unit.meanings for unit in around) != fact.guarded:
        return False
    meant = frozenset().union(*fact.meant)
    contrary = frozenset().union(*(lexicon.contrary.get(meaning, frozenset()) for meaning in meant)) - meant
    return all(unit in own or unit.meanings.isdisjoint(contrary) for unit in around)


def _is_all_that_is_said(
    around: Sequence[Unit],
    own: Sequence[Unit],
    unsaid: frozenset[str],
    asked: Sequence[frozenset[str]],
    fact: Fact,
    lexicon: Lexicon,
) -> bool:
    """Whether clauses that leave out one word of a fact of four or more say nothing else instead."""
    return (
        len(fact.meant) >= _SPARING
        and not any(meaning in lexicon.contrary for meaning in unsaid)
        and all(
            unit in own or NOT in unit.meanings or any(akin(a, unit.meanings) for a in asked)
            for unit in around
        )
    )


@lru_cache(maxsize=256)
def _may_have_facts(key: AnswerKey) -> bool:
    return len(key.elements) + len(key.distractors) <= _MOST_FACTS and any(
        _SPACED.fullmatch(normalise(name)) and " " in name
        for element in key.elements
        for name in element.names
    )


@lru_cache(maxsize=256)
def _asked(key: AnswerKey, languages: tuple[Language, ...]) -> tuple[frozenset[str], ...]:
    """What the question's words mean."""
    return tuple(unit.meanings for unit in lexicon_of(languages).units(normalise(key.question)))


@lru_cache(maxsize=256)
def _facts(key: AnswerKey, languages: tuple[Language, ...]) -> tuple[Fact, ...]:
    """Every way to state an element, right or wrong; none that two elements share."""
    lexicon, asked = lexicon_of(languages), _asked(key, languages)
    facts = [
        fact
        for right, elements in ((True, key.elements), (False, wrong_elements(key)))
        for element in elements
        for fact in _ways(element, right, lexicon, asked)
    ]
    owners: dict[tuple[object, ...], set[str]] = {}
    for fact in facts:
        owners.setdefault((frozenset(fact.meant), fact.denied), set()).add(fact.element)
    return tuple(fact for fact in facts if len(owners[frozenset(fact.meant), fact.denied]) == 1)


@lru_cache(maxsize=256)
def _told_by(key: AnswerKey, languages: tuple[Language, ...]) -> TellingWords:
    """The words with which the facts of a key may be stated."""
    meant = (each for fact in _facts(key, languages) for each in fact.meant)
    return TellingWords(lexicon_of(languages), meant)


def _ways(element: Element, right: bool, lexicon: Lexicon, asked: Sequence[frozenset[str]]) -> Iterator[Fact]:
    for name in element.names:
        written = normalise(name)
        if (
            not _LETTERS.fullmatch(name.replace("’", "'"))
            or not _SPACED.fullmatch(written)
            or _is_proper(name)
        ):
            continue
        units = lexicon.units(written)
        telling = [unit for unit in units if unit.meanings.isdisjoint((NOT, GUARD))]
        new = [unit for unit in telling if not any(akin(unit.meanings, each) for each in asked)]
        meant = new if len(new) > 1 else telling
        known = any(unit.is_phrase or not all(m.startswith("=") for m in unit.meanings) for unit in meant)
        if not (known or len(meant) > 2) or len(meant) > _MOST_MEANT:
            continue
        if len(meant) < 2 and not any(unit.is_phrase for unit in meant):
            continue
        denied = any(NOT in unit.meanings for unit in units)
        guarded = any(GUARD in unit.meanings for unit in units)
        yield Fact(element.name, right, tuple(unit.meanings for unit in meant), denied, guarded)


def _is_proper(name: str) -> bool:
    """Whether most words of a name begin with a capital, as names do; German nouns do too."""
    words = name.split()
    return sum(word[:1].isupper() for word in words) > len(words) // 2
