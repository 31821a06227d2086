"""Families that name answers to choose from."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cases.samples import key_of
from niah.errors import ConfigError
from niah.judges.rubric import judge_by_rubric
from niah.needles.load import load_needle_set

WELLS = """\
kind: multi-key
options: 4
set: {year: {number: [1702, 1789]}}
each: {town: town, steps: {number: [100, 999]}}
element: steps
key: town
question: How many steps lead down to the well of {{ keys }}?
answer: "{{ elements }} steps."
needles:
  - In {{ year }} they counted {{ steps }} steps at the well of {{ town }}.
change: [year]
"""


@pytest.fixture
def wells(tmp_path: Path) -> str:
    path = tmp_path / "families" / "wells.yaml"
    path.parent.mkdir()
    path.write_text(WELLS)
    return str(path)


@pytest.mark.parametrize("k", [1, 3, 9])
def test_the_right_answer_stands_among_those_of_near_misses(wells: str, k: int) -> None:
    places = set()
    for seed in range(1, 9):
        needle_set = load_needle_set(f"{wells}@{k}", seed)
        (element,) = needle_set.elements
        assert len(set(needle_set.options)) == 4
        assert needle_set.question.endswith(f" Answer with one of these: {', '.join(needle_set.options)}.")
        told = {each.name for distractor in needle_set.distractors for each in distractor.elements}
        assert len(told & set(needle_set.options)) >= 2
        places.add(needle_set.options.index(element.name))
        key = key_of(f"{wells}@{k}", seed)
        wrong = next(option for option in needle_set.options if option != element.name)
        assert judge_by_rubric(f"{element.name} steps.", key).score == 10
        assert judge_by_rubric(f"{wrong} steps.", key).score == 1
        assert load_needle_set(f"{wells}@{k}", seed) == needle_set
    assert len(places) > 1


def test_options_with_letters(wells: str) -> None:
    Path(wells).write_text(WELLS.replace("options: 4", "options: 4\nletters: true"))
    needle_set = load_needle_set(f"{wells}@3", 1)
    offered = ", ".join(f"({letter}) {text}" for letter, text in zip("ABCD", needle_set.options, strict=True))
    assert needle_set.question.endswith(f" Answer with one of these: {offered}.")
    right = needle_set.options.index(needle_set.elements[0].name)
    for place, letter in enumerate("ABCD"):
        assert judge_by_rubric(letter, key_of(f"{wells}@3", 1)).score == (10 if place == right else 1)
    other = Path(wells).with_name("springs.yaml")
    other.write_text(WELLS.replace("options: 4", "letters: true"))
    with pytest.raises(ConfigError, match="`letters` are those of `options`, and there are none"):
        load_needle_set(f"{other}@3", 1)


def test_a_family_of_several_elements_has_nothing_to_choose(wells: str) -> None:
    Path(wells).write_text(WELLS.replace("kind: multi-key", "kind: multi-value"))
    with pytest.raises(ConfigError, match=r"`options` goes with `needles` and 1 element"):
        load_needle_set(f"{wells}@3", 1)
