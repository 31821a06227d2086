"""Whole applications in place of strategy and reader: what they are asked, and what they say placed."""

from __future__ import annotations

from niah.cases.context import Context
from niah.cases.sample import Sample
from niah.readers.reader import Answer
from niah.retrieval.user import get_system
from niah.strategies.facts import RetrievalFacts, facts_of_texts


def system_question(sample: Sample) -> str:
    """What a system is asked about a sample's context: the question, and its options."""
    return "\n".join([sample.key.question, *sample.key.options])


def system_answer(reference: str, question: str, document: str) -> Answer:
    """Ask a system. Raises OutsideError."""
    return get_system(reference)(question, document)


def source_facts(answer: Answer, sample: Sample, context: Context) -> RetrievalFacts | None:
    """Where the chunks of a system's answer stand in the context; None where it gave none."""
    needles = context.needles if sample.evidence_is_known else None
    return None if answer.sources is None else facts_of_texts(answer.sources, context.text, needles)
