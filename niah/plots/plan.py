"""What a run will take: a table with its notes for the terminal, and the same for machines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from niah.analysis.tables import left_out_tables
from niah.judges.registry import asked_model
from niah.plots.labels import amount_label, duration_label
from niah.plots.tables import print_table
from niah.plots.words import and_joined
from niah.runs.cost.budget import spending_label
from niah.runs.cost.estimate.finished_trials import counts_own
from niah.runs.cost.estimate.planned_use import Plan, PlannedUse, ReaderPlan
from niah.runs.cost.preparation import PlannedPreparation

if TYPE_CHECKING:
    from rich.console import Console

_NARROWEST = 80
"""So many letters a line of the table has; a number without its end would be a wrong one."""


def print_plan(plan: Plan, judge: str, console: Console | None = None) -> None:
    """Print the plan; ``judge`` is the judge's name, also of one that asks nobody."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table as Grid

    console = console or Console()
    console.width = max(console.width, _NARROWEST)
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    grid.add_column("asked", overflow="fold")
    heads = ["calls", "prompt", "thinking", "answer", "USD", "time", "budget tok", "budget USD"]
    rows = [(_role(plan, part) + part.name, _cells(plan, part)) for part in plan.parts]
    if len(rows) > 1:
        rows.append(("all", _total(plan)))
    shown = [
        at for at, head in enumerate(heads) if head != "thinking" or any(row[at] != "–" for _, row in rows)
    ]
    for at in shown:
        grid.add_column(heads[at], justify="right", no_wrap=True)
    for name, row in rows:
        grid.add_row(escape(name), *(row[at] for at in shown), style="bold" if name == "all" else "")
    console.print(grid, highlight=False)
    for left_out in left_out_tables(plan.left_out, plan.avoided):
        print_table(left_out, console)
    for line in plan_notes(plan, judge):
        console.print(line, style="dim", highlight=False, soft_wrap=not console.is_terminal, markup=False)


def _cells(plan: Plan, part: PlannedUse) -> tuple[str, ...]:
    retrieves = part in plan.retrieving
    unknown = part in plan.systems and part.usd is None
    untimed = retrieves or part in plan.preparing
    return (
        f"{part.calls:,}",
        amount_label(None if unknown and not part.prompt_tokens else part.prompt_tokens),
        amount_label(part.thinking_tokens or None),
        amount_label(None if retrieves or (unknown and not part.answer_tokens) else part.answer_tokens),
        _price(part, part.usd),
        "–" if untimed else _time(part.seconds),
        amount_label(None if unknown else part.to_budget.tokens),
        _price(part, part.to_budget.usd),
    )


def _total(plan: Plan) -> tuple[str, ...]:
    return (
        f"{sum(part.calls for part in plan.parts):,}",
        amount_label(sum(part.prompt_tokens for part in plan.parts)),
        amount_label(sum(part.thinking_tokens for part in plan.parts) or None),
        amount_label(sum(part.answer_tokens for part in plan.parts)),
        _money(plan.usd),
        _time(plan.seconds),
        amount_label(plan.to_budget.tokens),
        _money(plan.to_budget.usd),
    )


def _role(plan: Plan, part: PlannedUse) -> str:
    if part is plan.judge:
        return "judge "
    roles = {
        "preparing ": plan.preparing,
        "system ": plan.systems,
        "embedder ": plan.embedders,
        "reranker ": plan.rerankers,
    }
    return next((role for role, parts in roles.items() if part in parts), "")


def _price(part: PlannedUse, usd: Decimal | None) -> str:
    return "–" if part.unpriced else "free" if part.free else _money(usd)


def _money(amount: Decimal | None) -> str:
    return "unknown" if amount is None else spending_label(amount, "usd").removesuffix(" USD")


def _time(seconds: float | None) -> str:
    return "unknown" if seconds is None else duration_label(seconds)


def plan_notes(plan: Plan, judge_name: str) -> Iterator[str]:
    """What the numbers leave open, one line each."""
    planned, kept, left = (
        sum(getattr(reader, name) for reader in plan.readers) for name in ("trials", "kept", "left")
    )
    if finished := planned - kept - left:
        yield f"{finished:,} of {planned:,} trials are finished and not counted."
    if kept:
        judged = ", but judged anew" if plan.judge else ""
        yield f"{kept:,} answers are reused from earlier runs and not counted{judged}."
    if plan.asked_first:
        yield f"{plan.asked_first:,} questions are asked without context first."
    asked = [reader for reader in plan.readers if reader.calls]
    yield from _unknown_prices(plan, asked)
    yield from _tokenizers(plan, asked)
    for reader in plan.readers:
        if reader.calls and reader.thinking_room and not reader.thinking_is_known:
            yield f"{reader.name} may think up to {reader.thinking_room:,} tokens a trial, all counted."
        if reader.routed:
            told = reader.routed
            yield (
                f"{reader.name} may answer {told.trials:,} trials before it reads; {told.read_on:,} are to"
                f" read on: from {amount_label(told.prompt_tokens_at_least)} to"
                f" {amount_label(reader.prompt_tokens_at_most)} prompt tokens."
            )
    if plan.judge is None:
        yield f"The judge ({judge_name}) is free and asks nobody."
    elif plan.judge.calls < (answers := left + kept + sum(system.calls for system in plan.systems)):
        share = f"{plan.judge.calls:,} of {answers:,} answers"
        yield f"The judge {plan.judge.name} is expected to be asked about {share}."
    for part in plan.preparing:
        own = list(part.documents.values()) if isinstance(part, PlannedPreparation) else []
        calls = sum(each.calls for each in own)
        yield (
            f"{part.name} prepares {len(own)} documents in {calls:,} calls, which later runs share;"
            f" {max(0, part.calls - calls):,} calls are for single questions."
        )
    if local := plan.local_embedding:
        time = "" if local.seconds is None else f" ({duration_label(local.seconds)})"
        yield f"{local.embedder} embeds about {local.tokens:,} tokens on this machine{time}."
    for name, tokens in plan.chat_templates.items():
        if tokens > plan.reserve:
            yield f"{name} puts {tokens} tokens around each prompt: --reserve {tokens} makes room."
    yield from plan.warnings
    if plan.refusal:
        yield f"niah run would not start: {plan.refusal}"
    elif plan.budget:
        yield f"niah run would start: its budget is {plan.budget}."
    else:
        yield "niah run would start: it has no budget. A --budget must be at least the last column."


