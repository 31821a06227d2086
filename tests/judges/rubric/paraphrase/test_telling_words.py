from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from niah.judges.rubric.forms.text_words import words_as_in_names
from niah.judges.rubric.paraphrase.lexicon import TellingWords, akin, lexicon_of

LEXICON = lexicon_of(("en",))
SAID = sorted(
    words_as_in_names("her brother gave up the boat for the rest of his life never stop goat cheese")
)


def meanings(text: str) -> list[frozenset[str]]:
    return [unit.meanings for unit in LEXICON.units(text)]


def test_words_that_mean_the_same_tell_and_others_do_not() -> None:
    telling = TellingWords(LEXICON, meanings("her brother stopped"))
    assert telling.are_in(["brothers"], 1)
    assert not telling.are_in(["cheese", "the"], 1)
    # A phrase tells by its first word: "gave up".
    assert telling.are_in(["gave"], 1)


@given(st.lists(st.sampled_from(SAID), max_size=8), st.lists(st.sampled_from(SAID), min_size=1, max_size=4))
def test_no_more_units_tell_than_words(words: list[str], name: list[str]) -> None:
    meant, text = meanings(" ".join(name)), " ".join(words)
    units = sum(any(akin(one, said) for one in meant) for said in meanings(text))
    assert TellingWords(LEXICON, meant).are_in(words_as_in_names(text), units)
