"""What is told by a word and a number, written otherwise: "Gleis elf" and "platform 11" are Gleis 11."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from niah.files import FileModel, NonEmptyText, load_yaml
from niah.judges.rubric.forms.numbers import any_of, before_units, number_of, other_numbers
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.lazy_pattern import lazy_pattern

_LONGEST = 40
"""Characters of a name that may be such a place."""
_ORDINALS: tuple[Language, ...] = ("en", "de", "fr", "es", "pt", "it", "ru")
_MOST_ORDINAL = 100
_LEAST_STEM = 4
_ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_UNSPACED = lazy_pattern("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_WORD = r"[^\W\d_]+(?:[ '][^\W\d_]+)?"
_HEAD_FIRST = re.compile(rf"(?P<head>{_WORD}) (?P<number>\d{{1,4}}|[^\W\d_]+(?: [^\W\d_]+)?)")
_NUMBER_FIRST = re.compile(
    r"第?(?P<number>\d{1,4}|[一二三四五六七八九十]{1,3}|[^\W\d_]+)(?:st|nd|rd|th|er|e|º|ª|\.|号|號|番|번)? ?"
    rf"(?P<head>{_WORD})"
)


class NumberedFile(FileModel):
    """Words for what is counted through; each list says one thing in the ten languages."""

    sources: tuple[NonEmptyText, ...]
    heads: tuple[tuple[NonEmptyText, ...], ...]
    marks: tuple[NonEmptyText, ...]


@lru_cache(maxsize=1)
def _file() -> NumberedFile:
    return load_yaml(Path(__file__).with_suffix(".yaml"), NumberedFile)


@lru_cache(maxsize=1)
def _groups() -> dict[str, tuple[str, ...]]:
    """Each word with all that say the same; "porte" is a gate and a door."""
    groups: dict[str, tuple[str, ...]] = {}
    for heads in _file().heads:
        for head in heads:
            groups[head] = (*groups.get(head, ()), *heads)
    return groups


def other_numbered(name: str, languages: tuple[Language, ...]) -> Iterator[str]:
    """Expressions for other ways to write a normalised name that is a known word with a number."""
    if len(name) > _LONGEST:
        return
    for form in (_HEAD_FIRST, _NUMBER_FIRST):
        if found := form.fullmatch(name):
            heads = _groups().get(found["head"], ())
            if heads and (number := _number(found["number"], languages)):
                yield from _expressions(number, heads, languages)
                return


def _number(written: str, languages: tuple[Language, ...]) -> int:
    """The number of digits, a word or an ordinal; 0 where it is none."""
    if written.isdecimal():
        return int(written)
    if said := number_of(written, languages):
        return int(said) if said.isdecimal() else 0
    return next(
        (n for n in range(1, 32) if any(re.fullmatch(o, written) for o in _ordinals(n, languages))), 0
    )


def _expressions(number: int, heads: tuple[str, ...], languages: tuple[Language, ...]) -> Iterator[str]:
    spaced = [head for head in heads if not _UNSPACED.search(head)]
    eastern = [head for head in heads if _UNSPACED.search(head)]
    words = (
        *other_numbers(str(number), languages),
        *(w for one in languages for w in before_units(number, one)),
    )
    roman = (_ROMAN[number],) if 0 < number < len(_ROMAN) else ()
    digits = rf"0?{number}(?:\s?го|\s?й|\s?м)?(?![\d:]|[.,]\d)"
    named = rf"(?:{any_of(spaced)})"
    marks = rf"(?:\s*(?:{'|'.join(map(re.escape, _file().marks))}))?"
    yield rf"{named}{marks}\s*:?\s*(?:{digits}|(?:{any_of((*words, *roman))})(?!\w))"
    ordinals = "|".join(_ordinals(number, languages))
    yield (
        rf"(?:{ordinals}|{number}\s?(?:st|nd|rd|th|er|ème|e|º|ª|го|й|м|я|ю|ой)?\.?)\s+{named}"
        if ordinals
        else rf"{number}\s+{named}"
    )
    if eastern:
        signs = any_of((str(number), *(word for word in words if _UNSPACED.search(word))))
        yield rf"(?:第 ?)?(?<!\d)(?:{signs})\s?(?:号|號|番|번)?\s?線?(?:{any_of(eastern)})"


@lru_cache(maxsize=1024)
def _ordinals(number: int, languages: tuple[Language, ...]) -> tuple[str, ...]:
    """Expressions for the ordinal in its other cases: "четвёртой", "vierten", "terceira"."""
    if number > _MOST_ORDINAL:
        return ()
    from num2words import num2words

    from niah.judges.rubric.normalise import normalise

    ways = []
    for language in languages:
        if language in _ORDINALS:
            said = str(num2words(number, lang=language, to="ordinal"))
            said = said.casefold().replace("ё", "е") if language == "ru" else normalise(said)
            stem = said if language == "en" else said[:-2] if len(said) > _LEAST_STEM else said[:-1]
            ways.append(re.escape(stem).replace(r"\ ", r"\s+") + ("" if language == "en" else r"\w{0,3}"))
    return tuple(ways)
