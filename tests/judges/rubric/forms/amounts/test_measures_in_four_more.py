"""Measures, dates and times of day in Dutch, Swedish, Polish and Turkish."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric


@pytest.mark.parametrize(
    ("question", "right", "other", "answer"),
    [
        ("When does the last ferry go?", "18:30", "19:30", "De laatste gaat om half zeven."),
        ("When does the last ferry go?", "18:15", "17:45", "Om kwart over zes."),
        ("When does the last ferry go?", "18:45", "19:15", "Om kwart voor zeven."),
        ("When was it signed?", "14 March 1987", "14 May 1987", "Op veertien maart 1987."),
        (
            "When was it signed?",
            "14 March 1987",
            "14 March 1978",
            "Op veertien maart negentienhonderdzevenentachtig.",
        ),
        ("When was it signed?", "14 March 1987", "14 May 1987", "Czternastego marca 1987 roku."),
        ("When was it signed?", "14 March 1987", "14 May 1987", "14 Mart 1987'de imzalandı."),
        ("When was it signed?", "14 March 1987", "14 May 1987", "Den fjortonde mars 1987."),
        ("How long is the tunnel?", "12.4 km", "14.2 km", "De tunnel is 12,4 kilometer lang."),
        ("How long is the tunnel?", "12.4 km", "14.2 km", "Tunneln är 12,4 kilometer lång."),
        ("How long is the tunnel?", "12.4 km", "14.2 km", "Tunel ma 12,4 kilometra."),
        ("How long is the tunnel?", "12.4 km", "14.2 km", "Tünel 12,4 kilometre uzunluğunda."),
        ("How cold was it?", "-12 °C", "-21 °C", "Minus twaalf graden."),
        ("How cold was it?", "-12 °C", "-21 °C", "Minus dwanaście stopni."),
        ("How cold was it?", "-12 °C", "-21 °C", "Eksi on iki derece."),
        ("By how much did it grow?", "8.5 %", "5.8 %", "Met 8,5 procent."),
        ("By how much did it grow?", "8.5 %", "5.8 %", "O 8,5 procenta."),
        ("By how much did it grow?", "8.5 %", "5.8 %", "Yüzde 8,5 arttı."),
        ("How many days?", "30 days", "13 days", "Dertig dagen."),
        ("How many days?", "30 days", "13 days", "Trettio dagar."),
        ("How many days?", "30 days", "13 days", "Trzydzieści dni."),
        ("How many days?", "30 days", "13 days", "Otuz gün."),
        ("How many days?", "30 days", "30 weeks", "Otuz gün."),
    ],
)
def test_a_value_in_another_language(question: str, right: str, other: str, answer: str) -> None:
    assert judge_by_rubric(answer, AnswerKey("k", question, (right,))).score == 10
    assert judge_by_rubric(answer, AnswerKey("k", question, (other,))).score == 1


def test_half_six_is_half_past_six_in_english() -> None:
    key = AnswerKey("k", "When does the last ferry go?", ("18:30",))
    assert judge_by_rubric("It goes at half six in the evening.", key).score == 10
