"""A case as a row of somebody else's dataset: the whole prompt, and what an answer has to name."""

from __future__ import annotations

from dataclasses import dataclass

from niah.cases.prompts import load_prompt
from niah.cases.records import CANARY
from niah.cases.sample import Sample
from niah.cases.samples import context_of


@dataclass(frozen=True)
class ExportedRow:
    """One case, its prompt as a reader gets it that reads everything.

    Attributes:
        id: the sample's.
        input: instructions, context, question.
        target: the fullest reference answer; "" where the text does not answer.
        elements: what an answer has to name, each with the spellings that count; of a given question that has
            none, its reference answers as the spellings of one. Empty where the text does not answer.
        max_tokens: room that an answer needs.
        context_length, tokens: L, and those of the context, in the suite's tokenizer.
        needle_set, haystack, question_set, depth, seed: facets; None where the sample has not got one.
        canary: marks generated text.
    """

    id: str
    input: str
    target: str
    elements: tuple[tuple[str, ...], ...]
    max_tokens: int
    context_length: int
    tokens: int
    needle_set: str | None
    haystack: str | None
    question_set: str | None
    depth: float | None
    seed: int | None
    canary: str = CANARY


def exported_row(sample: Sample) -> ExportedRow:
    """The row of a sample. Raises UserError where its source is gone or has changed."""
    key = sample.key
    named = tuple(element.names for element in key.elements)
    return ExportedRow(
        id=sample.sample_id,
        input=load_prompt(sample.prompt).render(context_of(sample).text, key.question, key.options),
        target=key.answer,
        elements=named or ((key.references,) if key.references and key.kind != "unanswerable" else ()),
        max_tokens=key.answer_tokens,
        context_length=sample.context_length,
        tokens=sample.tokens,
        needle_set=sample.needle_set,
        haystack=sample.haystack,
        question_set=sample.question_set,
        depth=sample.depth,
        seed=sample.seed,
    )
