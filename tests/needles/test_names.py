"""A shipped needle set's answers must not be names that some seed gives to its world."""

import pytest

from niah.haystacks.lexicons import lexicon, lexicon_kinds
from niah.needles.load import load_needle_set, needle_set_names
from niah.text.mentions import mentions


@pytest.mark.parametrize("needle_set", needle_set_names())
def test_no_element_is_a_name_of_the_lexicons(needle_set: str) -> None:
    names = [name for element in load_needle_set(needle_set, 1).stated for name in element.names]
    drawn = [name for kind in lexicon_kinds() if kind != "person" for name in lexicon(kind)]
    assert [name for name in drawn if names and mentions(name, names)] == []
