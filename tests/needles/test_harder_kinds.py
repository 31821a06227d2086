"""Graphs, ledgers, riddles and languages: exact, and answered as a solver of the text says.

The other kinds, RULER's and Hash-Hop among them, are in tests/contract/test_tasks.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.needles.load import load_needle_set
from tests.needles import text_solvers as solvers

Solver = Callable[[str, str], Collection[str]]

KINDS: dict[str, tuple[Solver, str, int, int]] = {
    "graph-frontier@1": (solvers.frontier, "entries", 0, 4_000),
    "graph-frontier@4": (solvers.frontier, "entries", 0, 8_000),
    "ledger-commonest@60": (solvers.commonest, "entries", 0, 10_000),
    "ledger-latest@60": (solvers.latest, "entries", 0, 10_000),
    "latent@1": (solvers.riddle, "essays", 2, 4_000),
    "boats-de@8": (solvers.boat_code("boats-de"), "essays", 8, 4_000),
    "boats-zh-asked-in-en@8": (solvers.boat_code("boats-zh"), "essays", 8, 8_000),
    "boats-en-asked-in-ar@8": (solvers.boat_code("boats-en"), "essays", 8, 4_000),
}
"""By needle set: what solves it, its haystack, how many distractors go in, a length."""


def cases(needle_set: str, number: int) -> list[Case]:
    """So many cases of a kind: seeds, each at one depth after another, half of them shuffled."""
    _, haystack, distractors, length = KINDS[needle_set]
    # Of many needles the last third of a context has no room for all, and the sentences between them. Bare
    # lines cannot end a context: their last letters and the question's first would be one token.
    if len(load_needle_set(needle_set, 1).needles) > 8:
        depths: tuple[int, ...] = (0, 10, 20)
    else:
        depths = (0, 10, 35, 60, 90) if haystack == "entries" else (0, 10, 35, 60, 90, 100)
    return [
        Case(
            needle_set,
            haystack,
            length + 7 * seed,
            depths[seed % len(depths)],
            seed,
            distractors=distractors,
            order="shuffled" if seed % 2 else "listed",
        )
        for seed in range(1, number + 1)
    ]


def exact(case: Case) -> str:
    """The context's text: tokens and depths are exact, nothing answers by chance."""
    context = build_context(case)
    audit_context(case, context)
    assert context.tokens + context.prompt_tokens == case.context_length
    return context.text


@pytest.mark.parametrize("needle_set", KINDS)
def test_a_solver_of_the_text_finds_the_answer(needle_set: str) -> None:
    for case in cases(needle_set, 3):
        drawn = load_needle_set(needle_set, case.seed)
        found = KINDS[needle_set][0](exact(case), drawn.question)
        assert set(found) == {element.name for element in drawn.elements}


@pytest.mark.parametrize("list_seed", range(1, 5))
def test_a_haystack_that_cannot_begin_neutrally_goes_on_exactly_behind_a_needle(list_seed: int) -> None:
    """The word "Eighth" is two tokens where a text begins and one behind a space."""
    exact(Case("ruler-fwe@20", "entries", 4117, 0, list_seed, order="shuffled"))


@pytest.mark.parametrize("steps", [1, 2, 4, 6])
def test_no_edge_is_a_short_cut_to_a_farther_node(steps: int) -> None:
    for seed in range(1, 11):
        drawn = load_needle_set(f"graph-frontier@{steps}", seed)
        lines = "\n".join(needle.text for needle in drawn.needles)
        assert solvers.frontier(lines, drawn.question) == {element.name for element in drawn.elements}
