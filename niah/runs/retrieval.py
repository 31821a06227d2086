"""Retrieval alone, without any reader: what a strategy would send, and how much of the needles is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from time import perf_counter
from typing import Any

from niah.cases.context import Context, Placed
from niah.cases.sample import Sample
from niah.cases.samples import context_of
from niah.errors import StrategyError
from niah.file_mistakes import counted
from niah.judges.verdict import is_unanswerable
from niah.retrieval.registry import get_retriever
from niah.strategies.facts import chunks_with_needles, join_neighbours, needles_held
from niah.strategies.prepared.steps import Chosen
from niah.strategies.select import RankedChunk, Selection, made_of_parts, select
from niah.strategies.strategy import Strategy
from niah.strategies.truncate import Truncation
from niah.text.chunks import Chunk
from niah.text.tokenizer import count, get_tokenizer

Say = Callable[[str], None]


@dataclass(frozen=True)
class Found:
    """Which needles a selection holds, by their ids.

    Attributes:
        whole: those wholly inside it; one that lies across retrieved chunks which follow each other counts.
        in_part: those of which it holds some, but not all.
    """

    whole: frozenset[str]
    in_part: frozenset[str]


@dataclass(frozen=True)
class Retrieval:
    """A strategy applied to a sample.

    Attributes:
        seconds: wall time of chunking, scoring and filling. The first time with a retriever holds the loading
            of its model, and embeddings that are cached cost nothing.
    """

    sample: Sample
    strategy: Strategy
    context: Context
    selection: Selection
    found: Found
    seconds: float


@dataclass(frozen=True)
class RetrievalRecord:
    """One line of ``niah retrieve SUITE --out``.

    A given question has no needle set, haystack, depth or seed; its evidence takes the place of needles.

    Attributes:
        case_id: of a generated sample; a given one's own id.
        needles: how many the context holds.
        completeness: share of needles wholly retrieved; None where there are no needles, as for all shares.
        in_part: share of needles of which some was retrieved, but not all.
        element_recall: share of the elements that a wholly retrieved needle carries; None without elements.
        noise_ratio: retrieved chunks without any part of a needle / retrieved chunks; None for lc and
            closed-book, which have no chunks.
        needle_ranks: for each needle, in the order of the text, the best rank of a chunk that holds it
            whole, or None.
        needle_split: for each needle, whether chunk borders cut it. Both are None where it is not known which
            part of the context holds the answer.
        context_tokens: of what is sent in the context's place, in the case's tokenizer.
        retrieved, available: chunks; 0 for lc and closed-book.
        seconds: see ``Retrieval``.
        noise_added: how many of the retrieved chunks are noise that the strategy asks for.
        foreign: how many more the retriever gave that are none of the context's chunks.
    """

    case_id: str
    needle_set: str | None
    haystack: str | None
    context_length: int
    depth: float | None
    seed: int | None
    strategy: str
    needles: int
    completeness: float | None
    in_part: float | None
    element_recall: float | None
    noise_ratio: float | None
    needle_ranks: tuple[int | None, ...] | None
    needle_split: tuple[bool, ...] | None
    context_tokens: int
    retrieved: int
    available: int
    seconds: float
    question_set: str | None = None
    document_id: str | None = None
    noise_added: int = 0
    foreign: int = 0

    def as_json(self) -> dict[str, Any]:
        """The record as a mapping, its keys in the order above."""
        return asdict(self) | {"seconds": round(self.seconds, 4)}


def selection_of(sample: Sample, context: Context, strategy: Strategy, say: Say) -> Selection:
    """What the strategy makes of the sample's context; ``say`` hears of slow steps. Raises UserError."""
    _check_retrieves(strategy)
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


def selection_of_parts(sample: Sample, context: Context, chosen: Chosen) -> Selection:
    """What a strategy that asked a model first gives the reader."""
    needles = context.needles if sample.evidence_is_known else None
    return made_of_parts(chosen, context.text, get_tokenizer(sample.tokenizer), needles)


def retrieve(sample: Sample, strategy: Strategy, say: Say) -> Retrieval:
    """Apply the strategy to the sample's context. ``say`` hears of slow first times. Raises UserError."""
    return _applied(sample, context_of(sample), strategy, say)


def check_retrieval(strategies: Iterable[Strategy], say: Say) -> None:
    """Meet mistakes before any work: make every retriever. Raises UserError."""
    for strategy in strategies:
        _check_retrieves(strategy)
        if strategy.retriever:
            get_retriever(strategy.retriever, say)


def _check_retrieves(strategy: Strategy) -> None:
    if strategy.system:
        problem = f"{strategy.name} is a whole application, and answers by itself."
        raise StrategyError(problem, "niah run asks it; leave it out here.")
    if strategy.prepared:
        problem = f"{strategy.name} asks a model first, and here no model is asked."
        raise StrategyError(problem, "niah run asks it; leave it out here.")


def evaluate(
    samples: Iterable[Sample], strategies: Sequence[Strategy], say: Say
) -> Iterator[RetrievalRecord]:
    """One record per sample and strategy that it suits, sample by sample, as they are done.

    Raises UserError.
    """
    for sample in samples:
        context = context_of(sample)
        for strategy in strategies:
            if not knows_what_to_send(strategy, sample):
                continue
            yield retrieval_record(_applied(sample, context, strategy, say))


