from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.text.sentences import sentence_spans, split_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["It rained.", "Nobody minded."],
        ["Really?", "Yes!", "Oh…", "Well..."],
        ["“Go home!”", "She went."],
        ['He said "no."', '"Why not?"', "(I asked.)", "Then he left."],
        ["It was _very_ cold._", "Snow fell."],
        ["In 1969.", "7 men came."],
        ["It grew by 3.5.", "The rest shrank."],
        ["Élan was lost.", "Été came."],
        ["Then so do I.", "Perhaps not."],
        ["They sell pens, ink, etc.", "The shop is shut."],
        ["We met at 5 p.m.", "It was dark."],
        ["He lives in the U.S.", "She does not."],
        ["That was in May.", "June was worse."],
        ["There was no.", "None came."],
    ],
)
def test_splits_between_sentences(sentences: list[str]) -> None:
    assert split_sentences(" ".join(sentences)) == sentences


def test_the_next_paragraph_does_not_say_where_this_one_has_a_border() -> None:
    for after in ("", "\n\nThe rest is lost.", "\n \nIt is."):
        text = f"They lived in the U.S. 1945{after}"
        assert sentence_spans(text, 0, 27) == [(0, 27)]
    assert len(sentence_spans("They lived in the U.S. 1945\nThe rest is lost.", 0, 45)) == 2


@pytest.mark.parametrize(
    "sentence",
    [
        "Mr. Hale met Dr. Orme of St. Ives.",
        "Take one, e.g. Paris, or two, i.e. Paris and Rome.",
        "It was Hume vs. Kant again.",
        "See Fig. 3 and No. 12 on p. 7, vol. 2, of Jan. 5 and Dec. 24.",
        "J. K. Orme and Henry I. J. Hale wrote it.",
        "It cost 3.50 and weighed 1.25 kg.",
        "The U.S. Navy and Hale Jr. Stayed.",
        "Pens, ink, etc. were sold.",
        "Wait... what did he say?",
        "1. First of all, it rained.",
        "A. The first answer.",
    ],
)
def test_keeps_one_sentence_whole(sentence: str) -> None:
    assert split_sentences(sentence) == [sentence]


def test_white_space_between_sentences_belongs_to_neither() -> None:
    text = "One.  Two.\nThree."
    assert split_sentences(text) == ["One.", "Two.", "Three."]


def test_spans_lie_inside_the_asked_stretch() -> None:
    text = "Zero. One. Two. Three."
    assert [text[a:b] for a, b in sentence_spans(text, 6, 15)] == ["One.", "Two."]


def test_an_empty_paragraph_has_no_sentences() -> None:
    assert split_sentences("") == []


_WORDS = st.text(alphabet=st.sampled_from("aBÉz0.!?…\"'”)(“_-"), min_size=1, max_size=6)
_PROSE = st.one_of(
    st.lists(_WORDS | st.sampled_from(["Mr.", "etc.", "The", "No.", "I.", "A."]), max_size=30).map(" ".join),
    st.text(alphabet=st.characters(exclude_categories=["Cc", "Z", "Cs"])),
)


@settings(deadline=None)
@given(_PROSE)
def test_nothing_but_the_spaces_between_sentences_is_left_out(paragraph: str) -> None:
    sentences = split_sentences(paragraph)
    assert "".join(sentences).replace(" ", "") == paragraph.replace(" ", "")
    assert all(sentence.strip() for sentence in sentences)


@pytest.mark.parametrize("stops", [".", "!", "…", ". ", '."', "。", "。」", "？", "א.", "ไทย "])
def test_a_page_of_stops_is_read_in_time_that_grows_with_it(stops: str) -> None:
    begun = time.process_time()
    assert "".join(split_sentences("Dots " + stops * 60_000)).startswith("Dots ")
    assert time.process_time() - begun < 5  # where each stop was tried anew: minutes
