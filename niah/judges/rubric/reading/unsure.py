"""What the rules cannot decide about an answer: it may be read in more than one way.

Every answer gets a score, but what that rests on may be thin. In this order:

* Nothing was found, in a language whose refusals and denials are not read.
* Names were not found, and the answer is in another language or script than they are: it may translate them.
* An element was not found, and most of its words are there, apart or in another form: a paraphrase, or
  something else. Of a number with its unit, another number may stand in its place: something wrong.
* Everything was found, and something wrong stands in other parts of the answer, or in a long one beside it,
  neither added nor set apart: two answers, or one and what it was weighed against.
* Yes or no was asked for, and neither is said in so many words.
* The answer is long and in the question's words, and nothing of it was recognised.

Nothing here changes a score.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import cues_of
from niah.judges.rubric.languages.detect import Language, languages_of
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.reading.layout import read_layout
from niah.judges.rubric.reading.nearness import (
    UNSPACED_SIGN,
    WORD_OR_NUMBER,
    SaidWords,
    key_texts,
    may_be_near,
    words_beside,
)
from niah.judges.rubric.reading.spans import mentions_inside
from niah.judges.rubric.reading.statements import asked_words
from niah.needles.needle_set import Element

_SENTENCE_END = lazy_pattern(r"[.!?]+(?=[\s)\]\"]|\Z)|[\u3002\uff01\uff1f;\uff1b]")
_MANY = 100
"""Missing elements up to which slips of the pen are looked for."""
_LONG = 25
_ON_TOPIC = 0.4
_FEWEST = 4
_BARE = frozenset(("yes", "no", "true", "false", "ja", "nein", "oui", "non", "si", "sí", "sim", "não"))


class OpenReading(NamedTuple):
    """Why an answer can be read in more than one way, and what the best and the worst reading count.

    Attributes:
        reason: for people.
        best, worst: how many elements are found and missing, and how many wrong ones named.
    """

    reason: str
    best: tuple[int, int, int]
    worst: tuple[int, int, int]


class CountedAnswer(NamedTuple):
    """An answer once its elements are counted.

    Attributes:
        spoken: as the reader gave it, without reasoning.
        text: the same, tidied.
        named: every mention, in reading order.
        claimed: of them, those that the answer neither rules out nor only shows on the way.
        found, missing, wrong: names, as in the verdict.
        refused: whether it says that it cannot tell, or takes back what it says.
    """

    spoken: str
    text: str
    named: Sequence[Mention]
    claimed: Sequence[Mention]
    found: Sequence[str]
    missing: Sequence[str]
    wrong: Sequence[str]
    refused: bool


def open_reading(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    """What the rules cannot decide about an answer; None where they can.

    A refusal is clear, unless it comes near to what was asked for, and so is an answer with everything right
    and nothing wrong.
    """
    if answer.refused and not answer.found:
        return _paraphrased(answer, key)
    if not (answer.missing or answer.wrong or not key.elements):
        return None
    ways = (_in_unread_language, _translated, _paraphrased, _two_answers, _without_the_word, _unrecognised)
    return next((found for way in ways if (found := way(answer, key)) is not None), None)


def _counts(answer: CountedAnswer) -> tuple[int, int, int]:
    return len(answer.found), len(answer.missing), len(answer.wrong)


def _right_or_wrong(reason: str, answer: CountedAnswer) -> OpenReading:
    """Everything may be right, and nothing."""
    every = len(answer.found) + len(answer.missing) or 1
    return OpenReading(reason, (every, 0, 0), (0, every, 0))


def _in_unread_language(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    unknown = languages_of(answer.text).unknown
    if answer.found or answer.wrong or not unknown:
        return None
    return _right_or_wrong(f"nothing found in {' and '.join(unknown)}, which is not read", answer)


def _translated(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    """Words that are no names and no numbers are translated; names only into another script."""
    own, said = key_texts(key).languages, set(languages_of(answer.text).known[1:])
    foreign = bool(said) and said.isdisjoint(own)
    foreign = foreign or _may_be_translated(answer, own)
    translated = [
        element.name
        for element in key.elements
        if element.name in answer.missing
        and (
            (foreign and all(name.islower() and name.replace(" ", "").isalpha() for name in element.names))
            or not any(_scripts(name) <= _scripts(answer.text) for name in element.names)
        )
    ]
    if not translated or not (_has_some_words(answer.text) or UNSPACED_SIGN.search(answer.text)):
        return None
    reason = f"in another language or script than {_listed(translated)}"
    found, missing, wrong = _may_be_found(reason, translated, answer).best
    others = len(_made_up(answer)) if _may_be_translated(answer, own) else 0
    return OpenReading(reason, (found, missing, wrong - others), _counts(answer))


def _made_up(answer: CountedAnswer) -> list[str]:
    """The wrong names that no text of the needle set has."""
    named = {mention.name for mention in answer.named}
    return [wrong for wrong in answer.wrong if wrong not in named and "(" not in wrong and wrong.islower()]


def _may_be_translated(answer: CountedAnswer, own: frozenset[Language]) -> bool:
    """Whether the names that an answer lists may be the missing ones of a needle set in another language.

    They are in none that its needle set has, and no more than are missing.
    """
    listed = _made_up(answer)
    return (
        bool(own and listed)
        and len(answer.found) <= len(answer.missing)
        and len(listed) <= len(answer.missing)
        and own.isdisjoint(languages_of(answer.text).known[1:])
    )


def _has_some_words(text: str) -> bool:
    return len(list(islice(WORD_OR_NUMBER.finditer(text), _FEWEST))) == _FEWEST


def _may_be_found(reason: str, names: Sequence[str], answer: CountedAnswer) -> OpenReading:
    found, missing, wrong = _counts(answer)
    best = (found + len(names), missing - len(names), wrong)
    return OpenReading(reason, best, (found, missing, wrong))


def _wrong_values(answer: CountedAnswer) -> list[list[str]]:
    """The words of each wrong value with a number that no text of the needle set has."""
    named = {mention.name for mention in answer.named}
    return [
        WORD_OR_NUMBER.findall(wrong)
        for wrong in answer.wrong
        if wrong not in named and any(map(str.isdigit, wrong))
    ]


def _is_replaced(element: Element, values: Sequence[Sequence[str]]) -> bool:
    """Whether a wrong value with a word of the element's is counted in its place: "83 metres"."""
    words = frozenset(WORD_OR_NUMBER.findall(normalise(element.name))) if values else frozenset()
    return any(not words.isdisjoint(value) for value in values)


