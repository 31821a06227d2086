"""A value that a correction gives to another thing first: "219. No, wait, that is after midnight. 347"."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric

_LANTERNS = key_of("ferry-lanterns", 1)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("219. Non, attendez : 219, c'est après minuit. Avant minuit, le gardien en allume 347.", 10),
        ("219盏——不对,那是午夜之后。午夜之前是347盏。", 10),
        ("219個です。いや、違います。それは真夜中を過ぎてからの数で、真夜中前は347個です。", 10),
        ("٢١٩ فانوسًا. لا، مهلًا، هذا بعد منتصف الليل؛ أما قبله فهي ٣٤٧.", 10),
        ("219 lyktor – nej, förlåt, det är efter midnatt. Före midnatt 347.", 10),
        ("219 — стоп, это после полуночи. 347.", 10),
        ("219. Hayır, pardon: 347.", 10),
        ("219 फानूस। नहीं, 347।", 10),
        ("219. Nie, przepraszam, 347.", 10),
        ("347. Non, attendez : 219.", 1),
        ("347. No, espera: 219.", 1),
        ("347. No, aspetta: 219.", 1),
        ("347. لا، مهلًا، 219.", 1),
        ("347. Nein, halt, das stimmt. 582 sind es in Vasmere.", 10),
        ("347. Non, attendez, c'est bien cela. À Vasmere, il y en a 582.", 10),
        ("347, pas 219.", 10),
        ("347. Nein, nicht 219.", 10),
    ],
)
def test_the_value_behind_counts(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, _LANTERNS).score == score
