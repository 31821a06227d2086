"""A number is found whose noun is its label: "Devices per user: 5"."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric

DEVICES = AnswerKey("devices", "How many devices may a user have?", references=("5 devices",), kind="detail")
GATE = AnswerKey("gate", "Where does the boat to Orme leave?", references=("pier 6",), kind="detail")


@pytest.mark.parametrize(
    ("answer", "key", "score"),
    [
        ("Devices per user: 5", DEVICES, 10),
        ('{"devices": 5}', DEVICES, 10),
        ("- Device limit: 5", DEVICES, 10),
        ("Devices per user: 6", DEVICES, 1),
        ("Devices: 15", DEVICES, 1),
        ("Devices: 5.5", DEVICES, 1),
        ("Users: 5", DEVICES, 1),
        ("Not devices: 5", DEVICES, 1),
        ("Devices: 5 users", DEVICES, 1),
        ("Devices: up to 5", DEVICES, 10),
        ("| Devices per user | up to 5 |\n|---|---|\n| Users | 12 |", DEVICES, 10),
        ("| Users | Devices |\n|---|---|\n| 12 | 5 |", DEVICES, 10),
        ("| Licence | Price | Devices |\n|:--|--:|--:|\n| full | 12 | 5 (each user) |", DEVICES, 10),
        ("| Users | Devices |\n|---|---|\n| 5 | 12 |", DEVICES, 1),
        ("| Users | Devices |\n|---|---|\n| 12 | 15 |", DEVICES, 1),
        ("| Users | Other devices |\n|---|---|\n| 12 | 5 |", DEVICES, 1),
        ("| 5 | Devices |\n|---|---|\n| 12 | 9 |", DEVICES, 1),
        ("| Pier | 6 |\n|---|---|\n| Time | 9:40 |", GATE, 10),
        ("| Boat | Time | Pier |\n|---|---|---|\n| Orme | 9:40 | 6 |", GATE, 10),
        ("| Boat | Time | Pier |\n|---|---|---|\n| Orme | 6 | 4 |", GATE, 1),
        ("Pier: 6", GATE, 10),
        ("Pier: 7", GATE, 1),
    ],
)
def test_a_label_counts(answer: str, key: AnswerKey, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
