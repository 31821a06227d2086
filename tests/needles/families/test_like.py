"""Families that are like another but for some keys: needles told in one language, asked for in another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from niah.errors import ConfigError
from niah.needles.load import load_needle_set

QUOTED = re.compile("[«“„「].*?[»”“」]")
LANGUAGES = ("de", "fr", "es", "ru", "zh", "ja", "ar", "hi")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_facts_are_told_in_one_language_and_asked_for_in_another(language: str) -> None:
    own, asked = (load_needle_set(f"boats-{language}{how}@5", 3) for how in ("", "-asked-in-en"))
    assert asked.question.startswith("Which number opens the lock of the boat")
    assert own.question != asked.question
    english = load_needle_set(f"boats-en-asked-in-{language}@5", 3)
    assert QUOTED.sub("", english.question) == QUOTED.sub("", own.question)
    assert {needle.text.split()[0] for needle in english.needles} <= {
        "The",
        "Whoever",
        "In",
        "At",
        "Everybody",
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("like: boats-d", "like: no needle family called 'boats-d'. Did you mean 'boats-de'?"),
        ("like: boats-de-asked-in-en", "is itself like another. Say `like: boats-de`."),
        ("like: boats-de\nanswr: x", "answr: unknown key. Did you mean 'answer'?"),
        ("like: [boats-de]", "like: "),
    ],
)
def test_a_mistake_names_the_key(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "families" / "mine.yaml"
    path.parent.mkdir()
    path.write_text(text + "\n")
    with pytest.raises(ConfigError) as told:
        load_needle_set(f"{path}@2", 1)
    assert says in str(told.value)
