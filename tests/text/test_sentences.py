"""Where sentences end, and which names a text mentions, in any script."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.haystacks.corpus import load_corpus
from niah.text.mentions import NameIndex, mention_spans, mention_starts, mentions
from niah.text.sentences import english_borders, script_borders, sentence_spans, split_sentences

# By language the sentences of a text, by "|".
TEXTS = yaml.safe_load((Path(__file__).parents[1] / "data" / "sentences.yaml").read_text(encoding="utf-8"))
SPACED, UNSPACED = TEXTS["spaced"], TEXTS["unspaced"]


@pytest.mark.parametrize("text", TEXTS["split"])
def test_splits_between_sentences(text: str) -> None:
    assert split_sentences(text.replace("|", " ")) == text.split("|")


def test_the_next_paragraph_does_not_say_where_this_one_has_a_border() -> None:
    for after in ("", "\n\nThe rest is lost.", "\n \nIt is."):
        assert sentence_spans(f"They lived in the U.S. 1945{after}", 0, 27) == [(0, 27)]


@pytest.mark.parametrize("sentence", TEXTS["whole"])
def test_keeps_one_sentence_whole(sentence: str) -> None:
    assert split_sentences(sentence) == [sentence]


_WORDS = st.text(alphabet=st.sampled_from("aBÉz0.!?…\"'”)(“_-ЖжคЯ।。"), min_size=1, max_size=6)
_PROSE = st.lists(_WORDS | st.sampled_from(["Mr.", "etc.", "The", "No.", "I."]), max_size=30).map(" ".join)


@settings(deadline=None)
@given(_PROSE | st.text(alphabet=st.characters(exclude_categories=["Cc", "Z", "Cs"])))
def test_nothing_but_the_spaces_between_sentences_is_left_out(paragraph: str) -> None:
    sentences = split_sentences(paragraph)
    assert "".join(sentences).replace(" ", "") == paragraph.replace(" ", "")
    assert all(sentence.strip() for sentence in sentences)


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("stops", [".", "!", "…", ". ", '."', "。", "。」", "？", "א.", "ไทย "])
def test_a_page_of_stops_is_read_in_time_that_grows_with_it(stops: str) -> None:
    assert "".join(split_sentences("Dots " + stops * 60_000)).startswith("Dots ")


@pytest.mark.parametrize("language", SPACED)
def test_sentences_of_scripts_with_spaces(language: str) -> None:
    expected = SPACED[language].split("|")
    assert split_sentences(" ".join(expected)) == expected


@pytest.mark.parametrize("language", UNSPACED)
@pytest.mark.parametrize("between", ["", " "])
def test_sentences_of_scripts_without_spaces(language: str, between: str) -> None:
    sentences = UNSPACED[language].split("|")
    assert split_sentences(between.join(sentences)) == [sentence.strip() for sentence in sentences]


def test_latin_prose_has_the_same_borders_by_the_rules_of_any_script() -> None:
    text = load_corpus("essays", "cl100k").text
    assert list(script_borders(text, 0, len(text))) == list(english_borders(text, 0, len(text)))


_MESSY = st.text(alphabet=st.sampled_from("aBЖж他a5ก ค。！？।؟.…!«»“”「」;Ω \n"), max_size=60)


@given(_MESSY)
def test_borders_are_white_space_or_nothing_and_go_forward(text: str) -> None:
    at = 0
    for stop, following in script_borders(text, 0, len(text)):
        assert at < stop <= following < len(text)
        assert not text[stop:following].strip()
        at = following


@pytest.mark.parametrize(("text", "name", "expected"), TEXTS["mentions"])
def test_whole_words_of_any_script_and_case_hyphens_as_spaces(text: str, name: str, expected: bool) -> None:
    assert mentions(text, [name]) is expected
    assert bool(mention_starts(text, [name])) is expected
    many = [name, *(f"name {number}" for number in range(60))]
    assert bool(mention_starts(text, many)) is expected


_PIECES = (
    "copper gate Mill mill O'Dell ß straße 7 17 x-1 門 銅の門 é _ +5"
    " golden mist Mist AX 4821 bowls éclair e\u0301clair 紫色 鸽子 の ミスト ー 비둘기 는 राम \u093e \u0301"
)
PIECES = _PIECES.split()


def text_of(rng: random.Random, words: int) -> str:
    return "".join(rng.choice(PIECES) + rng.choice([" ", "-", ", ", "", "_", " \n"]) for _ in range(words))


@pytest.mark.parametrize("number", [3, 60])
@pytest.mark.parametrize("seed", range(20))
def test_the_quick_search_finds_what_the_expressions_find(number: int, seed: int) -> None:
    rng = random.Random(seed)
    names = [text_of(rng, rng.randint(1, 3)).strip(" ,\n-_") or "gate" for _ in range(number)]
    text = text_of(rng, 120)
    one_by_one = {start for name in names for start, _ in mention_spans(text, [name])}
    assert mention_starts(text, names) == sorted(one_by_one)
    found = {name for name, _ in NameIndex(names).mentions(text, text.casefold())}
    assert found == {name for name in names if mentions(text, [name])}
