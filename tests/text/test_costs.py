"""Tokens are counted, and found, stretch by stretch as in the whole text."""

from __future__ import annotations

import random
import tracemalloc

import pytest

from niah.text.tokenizer import Costs, TokenPlaces, get_tokenizer, token_at

_WORDS = " the| the |the | the the| The| the.| the, | the 3|  the  | by| a|ing|'s|é| Ω|7| 1234|.|?"
PIECES = (*_WORDS.split("|"), " the\n", "\n the ", "\n\n", "\t", " ", "  ", "\xa0", "好", " 😀")


@pytest.mark.parametrize("name", ["cl100k", "o200k", "smollm2"])
def test_tokens_are_those_of_the_whole_text(name: str) -> None:
    tokenizer = get_tokenizer(name)
    mixed = ["".join(random.Random(seed).choices(PIECES, k=400)) for seed in range(25)]
    for text in ["", " the ", "by the way", " the a", *mixed]:
        places, starts = TokenPlaces(tokenizer, text), tokenizer.starts(text).tolist()
        assert places.tokens == len(starts)
        offsets = [at for at in range(len(text)) if at == 0 or text[at - 1] in " \n"]
        assert [places.token_at(at) for at in offsets] == [token_at(starts, text, at) for at in offsets]


def test_an_endless_word_takes_its_own_room_only_and_is_nowhere_neutral() -> None:
    costs = Costs(get_tokenizer("cl100k"))
    tracemalloc.start()
    starts = costs.start_neutral(["x" * 100_000 + ".", *(f"Line {number} ends." for number in range(2000))])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert starts.tolist() == [False] + [True] * 2000
    assert peak < 20e6  # as an array of equal words: 800 MB
