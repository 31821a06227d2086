"""Ledgers and graphs: exact, and answered as a solver of the text says.

The other kinds, RULER's and Hash-Hop among them, are in tests/contract/test_tasks.py.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case, NeedleOrder
from niah.needles.load import load_needle_set
from tests.contract.test_tasks import walks

_ENTRY = re.compile(r"(?m)^(\d{4}-\d\d-\d\d), (the \w+ shop): ([^,]+), ([^,]+), (\d+) pence(?:, [^.]*)?\.$")


def exact(case: Case) -> str:
    """The context's text: tokens and depths are exact, nothing answers by chance."""
    context = build_context(case)
    audit_context(case, context)
    assert context.tokens + context.prompt_tokens == case.context_length
    return context.text


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_commonest_goods_and_the_latest_buyer_of_a_ledger(seed: int) -> None:
    order: NeedleOrder = "shuffled" if seed % 2 else "listed"
    for kind in ("commonest", "latest"):
        name = f"ledger-{kind}@60"
        text = exact(Case(name, "entries", 10_000 + 7 * seed, 10 * (seed % 3), seed, order=order))
        drawn = load_needle_set(name, seed)
        own = [entry for entry in _ENTRY.findall(text) if entry[1] in drawn.question]
        (first, most), (_, next_most) = Counter(goods for _, _, _, goods, _ in own).most_common(2)
        found = max(own)[2] if kind == "latest" else first
        assert kind == "latest" or most > next_most
        assert [element.name for element in drawn.elements] == [found]


@pytest.mark.parametrize("list_seed", range(1, 5))
def test_a_haystack_that_cannot_begin_neutrally_goes_on_exactly_behind_a_needle(list_seed: int) -> None:
    """The word "Eighth" is two tokens where a text begins and one behind a space."""
    exact(Case("ruler-fwe@20", "entries", 4117, 0, list_seed, order="shuffled"))


@pytest.mark.parametrize("steps", [1, 2, 4, 6])
def test_no_edge_is_a_short_cut_to_a_farther_node(steps: int) -> None:
    for seed in range(1, 11):
        drawn = load_needle_set(f"graph-frontier@{steps}", seed)
        lines = "\n".join(needle.text for needle in drawn.needles)
        assert walks(lines, drawn.question) == sorted(element.name for element in drawn.elements)
