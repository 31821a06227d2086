"""A number that a text gives a key in place of its own: "the maximum number of retries is 3", "port: 7300".

Looked for only where the key's element is a bare number and was not found. Words between the two must be the
question's; a sentence that denies, or has the words of a distractor alone, is left. English words alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import told_in
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.elements.written_name import inflections
from niah.judges.rubric.forms.numbers import number_of
from niah.judges.rubric.keys.key_words import find_keys, key_words
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise

_END = (
    r"(?![\w%])(?![.,:/]\d)(?:[ \t]+(?:times|in\s+all|in\s+total|altogether|at\s+most))?"
    r"(?=[ \t]*(?:[,;)\]}\"|\n]|\Z|[.!](?:\s|\Z)|(?:and|but|while|with)\b))"
)
_BEHIND = lazy_pattern(
    r"\"?(?P<words>(?:[ \t]+[^\W\d_]+){0,6}?)[ \t]*"
    r"(?P<link>[:=,]|->|\b(?:is|are|of|at\s+most|up\s+to)\b)?[ \t]*"
    r"(?:\b(?:at\s+most|up\s+to|only|set\s+to)[ \t]+)?"
    rf"\"?(?P<number>\d{{1,12}}|[a-z]{{3,9}}){_END}"
)
_BEFORE = lazy_pattern(
    r"(?:(?P<word>[^\W\d_]+)[ \t]+)?(?<![\w.,:/])(?P<number>\d{1,12}|[a-z]{3,9})[ \t]+"
    r"(?:max(?:imum)?[ \t]+)?\Z"
)
# A table's cells are parted by commas in a normalised text.
_FIRST_CELL = lazy_pattern(r"(?:\A|\n),[^,\n]*\Z")
_REACH = 60
_NO_LIMIT = frozenset(("unlimited", "infinite", "endless"))
_NUMBERED = frozenset("in since passage step chapter page version section line item no number".split())  # noqa: SIM905
_WORDS_BETWEEN = frozenset("of the a an for allowed permitted it has in this".split())  # noqa: SIM905
_NO_CLAIM = lazy_pattern(
    r"\b(?:not|no|never|nor|neither|without|old|former|formerly|previous|previously|earlier|once|until|another|other"
    r"|unlike|than|instead|if|example|e\.g|such)\b|n't\b"
)
_SENTENCE_END = lazy_pattern(r"\n|[.!?;][ \t]")
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_LETTERS = 4
_YEAR_LENGTH = 4
_COUNTED = re.compile(r"\d[\d.,]*\s([^\W\d_]{4,})(?:\s.*)?")


def invented_numbers(stated: str, missing: Collection[str], key: AnswerKey) -> frozenset[str]:
    """The numbers that an answer gives the keys of missing elements, in digits.

    Args:
        stated: what it states, normalised and masked.
        missing: names of the elements that were not found.
        key: what was asked.
    """
    bare = [one for one in key.elements if one.name in missing and normalise(one.name).isdecimal()]
    lengths = {one.key: len(normalise(one.name)) for one in bare}
    if not bare or not all(one.key for one in key.elements):
        return frozenset()
    named = [mention for mention in find_keys(stated, key_words(key)) if mention.name in lengths]
    numbers = ((number, lengths[one.name]) for one in named for number in _numbers_of(stated, one, key))
    return frozenset(number for number, length in numbers if length == _YEAR_LENGTH or not _is_year(number))


def invented_counts(stated: str, missing: Collection[str], key: AnswerKey) -> frozenset[str]:
    """Other numbers of what a missing element counts, which no text has: "3 devices" for 5 devices.

    Args:
        stated: what an answer states, normalised and masked.
        missing: names of the elements that were not found.
        key: what was asked.
    """
    nouns = [match[1] for element in key.elements if (match := _COUNTED.fullmatch(normalise(element.name)))]
    counted = [match[1] for name in missing if (match := _COUNTED.fullmatch(normalise(name)))]
    found: set[str] = set()
    for noun in counted:
        forms = "|".join(map(re.escape, inflections(noun))) if nouns.count(noun) == 1 else "(?!)"
        for said in re.finditer(rf"(?<![\w.,:/-])(\d{{1,9}})\s+(?:{forms})(?!\w)", stated):
            ends = [match.end() for match in _SENTENCE_END.finditer(stated, 0, said.start())]
            denied = _NO_CLAIM.search(stated, ends[-1] if ends else 0, said.start())
            if not denied and said[0] not in _told(key) and not _is_year(said[1]):
                found.add(said[0])
    return frozenset(found)


def _numbers_of(stated: str, named: Mention, key: AnswerKey) -> Iterator[str]:
    told = _told(key)
    behind = _BEHIND.match(stated, named.end)
    if behind and _words_of(key).issuperset(_WORD.findall(behind["words"])):
        end = behind.end("number")
        is_row = behind["link"] == "," and _FIRST_CELL.search(stated, 0, named.start)
        is_new = stated[named.start : end] not in told and not behind["words"]
        links = is_row if behind["link"] == "," else behind["link"] or is_new
        if links and _is_claimed(stated, named, end, key):
            yield from _in_digits(behind["number"])
    start = max(0, named.start - _REACH)
    before = _BEFORE.search(stated, start, named.start) if normalise(named.name).endswith("s") else None
    if before and before["word"] not in _NUMBERED:
        is_new = stated[before.start("number") : named.end] not in told
        if is_new and _is_claimed(stated, named, named.end, key):
            yield from _in_digits(before["number"])


def _is_year(number: str) -> bool:
    """Whether a number may be the year of something: none is in the place of "38" or "50317"."""
    return len(number) == _YEAR_LENGTH and number.startswith(("18", "19", "20"))


def _in_digits(number: str) -> Iterator[str]:
    digits = number if number.isdecimal() else number_of(number)
    if digits.isdecimal() or number in _NO_LIMIT:
        yield digits or number


def _is_claimed(stated: str, named: Mention, end: int, key: AnswerKey) -> bool:
    """Whether the sentence up to a number neither denies nor tells of something else."""
    ends = [match.end() for match in _SENTENCE_END.finditer(stated, 0, named.start)]
    start = ends[-1] if ends else 0
    words = set(_WORD.findall(stated[start:end]))
    return not _NO_CLAIM.search(stated, start, end) and words.isdisjoint(words_of_others(key))


@lru_cache(maxsize=256)
def _told(key: AnswerKey) -> str:
    return normalise("\n".join(told_in(key)))


@lru_cache(maxsize=256)
def _words_of(key: AnswerKey) -> frozenset[str]:
    """The words that may stand between a key and its number."""
    return _WORDS_BETWEEN.union(_WORD.findall(normalise(key.question)))


@lru_cache(maxsize=256)
def words_of_others(key: AnswerKey) -> frozenset[str]:
    """Words of the distractors that neither the question nor a needle has: owners of other numbers."""
    own = normalise("\n".join((key.question, *key.references, *(needle.text for needle in key.needles))))
    others = normalise("\n".join(distractor.text for distractor in key.distractors))
    words = frozenset(_WORD.findall(others)).difference(_WORD.findall(own))
    return frozenset(word for word in words if len(word) >= _LEAST_LETTERS)
