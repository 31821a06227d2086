"""One pass over a text finds what one search a name finds."""

from __future__ import annotations

import random

import pytest

from niah.text.mentions import mention_starts, mentions
from niah.text.name_index import NameIndex

WORDS = [
    "copper",
    "gate",
    "Mill",
    "mill",
    "O'Dell",
    "ß",
    "straße",
    "7",
    "17",
    "x-1",
    "門",
    "銅の門",
    "é",
    "_",
    "+5",
]


def text_of(rng: random.Random, words: int) -> str:
    return "".join(rng.choice(WORDS) + rng.choice([" ", "-", ", ", "", "_", " \n"]) for _ in range(words))


@pytest.mark.parametrize("seed", range(40))
def test_many_names_are_found_where_each_is(seed: int) -> None:
    rng = random.Random(seed)
    names = [text_of(rng, rng.randint(1, 3)).strip(" ,\n-_") or "gate" for _ in range(60)]
    text = text_of(rng, 120)
    one_by_one = {start for name in names for start in mention_starts(text, text.casefold(), [name])}
    assert mention_starts(text, text.casefold(), names) == sorted(one_by_one)
    assert NameIndex(names).names_in(text.casefold()) >= {name for name in names if mentions(text, [name])}


def test_thousands_of_names_take_one_pass() -> None:
    names = [f"{number:x} gate" for number in range(5000, 9000)]
    index = NameIndex(names)
    assert list(index.places("the code of the 1f3f gate is 4821.")) == [("1f3f gate", 16)]
