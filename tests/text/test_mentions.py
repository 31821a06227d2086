import pytest

from niah.text.mentions import mentions


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
