"""Tokens are counted, and found, stretch by stretch as in the whole text."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from niah.text import token_places as module
from niah.text.token_places import token_places
from niah.text.tokenizer import TiktokenTokenizer, get_tokenizer, token_at

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


class Counting(TiktokenTokenizer):
    """Notes what it is asked to count."""

    def __init__(self) -> None:
        super().__init__("cl100k")
        self.asked: list[str] = []

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        self.asked += texts
        return super().counts(texts)


def test_what_two_texts_share_is_tokenised_once() -> None:
    tokenizer = Counting()
    shared = "We met by the door and saw the garden."
    token_places(tokenizer, f"{shared} It rained.")
    token_places(tokenizer, f"One more. {shared} It rained.")
    assert tokenizer.asked.count(" the door and saw") == 1
    assert len(tokenizer.asked) == 4


def test_no_more_is_remembered_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CHARACTERS", 60)
    tokenizer = Counting()
    texts = [f"by the door number{each} and" for each in "abcd"]
    for text in texts:
        token_places(tokenizer, text)
    token_places(tokenizer, texts[0])
    assert tokenizer.asked.count(" the door numbera and") == 2
