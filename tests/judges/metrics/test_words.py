from __future__ import annotations

import pytest

from niah.judges.metrics.words import alphanumeric_lines, alphanumerics, significant_words, squad_words, words


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
        ("金色の霧。", ["金色の霧"]),
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
