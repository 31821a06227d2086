from __future__ import annotations

import re

from niah.text.scanning.characters import (
    ALPHABETIC,
    CODE_POINTS,
    DIGIT,
    FOREIGN,
    NUMERAL,
    SPACE,
    WORD,
    characters,
)
from niah.text.script_borders import find_foreign


def test_every_character_is_what_python_says() -> None:
    tables = characters(ascii_only=False)
    for point in range(0x110000):
        character = chr(point)
        kind = int(tables.classes[point]) if point < CODE_POINTS else 0
        assert bool(kind & SPACE) == character.isspace()
        assert bool(kind & WORD) == (character.isalnum() or character == "_")
        assert bool(kind & DIGIT) == character.isdecimal()
        assert bool(kind & NUMERAL) == character.isdigit()
        assert bool(kind & ALPHABETIC) == character.isalpha()
        assert bool(kind & FOREIGN) == (find_foreign(character, 0) is not None)
        lower = chr(tables.lower[point]) if point < CODE_POINTS else character
        if character not in "İΣ":
            assert lower == character.lower() == ("a" + character + "a").lower()[1:-1]


def test_lowering_keeps_the_class_and_is_final() -> None:
    # What the term scanner relies on: it classifies before it lowers, and may lower twice.
    tables = characters(ascii_only=False)
    kept = WORD | DIGIT | SPACE
    assert ((tables.classes & kept) == (tables.classes[tables.lower] & kept)).all()
    assert (tables.lower[tables.lower] == tables.lower).all()


def test_the_ascii_tables_are_the_first_rows() -> None:
    every, first = characters(ascii_only=False), characters(ascii_only=True)
    assert (every.classes[:128] == first.classes).all()
    assert (every.lower[:128] == first.lower).all()


def test_no_pattern_knows_white_space_that_str_does_not() -> None:
    assert all(bool(re.match(r"\s", chr(point))) == chr(point).isspace() for point in range(0x110000))
