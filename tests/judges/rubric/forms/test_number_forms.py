"""Numbers in words: every one up to two hundred, in every language, in every form."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest
from num2words import num2words

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.judges.rubric.forms.amounts.spelled.number_words import SPELLED_LANGUAGES
from niah.judges.rubric.forms.amounts.values import values_in
from niah.judges.rubric.forms.number_forms import spelled, ways_to_say
from niah.judges.rubric.languages.detect import Language
from niah.needles.needle_set import Element, Needle

_SOME_LARGER = (211, 300, 345, 421, 500, 600, 781, 900, 999)


def test_english_numbers_are_spelled_as_num2words_spells_them() -> None:
    assert [spelled(value, "en") for value in range(1200)] == [
        num2words(value).replace(",", "") for value in range(1200)
    ]


@pytest.mark.parametrize("language", SPELLED_LANGUAGES)
def test_each_form_of_each_number_is_read_back(language: Language) -> None:
    for value in (*range(2, 201), *_SOME_LARGER):
        for way in ways_to_say(value, language):
            read = [one.amount for one in values_in(way, ("en", language)) if not one.kind]
            if not (language == "fr" and way.endswith(("cent", "cents"))):  # which are coins too
                assert read == [Fraction(value)], (value, way)


@pytest.mark.parametrize("language", SPELLED_LANGUAGES)
def test_thousands_are_read_back(language: Language) -> None:
    for value in (1000, 1100, 1250, 2000, 2345, 4016, 7022, 9999, 12_000, 15_300):
        for way in ways_to_say(value, language)[:1]:
            read = [one.amount for one in values_in(way, ("en", language)) if not one.kind]
            assert read == [Fraction(value)], (value, way)


@pytest.mark.parametrize("language", SPELLED_LANGUAGES)
def test_no_form_says_two_numbers(language: Language) -> None:
    said: dict[str, int] = {}
    for value in range(2, 1000):
        for way in ways_to_say(value, language):
            assert said.setdefault(way, value) == value, way


def test_all_languages_with_words_are_known() -> None:
    assert set(SPELLED_LANGUAGES) == set(get_args(Language)) - {"zh", "ja", "ko", "ar", "hi"}


def _poles(number: str, other: str = "") -> AnswerKey:
    text = f"The quay has {number} poles."
    return AnswerKey(
        "k",
        "How many poles has the quay?",
        (number,),
        elements=(Element(number),),
        needles=(Needle("n", text, (number,)),),
    )


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        ("51", "Cinquante et une."),
        ("51", "Cinquante-et-une perches."),
        ("81", "Quatre-vingt-une perches."),
        ("72", "Septante-deux."),
        ("51", "Cincuenta y un postes."),
        ("21", "Veintiuna."),
        ("200", "Doscientas varas."),
        ("22", "Vinte e duas estacas."),
        ("31", "Trentun pali."),
        ("51", "Einundfünfzig Pfähle."),
        ("101", "Hunderteinen."),
        ("22", "Tweeëntwintig palen."),
        ("22", "Tweeentwintig."),
        ("11", "De kade heeft elf palen."),
        ("101", "Honderdeen palen."),
        ("21", "Tjugoen stolpar."),
        ("22", "Dwadzieścia dwie."),
        ("22", "Dwudziestu dwóch słupów."),
        ("45", "Na nabrzeżu jest czterdzieści pięć słupów."),
        ("22", "Yirmi iki."),
        ("345", "Rıhtımda üç yüz kırk beş direk var."),
        ("3500", "Üç bin beş yüz direk."),
        ("3500", "Drieduizend vijfhonderd palen."),
        ("3500", "Trzy tysiące pięćset słupów."),
        ("21", "Двадцать одна."),
        ("40", "Сорок."),
    ],
)
def test_an_answer_in_words(number: str, answer: str) -> None:
    assert judge_by_rubric(answer, _poles(number)).score == 10


@pytest.mark.parametrize(
    ("number", "answer"),
    [
        ("51", "Soixante et une."),
        ("51", "Cincuenta y dos postes."),
        ("22", "Vinte e três estacas."),
        ("22", "Tweeëndertig palen."),
        ("22", "Dwadzieścia trzy."),
        ("22", "Yirmi üç."),
        ("3500", "Üç bin altı yüz direk."),
        ("3500", "Drieduizend zeshonderd palen."),
        ("40", "Сорок один."),
        ("20", "Yirmi iki."),
        ("20", "Dwadzieścia dwa słupy."),
        ("50", "Cinquante et une."),
        ("50", "Cincuenta y un postes."),
        ("20", "Vinte e duas."),
        ("10", "The poles stand on the quay."),
        ("11", "The elf sat on a pole."),
        ("6", "Her sex is not told."),
        ("1000", "Ich bin nicht sicher."),
    ],
)
def test_another_number_in_words_is_none(number: str, answer: str) -> None:
    assert judge_by_rubric(answer, _poles(number)).score == 1


_GRANT = AnswerKey(
    "k",
    "How much did the museum get?",
    ("€3.2 million",),
    elements=(Element("€3.2 million"),),
    needles=(Needle("n", "The museum got €3.2 million.", ("€3.2 million",)),),
)


@pytest.mark.parametrize(
    "answer",
    [
        "Le musée a reçu 3,2 millions d’euros.",
        "El museo recibió 3,2 millones de euros de la Fundación Wexley.",
        "O museu recebeu 3,2 milhões de euros.",
        "Il museo ha ricevuto 3,2 milioni di euro.",
        "3,2 Millionen Euro",
        "Het museum kreeg 3,2 miljoen euro.",
        "Museet fick 3,2 miljoner euro.",
        "Muzeum otrzymało 3,2 miliona euro.",
        "Müze 3,2 milyon avro aldı.",
        "Музей получил 3,2 миллиона евро.",
        "Tres millones doscientos mil euros.",
    ],
)
def test_millions_in_languages(answer: str) -> None:
    assert judge_by_rubric(answer, _GRANT).score == 10
    assert judge_by_rubric(answer.replace("3,2", "2,3").replace("Tres", "Dos"), _GRANT).score == 1


def test_a_thousand_millions() -> None:
    key = AnswerKey("k", "How much did it cost?", ("2 billion euros",))
    assert judge_by_rubric("Dos mil millones de euros.", key).score == 10
    assert judge_by_rubric("Dos millones de euros.", key).score == 1


TENS = {
    "sv": "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "pl": "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt"
    " dziewięćdziesiąt",
    "tr": "yirmi otuz kırk elli altmış yetmiş seksen doksan",
}


@pytest.mark.parametrize("language", TENS)
def test_tens_are_spelled_as_speakers_do(language: Language) -> None:
    """Not as a library has them, whose own mistakes a reading back would not see."""
    said = [ways_to_say(value, language)[0] for value in range(20, 100, 10)]
    assert said == TENS[language].split()
