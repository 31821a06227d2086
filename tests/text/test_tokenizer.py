import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.errors import UnknownName
from niah.text.tokenizer import get_tokenizer, tokenizer_names


def test_known_counts() -> None:
    # "hello world" is [15339, 1917] in cl100k, as its authors publish it.
    assert get_tokenizer("cl100k").encode("hello world") == [15339, 1917]


@pytest.mark.parametrize("name", tokenizer_names())
@given(text=st.text(max_size=60))
def test_starts_ascend_and_cover(name: str, text: str) -> None:
    tokenizer = get_tokenizer(name)
    starts = tokenizer.starts(text).tolist()
    assert len(starts) == len(tokenizer.encode(text)) == tokenizer.counts([text])[0]
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)


@pytest.mark.parametrize("name", tokenizer_names())
def test_a_token_starts_where_its_text_starts(name: str) -> None:
    text = "The wöod-cutter's 1954 axe 🪓 fell.\n\nThen silence."
    tokenizer = get_tokenizer(name)
    starts = tokenizer.starts(text).tolist()
    assert tokenizer.encode(text[: starts[5]]) == tokenizer.encode(text)[:5]


def test_special_tokens_are_plain_text() -> None:
    assert len(get_tokenizer("cl100k").encode("<|endoftext|>")) > 1


def test_an_unknown_tokenizer_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'cl100k'"):
        get_tokenizer("cl100")
