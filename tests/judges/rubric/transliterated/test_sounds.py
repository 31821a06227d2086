"""How words of six scripts sound."""

from __future__ import annotations

import pytest

from niah.judges.rubric.transliterated.sounds import Script, sounds_of


@pytest.mark.parametrize(
    ("word", "script", "sounds"),
    [
        ("philomott", "latin", "filomot"),
        ("quillabee", "latin", "kwilabe"),
        ("tomasz", "latin", "tomaS"),
        ("джордж", "cyrillic", "SorS"),
        ("кузнецова", "cyrillic", "kuznetsova"),
        ("ジョージ", "katakana", "SoSi"),
        ("タリーウィック", "katakana", "tariwiku"),
        ("ヴィルヘルム", "katakana", "viruherumu"),
        ("덩켈톱", "hangul", "tonkertop"),
        ("غرول", "arabic", "grul"),
        ("चार्ल्स", "devanagari", "Sarls"),
        ("टैंडेल", "devanagari", "taindel"),
    ],
)
def test_sounds(word: str, script: Script, sounds: str) -> None:
    assert sounds_of(word, script) == sounds
