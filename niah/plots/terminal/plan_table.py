"""What a run will take, as a table for terminals and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from niah.plots.kit.labels import amount_label, duration_label
from niah.runs.cost.budget import said
from niah.runs.cost.estimate import Plan, ReaderPlan
from niah.runs.cost.estimate_embedders import EmbedderPlan
from niah.runs.cost.estimate_judges import JudgePlan
from niah.runs.cost.estimate_seen import counts_own

_UNKNOWN = "unknown"
_UNPRICED = "The price of {} is unknown: neither the run config nor litellm has one."
_FREE_JUDGE = "The judge ({}) is free and asks nobody."


def plan_as_json(plan: Plan, judge: str) -> str:
    """The plan for machines; null is unknown. ``judge`` is the judge's name, also of one that asks nobody."""
    import json

    document = {
        "readers": [_as_json(reader) for reader in plan.readers],
        "judge": _judge_as_json(plan.judge) if plan.judge else _unasked(judge),
        "embedders": [_embedder_as_json(embedder) for embedder in plan.embedders],
        "total": {
            "kept": plan.kept,
            "calls": plan.calls,
            "tokens_at_most": plan.tokens_at_most,
            "usd": _number(plan.usd),
            "usd_at_most": _number(plan.usd_at_most),
            "seconds": plan.seconds,
        },
    }
    return json.dumps(document, indent=2)


def _as_json(reader: ReaderPlan) -> dict[str, Any]:
    return {
        "reader": reader.reader,
        "trials": reader.trials,
        "kept": reader.kept,
        "calls": reader.calls,
        "prompt_tokens": reader.prompt_tokens,
        "prompt_tokens_at_most": reader.prompt_tokens_at_most,
        "answer_tokens": reader.answer_tokens,
        "answer_tokens_at_most": reader.answer_tokens_at_most,
        "usd": _number(reader.usd),
        "usd_at_most": _number(reader.usd_at_most),
        "free": reader.free,
        "seconds": reader.seconds,
        "tokenizers": list(reader.tokenizers),
        "tokenizer_is_its_own": reader.counts_own,
    }


def _judge_as_json(judge: JudgePlan) -> dict[str, Any]:
    return {
        "judge": judge.judge,
        "calls": judge.calls,
        "prompt_tokens": judge.prompt_tokens,
        "prompt_tokens_at_most": judge.prompt_tokens_at_most,
        "reply_tokens": judge.reply_tokens,
        "reply_tokens_at_most": judge.reply_tokens_at_most,
        "usd": _number(judge.usd),
        "usd_at_most": _number(judge.usd_at_most),
        "free": judge.free,
        "seconds": judge.seconds,
        "tokenizers": list(judge.tokenizers),
    }


def _unasked(judge: str) -> dict[str, Any]:
    """A judge that asks nobody."""
    nothing = JudgePlan(judge, 0, 0, 0, 0, 0, Decimal(0), Decimal(0), True, 0.0, ())
    return _judge_as_json(nothing)


def _embedder_as_json(embedder: EmbedderPlan) -> dict[str, Any]:
    return {
        "embedder": embedder.embedder,
        "calls": embedder.calls,
        "tokens": embedder.tokens,
        "tokens_at_most": embedder.tokens_at_most,
        "usd": _number(embedder.usd),
        "usd_at_most": _number(embedder.usd_at_most),
        "free": embedder.free,
    }


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)


_NARROWEST = 80
"""So many letters a line of the table has; a number without its end would be a wrong one."""


