"""The needle sets that ship: size, length and distractors, as the u-niah paper says of its own."""

from __future__ import annotations

import pytest

from niah.needles.load import load_needle_set, needle_set_names
from niah.needles.needle_set import NeedleSet
from niah.text.tokenizer import count, get_tokenizer

SHORT = {"pizza-ingredients": 3, "rainbow-potion": 7, "academy-courses": 15}
LONG = {"teaching-methods": 3, "graduation-trials": 7, "library-revolution": 15}
NESTED = {"needle-in-needle": 15}
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


def texts(needle_set: NeedleSet) -> list[str]:
    return [needle.text for needle in needle_set.needles] + [item.text for item in needle_set.distractors]


@pytest.mark.parametrize("name", needle_set_names())
def test_kind_size_length_and_distractors(name: str) -> None:
    needle_set = load_needle_set(name, 1)
    assert needle_set.kind == KINDS.get(name, "multi-needle")
    assert len(needle_set.distractors) >= min(8, len(needle_set.needles))
    assert {"hard", "easy"} <= {distractor.hardness for distractor in needle_set.distractors}
    lengths = [tokens(text) for text in texts(needle_set)]
    if name in LONG:
        assert all(400 <= length <= 500 for length in lengths)
    elif name in {**SHORT, **NESTED}:
        assert all(50 <= length <= 100 for length in lengths)
    else:
        assert max(lengths[: len(needle_set.needles)], default=0) <= 100
    if name in {**SHORT, **LONG, **NESTED}:
        assert len(needle_set.needles) == {**SHORT, **LONG, **NESTED}[name]
