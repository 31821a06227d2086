"""Lines, and plain sentences, are laid out from tables: as the search that measures joints lays them out."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from niah.cases.assembly import assembly
from niah.cases.assembly.assembly import build_context
from niah.cases.assembly.backgrounds.source import background_source, load_background
from niah.cases.assembly.lines.gaps import NoPlan
from niah.cases.assembly.lines.line_costs import line_costs
from niah.cases.assembly.lines.line_layout import LineLayout
from niah.cases.assembly.series import series_of
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.text.tokenizer import count, get_tokenizer

SETS = ("hash-hop@1", "hash-hop-steps@2", "graph-parents@4", "graph-frontier@2", "ledger-count@6", "recall@4")
# Of its 2,000 edges, 64000 tokens need more than one instance has.
CASES = [
    *(Case(name, "entries", 6000, depth, seed) for name, depth, seed in product(SETS, (0, 31), (1, 2))),
    Case("graph-parents@4", "entries", 64_000, 12.5, 3, "o200k"),
    Case("hash-hop@4", "entries", 6000, 40, 5, order="shuffled", accidents="avoid"),
    # Sentences whose joints cost nothing.
    *(Case("positions@6", "essays", 4000, depth, accidents="avoid") for depth in (0, 37)),
    Case("multi-query@3", "essays", 3000, 60, 2, "o200k", order="shuffled"),
    Case("ruler-cwe@15", "entries", 5000, 25),
    Case("ruler-vt@4", "noise", 4000, 10, repeat=True),
    # The first sentence costs more at the context's start, and behind a needle, than inside.
    *(Case("ruler-fwe@20", "entries", 4000, depth) for depth in (0, 20)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case_id)
def test_tables_say_what_measuring_says(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    by_table = build_context(case)
    monkeypatch.setattr(assembly, "_from_tables", lambda *_: None)
    assert build_context(case) == by_table
    audit_context(case, by_table)


def test_the_cases_above_need_no_measuring(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(*_: object, **__: object) -> None:
        raise AssertionError("measured")

    monkeypatch.setattr(assembly, "ContextLayout", measure)
    for case in CASES:
        build_context(case)


def test_needles_that_are_no_lines_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    by_table = build_context(CASES[0])
    monkeypatch.setitem(vars(series_of(CASES[0])), "lines", None)
    assert build_context(CASES[0]) == by_table


@pytest.mark.parametrize("text", ["4f1e -> 2a", "a shop: soap, 9 pence.", "Wort?"])
@pytest.mark.parametrize("name", ["cl100k", "o200k"])
def test_a_line_costs_what_it_adds_to_lines(text: str, name: str) -> None:
    tokenizer = get_tokenizer(name)
    costs = line_costs(tokenizer, text)
    assert costs is not None
    for before, after in (("a -> b\n", "c -> d\n"), ("It rains.\n", "7 days\n")):
        added = count(tokenizer, f"{before}{text}\n{after}") - count(tokenizer, before + after)
        assert added == costs.tokens


@pytest.mark.parametrize("text", ["- a dash", "ends in a space ", ""])
def test_a_line_that_may_grow_together_with_others_has_no_cost(text: str) -> None:
    assert line_costs(get_tokenizer("cl100k"), text) is None


def test_where_runs_are_used_up_a_further_instance_gives_more() -> None:
    case = Case("ledger-sums@20", "entries", 64_000, 7, repeat=True, accidents="avoid")
    context = build_context(case)
    audit_context(case, context)
    assert context.tokens + context.prompt_tokens == 64_000


@pytest.mark.parametrize("by_table", [True, False])
def test_two_runs_stand_where_one_does_not_come_out(by_table: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of 23 to 31 and of 34 to 42 tokens, and all runs of the 109 that a gap needs used before."""
    if not by_table:
        monkeypatch.setattr(assembly, "_from_tables", lambda *_: None)
    case = Case("ledger-commonest@60", "entries", 10_266, 20, 8)
    context = build_context(case)
    audit_context(case, context)
    assert context.tokens + context.prompt_tokens == 10_266


def test_two_runs_may_end_a_context_too() -> None:
    case = Case("ledger-count@6", "entries", 6000, 31)
    background = load_background(background_source(case, ()))
    lengths = background.corpus.tokens
    longest = max(after - before for before, after in pairwise(lengths))
    end = background.corpus.size - 1  # the one line that may be the last

    def ends_after(piece: int) -> int | None:
        return 0 if piece == end else None

    wanted = lengths[1] + longest + lengths[end] - lengths[end - 1]
    layout = LineLayout(background, wanted, ends_after, two_runs=True)
    layout.close(wanted)
    ((piece, runs),) = layout.gaps
    assert piece == 1
    assert len(runs) == 2
    assert lengths[1] + sum(lengths[last] - lengths[first] for first, last in runs) == wanted
    assert runs[-1][1] == end
    with pytest.raises(NoPlan):
        LineLayout(background, wanted, ends_after).close(wanted)
