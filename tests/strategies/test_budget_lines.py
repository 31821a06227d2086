"""Which strategies are one system at several budgets."""

from __future__ import annotations

from niah.strategies.strategy import Strategy, budget_lines, strategy_of


def own(name: str, budget: int, chunks: int = 100, retriever: str = "py:my_rag:retrieve") -> Strategy:
    return strategy_of(name, f"{retriever}/budget-{budget}/document@{chunks}")


def test_names_of_the_users_own_that_tell_the_budget_name_the_line() -> None:
    others = ("lc", "bm25/top-5/norm", "bm25/budget-125/document@100", "bm25/budget-500/document@100")
    found = budget_lines([own("mine-125", 125), own("mine-500", 500), *map(strategy_of, others)])
    assert found["mine-125"] == found["mine-500"] == "mine-N"
    assert {found[name] for name in others[2:]} == {"bm25/budget-N/document@100"}
    assert [found[name] for name in others[:2]] == list(others[:2])


def test_names_that_do_not_tell_it_go_by_what_is_behind_them() -> None:
    line = "py:my_rag:retrieve/budget-N/document@100"
    written = strategy_of("py:my_rag:retrieve/budget-250/document@100")
    assert set(budget_lines([own("small", 125), own("large", 500)]).values()) == {line}
    assert set(budget_lines([own("mine-125", 125), written]).values()) == {line}


def test_two_versions_at_one_budget_are_two_systems() -> None:
    found = budget_lines([own("a-125", 125), own("b-125", 125), own("a-500", 500), own("b-500", 500)])
    assert found == {"a-125": "a-N", "a-500": "a-N", "b-125": "b-N", "b-500": "b-N"}


def test_what_differs_in_more_than_its_budget_is_no_line() -> None:
    found = budget_lines([own("mine-125", 125), own("mine-500", 500, chunks=50)])
    assert len(set(found.values())) == 2
