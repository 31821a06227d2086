"""The haystack `entries`: what a tally's list goes on with changes nothing of its answer."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.needles.entries import entries_text
from niah.needles.families.computed import count_words
from niah.needles.families.load import load_family
from niah.needles.load import load_needle_set

_LISTED = re.compile(r": ([^.]+)\.")


def listed(text: str) -> list[str]:
    """The words of every entry."""
    return [word for entry in _LISTED.findall(text) for word in re.split(r", | and ", entry)]


@pytest.mark.parametrize("family", ["common-list", "frequent-list"])
def test_other_words_come_three_times_at_most_in_all_instances_together(family: str) -> None:
    tally = load_family(family)[1].tally
    assert tally is not None
    assert len({"".join(parts) for parts in product(*tally.others)}) == 80 * 40 * 50
    counts = Counter(word for part in range(3) for word in listed(entries_text(f"{family}@20", 4, part)[1]))
    assert max(counts.values()) == 3
    assert len(counts) > 10_000
    drawn = load_needle_set(f"{family}@20", 4)
    assert not counts.keys() & {word.name for word in (*drawn.elements, *drawn.traps)}


def test_entries_go_on_with_the_needles_own_list_and_seeds_share_none() -> None:
    needle, text = (
        load_needle_set("common-list@20", 1).needles[0].text,
        entries_text("common-list@20", 1, 0)[1],
    )
    assert text.startswith(needle.partition(" list")[0])
    # common-list@4: three towns in 4 of 4 entries; a third of that is one.
    assert max(Counter(listed(entries_text("common-list@4", 1, 0)[1])).values()) == 1
    one, other = (set(listed(entries_text("common-list@20", seed, 0)[1])) for seed in (1, 2))
    assert len(one & other) < len(one) / 10


@pytest.mark.parametrize(
    ("needle_set", "length", "depth", "distractors"),
    [
        ("common-list@20", 9_001, 37.5, 4),
        ("common-list@3", 1_200, 100, 0),
        ("frequent-list@60", 16_000, 0, 2),
        ("frequent-list@20", 130_000, 25, 0),  # longer than one instance
    ],
)
def test_cases_are_exact_and_the_answer_is_what_counting_gives(
    needle_set: str, length: int, depth: float, distractors: int
) -> None:
    case = Case(needle_set, "entries", length, depth, 5, distractors=distractors)
    context = build_context(case)
    audit_context(case, context)
    drawn = load_needle_set(needle_set, 5)
    own = count_words(drawn, context.text)
    others = Counter(word for word in listed(context.text) if word not in own)
    asked = {element.name for element in drawn.elements}
    assert {name for name, _ in (own + others).most_common(3)} == asked
    assert min(own[name] for name in asked) >= 3 * max(others.values())
