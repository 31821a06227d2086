import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.errors import HaystackError, UnknownName
from niah.haystacks.corpus import build_corpus, rotate
from niah.haystacks.documents import Document, load_documents
from niah.haystacks.load import load_corpus
from niah.text.tokenizer import count, get_tokenizer

SMALL = [
    Document("one", ("First here. Second there.", "Alone.")),
    Document("two", ("Third, at last. Fourth!",)),
]


def test_pieces_by_hand() -> None:
    corpus = build_corpus("small", SMALL, get_tokenizer("cl100k"))
    pieces = [corpus.slice(i, i + 1) for i in range(corpus.size)]
    assert pieces == ["First here.", " Second there.\n\n", "Alone.\n\n", "Third, at last.", " Fourth!\n\n"]
    assert corpus.is_start == [True, False, True, True, False]
    assert corpus.inner == [1, 4]
    assert corpus.plain == [True, True, True, True, False]


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k"])
def test_counts_add_up_over_any_stretch(tokenizer: str) -> None:
    corpus, encode = load_corpus("essays", tokenizer), get_tokenizer(tokenizer)
    for first in range(0, corpus.size - 40, 97):
        tokens = corpus.tokens[first + 40] - corpus.tokens[first]
        assert count(encode, corpus.slice(first, first + 40)) == tokens


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_turning_keeps_everything(choice: int) -> None:
    corpus = load_corpus("essays", "cl100k")
    first = corpus.beginnings[choice % len(corpus.beginnings)]
    turned = rotate(corpus, first)
    assert turned.size == corpus.size
    assert turned.tokens[-1] == corpus.tokens[-1]
    assert turned.slice(0, 3) == corpus.slice(first, first + 3) or first + 3 > corpus.size
    assert turned.text == corpus.text[corpus.offsets[first] :] + corpus.text[: corpus.offsets[first]]
    assert sorted(turned.plain) == sorted(corpus.plain)


def test_the_shipped_haystack_is_long_enough() -> None:
    words = sum(
        len(paragraph.split()) for document in load_documents("essays") for paragraph in document.paragraphs
    )
    assert words >= 15_000


def test_front_matter_is_not_text() -> None:
    assert all("licence:" not in p for document in load_documents("essays") for p in document.paragraphs)


def test_no_text_is_an_error() -> None:
    with pytest.raises(HaystackError):
        build_corpus("empty", [Document("none", ())], get_tokenizer("cl100k"))


def test_an_unknown_haystack_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'essays'"):
        load_corpus("essay", "cl100k")
