"""What a run will take, as a table for terminals and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from niah.analysis.tables.left_out_table import left_out_tables
from niah.haystacks.structure import STRUCTURES
from niah.judges.registry import asked_model
from niah.plots.kit.labels import amount_label, duration_label
from niah.plots.printed_table import print_table
from niah.runs.cost.budget import spending_label
from niah.runs.cost.estimate.finished_trials import counts_own
from niah.runs.cost.estimate.planned_use import LocalEmbedding, Plan, PlannedUse, ReaderPlan
from niah.runs.cost.preparation import PlannedPreparation
from niah.runs.cost.routed import RoutedTrials

if TYPE_CHECKING:
    from rich.console import Console

    from niah.analysis.compare.significance.seeds_needed import SeedsToDetect

_UNKNOWN = "unknown"
_NARROWEST = 80
"""So many letters a line of the table has; a number without its end would be a wrong one."""


def plan_as_json(plan: Plan, judge: str, seeds: SeedsToDetect | None = None) -> str:
    """The plan for machines; null is unknown. ``judge`` is the judge's name, also of one that asks nobody;
    ``seeds`` what a drop takes to be found, where that was asked.
    """
    import json

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
        "total": {
            "kept": sum(reader.kept for reader in plan.readers),
            "calls": sum(part.calls for part in plan.parts),
            "usd": _number(plan.usd),
            "budget_tokens": plan.to_budget.tokens,
            "budget_usd": _number(plan.to_budget.usd),
            "seconds": plan.seconds,
        },
        **({"detect": asdict(seeds)} if seeds else {}),
    }
    return json.dumps(document, indent=2)


def seeds_line(seeds: SeedsToDetect) -> str:
    """How many anchor seeds it takes, and where that is known from."""
    reader, strategy = (_seeds_label(each) for each in (seeds.for_reader, seeds.for_strategy))
    noise = (
        f"by the noise of the last {seeds.nights} whole nights"
        if seeds.nights
        else "no two whole nights tell the noise: assumed is that a fifth of the answers change by 5 points"
    )
    return (
        f"A drop of {seeds.drop:g} points is found in four nights of five with {reader} anchor seeds where it"
        f" strikes all of a reader, with {strategy} where it strikes one strategy; there are {seeds.seeds}"
        f" ({noise})."
    )


def _seeds_label(seeds: int | None) -> str:
    from niah.analysis.compare.significance.seeds_needed import MOST_SEEDS

    return f"more than {MOST_SEEDS}" if seeds is None else str(seeds)


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


def print_plan(plan: Plan, judge: str, console: Console | None = None) -> None:
    """Print the plan; ``judge`` is the judge's name, also of one that asks nobody."""
    from rich.console import Console
    from rich.table import Table

    console = console or Console()
    console.width = max(console.width, _NARROWEST)
    thinks = any(part.thinking_tokens for part in plan.parts)
    titles = ("calls", "prompt", *(["thinking"] if thinks else []), "answer", "USD", "time")
    heads = ("asked", *titles, "budget tok", "budget USD")
    rows = [_row(plan, part, thinks=thinks) for part in plan.parts]
    rows += [_total(plan, thinks=thinks)] if len(plan.parts) > 1 else []
    numbers = [max(map(len, column)) for column in list(zip(heads, *rows, strict=True))[1:]]
    room = console.width - sum(numbers) - 2 * len(numbers)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(heads[0], overflow="fold")
    for head in heads[1:]:
        table.add_column(head, justify="right", no_wrap=True)
    for place, (name, *cells) in enumerate(rows):
        style = "bold" if place == len(plan.parts) else None
        table.add_row(_broken(name, room), *cells, style=style)
    console.print(table, highlight=False)
    for left_out in left_out_tables(plan.left_out, plan.avoided):
        print_table(left_out, console)
    for line in _notes(plan, judge):
        console.print(line, style="dim", highlight=False, soft_wrap=not console.is_terminal, markup=False)


def _broken(name: str, room: int) -> str:
    """A name that has no room on one line, with line ends at its joints, such as slashes and hyphens."""
    lines = [""]
    for piece in re.findall(r"[^\s/+-]*[\s/+-]?", name):
        if len(lines[-1]) + len(piece.rstrip()) > room:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines if line)


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
        "all",
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


