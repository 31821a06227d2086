"""Cases of Russian names."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.answer_names import names_of
from niah.judges.rubric.elements.find import find_mentions
from niah.judges.rubric.forms.names.russian import russian_stems
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import Element


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        ("аглая", ("аглаи", "аглае", "аглаю", "аглаей")),
        ("илья", ("ильи", "илье", "илью", "ильей")),
        ("мария", ("марии", "марию", "марией")),
        ("аня", ("ани", "ане", "аню", "аней")),
        ("алексей", ("алексея", "алексею", "алексеем", "алексее")),
        ("павел", ("павла", "павлу", "павлом")),
        ("лебедь", ("лебедя", "лебедю", "лебедем")),
        ("бессмертная", ("бессмертной", "бессмертную")),
        ("лукомский", ("лукомского", "лукомскому", "лукомским", "лукомском")),
        ("поселок", ("поселка", "поселке")),
    ],
)
def test_cases_of_one_word_share_a_stem(name: str, cases: tuple[str, ...]) -> None:
    assert [case for case in cases if russian_stems(name).isdisjoint(russian_stems(case))] == []


@pytest.mark.parametrize(
    ("name", "other"), [("марк", "мария"), ("жданов", "жданко"), ("анна", "аня"), ("pavel", "pavla")]
)
def test_other_words_share_none(name: str, other: str) -> None:
    assert russian_stems(name).isdisjoint(russian_stems(other))


def named(text: str, *names: str) -> list[str]:
    key = AnswerKey("s", "Кто это был и где это было?", elements=tuple(map(Element, names)))
    return [mention.name for mention in find_mentions(normalise(text), names_of(key))]


def test_full_names_in_the_instrumental_and_the_dative() -> None:
    names = ("Аглая Переверзева", "Илья Жданов", "Павел Косых")
    assert named("Аглаей Переверзевой, Ильёй Ждановым и Павлом Косых", *names) == list(names)
    assert named("Аглае Переверзевой, Илье Жданову и Павлу Косых", *names) == list(names)


def test_a_case_that_two_people_share_names_neither() -> None:
    assert named("об Евгении Лось", "Евгений Лось") == ["Евгений Лось"]
    assert named("об Евгении Лось", "Евгений Лось", "Евгения Лось") == []
    assert named("Евгения Лось", "Евгений Лось", "Евгения Лось") == ["Евгения Лось"]
