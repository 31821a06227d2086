"""The words of measures in the ten languages, and what stands with them: signs, halves, below zero."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from niah.files import FileModel, NonEmptyText, load_yaml
from niah.judges.rubric.forms.numbers import any_of
from niah.judges.rubric.lazy_pattern import lazy_pattern

CURRENCY_SIGNS = "$€£¥₩₽₹"
BEFORE_THE_NUMBER = frozenset(
    (
        *CURRENCY_SIGNS,
        "us$",
        "r$",
        "eur",
        "usd",
        "gbp",
        "chf",
        "jpy",
        "krw",
        "cny",
        "inr",
        "rs",
        "rs.",
        "रु",
        "रु.",
    )
)
OF = ("of", "an", "a", "de", "d'", "di", "einer", "eines", "einem", "da")
EASTERN_SCALE = r"(?:(?:摄氏|攝氏|섭씨|摂氏|セ氏)\s*)?"
DEGREES = lazy_pattern("(?:[°度도]|degr|grad|grau|град)")


class UnitFile(FileModel):
    """The words of measures in the ten languages; a list of ``units`` is named by its first word.

    ``kinds`` say how many of its last unit each other one of a kind is.
    """

    sources: tuple[NonEmptyText, ...]
    units: tuple[tuple[NonEmptyText, ...], ...]
    kinds: tuple[dict[str, int], ...]
    links: frozenset[NonEmptyText]
    ones: frozenset[NonEmptyText]
    halves: tuple[NonEmptyText, ...]
    quarters: dict[str, tuple[NonEmptyText, ...]]
    minus: tuple[NonEmptyText, ...]
    below_zero: tuple[NonEmptyText, ...]


@dataclass(frozen=True)
class Units:
    """``named`` has the unit of each word, or several; ``words`` all words of a unit."""

    file: UnitFile
    named: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]
    halves: frozenset[str]


@cache
def measure_units() -> Units:
    """The units, by all their words."""
    file = load_yaml(Path(__file__).with_name("units.yaml"), UnitFile)
    named: dict[str, tuple[str, ...]] = {}
    for words in file.units:
        for word in words:
            spaced = word.replace("-", " ")
            named[spaced] = (*named.get(spaced, ()), words[0])
    halves = frozenset(half.replace("-", " ") for half in file.halves)
    return Units(file, named, {words[0]: words for words in file.units}, halves)


def unit_words() -> dict[str, tuple[str, ...]]:
    """The words for each unit, by its name."""
    return {
        unit: tuple(word.replace("-", " ") for word in words) for unit, words in measure_units().words.items()
    }


@cache
def minus_sign() -> re.Pattern[str]:
    """Matches what says, right before an amount, that it is below zero."""
    return re.compile(rf"(?<!\w)(?:{any_of(measure_units().file.minus)})\s*{EASTERN_SCALE}\Z")


@cache
def below_zero_sign() -> re.Pattern[str]:
    """Matches what says so behind it."""
    return re.compile(rf"\s+(?:{any_of(measure_units().file.below_zero)})\b")


def half_at(tokens: Sequence[str], place: int) -> int:
    """How many tokens say "a half" there."""
    return next((n for n in (2, 1) if " ".join(tokens[place : place + n]) in measure_units().halves), 0)
