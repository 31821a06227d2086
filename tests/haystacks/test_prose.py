import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.haystacks.corpus import build_corpus
from niah.haystacks.documents import Document
from niah.haystacks.prose import paragraphs, without_front_matter
from niah.text.tokenizer import count, get_tokenizer

MESSY = st.text(
    st.sampled_from("aZ0é…'\"/\\.!?-*# \t\n\r\f\v\0\x85\xa0\u2028\u200b\ufeff\u0301猫😀"), max_size=60
)


def test_lines_are_unwrapped_and_headings_and_verse_stay() -> None:
    text = (
        "CHAPTER I\r\n\r\nIt was a dark\r\nand stormy night.\r\n\r\n"
        "  The rain,\r\n    it fell.\r\n\r\n\r\nDone.\r\n"
    )
    assert paragraphs(text) == ("CHAPTER I", "It was a dark and stormy night.", "The rain, it fell.", "Done.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\ufeffOne.", ("One.",)),
        ("One\rtwo.\r\rThree.", ("One two.", "Three.")),
        ("One\ttwo \xa0  three\u2003four\x0cfive.", ("One two three four five.",)),
        ("One.\n\x0c\nTwo.", ("One.", "Two.")),
        ("One.\n \t\nTwo.", ("One.", "Two.")),
        ("A\0b\x1bc.", ("A b c.",)),
        (" \n\t\n ", ()),
    ],
)
def test_spaces_and_line_ends(text: str, expected: tuple[str, ...]) -> None:
    assert paragraphs(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See here.\n\n/etc/hosts is it.\n\nNext.", ("See here. /etc/hosts is it.", "Next.")),
        ("// Top.\n\nNext.", ("Top.", "Next.")),
        ("/ /\n\nNext.", ("Next.",)),
    ],
)
def test_no_paragraph_begins_with_a_slash(text: str, expected: tuple[str, ...]) -> None:
    assert paragraphs(text) == expected


def test_a_paragraph_that_breaks_off_runs_on() -> None:
    assert paragraphs("As follows:--\n\nDear Sir.\n\nYours--") == ("As follows:-- Dear Sir.", "Yours--")


def test_of_a_gutenberg_book_only_the_book_is_read() -> None:
    text = (
        "Licence.\n\n*** START OF THIS PROJECT GUTENBERG EBOOK A LONG\nTITLE ***\n\nBook.\n\n"
        "*** END OF THIS PROJECT GUTENBERG EBOOK A LONG TITLE ***\n\nLicence.\n"
    )
    assert paragraphs(text) == ("Book.",)
    assert paragraphs("Before.\n\n* * *\n\nAfter.") == ("Before.", "* * *", "After.")


def test_front_matter_goes_whatever_its_line_ends() -> None:
    assert without_front_matter("\ufeff---\r\ntitle: T\r\n---\r\nText.") == "Text."


@settings(deadline=None)
@given(MESSY, st.sampled_from(["cl100k", "o200k"]))
def test_counts_add_up_for_any_text(text: str, tokenizer: str) -> None:
    parts = paragraphs(text) or ("Something.",)
    corpus = build_corpus("any", [Document("any", parts)], get_tokenizer(tokenizer))
    assert corpus.text.split() == " ".join(parts).split()


def test_no_text_goes_in_where_counts_would_not_add_up() -> None:
    # o200k reads ".\n\n/" as one token: before and after that boundary a count would change.
    parts = ("One here.", "/two. Three here.", "Four.")
    corpus = build_corpus("raw", [Document("raw", parts)], get_tokenizer("o200k"))
    pieces = [corpus.slice(i, i + 1).strip() for i in range(corpus.size)]
    assert pieces == ["One here.", "/two.", "Three here.", "Four."]
    assert corpus.cuttable == [True, False, False, True]
    assert corpus.tokens[-1] == count(get_tokenizer("o200k"), corpus.text)
