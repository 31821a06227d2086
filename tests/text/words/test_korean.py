from __future__ import annotations

import pytest

from niah.text.words.korean import is_with_particles


@pytest.mark.parametrize(
    ("word", "name"), [("2톤입니다", "2톤"), ("서울에서는", "서울"), ("brandt가", "brandt"), ("5입니다", "5")]
)
def test_particles_stand_behind_a_name(word: str, name: str) -> None:
    assert is_with_particles(word, name)


@pytest.mark.parametrize(
    ("word", "name"),
    [("2톤", "2톤"), ("사과", "사"), ("5만", "5"), ("항만장실", "항만장"), ("brandts", "brandt")],
)
def test_what_else_follows_makes_another_word(word: str, name: str) -> None:
    assert not is_with_particles(word, name)
