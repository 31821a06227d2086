"""The Arabic article or none, hiragana or katakana, and what a language joins to a name."""

from __future__ import annotations

import pytest

from niah.judges.rubric.forms.inflection import word_stem
from niah.judges.rubric.forms.names.other_writing import NamesInOtherWriting
from niah.judges.rubric.languages.detect import Language
from niah.judges.rubric.normalise import normalise


def _found(name: str, text: str) -> list[str]:
    names = NamesInOtherWriting([(normalise(name), (name, True))])
    return [normalise(text)[one.start : one.end] for one in names.find(normalise(text))]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("الزعفران", "زعفران وعنبر", ["زعفران"]),
        ("الزعفران", "بالزعفران", ["بالزعفران"]),
        ("زعفران", "باع الزعفران", ["الزعفران"]),
        ("البرج القديم", "برج قديم", ["برج قديم"]),
        ("الزعفران", "زعفرانية", []),
        ("الأب", "أب", []),
        ("ゼンマイ", "ぜんまいです", ["ぜんまい"]),
        ("ぜんまい", "ゼンマイです", ["ゼンマイ"]),
        ("ぜんまい", "ゼンマイバネです", []),
        ("歯車", "はぐるま", []),
    ],
)
def test_the_other_way_of_a_script(name: str, text: str, found: list[str]) -> None:
    assert _found(name, text) == found


def test_what_two_names_may_mean_is_neither() -> None:
    names = NamesInOtherWriting([("الذهب", ("the gold", True)), ("ذهب", ("gold", False))])
    assert not list(names.find("ذهب"))


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [("tärna", "tärnan", "sv"), ("lampa", "lampan", "sv"), ("pusula", "pusulayla", "tr")],
)
def test_what_is_joined_to_a_word_is_none_of_it(one: str, other: str, language: Language) -> None:
    assert word_stem(one, language) == word_stem(other, language)
