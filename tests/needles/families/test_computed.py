"""Computed answers are worked out here again, from the needles' text alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from niah.cases.samples import key_of
from niah.errors import ConfigError, NeedleError
from niah.judges.rubric import judge_by_rubric
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from tests.examples import some_of

TOLLS = """\
kind: aggregation
set: {road: town, year: {number: [1702, 1789]}}
each:
  town: town
  pence: {number: [100, 999]}
  load: {one_of: [salt, wool, tin]}
element: town
compute: {answer: greatest, of: pence}
question: Which town paid most on the road to {{ road }} in {{ year }}?
answer: "{{ elements }} did, with {{ value }} pence."
needles:
  - In {{ year }} {{ town }} paid {{ pence }} pence on the road to {{ road }} for a load of {{ load }}.
change: [year]
"""
COUNTED = (
    TOLLS.replace("answer: greatest, of: pence", "answer: count, of: load")
    .replace("Which town paid most on", "How many towns carried {{ counted }} on")
    .replace('"{{ elements }} did, with {{ value }} pence."', '"{{ elements }} carried {{ counted }}."')
)
LINE = re.compile(r"In (\d+) (.+) paid (\d+) pence on the road to (.+) for a load of (\w+)\.")


def write(folder: Path, text: str) -> str:
    path = folder / "families" / "tolls.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return str(path)


def lines(needle_set: NeedleSet) -> list[tuple[str, int, str]]:
    """Town, pence and load of every needle."""
    matches = [LINE.fullmatch(needle.text) for needle in needle_set.needles]
    return [(match[2], int(match[3]), match[5]) for match in matches if match]


@pytest.mark.parametrize(("answer", "best"), [("greatest", max), ("least", min)])
def test_the_town_with_the_greatest_or_least_number_is_the_answer(
    tmp_path: Path, answer: str, best: Callable[[Iterable[int]], int]
) -> None:
    path = write(tmp_path, TOLLS.replace("greatest", answer))
    for k, seed in some_of([(k, seed) for k in (2, 3, 8, 40) for seed in range(1, 9)], 12):
        needle_set = load_needle_set(f"{path}@{k}", seed)
        told = {pence: town for town, pence, _ in lines(needle_set)}
        assert len(told) == k
        town = told[best(told)]
        assert [element.name for element in needle_set.elements] == [town]
        assert {trap.name for trap in needle_set.traps} == set(told.values()) - {town}
        assert [needle.elements for needle in needle_set.needles if needle.elements] == [(town,)]
        assert needle_set.answer == f"{town} did, with {best(told)} pence."
        assert needle_set.answer_tokens == 280


@pytest.mark.parametrize(("answer", "falls"), [("ascending", False), ("descending", True)])
def test_all_towns_in_order(tmp_path: Path, answer: str, falls: bool) -> None:
    path = write(tmp_path, TOLLS.replace("greatest", answer))
    needle_set = load_needle_set(f"{path}@9", 4)
    ranked = sorted(lines(needle_set), key=lambda line: line[1], reverse=falls)
    assert needle_set.ordered
    assert [element.name for element in needle_set.elements] == [town for town, _, _ in ranked]
    assert not needle_set.traps


def test_needles_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTED)
    counts: Counter[int] = Counter()
    for seed in range(1, 41):
        needle_set = load_needle_set(f"{path}@6", seed)
        match = re.match(r"How many towns carried (\w+) ", needle_set.question)
        assert match
        having = [load == match[1] for _, _, load in lines(needle_set)]
        (element,) = needle_set.elements
        assert (element.name, element.derived) == (str(sum(having)), True)
        assert [bool(needle.elements) for needle in needle_set.needles] == having
        counts[sum(having)] += 1
    assert set(counts) == {2, 3, 4, 5}


def test_the_sum_itself_may_be_asked_for(tmp_path: Path) -> None:
    text = TOLLS.replace("element: town", "element: pence").replace("Which town paid", "How much was the")
    needle_set = load_needle_set(f"{write(tmp_path, text)}@5", 1)
    assert needle_set.elements[0].name == str(max(pence for _, pence, _ in lines(needle_set)))


@pytest.mark.parametrize("family", ["greatest", "in-order", "how-many"])
def test_a_right_answer_is_judged_right_and_another_wrong(family: str) -> None:
    for seed in range(1, 6):
        key = key_of(f"{family}@7", seed)
        assert judge_by_rubric(key.answer, key).score == 10
        if key.ordered:
            backwards = ", ".join(element.name for element in key.elements[::-1])
            assert judge_by_rubric(backwards, key).score == 3
        elif key.traps:
            assert judge_by_rubric(f"It was {key.traps[0].name}.", key).score == 1
        else:
            assert judge_by_rubric(f"It was {int(key.elements[0].name) + 1}.", key).score == 1


def test_a_family_without_change_has_no_near_misses(tmp_path: Path) -> None:
    for text in (TOLLS, TOLLS.replace("compute: {answer: greatest, of: pence}\n", "")):
        path = write(tmp_path, text.replace("change: [year]\n", ""))
        load_needle_set.cache_clear()
        assert load_needle_set(f"{path}@6", 2).distractors == ()


@pytest.mark.parametrize(
    ("change", "key", "says"),
    [
        (
            ("of: pence", "of: penny"),
            "compute.of",
            r"\(line 8\) no slot called 'penny'.*mean 'pence'",
        ),
        (("of: pence", "of: load"), "each.load", r"\(line 6\) .*is no number.*number: \[100, 999\]"),
        (("greatest", "count"), "each.pence", r"\(line 5\) .*has not two.*one_of"),
        (("greatest, of: pence", "biggest, of: pence"), "compute.answer", "should be greatest, least"),
        (("kind: aggregation", "kind: multi-needle"), "", "goes with `needles` and `kind: aggregation`"),
        (("element: town", "element: town\nkey: load"), "", "neither `key` nor `nested`"),
        (("element: town", "element: town\nmost: 1"), "", "`most` is 1, and `answer: greatest` needs 2"),
        (("paid {{ pence }} pence", "paid"), "needles.0", "does not use the slot 'pence'"),
    ],
)
def test_one_clear_message(tmp_path: Path, change: tuple[str, str], key: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(write(tmp_path, TOLLS.replace(*change)) + "@5", 1)
    assert caught.value.key == key


def test_what_has_the_choice_is_not_the_choice(tmp_path: Path) -> None:
    text = COUNTED.replace("element: town", "element: load")
    with pytest.raises(ConfigError, match=r"element: \(line 7\) is the slot that `compute` counts"):
        load_needle_set(write(tmp_path, text) + "@5", 1)


@pytest.mark.parametrize(("text", "least"), [(TOLLS, 2), (COUNTED, 4)])
def test_too_few_needles_to_depend_on_the_seed(tmp_path: Path, text: str, least: int) -> None:
    with pytest.raises(NeedleError, match=rf"sets of {least} to .*Ask for tolls@{least}\."):
        load_needle_set(write(tmp_path, text) + "@1", 1)


def test_two_needles_of_one_number_cannot_be(tmp_path: Path) -> None:
    text = TOLLS.replace("[100, 999]", "[100, 107]")
    assert len({pence for _, pence, _ in lines(load_needle_set(write(tmp_path, text) + "@4", 1))}) == 4
    with pytest.raises(NeedleError, match="nothing is left to draw for the slot 'pence'"):
        load_needle_set(f"{tmp_path}/families/tolls.yaml@9", 1)
