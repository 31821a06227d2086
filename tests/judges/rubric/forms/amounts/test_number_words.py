from __future__ import annotations

from niah.judges.rubric.forms.amounts.spelled.number_words import ENGLISH_BEGINNINGS, number_phrases


def test_english_numbers_begin_with_few_letters() -> None:
    assert all(phrase[0].startswith(ENGLISH_BEGINNINGS) for phrase in number_phrases("en"))
    assert {
        next(letters for letters in ENGLISH_BEGINNINGS if phrase[0].startswith(letters))
        for phrase in number_phrases("en")
    } == set(ENGLISH_BEGINNINGS)