def _unknown_prices(plan: Plan, asked: Sequence[ReaderPlan]) -> Iterator[str]:
    others = [*plan.preparing, *plan.embedders, *plan.rerankers, *([plan.judge] if plan.judge else [])]
    if unknown := list(dict.fromkeys(part.name for part in (*asked, *others) if part.usd is None)):
        yield f"The price of {and_joined(unknown)} is unknown: neither the run config nor litellm has one."
    if free := list(dict.fromkeys(part.name for part in plan.parts if part.unpriced)):
        yield f"No price is set for {', '.join(free)}, on a server of your own: counted as 0."
    for system in plan.systems:
        if system.calls and system.usd is None:
            yield f"What {system.name} takes is unknown until it has reported the cost of some answers."


def _tokenizers(plan: Plan, asked: Sequence[ReaderPlan]) -> Iterator[str]:
    """Who counts with a tokenizer that is not its own."""
    foreign = [part for part in asked if not part.counts_own]
    judge = [plan.judge] if plan.judge else []
    others: list[PlannedUse] = [
        *foreign,
        *(
            part
            for part in judge
            if not all(counts_own(asked_model(part.name), each) for each in part.tokenizers)
        ),
        *(part for part in plan.preparing if not counts_own(part.name, part.tokenizers[0])),
    ]
    for tokenizers in dict.fromkeys(tuple(part.tokenizers) for part in others):
        names = [part.name for part in others if tuple(part.tokenizers) == tokenizers]
        yield f"Prompts of {and_joined(names)} are counted by {', '.join(tokenizers)}, not their own."


def plan_as_json(plan: Plan, judge: str) -> str:
    """The plan for machines; null is unknown. ``judge`` is the judge's name, also of one that asks nobody."""
    unasked = PlannedUse(judge, 0, 0, 0, Decimal(0), True, 0.0, ())
    document = {
        "preparation": [_preparation_as_json(each) for each in plan.preparing],
        "readers": [_reader_as_json(reader) for reader in plan.readers],
        "judge": _as_json("judge", plan.judge or unasked),
        "systems": [_system_as_json(system) for system in plan.systems],
        "embedders": [_as_json("embedder", embedder) for embedder in plan.embedders],
        "rerankers": [_as_json("reranker", reranker) for reranker in plan.rerankers],
        "asked_without_context": plan.asked_first,
        "local_embedding": asdict(plan.local_embedding) if plan.local_embedding else None,
        "left_out": [asdict(each) for each in plan.left_out],
        "structures": dict(plan.structures),
        "warnings": list(plan.warnings),
        "reserve": plan.reserve,
        "chat_templates": dict(plan.chat_templates),
        "budget": str(plan.budget) if plan.budget else None,
        "would_start": not plan.refusal,
        "refusal": plan.refusal,
        "total": {
            "kept": sum(reader.kept for reader in plan.readers),
            "calls": sum(part.calls for part in plan.parts),
            "usd": _number(plan.usd),
            "budget_tokens": plan.to_budget.tokens,
            "budget_usd": _number(plan.to_budget.usd),
            "seconds": plan.seconds,
        },
    }
    return json.dumps(document, indent=2)


def _as_json(kind: str, part: PlannedUse) -> dict[str, Any]:
    return {
        kind: part.name,
        "calls": part.calls,
        "prompt_tokens": part.prompt_tokens,
        "answer_tokens": part.answer_tokens,
        "thinking_tokens": part.thinking_tokens,
        "usd": _number(part.usd),
        "free": part.free,
        "seconds": part.seconds,
        "tokenizers": list(part.tokenizers),
    }


def _preparation_as_json(part: PlannedUse) -> dict[str, Any]:
    of_documents = part.documents if isinstance(part, PlannedPreparation) else {}
    documents = [
        {
            "strategy": strategy,
            "context_sha256": digest,
            **{name: getattr(each, name) for name in ("calls", "prompt_tokens", "answer_tokens")},
            "usd": _number(each.usd),
        }
        for (strategy, digest), each in of_documents.items()
    ]
    return {**_as_json("model", part), "documents": documents}


def _system_as_json(system: PlannedUse) -> dict[str, Any]:
    tokens = {"prompt_tokens": system.prompt_tokens or None, "answer_tokens": system.answer_tokens or None}
    return _as_json("system", system) | (tokens if system.calls else {})


def _reader_as_json(reader: ReaderPlan) -> dict[str, Any]:
    return {
        **_as_json("reader", reader),
        "trials": reader.trials,
        "kept": reader.kept,
        "prompt_tokens_at_most": reader.prompt_tokens_at_most,
        "answer_tokens_at_most": reader.answer_tokens_at_most,
        "usd_at_most": _number(reader.usd_at_most),
        "tokenizer_is_its_own": reader.counts_own,
        "routed": asdict(reader.routed) if reader.routed else None,
    }


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)