def _notes(plan: Plan, judge_name: str) -> Iterator[str]:
    """What the numbers leave open, one line each."""
    planned, kept, left = (
        sum(getattr(reader, name) for reader in plan.readers) for name in ("trials", "kept", "left")
    )
    by_systems = sum(system.calls for system in plan.systems)
    if finished := planned - kept - left:
        yield f"{finished:,} of {planned:,} trials are finished and not counted."
    if plan.asked_first:
        yield (
            f"{plan.asked_first:,} questions are asked without their context first: what a reader knows is "
            "left out of all else, which is counted here as if it knew nothing."
        )
    if kept:
        judged = ", but judged anew" if plan.judge else ""
        yield f"{kept:,} answers are kept from earlier runs and not counted{judged}."
    for reader in plan.readers:
        if reader.calls:
            yield from _unclear(reader, reader.name, reader.counts_own)
            if reader.thinking_room and not reader.thinking_is_known:
                room = f"{reader.name} has room for {reader.thinking_room:,} tokens of thoughts a trial"
                yield f"{room}, and is expected to fill it until it has finished some trials."
        if reader.routed:
            yield _of_routed(reader, reader.routed)
        if reader.seconds is None:
            yield f"The time of {reader.name} is unknown until it has finished some trials."
    if judge := plan.judge:
        name = f"the judge {judge.name}"
        yield from _unclear(
            judge, name, all(counts_own(asked_model(judge.name), each) for each in judge.tokenizers)
        )
        if judge.calls < (answers := left + kept + by_systems):
            yield f"{name} is expected to be asked about {judge.calls:,} of {answers:,} answers."
        if judge.seconds is None:
            yield f"The time of {name} is unknown until it has given some verdicts."
    else:
        yield f"The judge ({judge_name}) is free and asks nobody."
    if unpriced := list(dict.fromkeys(part.name for part in plan.parts if part.unpriced)):
        yield (
            f"No price is set for {', '.join(unpriced)}, on a server of your own: counted as 0. "
            "prices: in the run config sets one."
        )
    for system in plan.systems:
        if system.calls and system.usd is None:
            yield f"What {system.name} takes is unknown until it has reported the cost of some answers."
    for part in plan.preparing:
        yield from _unclear(part, f"the preparing {part.name}", counts_own(part.name, part.tokenizers[0]))
        yield _of_preparation(part)
    yield from _of_chat_templates(plan)
    for haystack, structure in plan.structures.items():
        if structure != "prose":
            yield f"{haystack} is read as {structure}: {STRUCTURES[structure]}."
    yield from plan.warnings
    if local := plan.local_embedding:
        here = f"about {local.tokens:,} tokens on this machine ({_embedding_time(local)})"
        yield f"{local.embedder} embeds {here}, less what it has embedded here before."
    for embedder in plan.embedders:
        yield from _unclear(embedder, f"the embedder {embedder.name}", counts_own=True)
        yield f"{embedder.name} is expected to embed once what samples share. Its time is not counted."
    for reranker in plan.rerankers:
        yield from _unclear(reranker, f"the reranker {reranker.name}", counts_own=True)
        yield f"{reranker.name} is expected to read a case's 100 best chunks once. Its time is not counted."
    if any(part.usd for part in (*plan.readers, plan.judge) if part):
        yield "Money is without discounts for cached prompts, and without retries."
    yield "A budget has to hold its columns: all that readers may take, and what else is expected."


def _embedding_time(local: LocalEmbedding) -> str:
    if local.seconds is None:
        return "it has embedded too little here to tell how long that takes"
    time = duration_label(local.seconds) if local.seconds >= 1 else "under a second"
    return f"{time}, as fast as the last time"


def _of_routed(reader: ReaderPlan, routed: RoutedTrials) -> str:
    """How many trials may be answered on the way, and between what the plan lies."""
    how = "as many as so far" if routed.is_known else "half, until some are finished"
    return (
        f"{reader.name} may answer {routed.trials:,} trials before it reads; {routed.read_on:,} are expected "
        f"to read on ({how}). Its prompts have {amount_label(routed.prompt_tokens_at_least)} tokens where "
        f"none does, and {amount_label(reader.prompt_tokens_at_most)} at most."
    )


def _of_preparation(part: PlannedUse) -> str:
    """What the documents take of it, and what their questions do."""
    own = list(part.documents.values()) if isinstance(part, PlannedPreparation) else []
    calls = sum(each.calls for each in own)
    tokens = [each.prompt_tokens + each.answer_tokens for each in own]
    least, most = amount_label(min(tokens, default=0)), amount_label(max(tokens, default=0))
    if not calls:
        alone = f"{part.calls:,} calls are for single questions"
        return f"{part.name} prepares no document anew; {alone}. Its time is not counted."
    return (
        f"{part.name} prepares {len(own)} documents in {calls:,} calls, {least} to {most} tokens each, which "
        f"later questions and runs share; {max(0, part.calls - calls):,} calls are for single questions. Its "
        "time is not counted."
    )


def _of_chat_templates(plan: Plan) -> Iterator[str]:
    if plan.reserve and not plan.chat_templates:
        yield f"{plan.reserve} tokens of each context length are reserved for the reader's chat template."
    for name, tokens in plan.chat_templates.items():
        puts = f"{name} puts {tokens} tokens of its chat template around each prompt"
        if tokens <= plan.reserve:
            yield f"{puts}; {plan.reserve} of each context length are reserved for it."
        else:
            reserved = f"only {plan.reserve} are" if plan.reserve else "none are"
            yield f"{puts}, and {reserved} reserved for it: --reserve {tokens} makes room within the length."


def _unclear(part: PlannedUse, name: str, counts_own: bool) -> Iterator[str]:
    if part.usd is None:
        yield f"The price of {name} is unknown: neither the run config nor litellm has one."
    if not counts_own:
        yield f"Prompts are counted in tokens of {', '.join(part.tokenizers)}; {name} counts with its own."
