from __future__ import annotations

from pathlib import Path

import pytest

from niah.errors import ConfigError
from niah.needles.load import load_needle_set

NESTED = """
question: Which two?
answer: Red moss and blue sand.
elements: [{name: red moss}, {name: blue sand}]
needles:
  - id: one
    inside: long
    text: The first is red moss.
    elements: [red moss]
  - id: two
    inside: long
    text: The second is blue sand.
    elements: [blue sand]
passages:
  - id: long
    text: It rained. The first is red moss. "So it is." The second is blue
      sand. Nobody said green slate.
    elements: [{name: green slate}]
  - id: empty
    text: Nothing happened here.
"""


def load(folder: Path, change: tuple[str, str]) -> None:
    path = folder / "mine.yaml"
    path.write_text(NESTED.replace(*change))
    load_needle_set(str(path), 1)


def test_nested_needles_and_a_passage_with_none(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(NESTED)
    needle_set = load_needle_set(str(path), 1)
    assert [needle.inside for needle in needle_set.needles] == ["long", "long"]
    assert [trap.name for trap in needle_set.traps] == ["green slate"]
    assert all(needle.text in needle_set.passages[0].text for needle in needle_set.needles)


@pytest.mark.parametrize(
    ("change", "key", "says"),
    [
        (("    inside: long\n    text: The first", "    text: The first"), "needles.0.inside", "is missing"),
        (("inside: long", "inside: lang"), "needles.0.inside", "no passage is called 'lang'"),
        (("It rained.", "It rained. The first is red moss."), "needles.0.text", "occurs 2 times"),
        (("It rained. The first is red moss.", "It rained."), "needles.0.text", "occurs 0 times"),
        (("It rained. The", "It rained, and The"), "needles.0.text", "not made of whole sentences"),
        (
            ("text: The second is blue sand.", "text: The second is blue sand"),
            "needles.1.text",
            "whole sentences",
        ),
        (("It rained.", "It rained red moss."), "passages.0.text", "mentions 'red moss' outside"),
        (("Nothing happened", "Blue-sand happened"), "passages.1.text", "mentions 'blue sand' outside"),
        (("name: green slate", "name: red slate"), "traps.0", "no needle or passage mentions"),
        (("id: empty", "id: long"), "passages.1", "stands twice"),
    ],
)
def test_one_clear_message(tmp_path: Path, change: tuple[str, str], key: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        load(tmp_path, change)
    assert caught.value.key == key


def test_overlapping_needles_are_refused(tmp_path: Path) -> None:
    text = 'text: The first is red moss. "So it is." The second is blue sand.'
    both = f"{text}\n    elements: [red moss, blue sand]"
    with pytest.raises(ConfigError, match="overlaps another"):
        load(tmp_path, ("text: The first is red moss.\n    elements: [red moss]", both))
