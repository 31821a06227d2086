"""Chains are followed here by reading, as a reader would have to."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from niah.needles.load import load_needle_set

_STEP = re.compile(r"^(\w+) leads to (\w+)\.$")


def steps(texts: list[str]) -> dict[str, str]:
    return {match[1]: match[2] for text in texts if (match := _STEP.match(text))}


@pytest.mark.parametrize("hops", range(1, 9))
@pytest.mark.parametrize("seed", [1, 2])
def test_a_hash_chain_leads_to_its_element_in_so_many_hops(hops: int, seed: int) -> None:
    needle_set = load_needle_set(f"hash-chain@{hops}", seed)
    true = steps([needle.text for needle in needle_set.needles])
    decoys = steps([item.text for item in needle_set.distractors])
    (mark,) = re.findall(r"Start from (\w+)", needle_set.question)
    for _ in range(hops):
        mark = {**true, **decoys}[mark]
    assert mark == needle_set.elements[0].name
    assert mark not in {**true, **decoys}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_decoy_joins_the_true_chain(seed: int) -> None:
    needle_set = load_needle_set("hash-chain@6", seed)
    true = steps([needle.text for needle in needle_set.needles])
    decoys = steps([item.text for item in needle_set.distractors])
    assert {*true, *true.values()}.isdisjoint({*decoys, *decoys.values()})
    assert len(decoys) == 2 * 6


def test_a_prose_chain_has_links_without_the_answer() -> None:
    needle_set = load_needle_set("chain@4", 3)
    assert [needle.elements for needle in needle_set.needles[:-1]] == [()] * 4
    assert needle_set.needles[-1].elements == (needle_set.elements[0].name,)


def test_variables_ask_for_every_name_that_holds_the_value() -> None:
    needle_set = load_needle_set("variables@3", 3)
    names = [element.name for element in needle_set.elements]
    assert len(names) == 4
    assert [needle.elements for needle in needle_set.needles] == [
        *((this, after) for this, after in pairwise(names)),
        (names[-1],),
    ]
