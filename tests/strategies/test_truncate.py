from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.strategies.truncate import Side, Truncation
from niah.text.tokenizer import count, get_tokenizer

TEXT = "one two three four five six seven eight nine ten"


def test_the_end_goes() -> None:
    assert Truncation("back", 4, "cl100k").apply(TEXT) == "one two three four"


def test_the_middle_goes() -> None:
    assert Truncation("middle", 4, "cl100k").apply(TEXT) == "one two\n\n nine ten"
    assert Truncation("middle", 1, "cl100k").apply(TEXT) == "one"


@pytest.mark.parametrize("side", ["back", "middle"])
def test_what_fits_stays_as_it_is(side: Side) -> None:
    assert Truncation(side, 10, "cl100k").apply(TEXT) == TEXT


@given(st.text(max_size=60), st.integers(1, 30), st.sampled_from(["back", "middle"]))
def test_what_is_left_has_so_many_tokens_and_the_joint(text: str, tokens: int, side: Side) -> None:
    left = Truncation(side, tokens, "cl100k").apply(text)
    assert left == text or count(get_tokenizer("cl100k"), left) <= tokens + 4
