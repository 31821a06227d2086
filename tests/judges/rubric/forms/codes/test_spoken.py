"""Numbers and codes whose digits are said, one by one or in pairs, and other numbers."""

from __future__ import annotations

import pytest

from niah.judges.rubric.forms.codes.spoken import SpokenDigits
from niah.judges.rubric.normalise import normalise


def said(code: str, text: str) -> list[str]:
    text = normalise(text)
    return [
        text[code.start : code.end] for code in SpokenDigits([(normalise(code), (code, True))]).find(text)
    ]


@pytest.mark.parametrize(
    ("code", "same", "others"),
    [
        ("88", ("double eight", "eight-eight"), ("double nine", "eight", "double eight eight")),
        (
            "407",
            ("four-oh-seven", "and four oh seven", "four zero seven"),
            ("four seven", "four-oh-eight", "four-oh-seven-two"),
        ),
        (
            "7733",
            ("double seven, double three", "seventy-seven thirty-three"),
            ("double seven, double four",),
        ),
        ("615", ("six-fifteen", "six one five"), ("six fifty", "sixteen fifteen", "six fifteen hundred")),
        ("0042", ("double-oh four two", "nought nought four two"), ("oh four two", "forty-two four")),
        ("2207", ("zwo zwo null sieben", "zwei zwei null sieben"), ("zwo zwo sieben",)),
        ("703", ("siete cero tres",), ("siete tres",)),
        ("66", ("meia meia",), ("meia",)),
        ("0612", ("zéro six douze",), ("zéro six deux",)),
        ("508", ("пять ноль восемь",), ("пять восемь",)),
        ("119", ("幺幺九", "일일구"), ("一九", "일구")),
        ("KX-48213", ("KX, four eight two one three",), ("KX, four eight two one two",)),
    ],
)
def test_digits_that_are_said(code: str, same: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert [text for text in same if not said(code, text)] == []
    assert [text for text in others if said(code, text)] == []


def test_what_is_said_keeps_its_place() -> None:
    assert said("407", "Vandal has four-oh-seven, he says") == ["four oh seven"]
    assert said("KX-48213", "crate KX, four eight two one three!") == ["kx, four eight two one three"]