def print_plan(plan: Plan, judge: str) -> None:
    """Print a line for each reader, judge and embedder, the sum, and what the numbers leave open."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.width = max(console.width, _NARROWEST)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("asked", overflow="fold")
    for title in ("calls", "prompt", "answer", "max tokens", "USD", "max USD", "time"):
        table.add_column(title, justify="right", no_wrap=True)
    rows = list(_rows(plan))
    for row in rows:
        table.add_row(*row)
    if len(rows) > 1:
        table.add_row("all", *_total(plan), style="bold")
    console.print(table, highlight=False)
    for line in _notes(plan, judge):
        console.print(line, style="dim", highlight=False, soft_wrap=True, markup=False)


def _rows(plan: Plan) -> Iterator[tuple[str, ...]]:
    for reader in plan.readers:
        yield (
            reader.reader,
            *_cells(reader, reader.prompt_tokens, reader.answer_tokens),
            _time(reader.seconds),
        )
    if judge := plan.judge:
        yield (
            f"judge {judge.judge}",
            *_cells(judge, judge.prompt_tokens, judge.reply_tokens),
            _time(judge.seconds),
        )
    for embedder in plan.embedders:
        yield (f"embedder {embedder.embedder}", *_cells(embedder, embedder.tokens, None), amount_label(None))


def _cells(part: ReaderPlan | JudgePlan | EmbedderPlan, prompt: int, answer: int | None) -> tuple[str, ...]:
    return (
        f"{part.calls:,}",
        amount_label(prompt),
        amount_label(answer),
        amount_label(part.tokens_at_most),
        "free" if part.free else _money(part.usd),
        "free" if part.free else _money(part.usd_at_most),
    )


def _total(plan: Plan) -> tuple[str, ...]:
    judge = plan.judge
    prompts = sum(reader.prompt_tokens for reader in plan.readers) + (judge.prompt_tokens if judge else 0)
    answers = sum(reader.answer_tokens for reader in plan.readers) + (judge.reply_tokens if judge else 0)
    return (
        f"{plan.calls:,}",
        amount_label(prompts + sum(embedder.tokens for embedder in plan.embedders)),
        amount_label(answers),
        amount_label(plan.tokens_at_most),
        _money(plan.usd),
        _money(plan.usd_at_most),
        _time(plan.seconds),
    )


def _money(amount: Decimal | None) -> str:
    return _UNKNOWN if amount is None else said(amount, "usd").removesuffix(" USD")


def _time(seconds: float | None) -> str:
    return _UNKNOWN if seconds is None else duration_label(seconds)


def _notes(plan: Plan, judge: str) -> list[str]:
    """What the numbers leave open, one line each."""
    notes = []
    left = sum(reader.calls for reader in plan.readers)
    planned = sum(reader.trials for reader in plan.readers)
    if finished := planned - plan.kept - left:
        notes.append(f"{finished:,} of {planned:,} trials are finished and not counted.")
    if plan.kept:
        judged = ", but judged anew" if plan.judge else ""
        notes.append(f"{plan.kept:,} answers are kept from earlier runs and not counted{judged}.")
    notes += [note for reader in plan.readers for note in _reader_notes(reader)]
    notes += _judge_notes(plan.judge) if plan.judge else [_FREE_JUDGE.format(judge)]
    notes += [note for embedder in plan.embedders for note in _embedder_notes(embedder)]
    if any(reader.usd for reader in plan.readers) or (plan.judge and plan.judge.usd):
        notes.append("Money is without discounts for cached prompts, and without retries.")
    return notes


def _reader_notes(reader: ReaderPlan) -> Iterator[str]:
    if reader.calls and reader.usd is None:
        yield _UNPRICED.format(reader.reader)
    if reader.calls and not reader.counts_own:
        yield _counted_in(reader.tokenizers, reader.reader)
    if reader.seconds is None:
        yield f"The time of {reader.reader} is unknown until it has finished some trials."


def _judge_notes(judge: JudgePlan) -> Iterator[str]:
    name = f"the judge {judge.judge}"
    if judge.usd is None:
        yield _UNPRICED.format(name)
    if not all(counts_own(judge.judge, tokenizer) for tokenizer in judge.tokenizers):
        yield _counted_in(judge.tokenizers, name)
    if judge.calls:
        yield "At most, every verdict takes all attempts of the judge, and every reply fills its room."
    if judge.seconds is None:
        yield f"The time of {name} is unknown until it has given some verdicts."


def _embedder_notes(embedder: EmbedderPlan) -> Iterator[str]:
    if embedder.usd is None:
        yield _UNPRICED.format(f"the embedder {embedder.embedder}")
    yield (
        f"{embedder.embedder} is expected to embed once what cases share; at most, they share nothing. "
        "Its time is not counted."
    )


def _counted_in(tokenizers: Iterable[str], name: str) -> str:
    return f"Prompts are counted in tokens of {', '.join(tokenizers)}; {name} counts with its own."
