"""Retrieval alone, without any reader: what a strategy would send, and how much of the needles is in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from niah.cases.case import Context
from niah.cases.sample import Sample
from niah.cases.samples import context_of
from niah.errors import Say, UserError, counted
from niah.judges.verdict import is_unanswerable
from niah.retrieval.registry import get_retriever
from niah.strategies.chunkers import Truncation
from niah.strategies.facts import RetrievalFacts, Selection
from niah.strategies.select import select
from niah.strategies.strategy import Strategy
from niah.text.tokenizer import count, get_tokenizer


@dataclass(frozen=True)
class Retrieval:
    """A strategy applied to a sample, and the seconds that this took, a model's loading with them."""

    sample: Sample
    strategy: Strategy
    context: Context
    selection: Selection
    seconds: float


def selection_of(sample: Sample, context: Context, strategy: Strategy, say: Say) -> Selection:
    """What the strategy makes of the sample's context; ``say`` hears of slow steps. Raises UserError."""
    return select(
        strategy,
        context,
        sample.key.question,
        get_tokenizer(sample.tokenizer),
        sample.context_room,
        lambda name: get_retriever(name, say),
        seed=sample.sample_id,
        evidence_is_known=sample.evidence_is_known
        or (strategy.needs_evidence and knows_what_to_send(strategy, sample)),
    )


def context_for(sample: Sample, truncation: Truncation | None) -> Context:
    """The sample's context, cut as its full context is."""
    context = context_of(sample)
    if truncation is None:
        return context
    text = truncation.apply(context.text)
    return replace(context, text=text, tokens=count(get_tokenizer(sample.tokenizer), text))


def check_retrieval(strategies: Iterable[Strategy], say: Say) -> None:
    """Meet mistakes before any work: make every retriever. Raises UserError."""
    for strategy in strategies:
        if strategy.system or strategy.prepared:
            problem = f"{strategy.name} asks a model, or is an application: it does not retrieve alone."
            raise UserError(problem, "niah run asks it; leave it out here.")
        if strategy.retriever:
            get_retriever(strategy.retriever, say)


def retrieve(sample: Sample, strategy: Strategy, say: Say) -> Retrieval:
    """Apply the strategy to the sample's context. ``say`` hears of slow first times. Raises UserError."""
    context, start = context_of(sample), perf_counter()
    selection = selection_of(sample, context, strategy, say)
    return Retrieval(sample, strategy, context, selection, perf_counter() - start)


def evaluate(samples: Iterable[Sample], strategies: Sequence[Strategy], say: Say) -> Iterator[dict[str, Any]]:
    """A row per sample and strategy that it suits, as they are done. Raises UserError."""
    for sample in samples:
        for strategy in strategies:
            if knows_what_to_send(strategy, sample):
                yield retrieval_row(retrieve(sample, strategy, say))


def retrieval_row(retrieval: Retrieval) -> dict[str, Any]:
    """The numbers of one retrieval: a line of ``niah retrieve SUITE --out``. Evidence counts as needles."""
    sample, n = retrieval.sample, len(retrieval.context.needles)
    sent = float(retrieval.selection.text == retrieval.context.text)
    none = RetrievalFacts(sent, (None,) * n, (False,) * n, None, retrieved=0, available=0)
    facts = retrieval.selection.facts or none  # lc and closed-book: no chunks, but everything or nothing
    columns = ("needle_set", "haystack", "context_length", "depth", "seed")
    return {
        "case_id": sample.sample_id,
        **{name: getattr(sample, name) for name in columns},
        "strategy": retrieval.strategy.name,
        "needles": n,
        "completeness": facts.completeness if n else None,  # share of needles retrieved whole
        "noise_ratio": facts.noise_ratio,  # share of the retrieved chunks without any part of a needle
        "needle_ranks": facts.needle_ranks,  # by needle, the best rank of a chunk that holds it whole
        "needle_split": facts.needle_split,  # by needle, whether chunk borders cut it
        "context_tokens": retrieval.selection.context_tokens,  # of what is sent in the context's place
        "retrieved": facts.retrieved,
        "available": facts.available,
        "seconds": round(retrieval.seconds, 4),
        "question_set": sample.question_set,
        "document_id": sample.document_id,
        "noise_added": facts.added,  # retrieved chunks that are noise which the strategy asks for
        "foreign": facts.foreign,  # chunks that the retriever gave and that are none of the context's
    }


def knows_what_to_send(strategy: Strategy, sample: Sample) -> bool:
    """Whether the strategy can be applied: one that sends the evidence needs it, or that there is none."""
    return not strategy.needs_evidence or sample.evidence_is_known or is_unanswerable(sample.key)


def check_evidence(strategy: Strategy, samples: Sequence[Sample]) -> None:
    """Raise UserError where the strategy needs evidence, and no sample has any."""
    if strategy.needs_evidence and not any(sample.evidence_is_known for sample in samples):
        sets = ", ".join(dict.fromkeys(sample.question_set or "" for sample in samples))
        problem = f"{strategy.name} needs to know which part of the text holds the answer"
        remedy = "Give the questions their evidence, or leave the strategy out."
        raise UserError(f"{problem}, and no question of {sets} says so.", remedy)


def evidence_lines(strategies: Sequence[Strategy], samples: Sequence[Sample]) -> Iterator[str]:
    """For each strategy that needs evidence: of how many questions it is not asked."""
    for strategy in strategies:
        if left := sum(not knows_what_to_send(strategy, sample) for sample in samples):
            lacks = f"no evidence is known of {left:,} of {counted(len(samples), 'question')}"
            yield f"{strategy.name} is left out where {lacks}: its means are of the others."
