from __future__ import annotations

import pytest

from niah.judges.rubric.normalise import digits_for_words


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("three hundred and forty-seven lanterns", "347 lanterns"),
        ("three hundred forty seven", "347"),
        ("two thousand and five", "2005"),
        ("fifty thousand, three hundred and seventeen", "50317"),
        ("six hundred thousand", "600000"),
        ("nineteen hundred", "1900"),
        ("five hundred", "500"),
        ("a hundred reasons", "a hundred reasons"),
        ("hundreds and thousands", "hundreds and thousands"),
        ("needle with two eyes", "needle with two eyes"),
        ("twenty-two", "twenty-two"),
        ("two hundred three hundred", "two hundred three hundred"),  # no number in good order
        ("one hundred twenty thirty", "one hundred twenty thirty"),
    ],
)
def test_numbers_from_a_hundred_up(words: str, digits: str) -> None:
    assert digits_for_words(words) == digits
