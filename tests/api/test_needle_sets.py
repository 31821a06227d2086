"""What ``niah check`` finds: sets that hold together and cannot be asked fairly all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.api.check import check_needle_sets, misjudged_texts
from niah.cases.samples import key_of
from niah.needles.families.load import family_names
from niah.needles.load import needle_set_names

POTION = """\
question: What goes into the draught for coughs?
answer: The draught takes {answer}.
elements: [{{name: figs}}, {{name: goat cheese}}]
needles:
  - {{id: figs, text: "For coughs, {first}.", elements: [{carried}]}}
  - {{id: cheese, text: Stir goat cheese into the draught for coughs., elements: [goat cheese]}}
"""
FLAGS = """\
kind: multi-value
most: 3
set: {year: {number: [1702, 1789]}}
each:
  colour: {one_of: [red, green, blue]}
element: colour
question: Which colours hung from the tower in {{ year }}?
answer: In {{ year }} it had {{ elements }}.
needles:
  - In {{ year }} there hung a flag of {{ colour }} from the tower.
"""


def write(folder: Path, text: str) -> str:
    path = folder / "families" / "mine.yaml" if "each:" in text else folder / "mine.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return str(path)


def mistakes(name: str) -> list[tuple[str, str]]:
    """Key and line of each mistake, once."""
    found = [error for _, mistakes in check_needle_sets(name) for error in mistakes]
    return list(dict.fromkeys((error.key, str(error)) for error in found))


def potion(answer: str, first: str = "take figs", carried: str = "figs") -> str:
    return POTION.format(answer=answer, first=first, carried=carried)


@pytest.mark.parametrize("name", needle_set_names())
def test_what_ships_is_judged_right_by_its_own_words(name: str) -> None:
    assert list(misjudged_texts(key_of(name, 1))) == []


@pytest.mark.slow  # by the rubric alone: tests/judges/test_rubric.py
@pytest.mark.parametrize("family", family_names())
def test_families_that_ship_are_judged_right_by_their_own_words(family: str) -> None:
    drawn, mistakes = next(iter(check_needle_sets(family)))
    assert (len(drawn), mistakes) == (5, [])


def test_a_reference_answer_in_other_words(tmp_path: Path) -> None:
    ((key, line),) = mistakes(write(tmp_path, potion("figs and goat brie")))
    assert key == "answer"
    assert "the rubric scores the reference answer 5: 1 of 2 found; missing: goat cheese." in line


def test_a_needle_that_answers_for_all(tmp_path: Path) -> None:
    text = potion("figs and goat cheese", "take figs and goat cheese", "figs, goat cheese")
    ((key, line),) = mistakes(write(tmp_path, text))
    assert key == "needles.0.text"
    assert "alone it answers the whole question, and 2 needles carry the answer" in line


def test_an_answer_that_no_seed_changes(tmp_path: Path) -> None:
    ((key, line),) = mistakes(write(tmp_path, FLAGS))
    assert key == "element"
    assert "mine@3" not in line
    assert "20 seeds draws the same answer" in line
