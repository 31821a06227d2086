"""Months and days of the week in every language, against the Unicode locale data."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.judges.rubric.forms.amounts.spelled.number_words import SPELLED_LANGUAGES
from niah.judges.rubric.languages.detect import Language
from niah.needles.needle_set import Element, Needle

babel = pytest.importorskip("babel")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _due(date: str) -> AnswerKey:
    needles = (Needle("n", f"The budget is due on {date}.", (date,)),)
    return AnswerKey("k", "When is the budget due?", (date,), elements=(Element(date),), needles=needles)


@pytest.mark.parametrize("language", SPELLED_LANGUAGES)
@pytest.mark.parametrize("width", ["wide", "abbreviated"])
def test_the_day_of_each_month(language: Language, width: str) -> None:
    locale = babel.Locale(language)
    for number, month in enumerate(_MONTHS, start=1):
        said = f"14 {locale.months['format'][width][number]}"
        assert judge_by_rubric(said, _due(f"14 {month}")).score == 10, said
        assert judge_by_rubric(said, _due(f"14 {_MONTHS[number - 2]}")).score == 1, said


@pytest.mark.parametrize("language", SPELLED_LANGUAGES)
def test_each_day_of_the_week(language: Language) -> None:
    locale = babel.Locale(language)
    for number, day in enumerate(_DAYS):
        said = locale.days["format"]["wide"][number]
        assert judge_by_rubric(said, _due(day)).score == 10, said
        assert judge_by_rubric(said, _due(_DAYS[number - 1])).score == 1, said


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("14 Mart'a kadar hazır olacak.", 10),
        ("14 Mayıs'a kadar hazır olacak.", 1),
        ("Do 14 marca.", 10),
        ("Voor 14 maart.", 10),
        ("Voor 14 mei.", 1),
        ("Den 14 mars.", 10),
        ("14 out of 20 know it.", 1),
        ("Not before the 14th sitting in the set.", 1),
    ],
)
def test_dates_within_sentences(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, _due("14 March")).score == score


def test_short_months_that_are_words_need_their_day() -> None:
    assert judge_by_rubric("It was set out of doors.", _due("October")).score == 1
    assert judge_by_rubric("They knew 2 out of 3.", _due("2 October 1871")).score == 1
