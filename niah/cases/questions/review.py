"""What is wrong with a question set: ``niah questions check``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from niah.cases.questions.question_set import (
    GivenQuestion,
    document_text,
    evidence_spans,
    given_questions,
    line_error,
    load_questions,
)
from niah.errors import ConfigError, UserError
from niah.text.writing import marks, written_parts


@dataclass(frozen=True)
class QuestionProblem:
    """A line that names file, line, key and what is wrong; ``hinders`` where no run can ask the set."""

    text: str
    hinders: bool


def check_questions(path: Path) -> Iterator[QuestionProblem]:
    """Everything that keeps a set from being asked, and what makes a question a poor one, line by line.

    Evidence that the document does not hold, the same question about the same document again, and an
    answer that is in its question. Raises ConfigError where nothing can be read.
    """
    asked: dict[tuple[object, ...], int] = {}
    question: GivenQuestion | ConfigError | None = None
    for question in given_questions(path):
        if isinstance(question, ConfigError):
            yield QuestionProblem(str(question), hinders=True)
            continue
        line, number = question.line, question.number
        yield from _missing_evidence(path, question)
        words = tuple(lower_case_words(line.question))
        earlier = asked.setdefault((question.source.sha256, words, line.options), number)
        if earlier != number:
            again = f"asks what line {earlier} asks about the same document."
            error = line_error(path, number, "question", again, "Take one out.")
            yield QuestionProblem(str(error), hinders=False)
        for place, answer in enumerate(_free_answers(question)):
            if holds_words(line.question, answer):
                problem = f"{answer[:60]!r} is in the question."
                error = line_error(path, number, f"answers.{place}", problem, "Ask without giving it away.")
                yield QuestionProblem(str(error), hinders=False)
    if question is None:
        load_questions(path)  # raises


def _missing_evidence(path: Path, question: GivenQuestion) -> Iterator[QuestionProblem]:
    if not question.line.evidence:
        return
    try:
        for found in evidence_spans(path, question, document_text(question.source)):
            if isinstance(found, ConfigError):
                yield QuestionProblem(str(found), hinders=True)
    except UserError as error:
        yield QuestionProblem(str(error), hinders=True)


_WORD = re.compile(rf"[\w{marks()}]+")


def lower_case_words(text: str) -> list[str]:
    """Words and numbers in lower case, without punctuation; each character where no spaces are written."""
    return [part for word in _WORD.findall(text.casefold()) for part in written_parts(word)]


def holds_words(text: str, phrase: str) -> bool:
    """Whether the words of ``phrase``, in a row, are in ``text``."""
    words = " ".join(lower_case_words(phrase))
    return bool(words) and f" {words} " in f" {' '.join(lower_case_words(text))} "


def _free_answers(question: GivenQuestion) -> tuple[str, ...]:
    return () if question.line.options else question.line.answers


QUESTION_TYPES = ("how", "why", "what", "when", "where", "which", "who", "other")
_TYPE_WORDS = {
    kind: re.compile(rf"\b{'who(?:m|se|ever)?' if kind == 'who' else kind}\b", re.IGNORECASE)
    for kind in QUESTION_TYPES[:-1]
}


def question_type(question: str) -> str:
    """The first of ``QUESTION_TYPES`` whose word is anywhere in a question, or "other".

    As long-context-vs-rag (section 5.3) sorts questions, but by whole words: "show" is no "how".

    >>> question_type("Who showed Anna what the seal was for?")
    'what'
    """
    return next((kind for kind, word in _TYPE_WORDS.items() if word.search(question)), "other")
