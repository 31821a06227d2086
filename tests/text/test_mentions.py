import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.text.mentions import mention_pattern, mention_starts, mentions


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("With Goat  Cheese.", "goat cheese", True),
        ("with goat-cheese", "goat cheese", True),
        ("a figment", "fig", False),
        ("one fig.", "fig", True),
        ("code 48213.", "48213", True),
        ("code 148213", "48213", False),
        ("a+b", "a+b", True),
        ("éfig", "fig", False),
    ],
)
def test_whole_words_any_case_hyphens_as_spaces(text: str, name: str, expected: bool) -> None:
    assert mentions(text, [name]) is expected


NAMES = ("golden mist", "mist", "Ax-4821", "begging bowl", "éclair")
WORDS = st.sampled_from(
    ["golden", "mist", "Mist", "ax", "AX", "4821", "begging", "bowl", "bowls", "éclair", "ß", "x"]
)


@given(
    st.lists(st.tuples(WORDS, st.sampled_from([" ", "-", "  ", ". ", ""]))), st.sets(st.sampled_from(NAMES))
)
def test_the_quick_search_finds_what_the_expressions_find(
    parts: list[tuple[str, str]], names: set[str]
) -> None:
    text = "".join(word + joint for word, joint in parts)
    found = {match.start() for name in names for match in mention_pattern([name]).finditer(text)}
    assert set(mention_starts(text, text.casefold(), names)) == found
