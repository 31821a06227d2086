"""The label with which an answer names itself tells nobody's thing, whatever a distractor's text has."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.judges.rubric.owners.own_labels import without_own_labels


@pytest.mark.parametrize("seed", range(1, 9))
@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("boats-de@4", "Antwort:"),
        ("boats-de@4", "Endgültige Antwort:"),
        ("boats-es@4", "Respuesta final:"),
        ("boats-es@4", "Resultado:"),
    ],
)
def test_a_right_answer_may_name_itself_one(name: str, label: str, seed: int) -> None:
    key = key_of(name, seed)
    assert judge_by_rubric(f"{label} {key.elements[0].name}", key).score == 10


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("antwort: 4", "       : 4"),
        ("the final count: 4", "               : 4"),
        ("it is so.\nresult = 4", "it is so.\n       = 4"),
        ("the deposit: 4", "the deposit: 4"),
        ("the count of orme: 4", "the count of orme: 4"),
        ("their answer was 4", "their answer was 4"),
    ],
)
def test_only_labels_are_left_out(text: str, left: str) -> None:
    assert without_own_labels(text) == left
