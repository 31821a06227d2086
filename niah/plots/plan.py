"""What a run will take: a table with its notes for the terminal, and the same for machines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from niah.analysis.tables import left_out_tables
from niah.plots.labels import amount_label
from niah.plots.tables import print_table
from niah.runs.cost.estimate import Plan, Use
from niah.runs.cost.prices import spending_label

if TYPE_CHECKING:
    from rich.console import Console

_NARROWEST = 80
"""So many letters a line of the table has; a number without its end would be a wrong one."""
_NAMES = {"preparing": "preparation", "reader": "readers", "judge": "judge", "system": "systems"}
_NAMES |= {"embedder": "embedders", "reranker": "rerankers"}


def print_plan(plan: Plan, judge: str, console: Console | None = None) -> None:
    """Print the plan; ``judge`` is the judge's name, also of one that asks no model."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table as Grid

    console = console or Console()
    console.width = max(console.width, _NARROWEST)
    rows = [_cells(part) for part in plan.parts]
    if len(rows) > 1:
        names = ("prompt_tokens", "answer_tokens", "thinking_tokens")
        prompt, answer, thinking = (sum(getattr(part, name) for part in plan.parts) for name in names)
        sums = (plan.calls, prompt, answer, thinking, plan.usd, plan.most)
        rows.append(_cells(Use("reader", "all", None, *sums)))
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    grid.add_column("asked", overflow="fold")
    heads = [head for head in rows[0] if head != "thinking" or any(row[head] != "–" for row in rows)]
    for head in heads[1:]:
        grid.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        style = "bold" if row["asked"] == "all" else ""
        grid.add_row(*(escape(row[head]) for head in heads), style=style)
    console.print(grid, highlight=False)
    for left_out in left_out_tables(plan.left_out, plan.avoided):
        print_table(left_out, console)
    for line in plan_notes(plan, judge):
        console.print(line, style="dim", highlight=False, soft_wrap=not console.is_terminal, markup=False)


def _cells(part: Use) -> dict[str, str]:
    unknown = part.role == "system" and part.usd is None
    answers = part.role not in ("embedder", "reranker") and (part.answer_tokens or not unknown)

    def price(usd: Decimal | None) -> str:
        if part.free:
            return "–" if part.unpriced else "free"
        return "unknown" if usd is None else spending_label(usd, "usd").removesuffix(" USD")

    return {
        "asked": part.name if part.role == "reader" else f"{part.role} {part.name}",
        "calls": f"{part.calls:,}",
        "prompt": amount_label(part.prompt_tokens or (None if unknown else 0)),
        "thinking": amount_label(part.thinking_tokens or None),
        "answer": amount_label(part.answer_tokens if answers else None),
        "USD": price(part.usd),
        "budget tok": amount_label(None if unknown else part.most.tokens),
        "budget USD": price(part.most.usd),
    }


def plan_notes(plan: Plan, judge_name: str) -> Iterator[str]:
    """What the numbers leave open, one line each."""
    judges = plan.of("judge")
    if plan.finished:
        yield f"{plan.finished:,} of {plan.trials:,} trials are finished and not counted."
    if plan.asked_first:
        yield f"{plan.asked_first:,} questions are asked without context first."
    unknown = dict.fromkeys(part.name for part in plan.parts if part.calls and part.usd is None)
    own = [part.name for part in plan.of("system") if part.name in unknown]
    if models := [name for name in unknown if name not in own]:
        yield f"The price of {', '.join(models)} is unknown: neither the run config nor litellm has one."
    if free := dict.fromkeys(part.name for part in plan.parts if part.unpriced):
        yield f"No price is set for {', '.join(free)}, on a server of your own: counted as 0."
    if own:
        yield f"What {', '.join(own)} takes is unknown until it has reported the cost of some answers."
    answers = plan.trials - plan.finished - plan.asked_first
    if not judges:
        yield f"The judge ({judge_name}) is free and asks no model."
    elif judges[0].calls != answers:
        yield f"The judge {judge_name} is expected to ask {judges[0].calls:,} times for {answers:,} answers."
    yield from plan.warnings
    if plan.refusal:
        yield f"niah run would not start: {plan.refusal}"
    elif plan.budget:
        yield f"niah run would start: its budget is {plan.budget}."
    else:
        yield "niah run would start: it has no budget. A --budget must be at least the last column."


def plan_as_json(plan: Plan, judge: str) -> str:
    """The plan for machines; null is unknown. ``judge`` is the judge's name."""
    parts: dict[str, list[dict[str, Any]]] = {name: [] for name in _NAMES}
    for part in plan.parts:
        unknown = None if part.role == "system" and part.calls else 0
        parts[part.role].append(
            {
                "model" if part.role == "preparing" else part.role: part.name,
                **{name: getattr(part, name) for name in ("calls", "thinking_tokens", "usd", "free")},
                "prompt_tokens": part.prompt_tokens or unknown,
                "answer_tokens": part.answer_tokens or unknown,
                "prompt_tokens_at_most": part.prompt_at_most,
                "tokens_at_most": part.most.tokens,
                "usd_at_most": part.most.usd,
            }
        )
    unasked = {"judge": judge, "calls": 0, "prompt_tokens": 0, "answer_tokens": 0, "usd": 0.0, "free": True}
    document = {_NAMES[role]: told for role, told in parts.items()} | {
        "judge": parts["judge"][0] if parts["judge"] else unasked,
        "asked_without_context": plan.asked_first,
        "left_out": [asdict(each) for each in plan.left_out],
        "warnings": list(plan.warnings),
        "budget": str(plan.budget) if plan.budget else None,
        "would_start": not plan.refusal,
        "refusal": plan.refusal,
        "total": {
            **{name: getattr(plan, name) for name in ("trials", "finished", "calls", "usd")},
            "budget_tokens": plan.most.tokens,
            "budget_usd": plan.most.usd,
        },
    }
    return json.dumps(document, indent=2, default=float)
