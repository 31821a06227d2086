"""Refusals, denials and corrections in Dutch, Swedish, Polish and Turkish."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

_UNTOLD = AnswerKey(
    "k",
    "What does the harbour master Ilse Norden earn a year?",
    (),
    distractors=(Distractor("d", "The pilot Jorn Vass earns 61,000 euros.", (Element("61,000 euros"),)),),
    kind="unanswerable",
)
_BELL = AnswerKey(
    "k",
    "Who cast the bell of Marrow chapel?",
    ("Odo Farrant",),
    elements=(Element("Odo Farrant"),),
    needles=(Needle("n", "The bell of Marrow chapel was cast by Odo Farrant.", ("Odo Farrant",)),),
    distractors=(
        Distractor("d", "The bell of Dorn chapel was cast by Piet Lamsen.", (Element("Piet Lamsen"),)),
    ),
)


@pytest.mark.parametrize(
    "answer",
    [
        "Het jaarsalaris van Ilse Norden wordt in de tekst niet genoemd.",
        "De tekst zegt niet hoeveel zij verdient.",
        "Dat staat niet in de tekst.",
        "Er is geen informatie over haar salaris.",
        "Texten nämner inte hur mycket hon tjänar.",
        "Det framgår inte av texten.",
        "Det finns inga uppgifter om hennes lön.",
        "Tekst nie podaje jej wynagrodzenia.",
        "W tekście nie ma informacji o jej zarobkach.",
        "Nie wiadomo, ile zarabia.",
        "Metinde maaşı belirtilmemiştir.",
        "Metinde bu bilgi yer almıyor.",
        "Metinde Ilse Norden'in maaşı hakkında bilgi yok.",
    ],
)
def test_a_refusal(answer: str) -> None:
    assert judge_by_rubric(answer, _UNTOLD).score == 10


@pytest.mark.parametrize(
    "answer",
    [
        "Volgens de tekst verdient zij 61.000 euro.",
        "Enligt texten tjänar hon 61 000 euro.",
        "Według tekstu zarabia 61 000 euro.",
        "Metne göre 61.000 avro kazanıyor.",
        "De tekst zegt dat zij goed verdient.",
        "Tekst mówi, że zarabia dobrze.",
    ],
)
def test_what_is_no_refusal(answer: str) -> None:
    assert judge_by_rubric(answer, _UNTOLD).score == 1


@pytest.mark.parametrize(
    "answer",
    [
        "De klok werd gegoten door Odo Farrant, niet door Piet Lamsen.",
        "Niet Piet Lamsen, maar Odo Farrant.",
        "Klockan göts av Odo Farrant, inte av Piet Lamsen.",
        "Inte Piet Lamsen utan Odo Farrant.",
        "Dzwon odlał Odo Farrant, nie Piet Lamsen.",
        "Nie Piet Lamsen, lecz Odo Farrant.",
        "Çanı Odo Farrant döktü, Piet Lamsen değil.",
        "Piet Lamsen değil, Odo Farrant.",
    ],
)
def test_what_is_denied_is_not_the_answer(answer: str) -> None:
    assert judge_by_rubric(answer, _BELL).score == 10
    turned = (
        answer.replace("Odo Farrant", "X").replace("Piet Lamsen", "Odo Farrant").replace("X", "Piet Lamsen")
    )
    assert judge_by_rubric(turned, _BELL).score == 1


@pytest.mark.parametrize(
    "answer",
    [
        "Odo Farrant, maar ik ben er niet zeker van.",
        "Odo Farrant, men jag är inte säker.",
        "Odo Farrant, ale nie jestem pewien.",
        "Odo Farrant, ama emin değilim.",
    ],
)
def test_a_hedge_is_noted(answer: str) -> None:
    verdict = judge_by_rubric(answer, _BELL)
    assert (verdict.score, verdict.self_doubt) == (10, True)
