"""What a run will take, as a table for terminals."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from niah.analysis.tables.left_out_table import left_out_tables
from niah.plots.kit.labels import amount_label, duration_label
from niah.plots.printed_table import print_table
from niah.plots.terminal.plan.plan_notes import plan_notes
from niah.runs.cost.budget import spending_label
from niah.runs.cost.estimate.planned_use import Plan, PlannedUse

if TYPE_CHECKING:
    from rich.console import Console


_UNKNOWN = "unknown"
_ALL = "all"
"""Begins the row of sums."""
_GAP = 2
_NARROWEST = 80
"""So many letters a line of the table has; a number without its end would be a wrong one."""


def print_plan(plan: Plan, judge: str, console: Console | None = None) -> None:
    """Print the plan; ``judge`` is the judge's name, also of one that asks nobody."""
    from rich.console import Console

    console = console or Console()
    console.width = max(console.width, _NARROWEST)
    thinks = any(part.thinking_tokens for part in plan.parts)
    titles = ("calls", "prompt", *(["thinking"] if thinks else []), "answer", "USD", "time")
    heads = ("asked", *titles, "budget tok", "budget USD")
    rows = [_row(plan, part, thinks=thinks) for part in plan.parts]
    rows += [_total(plan, thinks=thinks)] if len(plan.parts) > 1 else []
    _print_rows(heads, rows, console)
    for left_out in left_out_tables(plan.left_out, plan.avoided):
        print_table(left_out, console)
    for line in plan_notes(plan, judge):
        console.print(line, style="dim", highlight=False, soft_wrap=not console.is_terminal, markup=False)


def _print_rows(heads: Sequence[str], rows: Sequence[Sequence[str]], console: Console) -> None:
    """Names and numbers under their heads; a name that has no room beside its numbers stands above them."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    room = min(widths[0], console.width - sum(widths[1:]) - _GAP * len(widths[1:]))

    def line(name: str, cells: Sequence[str]) -> str:
        placed = (" " * _GAP + f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        return f"{name:<{room}}" + "".join(placed)

    for place, (name, *cells) in enumerate((heads, *rows)):
        style = "bold" if place and name == _ALL else "" if place else "dim"
        lines = [line(name, cells)] if len(name) <= room else [name, line("", cells)]
        for each in lines:
            console.print(each, style=style, highlight=False, markup=False, soft_wrap=True)


def _row(plan: Plan, part: PlannedUse, *, thinks: bool) -> tuple[str, ...]:
    retrieves = part in plan.retrieving
    unknown = part in plan.systems and part.usd is None
    return (
        f"{_role(plan, part)}{part.name}",
        f"{part.calls:,}",
        amount_label(None if unknown and not part.prompt_tokens else part.prompt_tokens),
        *([amount_label(part.thinking_tokens or None)] if thinks else []),
        amount_label(None if retrieves or (unknown and not part.answer_tokens) else part.answer_tokens),
        _price(part, part.usd),
        amount_label(None) if retrieves or part in plan.preparing else _time(part.seconds),
        amount_label(None if unknown else part.to_budget.tokens),
        _price(part, part.to_budget.usd),
    )


def _role(plan: Plan, part: PlannedUse) -> str:
    if part in plan.preparing:
        return "preparing "
    if part is plan.judge:
        return "judge "
    if part in plan.systems:
        return "system "
    return "embedder " if part in plan.embedders else "reranker " if part in plan.rerankers else ""


def _total(plan: Plan, *, thinks: bool) -> tuple[str, ...]:
    return (
        _ALL,
        f"{sum(part.calls for part in plan.parts):,}",
        amount_label(sum(part.prompt_tokens for part in plan.parts)),
        *([amount_label(sum(part.thinking_tokens for part in plan.parts))] if thinks else []),
        amount_label(sum(part.answer_tokens for part in plan.parts)),
        _money(plan.usd),
        _time(plan.seconds),
        amount_label(plan.to_budget.tokens),
        _money(plan.to_budget.usd),
    )


def _price(part: PlannedUse, usd: Decimal | None) -> str:
    if part.unpriced:
        return amount_label(None)
    return "free" if part.free else _money(usd)


def _money(amount: Decimal | None) -> str:
    return _UNKNOWN if amount is None else spending_label(amount, "usd").removesuffix(" USD")


def _time(seconds: float | None) -> str:
    return _UNKNOWN if seconds is None else duration_label(seconds)
