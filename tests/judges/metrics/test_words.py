from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.judges.metrics import alphanumeric_lines, alphanumerics, significant_words, squad_words, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Gold-Mist,  42%!", ["the", "goldmist", "42"]),
        ("it's “curly”…", ["its", "curly"]),
        ("it’s ¿qué?", ["its", "qué"]),
        ("ＦＩＧＳ ﬁgs", ["figs", "figs"]),
        ("Straße", ["strasse"]),
        ("cre\u0300me", ["crème"]),
        ("crim\u00adson\u200b", ["crimson"]),
        ("golden\u00a0mist\n\tfigs", ["golden", "mist", "figs"]),
        ("金色の霧。", ["金", "色", "の", "霧"]),
        ("吊起2吨", ["吊", "起", "2", "吨"]),
        ("GPT-4模型", ["gpt4", "模", "型"]),
        # katakana writes words, and ends where another script begins
        ("東京のスカイツリー、タワー", ["東", "京", "の", "スカイツリー", "タワー"]),
        # a letter keeps its vowel signs and tones
        ("ที่2", ["ที่", "2"]),
        ("２，５００吨", ["2500", "吨"]),
        ("答案是A，不是B", ["答", "案", "是", "a", "不", "是", "b"]),
        ("2톤입니다", ["2톤입니다"]),
        ("。", ["。"]),
        ("+", ["+"]),
        ("", []),
        (" \n", []),
    ],
)
def test_words_lose_case_and_punctuation(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A fig, an olive, the ham", ["fig", "olive", "ham"]),
        ("a-b theory anne", ["ab", "theory", "anne"]),
        ("A", ["a"]),
        ("the a", ["the", "a"]),
    ],
)
def test_squad_words_lose_articles_unless_nothing_else_is_there(text: str, expected: list[str]) -> None:
    assert squad_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gold-mist, 42%", ["gold", "mist", "42"]),
        ("don't under_score", ["don", "t", "under", "score"]),
        ("crim\u00adson", ["crimson"]),
        ("हिन्दी", ["हिन्दी"]),
        ("起重机0：2吨", ["起", "重", "机", "0", "2", "吨"]),
        ("+-", ["+-"]),
        ("", []),
    ],
)
def test_alphanumerics_end_at_every_mark(text: str, expected: list[str]) -> None:
    assert alphanumerics(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("About the fig and ham, or to a mist", ["fig", "ham", "mist"]),
        ("tomato, android", ["tomato", "android"]),
        ("to or", ["to", "or"]),
        ("", []),
    ],
)
def test_significant_words_lose_little_words_unless_nothing_else_is_there(
    text: str, expected: list[str]
) -> None:
    assert significant_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gold-mist.\n\n---\nFigs", [["gold", "mist"], ["figs"]]),
        ("---\n***", [["---", "***"]]),
        (" \n", []),
    ],
)
def test_lines_without_words_are_left_out(text: str, expected: list[list[str]]) -> None:
    assert alphanumeric_lines(text) == expected


@given(st.text(st.characters(codec="ascii")))
def test_ascii_is_read_as_all_of_unicode_is(text: str) -> None:
    unseen = f"{text}\u200b"
    assert words(text) == words(unseen)
    assert alphanumerics(text) == alphanumerics(unseen)
    assert alphanumeric_lines(text) == alphanumeric_lines(unseen)
