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
from niah.plots.words import and_joined
from niah.runs.cost.estimate import Plan, Use
from niah.runs.cost.prices import spending_label

if TYPE_CHECKING:
    from rich.console import Console

_NARROWEST = 80
"""So many letters a line of the table has; a number without its end would be a wrong one."""
_HEADS = ("calls", "prompt", "thinking", "answer", "USD", "budget tok", "budget USD")


def print_plan(plan: Plan, judge: str, console: Console | None = None) -> None:
    """Print the plan; ``judge`` is the judge's name, also of one that asks no model."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table as Grid

    console = console or Console()
    console.width = max(console.width, _NARROWEST)
    rows = [_cells(part) for part in plan.parts]
    if len(rows) > 1:
        rows.append(_total(plan))
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    grid.add_column("asked", overflow="fold")
    thinks = any(row[3] != "–" for row in rows)
    for head in _HEADS:
        if head != "thinking" or thinks:
            grid.add_column(head, justify="right", no_wrap=True)
    for name, calls, prompt, thinking, *rest in rows:
        cells = (calls, prompt, *([thinking] if thinks else []), *rest)
        grid.add_row(escape(name), *cells, style="bold" if name == "all" else "")
    console.print(grid, highlight=False)
    for left_out in left_out_tables(plan.left_out, plan.avoided):
        print_table(left_out, console)
    for line in plan_notes(plan, judge):
        console.print(line, style="dim", highlight=False, soft_wrap=not console.is_terminal, markup=False)


def _cells(part: Use) -> tuple[str, ...]:
    unknown = part.role == "system" and part.usd is None
    answers = part.role not in ("embedder", "reranker") and (part.answer_tokens or not unknown)

    def price(usd: Decimal | None) -> str:
        return "–" if part.unpriced else "free" if part.free else _money(usd)

    return (
        part.name if part.role == "reader" else f"{part.role} {part.name}",
        f"{part.calls:,}",
        amount_label(part.prompt_tokens or (None if unknown else 0)),
        amount_label(part.thinking_tokens or None),
        amount_label(part.answer_tokens if answers else None),
        price(part.usd),
        amount_label(None if unknown else part.most.tokens),
        price(part.most.usd),
    )


def _total(plan: Plan) -> tuple[str, ...]:
    prompt, thinking, answer = (
        sum(getattr(part, name) for part in plan.parts)
        for name in ("prompt_tokens", "thinking_tokens", "answer_tokens")
    )
    tokens = amount_label(prompt), amount_label(thinking or None), amount_label(answer)
    most = amount_label(plan.most.tokens), _money(plan.most.usd)
    return "all", f"{plan.calls:,}", *tokens, _money(plan.usd), *most


def _money(amount: Decimal | None) -> str:
    return "unknown" if amount is None else spending_label(amount, "usd").removesuffix(" USD")


def plan_notes(plan: Plan, judge_name: str) -> Iterator[str]:
    """What the numbers leave open, one line each."""
    judges = plan.of("judge")
    if plan.finished:
        yield f"{plan.finished:,} of {plan.trials:,} trials are finished and not counted."
    if plan.reused:
        judged = ", but judged anew" if judges else ""
        yield f"{plan.reused:,} answers are reused from earlier runs and not counted{judged}."
    if plan.asked_first:
        yield f"{plan.asked_first:,} questions are asked without context first."
    unknown = dict.fromkeys(part.name for part in plan.parts if part.calls and part.usd is None)
    own = [part.name for part in plan.of("system") if part.name in unknown]
    if models := [name for name in unknown if name not in own]:
        yield f"The price of {and_joined(models)} is unknown: neither the run config nor litellm has one."
    if free := dict.fromkeys(part.name for part in plan.parts if part.unpriced):
        yield f"No price is set for {', '.join(free)}, on a server of your own: counted as 0."
    if own:
        yield f"What {and_joined(own)} takes is unknown until it has reported the cost of some answers."
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
    unasked = {"judge": judge, "calls": 0, "prompt_tokens": 0, "answer_tokens": 0, "usd": 0.0, "free": True}
    roles = {"preparation": "preparing", "readers": "reader", "systems": "system"}
    roles |= {"embedders": "embedder", "rerankers": "reranker"}
    parts: dict[str, Any] = {
        key: [_as_json("model" if key == "preparation" else role, part) for part in plan.of(role)]  # type: ignore[arg-type]
        for key, role in roles.items()
    }
    document = parts | {
        "judge": next((_as_json("judge", part) for part in plan.of("judge")), unasked),
        "asked_without_context": plan.asked_first,
        "left_out": [asdict(each) for each in plan.left_out],
        "warnings": list(plan.warnings),
        "budget": str(plan.budget) if plan.budget else None,
        "would_start": not plan.refusal,
        "refusal": plan.refusal,
        "total": {
            **{name: getattr(plan, name) for name in ("trials", "finished", "reused", "calls")},
            "usd": _number(plan.usd),
            "budget_tokens": plan.most.tokens,
            "budget_usd": _number(plan.most.usd),
        },
    }
    return json.dumps(document, indent=2)


def _as_json(kind: str, part: Use) -> dict[str, Any]:
    unknown = None if part.role == "system" and part.calls else 0
    return {
        kind: part.name,
        "calls": part.calls,
        "prompt_tokens": part.prompt_tokens or unknown,
        "answer_tokens": part.answer_tokens or unknown,
        "thinking_tokens": part.thinking_tokens,
        "prompt_tokens_at_most": part.prompt_at_most,
        "tokens_at_most": part.most.tokens,
        "usd": _number(part.usd),
        "usd_at_most": _number(part.most.usd),
        "free": part.free,
    }


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)
