"""Samples of question sets: each question with its document, measured."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from niah.cases.case import id_part
from niah.cases.context import Context, Placed
from niah.cases.prompts import load_prompt, prompt_tokens
from niah.cases.questions.question_set import (
    GivenQuestion,
    document_text,
    evidence_spans,
    id_without_spaces,
    line_error,
    load_questions,
    text_digest,
)
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.errors import CaseError, UserError
from niah.needles.needle_set import Element, Needle
from niah.text.tokenizer import count, get_tokenizer, token_at

_LEAST_ANSWER_TOKENS = 128
_CHOICE_TOKENS = 256
"""Room for an option and a sentence or two that explain it."""


@dataclass(frozen=True)
class QuestionSets:
    """The question sets of a suite: files, and the tokenizer and prompt of all of them."""

    paths: tuple[Path, ...] = ()
    tokenizer: str = "cl100k"
    prompt: str = "u-niah"

    def samples(self) -> list[Sample]:
        """The samples of all sets. Raises UserError, which names file, line and key."""
        return [each for path in self.paths for each in question_samples(path, self.tokenizer, self.prompt)]


def question_samples(path: Path, tokenizer: str, prompt: str) -> list[Sample]:
    """The samples of a question set, in the order of its lines. Raises UserError: file, line and key."""
    questions, samples = load_questions(path), dict[int, Sample]()
    # Document by document, since the tokens of the last few alone are cached.
    for question in sorted(questions, key=lambda one: (one.source.path, one.source.document_id)):
        try:
            samples[question.number] = _sample(path, question, tokenizer, prompt)
        except CaseError as error:
            raise line_error(path, question.number, "question", error.message, error.remedy) from None
    return [samples[question.number] for question in questions]


def _sample(path: Path, question: GivenQuestion, name: str, prompt: str) -> Sample:
    line, source = question.line, question.source
    template, tokenizer = load_prompt(prompt), get_tokenizer(name)
    template.check_options(line.options)
    text, evidence = document_text(source), _evidence(path, question, name)
    several = line.right if len(line.right) > 1 else ()
    longest = max((count(tokenizer, answer) for answer in line.references), default=0)
    key = AnswerKey(
        name=line.id,
        question=line.question,
        references=line.references,
        options=line.options,
        answer_index=line.options.index(line.right[0]) if len(line.right) == 1 else None,
        needles=tuple(Needle(placed.id, placed.text, ()) for placed in evidence),
        elements=tuple(map(Element, several)),
        traps=tuple(Element(option) for option in line.options if option not in several) if several else (),
        kind=line.kind,
        answer_tokens=_CHOICE_TOKENS if line.options else max(_LEAST_ANSWER_TOKENS, 2 * longest),
    )
    parts = [id_part(path.stem), id_without_spaces(line.id)]
    parts += [f"t-{id_part(name)}"] if name != "cl100k" else []
    parts += [f"p-{id_part(prompt)}"] if prompt != "u-niah" else []
    edges = text[:200], text[-200:]
    return Sample(
        sample_id="_".join(parts),
        origin="given",
        key=key,
        source=source,
        prompt=prompt,
        tokenizer=name,
        tokens=len(_starts(source, name)),
        prompt_tokens=prompt_tokens(template, line.question, *edges, tokenizer, line.options),
        sha256=source.sha256,
        fingerprint=text_digest(repr((key, source.sha256, template.identity)))[:20],
        needles=evidence,
        question_set=path.stem,
        source_name=line.source,
    )


def _evidence(path: Path, question: GivenQuestion, tokenizer: str) -> tuple[Placed, ...]:
    """The quoted passages in the order of the document. Raises ConfigError."""
    text, placed = document_text(question.source), list[Placed]()
    spans, starts = set(evidence_spans(path, question, text)), _starts(question.source, tokenizer)
    for number, (start, end) in enumerate(sorted(spans), start=1):
        token = token_at(starts, text, start)
        placed.append(Placed(f"evidence-{number}", text[start:end], (), start, end, token, token))
    return tuple(placed)


@lru_cache(maxsize=4)
def _starts(source: GivenDocument, tokenizer: str) -> list[int]:
    starts: list[int] = get_tokenizer(tokenizer).starts(document_text(source)).tolist()
    return starts


def given_context(sample: Sample, source: GivenDocument) -> Context:
    """The document of a given sample, read again. Raises CaseError where it is gone or has changed."""
    try:
        text = document_text(source)
    except UserError as error:
        problem = f"{sample.sample_id}: its document cannot be read any more: {error.message}"
        raise CaseError(problem, "Put the file back.") from None
    if text_digest(text) != sample.sha256:
        raise CaseError(
            f"{sample.sample_id}: its document {source.document_id!r} has changed since the run was planned.",
            "Start a new run, or put the old file back.",
        )
    return Context(text, sample.needles, sample.distractors, sample.tokens, sample.prompt_tokens)
