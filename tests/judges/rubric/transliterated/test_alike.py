"""How far words in other scripts are from names."""

from __future__ import annotations

import pytest

from niah.judges.rubric.transliterated.alike import distance, may_be
from niah.judges.rubric.transliterated.sounds import Script, sounds_of


def _may_write(name: str, word: str, script: Script) -> bool:
    sounds = sounds_of(name, "latin")
    return may_be(sounds, distance(sounds, sounds_of(word, script), script))


@pytest.mark.parametrize(
    ("name", "word", "script"),
    [
        ("perpetua", "パーペチュア", "katakana"),
        ("grole", "グロール", "katakana"),
        ("elizabeth", "エリザベス", "katakana"),
        ("elizabeth", "엘리자베스", "hangul"),
        ("farrowmede", "ファロウミード", "katakana"),
        ("george", "джордж", "cyrillic"),
        ("wilk", "вильк", "cyrillic"),
        ("hesper", "хеспер", "cyrillic"),
        ("perpetua", "بيربيتوا", "arabic"),
        ("william", "уильям", "cyrillic"),
        ("tandell", "टैंडेल", "devanagari"),
    ],
)
def test_a_name_in_another_script(name: str, word: str, script: Script) -> None:
    assert _may_write(name, word, script)


@pytest.mark.parametrize(
    ("name", "word", "script"),
    [
        ("osrin", "осрик", "cyrillic"),
        ("tandell", "кандель", "cyrillic"),
        ("skelmar", "スケルトン", "katakana"),
        ("tandell", "샌들", "hangul"),
        ("callis", "كالي", "arabic"),
        ("berg", "борт", "cyrillic"),
        ("tom", "дом", "cyrillic"),
    ],
)
def test_another_word(name: str, word: str, script: Script) -> None:
    assert not _may_write(name, word, script)


def test_the_same_sounds_are_no_way_apart() -> None:
    assert distance("korow", "korow", "cyrillic") == 0
