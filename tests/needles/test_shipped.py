"""The needle sets that ship: their size, their length, their distractors."""

from __future__ import annotations

import pytest

from niah.needles.load import load_needle_set, needle_set_names
from niah.text.tokenizer import count, get_tokenizer

LONG = {"teaching-methods", "graduation-trials", "library-revolution"}
"""Their lengths, and those of all that u-niah asks: ``test_u_niah``."""
SHORT = sorted(set(needle_set_names()) - LONG)
SIZES = {
    "ferry-lanterns": 1,
    "pizza-ingredients": 3,
    "rainbow-potion": 7,
    "academy-courses": 15,
    "teaching-methods": 3,
    "graduation-trials": 7,
    "library-revolution": 15,
    "needle-in-needle": 15,
}
KINDS = {
    "ferry-lanterns": "single",
    "lock-house-cat": "multi-value",
    "skerry-steps": "multi-key",
    "mailbag-seals": "multi-query",
    "three-gates": "multi-query",
    "school-bell": "multi-hop",
    "tern-lane-boarder": "latent",
    "stairs-portrait": "unanswerable",
    "coach-timetable": "conflicting",
}


def tokens(text: str) -> int:
    return count(get_tokenizer("cl100k"), text)


@pytest.mark.parametrize("name", SHORT)
def test_short_needles_are_short(name: str) -> None:
    assert all(tokens(needle.text) <= 100 for needle in load_needle_set(name, 1).needles)


@pytest.mark.parametrize(("name", "k"), SIZES.items())
def test_sets_have_their_number_of_needles(name: str, k: int) -> None:
    assert len(load_needle_set(name, 1).needles) == k


@pytest.mark.parametrize("name", needle_set_names())
def test_sets_are_of_their_kind(name: str) -> None:
    assert load_needle_set(name, 1).kind == KINDS.get(name, "multi-needle")


@pytest.mark.parametrize("name", needle_set_names())
def test_there_are_as_many_distractors_as_needles_in_varied_hardness(name: str) -> None:
    needle_set = load_needle_set(name, 1)
    assert len(needle_set.distractors) >= min(8, len(needle_set.needles))
    assert {"hard", "easy"} <= {distractor.hardness for distractor in needle_set.distractors}


def test_nested_needles_stand_unevenly_in_passages_that_outrun_a_chunk() -> None:
    needle_set = load_needle_set("needle-in-needle", 1)
    homes = [needle.inside for needle in needle_set.needles]
    assert [homes.count(passage.id) for passage in needle_set.passages] == [4, 3, 1, 3, 2, 1, 1, 0, 0, 0]
    assert all(tokens(passage.text) > 600 for passage in needle_set.passages)
    assert [trap.name for trap in needle_set.traps] == ["bronze globe", "silver ewer", "opal sextant"]
