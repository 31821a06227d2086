"""Systems side by side, a column a budget (stronger-baselines-dos-rag, tables 1 to 5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import row_groups, strategies_in
from niah.analysis.tables.table import Table, TableValue
from niah.strategies.grammar.budget_lines import budget_lines

if TYPE_CHECKING:
    from pandas import DataFrame

    from niah.strategies.strategy import Strategy

_NOTE = (
    "Mean score over scored trials, a row for strategies that differ in their budget alone and a column for "
    "each budget: tokens that may stand in the context's place. no_budget is the score of a strategy without "
    "one. tokens_sent is the mean of what stood there, over all of the row's trials, and n their number. "
    "Oracle and closed-book are a ceiling and a floor."
)


def systems_by_budget(frame: DataFrame) -> Table:
    """Mean score of each system, a column a budget; empty where no system has two budgets."""
    strategies = strategies_in(frame)
    lines = budget_lines(strategies.values())
    budgets = sorted({each.budget for each in strategies.values() if each.budget})
    has_a_line = len(lines) > len(set(lines.values()))
    rows = tuple(_rows(frame, budgets, strategies, lines)) if has_a_line else ()
    columns = (
        "reader",
        "system",
        *(f"budget_{budget}" for budget in budgets),
        "no_budget",
        "tokens_sent",
        "n",
    )
    return Table("systems-by-budget", "Systems side by side, by budget", columns, rows, _NOTE)


def _rows(
    frame: DataFrame, budgets: list[int], strategies: Mapping[str, Strategy], lines: Mapping[str, str]
) -> Iterator[tuple[TableValue, ...]]:
    score, sent = frame["score"].to_numpy(), frame["context_tokens"].to_numpy(dtype=np.float64)
    of_system: dict[tuple[str, str], dict[int | None, list[int]]] = defaultdict(dict)
    for (reader, name), rows in row_groups(frame, "reader", "strategy"):
        scored = [row for row in rows.tolist() if not np.isnan(score[row])]
        of_system[reader, lines[name]][strategies[name].budget] = scored
    for (reader, system), by_budget in of_system.items():
        means = (
            float(score[own].mean()) if (own := by_budget.get(budget)) else None
            for budget in (*budgets, None)
        )
        every = [row for rows in by_budget.values() for row in rows]
        known = sent[every][~np.isnan(sent[every])]
        yield reader, system, *means, float(known.mean()) if len(known) else None, len(every)
