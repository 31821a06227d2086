"""The haystack `entries`: lists, ledgers, graphs and conversations, whose answer is what their text says."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case, NeedleOrder
from niah.cases.prompts import load_prompt
from niah.needles.conversations import as_turns
from niah.needles.entries import entries_text
from niah.needles.families.computed import count_words
from niah.needles.families.load import load_family
from niah.needles.load import load_needle_set
from tests.contract.test_tasks import walks

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
    needle = load_needle_set("common-list@20", 1).needles[0].text
    text = entries_text("common-list@20", 1, 0)[1]
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
        pytest.param("frequent-list@20", 130_000, 25, 0, marks=pytest.mark.slow),  # longer than one instance
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


def test_a_context_of_recall_is_sent_turn_by_turn() -> None:
    context = build_context(Case("recall@4", "entries", 4000, 0, 3))
    question = load_needle_set("recall@4", 3).question
    before, after = load_prompt("u-niah").frame(question)
    messages = as_turns(before, context.text, after)
    lines = [line for line in context.text.splitlines() if line]
    assert len(messages) == 2 * len(lines) + 1
    assert question in messages[-1]
    pairs = zip(messages[::2], messages[1::2], strict=False)
    assert [f"User: {ask} Assistant: {reply}" for ask, reply in pairs][1:] == lines[1:]