def _paraphrased(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    if not answer.missing:
        return None
    words, texts = words_beside(answer.text, answer.named), key_texts(key)
    few = len(answer.missing) <= _MANY
    if few and not may_be_near(words, texts):
        return None
    said = SaidWords(words, texts, slips=few)
    values = _wrong_values(answer)
    near: list[str] = []
    displaced: list[str] = []
    for element in key.elements:
        if element.name in answer.missing and not _is_bare(element) and not _is_replaced(element, values):
            how = {said.nearness(name) for name in element.names}
            if "other number" in how:
                displaced.append(element.name)
            elif "near" in how:
                near.append(element.name)
    if not (near or displaced):
        return None
    found, missing, wrong = _counts(answer)
    reason = f"something like {_listed([*near, *displaced])} stands there"
    return OpenReading(
        reason, (found + len(near), missing - len(near), wrong), (found, missing, wrong + len(displaced))
    )


def _two_answers(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    wrong = [mention for mention in answer.claimed if not mention.right]
    if answer.missing or {mention.name for mention in wrong} != set(answer.wrong):
        return None
    addition, right_before = cues_of(answer.text).addition, False
    short = len(WORD_OR_NUMBER.findall(answer.text)) < _LONG
    for start, end, listed in _parts(answer):
        named = mentions_inside(answer.claimed, (start, end))
        if len({mention.right for mention in named}) > 1:
            if listed or short:
                return None
            continue
        wrong_part = bool(named) and not named[0].right
        if wrong_part and right_before and addition.search(answer.text, start, named[0].start):
            return None
        right_before = right_before or (bool(named) and not wrong_part)
    found = len(answer.found)
    worst = (0, found, 1) if found == 1 else _counts(answer)
    return OpenReading(f"complete, with {_listed(answer.wrong)} beside it", (found, 0, 0), worst)


def _parts(answer: CountedAnswer) -> Iterator[tuple[int, int, bool]]:
    """Each sentence; and as a whole, with True, each list, table, or run of lines without a full stop."""
    text, layout = answer.text, read_layout(answer.spoken, answer.text)
    first: int | None = None
    end = 0
    for line in layout.lines:
        stops = list(_SENTENCE_END.finditer(text, line.start, line.end))
        if line.kind in ("bullet", "row", "rule") or (line.kind == "text" and not stops):
            first, end = line.start if first is None else first, line.end
            continue
        if first is not None and line.kind != "blank":
            yield first, end, True
            first = None
        start = line.start
        for stop in stops:
            yield start, stop.end(), False
            start = stop.end()
        if start < line.end:
            yield start, line.end, False
    if first is not None:
        yield first, end, True


def _without_the_word(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    if answer.found or answer.wrong or len(key.elements) != 1 or not _is_bare(key.elements[0]):
        return None
    if not _has_some_words(answer.text):
        return None
    return _right_or_wrong("no plain yes or no", answer)


def _is_bare(element: Element) -> bool:
    return normalise(element.name) in _BARE


def _unrecognised(answer: CountedAnswer, key: AnswerKey) -> OpenReading | None:
    if answer.named or not key.elements:
        return None
    words = WORD_OR_NUMBER.findall(answer.text)
    asked = asked_words(key)
    if len(words) < _LONG or len(asked & set(words)) < _ON_TOPIC * len(asked):
        return None
    return _right_or_wrong("long and to the question, and nothing of it recognised", answer)


@lru_cache(maxsize=1024)
def _scripts(text: str) -> frozenset[str]:
    """The scripts of its letters, as Unicode calls them; digits are of any."""
    own = frozenset[str]() if _ASCII_LETTERS.isdisjoint(text) else _LATIN
    if text.isascii():
        return own
    others = (letter for letter in set(text) if not letter.isascii() and letter.isalpha())
    return own.union(map(_script_of, others))


_LATIN = frozenset(("LATIN",))
_ASCII_LETTERS = frozenset(string.ascii_letters)


@lru_cache(maxsize=8192)
def _script_of(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names[:3]) + (" and more" if len(names) > 3 else "")
