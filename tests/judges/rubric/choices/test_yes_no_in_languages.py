"""Yes and no in every language, with and without accents, capitals and stops, in JSON, and as a vote."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element

_YES = (
    *("yes", "ja", "oui", "si", "sí", "sì", "sim", "да", "tak", "evet", "はい", "예", "是", "نعم", "हाँ"),
    *("true", "wahr", "vrai", "vero", "verdadeiro", "verdadero", "waar", "prawda", "doğru", "правда"),
)
_NO = (
    *("no", "nein", "non", "não", "nao", "нет", "nee", "nej", "nie", "hayır", "いいえ", "아니요", "否"),
    *("لا", "नहीं", "false", "falsch", "faux", "falso", "onwaar", "fałsz", "yanlış", "ложь"),
)


def _key(right: str, wrong: str, question: str) -> AnswerKey:
    return AnswerKey(
        "polar", question, elements=(Element(right, derived=True),), traps=(Element(wrong, derived=True),)
    )


_GLUE = "Is the glue of the Orlo boots free of bone?"


@pytest.mark.parametrize("word", _YES)
@pytest.mark.parametrize("way", ["{}", "{}.", "{}!", "**{}**", "({})", '"{}"'])
def test_yes_alone(word: str, way: str) -> None:
    for said in (word, word.capitalize(), word.upper() if "ı" not in word else word):
        assert judge_by_rubric(way.format(said), _key("yes", "no", _GLUE)).score == 10, said
        assert judge_by_rubric(way.format(said), _key("no", "yes", _GLUE)).score == 1, said


@pytest.mark.parametrize("word", _NO)
@pytest.mark.parametrize("way", ["{}", "{}.", "{}!", "**{}**", "({})", '"{}"'])
def test_no_alone(word: str, way: str) -> None:
    for said in (word, word.capitalize(), word.upper() if "ı" not in word else word):
        assert judge_by_rubric(way.format(said), _key("no", "yes", _GLUE)).score == 10, said
        assert judge_by_rubric(way.format(said), _key("yes", "no", _GLUE)).score == 1, said


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Sì, la colla è senza ossa.", "yes"),
        ("Sí, la cola no lleva hueso.", "yes"),
        ("Sim, a cola não tem osso.", "yes"),
        ("Ja, de lijm is vrij van been.", "yes"),
        ("Tak, klej jest wolny od kości.", "yes"),
        ("Evet, yapıştırıcıda kemik yok.", "yes"),
        ("Nee, in de lijm zit been.", "no"),
        ("Nie, klej zawiera kość.", "no"),
        ("Hayır, yapıştırıcıda kemik var.", "no"),
        ("Nej, limmet innehåller ben.", "no"),
        ("Нет, в клее есть кость.", "no"),
        ('{"answer": true}', "yes"),
        ('{"answer": "No"}', "no"),
        ("{'answer': False}", "no"),
    ],
)
def test_the_word_first(answer: str, right: str) -> None:
    other = "no" if right == "yes" else "yes"
    assert judge_by_rubric(answer, _key(right, other, _GLUE)).score == 10
    assert judge_by_rubric(answer, _key(other, right, _GLUE)).score == 1


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ('{"allowed": false}', "no"),
        ('{"permitted": true}', "yes"),
        ('{"forbidden": true}', "no"),
        ('{"forbidden": false}', "yes"),
        ("allowed: no", "no"),
    ],
)
def test_a_field_about_leave(answer: str, right: str) -> None:
    question = "May apprentices of the Orlo yard sleep on board?"
    other = "no" if right == "yes" else "yes"
    assert judge_by_rubric(answer, _key(right, other, question)).score == 10
    assert judge_by_rubric(answer, _key(other, right, question)).score == 1


def test_a_field_of_something_else_says_nothing() -> None:
    assert judge_by_rubric('{"paid": false}', _key("no", "yes", "May apprentices sleep on board?")).score == 1
    assert judge_by_rubric('{"allowed": false}', _key("no", "yes", _GLUE)).score == 1


_UNION = "Did the assembly approve the union with the Orlo guild?"


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("The assembly rejected the union by 61 votes to 54.", "no"),
        ("The union was rejected.", "no"),
        ("The assembly declined it.", "no"),
        ("Die Versammlung lehnte den Zusammenschluss ab.", "no"),
        ("Die Versammlung hat den Zusammenschluss abgelehnt.", "no"),
        ("L'assemblée a rejeté la fusion.", "no"),
        ("La asamblea rechazó la unión.", "no"),
        ("A assembleia rejeitou a união.", "no"),
        ("L'assemblea ha respinto la fusione.", "no"),
        ("De vergadering verwierp de fusie.", "no"),
        ("Zgromadzenie odrzuciło połączenie.", "no"),
        ("Genel kurul birleşmeyi reddetti.", "no"),
        ("Собрание отклонило слияние.", "no"),
        ("Die Versammlung hat den Zusammenschluss genehmigt.", "yes"),
        ("L'assemblée a approuvé la fusion.", "yes"),
        ("La asamblea aprobó la unión.", "yes"),
        ("A assembleia aprovou a união.", "yes"),
        ("L'assemblea ha approvato la fusione.", "yes"),
        ("De vergadering heeft de fusie goedgekeurd.", "yes"),
        ("Zgromadzenie zatwierdziło połączenie.", "yes"),
        ("Genel kurul birleşmeyi onayladı.", "yes"),
        ("Собрание одобрило слияние.", "yes"),
    ],
)
def test_a_vote(answer: str, right: str) -> None:
    other = "no" if right == "yes" else "yes"
    assert judge_by_rubric(answer, _key(right, other, _UNION)).score == 10
    assert judge_by_rubric(answer, _key(other, right, _UNION)).score == 1


@pytest.mark.parametrize(
    "answer",
    [
        "The assembly rejected the union at first, but later approved it.",
        "The guild rejected the harbour dues.",
        "The assembly nearly rejected the union.",
        "De tekst zegt niet of de vergadering de fusie goedkeurde.",
    ],
)
def test_a_vote_that_is_open_says_no_no(answer: str) -> None:
    assert judge_by_rubric(answer, _key("no", "yes", _UNION)).score == 1
