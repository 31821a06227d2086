"""Whole applications in place of strategy and reader: asked, and what they say of their sources placed."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from niah.cases.context import Context
from niah.cases.sample import Sample
from niah.readers.reader import Answer
from niah.retrieval.brought.system import get_system
from niah.strategies.facts import RetrievalFacts, facts_of_texts


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
    needles = context.needles if sample.evidence_is_known else None
    facts = None if reply.chunks is None else facts_of_texts(reply.chunks, context.text, needles)
    return SystemAnswer(Answer(reply.answer, reply.usage, seconds), facts, reply.cost)
