"""What the numbers of a plan leave open, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from niah.haystacks.structure import STRUCTURES
from niah.judges.registry import asked_model
from niah.plots.headlines.advice_words import and_joined
from niah.plots.kit.labels import amount_label, duration_label
from niah.runs.cost.estimate.finished_trials import counts_own
from niah.runs.cost.estimate.planned_use import LocalEmbedding, Plan, PlannedUse, ReaderPlan
from niah.runs.cost.preparation import PlannedPreparation
from niah.runs.cost.routed import RoutedTrials


def plan_notes(plan: Plan, judge_name: str) -> Iterator[str]:
    """What the numbers leave open, one line each."""
    yield from _of_kept_trials(plan)
    yield from _of_readers(plan.readers)
    yield from _of_judge(plan, judge_name)
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
    yield from _of_retrieval(plan)
    if any(part.usd for part in (*plan.readers, plan.judge) if part):
        yield "Money is without discounts for cached prompts, and without retries."
    if plan.refusal:
        yield f"niah run would not start: {plan.refusal}"
    elif plan.budget:
        yield f"niah run would start: its budget is {plan.budget}."
    else:
        yield "niah run would start: it has no budget. A --budget must be at least the last column."


def _of_kept_trials(plan: Plan) -> Iterator[str]:
    planned, kept, left = _trials(plan)
    if finished := planned - kept - left:
        yield f"{finished:,} of {planned:,} trials are finished and not counted."
    if plan.asked_first:
        yield (
            f"{plan.asked_first:,} questions are asked without their context first: what a reader knows is "
            "left out of all else, which is counted here as if it knew nothing."
        )
    if kept:
        judged = ", but judged anew" if plan.judge else ""
        yield f"{kept:,} answers are reused from earlier runs and not counted{judged}."


def _trials(plan: Plan) -> tuple[int, int, int]:
    """Of all readers: planned, kept from earlier runs, and left to run."""
    planned, kept, left = (
        sum(getattr(reader, name) for reader in plan.readers) for name in ("trials", "kept", "left")
    )
    return planned, kept, left


def _of_readers(readers: Sequence[ReaderPlan]) -> Iterator[str]:
    """What the readers' rows leave open; what is alike is said of all whom it is true of at once."""
    asked = [reader for reader in readers if reader.calls]
    if unpriced := [reader.name for reader in asked if reader.usd is None]:
        yield _price_unknown(unpriced)
    others: dict[tuple[str, ...], list[str]] = {}
    for reader in asked:
        if not reader.counts_own:
            others.setdefault(tuple(reader.tokenizers), []).append(reader.name)
    for tokenizers, names in others.items():
        yield _counted_otherwise(tokenizers, names)
    for reader in readers:
        if reader.calls and reader.thinking_room and not reader.thinking_is_known:
            room = f"{reader.name} has room for {reader.thinking_room:,} tokens of thoughts a trial"
            yield f"{room}, and is expected to fill it until it has finished some trials."
        if reader.routed:
            yield _of_routed(reader, reader.routed)
    if untimed := [reader.name for reader in readers if reader.seconds is None]:
        they_have = "it has" if len(untimed) == 1 else "they have"
        yield f"The time of {and_joined(untimed)} is unknown until {they_have} finished some trials."


def _of_judge(plan: Plan, judge_name: str) -> Iterator[str]:
    judge = plan.judge
    if judge is None:
        yield f"The judge ({judge_name}) is free and asks nobody."
        return
    name = f"the judge {judge.name}"
    own = all(counts_own(asked_model(judge.name), each) for each in judge.tokenizers)
    yield from _unclear(judge, name, own)
    _, kept, left = _trials(plan)
    if judge.calls < (answers := left + kept + sum(system.calls for system in plan.systems)):
        yield f"{name} is expected to be asked about {judge.calls:,} of {answers:,} answers."
    if judge.seconds is None:
        yield f"The time of {name} is unknown until it has given some verdicts."


def _of_retrieval(plan: Plan) -> Iterator[str]:
    if local := plan.local_embedding:
        here = f"about {local.tokens:,} tokens on this machine ({_embedding_time(local)})"
        yield f"{local.embedder} embeds {here}, less what it has embedded here before."
    for embedder in plan.embedders:
        yield from _unclear(embedder, f"the embedder {embedder.name}", counts_own=True)
        yield f"{embedder.name} is expected to embed once what samples share. Its time is not counted."
    for reranker in plan.rerankers:
        yield from _unclear(reranker, f"the reranker {reranker.name}", counts_own=True)
        yield f"{reranker.name} is expected to read a case's 100 best chunks once. Its time is not counted."


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
        yield _price_unknown([name])
    if not counts_own:
        yield _counted_otherwise(part.tokenizers, [name])


def _price_unknown(names: Sequence[str]) -> str:
    return f"The price of {and_joined(names)} is unknown: neither the run config nor litellm has one."


def _counted_otherwise(tokenizers: Sequence[str], names: Sequence[str]) -> str:
    own = (
        f"{names[0]} counts with its own" if len(names) == 1 else f"{and_joined(names)} count with their own"
    )
    return f"Prompts are counted in tokens of {', '.join(tokenizers)}; {own}."
