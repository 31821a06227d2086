"""Whole applications in place of strategy and reader: asked, and what they say of their sources placed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from niah.cases.context import Context
from niah.cases.sample import Sample
from niah.readers.reader import Answer
from niah.retrieval.brought.system import get_system
from niah.strategies.facts import RetrievalFacts, retrieval_facts
from niah.text.chunks import Chunk


@dataclass(frozen=True)
class SystemAnswer:
    """What a system made of a sample.

    Attributes:
        answer: its answer, with the usage that it reports.
        facts: where its chunks stand in the context; None where it gave none.
        cost: US dollars, as it reports them.
    """

    answer: Answer
    facts: RetrievalFacts | None
    cost: Decimal | None


def answer_of(reference: str, sample: Sample, context: Context) -> SystemAnswer:
    """Ask a system about a sample. Raises OutsideError."""
    question = "\n".join([sample.key.question, *sample.key.options])
    reply, seconds = get_system(reference).answer(question, context.text)
    facts = None if reply.chunks is None else source_facts(reply.chunks, sample, context)
    return SystemAnswer(Answer(reply.answer, reply.usage, seconds), facts, reply.cost)


def source_facts(texts: tuple[str, ...], sample: Sample, context: Context) -> RetrievalFacts:
    """The facts of chunks that a system cut itself: those found in the context, the best first.

    How else it cut the context nobody knows, and so not which needles its borders cut.
    """
    spans = [_place(text, context.text) for text in texts]
    found = list(dict.fromkeys(span for span in spans if span))
    chunks = [Chunk(2 * i, start, end, 0, 0) for i, (start, end) in enumerate(found)]
    needles = context.needles if sample.evidence_is_known else None
    facts = retrieval_facts(needles, chunks, range(len(chunks)))
    return replace(facts, needle_split=None, foreign=sum(span is None for span in spans))


def _place(text: str, context: str) -> tuple[int, int] | None:
    """Where a chunk stands first, whatever its white space; None where it does not."""
    words = text.split()
    found = re.search(r"\s+".join(map(re.escape, words)), context) if words else None
    return found.span() if found else None
