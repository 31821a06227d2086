"""How a word sounds, about: in Latin, Cyrillic, Arabic and Devanagari letters, in katakana and Hangul.

A sound is one sign: the consonants p b f v w t d T s z S k g h m n l r, where T is the "th" of English and S
any of "sh", "ch", "j" and "zh", and the vowels a e i o u. A letter that is written twice sounds once.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from niah.judges.rubric.lazy_pattern import lazy_pattern

Script = Literal["latin", "cyrillic", "arabic", "devanagari", "katakana", "hangul"]

LETTERS_OF: dict[Script, str] = {
    "latin": "a-z\u00df-\u00f6\u00f8-\u024f",
    "cyrillic": "\u0430-\u045f",
    "arabic": "\u0620-\u064a\u067e\u0686\u0698\u06a4\u06a9\u06af\u06cc",
    "devanagari": "\u0900-\u0963\u0970-\u097f",
    "katakana": "\u30a1-\u30fa\u30fc",
    "hangul": "\uac00-\ud7a3",
}
"""Inside of a character class: the small letters of each script, normalised."""

_VOWELS = "aeiou"
_TWICE = re.compile(r"(.)\1+")

# Of English, as far as other languages agree; what is longer comes first.
_LATIN = lazy_pattern(
    "tch|sch|dge|sh|ch|zh|sz|cz|th|ph|ck|qu|gh(?=[aeiou])|gh|wh|(?<![a-z])kn|(?<![a-z])wr|mb(?![a-z])"
    "|c(?=[eiy])|(?<![a-z])y(?=[aeiou])|e(?![a-z])|ts(?=[aeiou])|."
)
_LATIN_SOUNDS = {
    **{
        "tch": "S",
        "sch": "S",
        "dge": "S",
        "sh": "S",
        "ch": "S",
        "zh": "S",
        "sz": "S",
        "cz": "S",
        "j": "S",
        "ß": "s",
    },
    **{"th": "T", "ph": "f", "ck": "k", "qu": "kw", "q": "k", "x": "ks", "gh": "", "wh": "w", "c": "k"},
    **{"kn": "n", "wr": "r", "mb": "m", "y": "i", "e": "e"},
}
_CYRILLIC = {
    **dict(zip("абвгдезийклмнопрстуфхыэюя", "abvgdeziiklmnoprstufhieua", strict=True)),
    **{"ж": "S", "ц": "ts", "ч": "S", "ш": "S", "щ": "S", "ъ": "", "ь": "", "і": "i", "ї": "i", "є": "e"},
}
_ARABIC = {
    **dict(zip("ابتدرزسكلمنهويفقغعطظصضآأإؤئىپڤگیک", "abtdrzsklmnhuifkg" + "atzsdaaauiipvgik", strict=True)),
    **{"ث": "T", "ج": "S", "ح": "h", "خ": "h", "ذ": "d", "ش": "S", "ة": "a", "ء": "", "چ": "S", "ژ": "S"},
}
_INITIALS = ("k", "k", "n", "t", "t", "r", "m", "p", "p", "s", "s", "", "S", "S", "S", "k", "t", "p", "h")
_MEDIALS = (
    *("a", "e", "a", "e", "o", "e", "o", "e", "o", "wa", "we", "we", "o", "u", "wo", "we", "wi", "u"),
    *("u", "ui", "i"),
)
_FINALS = (
    *("", "k", "k", "ks", "n", "nS", "n", "t", "r", "rk", "rm", "rp", "rs", "rt", "rp", "r", "m", "p"),
    *("ps", "s", "s", "n", "S", "S", "k", "t", "p", ""),
)
_FIRST_SYLLABLE, _SYLLABLES_OF_INITIAL, _SYLLABLES_OF_MEDIAL = 0xAC00, 21 * 28, 28
_KANA = {"si": "Si", "ti": "Si", "tu": "tsu", "zi": "Si", "di": "Si", "du": "zu", "hu": "fu"}
_LONGEST_KANA = 2
_ROMAN = re.compile("sh|ch|ts|ph|bh|th|dh|kh|gh|jh|[a-z]")
_ROMAN_SOUNDS = {
    **{"sh": "S", "ch": "S", "ts": "ts", "ph": "f", "bh": "b", "th": "t", "dh": "d", "kh": "k", "gh": "g"},
    **{"jh": "S", "j": "S", "c": "S", "y": "i"},
}


@lru_cache(maxsize=16384)
def sounds_of(word: str, script: Script) -> str:
    """The sounds of a word, normalised; what is no letter of its script is silent."""
    if script == "latin":
        sounds = _of_latin(word)
    elif script == "hangul":
        sounds = "".join(map(_of_syllable, word))
    elif script == "katakana":
        sounds = _of_kana(word)
    elif script == "devanagari":
        sounds = "".join(map(_of_devanagari, word))
    else:
        letters = _CYRILLIC if script == "cyrillic" else _ARABIC
        sounds = "".join(letters.get(letter, "") for letter in word)
    return _TWICE.sub(r"\1", sounds.replace("dS", "S").replace("tS", "S"))


def _of_latin(word: str) -> str:
    plain = "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
    return "".join(
        _LATIN_SOUNDS.get(part, part[0]) for part in _LATIN.findall(plain.replace("c'", "k"))
    ).replace("'", "")


def _of_syllable(syllable: str) -> str:
    place = ord(syllable) - _FIRST_SYLLABLE
    initial, rest = divmod(place, _SYLLABLES_OF_INITIAL)
    medial, final = divmod(rest, _SYLLABLES_OF_MEDIAL)
    return _INITIALS[initial] + _MEDIALS[medial] + _FINALS[final]


def _of_kana(word: str) -> str:
    """ "シャ" is "Sa", "ティ" "ti", "ウィ" "wi": a small sign takes the place of the vowel before it."""
    sounds, before = "", ""
    for sign in word:
        name = unicodedata.name(sign, "").removeprefix("KATAKANA LETTER ").lower()
        if name.startswith("small ") and name != "small tu":
            sounds = sounds[:-1] + ("w" if before == "u" else "") + name[-1]
        elif name in _KANA or len(name) <= _LONGEST_KANA:
            sounds += _KANA.get(name, name.replace("y", "i"))
        before = name
    return sounds


def _of_devanagari(sign: str) -> str:
    """By the names of its letters; the vowel within a consonant is not said."""
    name = unicodedata.name(sign, "").removeprefix("DEVANAGARI ").lower()
    kind, _, said = name.rpartition(" ")
    if name in ("sign anusvara", "sign candrabindu"):
        return "n"
    if kind == "letter" and said[:1] not in _VOWELS:
        said = said[:-1]
    elif not kind.endswith(("letter", "vowel sign", "candra", "short")):
        return ""
    return "".join(_ROMAN_SOUNDS.get(part, part) for part in _ROMAN.findall(said))