def found(needles: Sequence[Placed], selection: Selection, context_text: str) -> Found:
    """Which of a context's needles a selection holds."""
    if selection.facts is None:  # lc or closed-book: no chunks, but everything or nothing
        everything = frozenset(needle.id for needle in needles)
        return Found(everything if selection.text == context_text else frozenset(), frozenset())
    chunks = sorted((ranked.chunk for ranked in selection.chunks), key=lambda chunk: chunk.index)
    joined = [Chunk(i, start, end, 0, 0) for i, (start, end) in enumerate(join_neighbours(chunks))]
    whole = frozenset(id for stretch in joined for id in needles_held(needles, stretch))
    some = frozenset(needle.id for needle in needles if chunks_with_needles([needle], chunks).any())
    return Found(whole, some - whole)


def in_part(needles: Sequence[Placed], ranked: RankedChunk) -> tuple[str, ...]:
    """Ids of the needles of which one chunk holds some, but not all."""
    return tuple(
        needle.id
        for needle in needles
        if needle.id not in ranked.needles and chunks_with_needles([needle], [ranked.chunk]).any()
    )


def element_recall(needles: Sequence[Placed], whole: frozenset[str]) -> float | None:
    """Share, 0 to 1, of the needles' elements that a needle of ``whole`` carries; None without elements."""
    carried = {name for needle in needles for name in needle.elements}
    found = {name for needle in needles if needle.id in whole for name in needle.elements}
    return len(found) / len(carried) if carried else None


def retrieval_record(retrieval: Retrieval) -> RetrievalRecord:
    """The numbers of one retrieval."""
    sample, needles, facts = retrieval.sample, retrieval.context.needles, retrieval.selection.facts
    whole, partly = retrieval.found.whole, retrieval.found.in_part
    return RetrievalRecord(
        case_id=sample.sample_id,
        needle_set=sample.needle_set,
        haystack=sample.haystack,
        context_length=sample.context_length,
        depth=sample.depth,
        seed=sample.seed,
        strategy=retrieval.strategy.name,
        needles=len(needles),
        completeness=_share(needles, whole),
        in_part=_share(needles, partly),
        element_recall=element_recall(needles, whole),
        noise_ratio=facts.noise_ratio if facts else None,
        needle_ranks=facts.needle_ranks if facts else (None,) * len(needles),
        needle_split=facts.needle_split if facts else (False,) * len(needles),
        context_tokens=retrieval.selection.context_tokens,
        retrieved=facts.retrieved if facts else 0,
        available=facts.available if facts else 0,
        seconds=retrieval.seconds,
        question_set=sample.question_set,
        document_id=sample.document_id,
        noise_added=facts.added if facts else 0,
        foreign=facts.foreign if facts else 0,
    )


def _applied(sample: Sample, context: Context, strategy: Strategy, say: Say) -> Retrieval:
    start = perf_counter()
    selection = selection_of(sample, context, strategy, say)
    seconds = perf_counter() - start
    within = found(context.needles, selection, context.text)
    return Retrieval(sample, strategy, context, selection, within, seconds)


def _share(needles: Sequence[Placed], ids: frozenset[str]) -> float | None:
    return fmean(needle.id in ids for needle in needles) if needles else None


# Strategies that send the evidence, and questions that do not say where it is


def knows_what_to_send(strategy: Strategy, sample: Sample) -> bool:
    """Whether the strategy can be applied: one that sends the evidence needs it, or that there is none.

    Where the text does not answer, no part of it is evidence, and nothing of it is sent.
    """
    return not strategy.needs_evidence or tells_evidence(sample)


def tells_evidence(sample: Sample) -> bool:
    """Whether it says where its answer is, or that there is none: an oracle can be asked."""
    return sample.evidence_is_known or is_unanswerable(sample.key)


def check_evidence(strategy: Strategy, samples: Sequence[Sample]) -> None:
    """Raise StrategyError where the strategy needs evidence, and no sample has any."""
    if strategy.needs_evidence and not any(sample.evidence_is_known for sample in samples):
        sets = ", ".join(dict.fromkeys(sample.question_set or "" for sample in samples))
        problem = f"{strategy.name} needs to know which part of the text holds the answer"
        raise StrategyError(
            f"{problem}, and no question of {sets} says so.",
            "Give the questions their evidence, or leave the strategy out.",
        )


def evidence_lines(strategies: Sequence[Strategy], samples: Sequence[Sample]) -> Iterator[str]:
    """For each strategy that needs evidence: of how many questions it is not asked, or sends nothing."""
    for strategy in strategies:
        if not strategy.needs_evidence:
            continue
        unknown = [sample for sample in samples if not sample.evidence_is_known]
        empty = sum(is_unanswerable(sample.key) for sample in unknown)
        if left := len(unknown) - empty:
            has = "has" if left == 1 else "have"
            lacks = f"{left:,} of {counted(len(samples), 'question')} {has} no evidence"
            first = next(sample for sample in unknown if not is_unanswerable(sample.key))
            example = f"{'' if left == 1 else 'the first is '}{first.key.name!r} of {first.question_set}"
            yield f"{lacks} ({example}): {strategy.name} is left out there, and its means are of the others."
        if empty and strategy.sends_needles:
            of = f"{counted(empty, 'question')} that the text does not answer"
            yield f"{strategy.name} sends no context for {of}: there is no evidence of one."
