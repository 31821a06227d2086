from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from niah.haystacks.load import load_corpus
from niah.text.scanning import short_spans
from niah.text.scanning.short_sentences import short_sentences
from niah.text.scanning.short_spans import _between_paragraphs, _plain_spans, short_byte_spans
from niah.text.scanning.utf8 import Utf8
from tests.examples import of_all

_WORDS = """
    . ! ? … . . ... ." .) !’ ._ .* " ( [ « _ * ' 𝛼 ² ٣ ü Ü Þ ж Ж 一 It’s The2 _The 2The
    a A b I J. I. 1 12 3. Mr Mr. Mrs No no. fig etc U.S. e.g i.e. Ph.D The Then There
    Everyone Although Sept. approx. Messrs. etc. Jr. Inc Abcdefghijklmnopq x.y.z Nobody Nobodys
    .[12] .[a_note][b]) [ ] [1. .[Mr.] ` .¹ 😀 .\u200b \u200f
"""
_SPACES = [*" \n\t\r\f\x1c\x85\u00a0\u2003\u3000\u2028", "\n\n", "\n \n", " ", " ", " "]
_PIECES = st.sampled_from([*_WORDS.split(), *_SPACES, "\ud800", "\x00", "Mr\x00", "The\x00"])
_MESSY = st.lists(_PIECES, max_size=40).map("".join)
_LONG = st.lists(_PIECES | st.sampled_from(["He met a fox ", "fox. The ", "x" * 70]), max_size=120).map(
    "".join
)


def spans(text: str, words: int) -> list[tuple[int, int]]:
    encoded = Utf8.of(text)
    in_bytes = short_byte_spans(encoded, words)
    starts, ends = (encoded.to_characters(each).tolist() for each in in_bytes)
    return list(zip(starts, ends, strict=True))


@settings(max_examples=of_all(1500), deadline=None)
@given(_MESSY, st.integers(1, 6))
def test_agrees_with_short_sentences(text: str, words: int) -> None:
    assert spans(text, words) == short_sentences(text, words)


@settings(max_examples=of_all(300), deadline=None)
@given(st.lists(st.sampled_from(["a", "Mr", "A.", ". A", ".\n", "é", " ", "no. 1"])).map(" ".join))
def test_agrees_on_long_sentences(text: str) -> None:
    assert spans(text, 32) == short_sentences(text)


@settings(max_examples=of_all(500), deadline=None)
@given(_LONG, st.integers(1, 40))
def test_agrees_on_long_texts(text: str, words: int) -> None:
    assert spans(text, words) == short_sentences(text, words)


@settings(max_examples=of_all(300), deadline=None)
@given(st.text(max_size=60))
def test_agrees_on_any_text(text: str) -> None:
    assert spans(text, 3) == short_sentences(text, 3)


def test_agrees_on_the_essays() -> None:
    text = load_corpus("essays", "cl100k").text
    assert spans(text, 32) == short_sentences(text)


@settings(max_examples=of_all(500), deadline=None)
@given(_MESSY, st.integers(2, 4))
@example(".\U0001d6fc. 1\n\nIt\u2019s", 2)
def test_parts_have_the_spans_of_the_whole(text: str, parts: int) -> None:
    encoded = Utf8.of(text)
    whole, cut = _plain_spans(encoded, 6, parts=1), _plain_spans(encoded, 6, parts=parts)
    assert [each.tolist() for each in cut] == [each.tolist() for each in whole]


@settings(max_examples=of_all(200), deadline=None)
@given(
    st.lists(st.sampled_from(["One. Two", "Ёж. Он", "\n", " \n", "\n\n", "\t", "é"]), max_size=30).map(
        "".join
    )
)
def test_foreign_paragraphs_are_found_from_near(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(short_spans, "_NEAR_CHARACTERS", 1)
        assert spans(text, 4) == short_sentences(text, 4)


def test_a_long_text_is_cut_between_paragraphs() -> None:
    encoded = Utf8.of("One. Two.\n\nThree.\n\nFour. Five.")
    assert _between_paragraphs(encoded, 2) == [encoded.data.tobytes().index(b"Four")]
    assert _between_paragraphs(Utf8.of("One line."), 2) == []


def test_refuses_sentences_without_words() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        spans("Some text.", 0)
