"""Numbers and codes that an answer invents where nothing but such was asked for, and codes it misreads."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import told_in
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.amounts.named_value import value_of
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import tidy
from niah.text.writing import HANGUL, UNSPACED

_CODE = re.compile(r"(?=\S*\d)[^\W_]+(?:[-.:/][^\W_]+)*")
# In a script without spaces, and before Korean particles, a code ends where the script changes.
_SPACED = rf"[^\W{UNSPACED}{HANGUL}]"
_RUN = re.compile(r"\d+|[^\W\d_]+|.")
_NUMBER = re.compile(r"(?<!\w)(?<!\d[.:/-])\d+(?!\w|[.:/-]\d)")

# Numbers of one or two digits stand in every text (a list's "3", "the 2 of them").
_SHORT = 2


@dataclass(frozen=True)
class _Shapes:
    """What an invented code would look like, and what is spared because the needle set itself says it.

    ``numbers`` are the elements of four digits or more, ``shortened`` the same with any one digit left out.
    """

    pattern: re.Pattern[str]
    numbers: frozenset[str]
    shortened: frozenset[str]
    short: bool
    spared: frozenset[str]


def hallucinated_codes(tidied: str, key: AnswerKey, mentions: Sequence[Mention]) -> list[Mention]:
    """Codes in the answer that look like the elements and are none; empty unless every element is a code.

    A code looks like an element if digits and letters come in the same pattern ("AX-4821" and "QP-1130"); a
    number of four digits or more also if it is an element's with one digit lost or added. Whatever stands
    in the question, the reference answer, a needle or a distractor is spared: a reader may quote those, and
    what a distractor plants is named by its element. Numbers of one or
    two digits count only in an answer that names no element.

    Args:
        tidied: the answer, hyphens kept (see ``niah.judges.rubric.normalise.tidy``).
        key: what was asked.
        mentions: the elements found in the answer; what they cover is no invention.
    """
    shapes = _shapes(key)
    if shapes is None or (shapes.short and any(mention.right for mention in mentions)):
        return []
    taken = {offset for mention in mentions for offset in range(mention.start, mention.end)}
    matches = [*shapes.pattern.finditer(tidied), *_near_misses(tidied, shapes)]
    return [
        Mention(match[0], False, *match.span())
        for match in matches
        if match[0] not in shapes.spared and taken.isdisjoint(range(*match.span()))
    ]


@lru_cache(maxsize=256)
def _shapes(key: AnswerKey) -> _Shapes | None:
    codes = [tidy(element.name).strip() for element in key.elements]
    if not codes or not all(map(_CODE.fullmatch, codes)):
        return None
    shaping = [code for code in codes if len(code) > _SHORT] or codes
    pattern = re.compile("|".join(sorted(set(map(_shape, shaping)), key=len, reverse=True)))
    said = [key.question, *key.references, *(needle.text for needle in key.needles)]
    said += [distractor.text for distractor in key.distractors]
    spared = {m[0] for text in map(tidy, said) for p in (pattern, _NUMBER) for m in p.finditer(text)}
    numbers = frozenset(code for code in codes if code.isdigit() and len(code) > 3)
    shortened = frozenset(short for number in numbers for short in _one_digit_left_out(number))
    return _Shapes(pattern, numbers, shortened, len(shaping[0]) <= _SHORT, frozenset(spared))


def misread_codes(stated: str, missing: Collection[str], key: AnswerKey) -> frozenset[str]:
    """Codes in the answer that differ from a missing one by a single sign, and that no text of the set has.

    "Room 14D" is another room than 14B, and so is 208 than 207 where both are rooms.

    Args:
        stated: what the answer states, tidied and masked.
        missing: names of the elements that were not found.
        key: what was asked.
    """
    names = [name for element in key.elements if element.name in missing for name in element.names]
    asked = frozenset().union(*map(_codes_named, names))
    if not asked:
        return frozenset()
    told = _codes_told(key)
    return frozenset(
        code for code in _codes_in(stated) if code not in told and any(_is_nearly(code, one) for one in asked)
    )


_MIXED = lazy_pattern(r"(?<!\w)(?=[^\W_-]*-?\d)(?=[\d-]*[^\W\d_])[^\W_]+(?:-[^\W_]+)*(?!\w)")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|er|re|ème|e|º|ª|я|й|го|s)")
_CAPITAL = re.compile(r"[A-ZА-Я]-?\d|\d-?[A-ZА-Я]")
_LEAST_SIGNS = 3


def _codes_in(tidied: str) -> Iterator[str]:
    """Words of both letters and digits that are no ordinal; hyphens left out."""
    for match in _MIXED.finditer(tidied):
        code = match[0].replace("-", "")
        if len(code) >= _LEAST_SIGNS and not _ORDINAL.fullmatch(code):
            yield code


@lru_cache(maxsize=8192)
def _codes_named(name: str) -> frozenset[str]:
    """The codes in a name that is no amount."""
    return frozenset(_codes_in(tidy(name))) if _is_no_amount(name) else frozenset()


@lru_cache(maxsize=256)
def _codes_told(key: AnswerKey) -> frozenset[str]:
    return frozenset(code for text in told_in(key) for code in _codes_in(tidy(text)))


def _is_no_amount(name: str) -> bool:
    """ "12km" is one; "27H" with its capital is a code, though hours are written so too."""
    return _CAPITAL.search(name) is not None or not value_of(tidy(name), ("en",))


def _is_nearly(code: str, other: str) -> bool:
    """Whether two codes of one shape differ in one sign."""
    if len(code) != len(other):
        return False
    apart = [(a, b) for a, b in zip(code, other, strict=True) if a != b]
    return len(apart) == 1 and apart[0][0].isdigit() == apart[0][1].isdigit()


def _shape(code: str) -> str:
    """A pattern for codes like this one: as many digits, as many letters; hyphens between them are free."""
    runs = "-?".join(_run(run) for run in _RUN.findall(code) if run != "-")
    return rf"(?<!{_SPACED})(?<!\d[.:/-]){runs}(?!{_SPACED}|[.:/-]\d)"


def _run(run: str) -> str:
    if run.isdigit():
        return rf"\d{{{len(run)}}}"
    return rf"[^\W\d_{UNSPACED}{HANGUL}]{{{len(run)}}}" if run.isalpha() else re.escape(run)


def _near_misses(tidied: str, shapes: _Shapes) -> list[re.Match[str]]:
    """Numbers that are an element's with a single digit lost or added."""
    if not shapes.numbers:
        return []
    lengths = {len(number) + 1 for number in shapes.numbers}
    return [
        match
        for match in _NUMBER.finditer(tidied)
        if match[0] in shapes.shortened
        or (len(match[0]) in lengths and not shapes.numbers.isdisjoint(_one_digit_left_out(match[0])))
    ]


def _one_digit_left_out(number: str) -> Iterator[str]:
    return (number[:place] + number[place + 1 :] for place in range(len(number)))
