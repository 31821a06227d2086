"""Numbers, shares, measures and times of day that say the same in other words, and those that do not."""

from __future__ import annotations

import pytest

from niah.judges.rubric.forms.amounts.named_value import value_of
from niah.judges.rubric.forms.amounts.values import values_in
from niah.judges.rubric.languages.detect import Language


def _says_the_same(name: str, text: str, language: Language) -> bool:
    languages: tuple[Language, ...] = ("en",) if language == "en" else ("en", language)
    named = value_of(name, languages)
    assert named is not None, name
    return any(named.is_said(value, text) for value in values_in(text, languages))


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("2500", "two and a half thousand", "en"),
        ("24", "about two dozen of them", "en"),
        ("3/4", "three quarters", "en"),
        ("half", "50 %", "en"),
        ("40 percent", "two fifths", "en"),
        ("$3.50", "3 dollars and 50 cents", "en"),
        ("90 minutes", "an hour and a half", "en"),
        ("18 months", "one and a half years", "en"),
        ("2.4 metres", "240 cm", "en"),
        ("quarter past six", "at 6:15", "en"),
        ("half past nine", "21:30", "en"),
        ("halb acht", "7.30 uhr", "de"),
        ("2,5 kilometer", "zweieinhalb kilometer", "de"),
        ("1.250 gulden", "zwölfhundertfünfzig gulden", "de"),
        ("anderthalb stunden", "90 minuten", "de"),
        ("trois quarts", "75 %", "fr"),
        ("deux kilomètres et demi", "2,5 km", "fr"),
        ("1250 reales", "mil doscientos cincuenta reales", "es"),
        ("una dozzina", "dodici", "it"),
        ("5.5 верст", "пять с половиной верст", "ru"),
        ("полтора часа", "90 минут", "ru"),
        ("两公里半", "2500米", "zh"),
        ("三割", "30%", "ja"),
    ],
)
def test_the_same_value(name: str, text: str, language: Language) -> None:
    assert _says_the_same(name, text, language)


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("2500", "25000", "en"),
        ("12", "12 kg", "en"),
        ("2.4 metres", "24 metres", "en"),
        ("2.4 metres", "2.4 kilometres", "en"),
        ("6:45 p.m.", "6:45 a.m.", "en"),
        ("quarter past six", "quarter to six", "en"),
        ("halb acht", "halb neun", "de"),
        ("1250 gulden", "1250 taler", "de"),
        ("两公里半", "两公里", "zh"),
    ],
)
def test_another_value(name: str, text: str, language: Language) -> None:
    assert not _says_the_same(name, text, language)


@pytest.mark.parametrize("name", ["copper gate", "louis xiv", "seven dwarfs and a wolf", "x4821"])
def test_names_are_no_values(name: str) -> None:
    assert value_of(name, ("en",)) is None


def test_a_value_keeps_its_place() -> None:
    text = "it took two and a half thousand men, then three quarters of them left"
    assert [text[value.start : value.end] for value in values_in(text, ("en",))] == [
        "two and a half thousand",
        "three quarters",
    ]


@pytest.mark.parametrize(
    ("text", "amounts"),
    [("3/00 cups", []), ("1/0", []), ("0/0000", []), ("$7/0", [7]), ("25 7/0 miles", [25]), ("➈ or ፮", [])],
)
def test_a_fraction_of_nothing_is_no_value(text: str, amounts: list[int]) -> None:
    assert [value.amount for value in values_in(text, ("en",))] == amounts
