"""Words where spaces do not say what one is."""

from __future__ import annotations

import pytest

from niah.text.writing import is_unspaced, is_with_particles, written_parts


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


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("gold-mist", ["gold-mist"]),
        ("Größe", ["Größe"]),
        ("2톤입니다", ["2톤입니다"]),
        ("हिन्दी", ["हिन्दी"]),
        ("吊起2吨", ["吊", "起", "2", "吨"]),
        ("3メートルの塔", ["3", "メートル", "の", "塔"]),
        ("ที่นี่", ["ที่", "นี่"]),
    ],
)
def test_a_word_is_cut_where_scripts_without_spaces_stand(word: str, parts: list[str]) -> None:
    assert written_parts(word) == parts


def test_katakana_and_hangul_are_words() -> None:
    assert all(map(is_unspaced, ("吨", "の", "ที่")))
    assert not any(map(is_unspaced, ("メートル", "톤", "a", "2")))
