"""Tokens are counted, and found, stretch by stretch as in the whole text."""

from __future__ import annotations

import random

import pytest

from niah.text.token_places import token_places
from niah.text.tokenizer import get_tokenizer, token_at

PIECES = (
    *(
        [
            " the",
            " the ",
            "the ",
            " the the",
            " The",
            " the.",
            " the\n",
            " the 3",
            " the, ",
            "\n the ",
            "  the  ",
        ]
    ),
    *(
        [
            " by",
            " a",
            "ing",
            "'s",
            "é",
            " Ω",
            "7",
            " 1234",
            ".",
            "?",
            "\n\n",
            "\t",
            " ",
            "  ",
            "\xa0",
            "好",
            " 😀",
        ]
    ),
)


def mixed(seed: int) -> str:
    """Words, white space and signs in any order, with "the" more often than not."""
    return "".join(random.Random(seed).choices(PIECES, k=400))


@pytest.mark.parametrize("name", ["cl100k", "o200k", "smollm2"])
def test_tokens_are_those_of_the_whole_text(name: str) -> None:
    tokenizer = get_tokenizer(name)
    for seed in range(25):
        text = mixed(seed)
        places, starts = token_places(tokenizer, text), tokenizer.starts(text).tolist()
        assert places.tokens == len(starts)
        offsets = [at for at in range(len(text)) if at == 0 or text[at - 1] in " \n"]
        found = [places.token_at(at) for at in offsets]
        assert found == [token_at(starts, text, at) for at in offsets]


@pytest.mark.parametrize("text", ["", " the ", "by the way", " the a"])
def test_short_texts(text: str) -> None:
    tokenizer = get_tokenizer("cl100k")
    assert token_places(tokenizer, text).tokens == len(tokenizer.encode(text))
