"""What is wrong with a question set, and what is odd about it: all of it, not the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from niah.cases.questions.overlaps import holds_words, lower_case_words
from niah.cases.questions.question_lines import (
    GivenQuestion,
    document_text,
    evidence_spans,
    given_questions,
    line_error,
    no_question,
)
from niah.errors import ConfigError, UserError


@dataclass(frozen=True)
class QuestionProblem:
    """One thing to look at.

    Attributes:
        text: file, line, key, what is the matter, what to do.
        hinders: whether no run can ask the set as it is.
    """

    text: str
    hinders: bool


def check_questions(path: Path) -> Iterator[QuestionProblem]:
    """Everything that keeps a set from being asked, and what makes a question a poor one, line by line.

    Evidence that the document does not hold; the same question about the same document twice; a free answer
    that stands in its question. Raises ConfigError where nothing can be read, and of a file without a line.
    """
    asked: dict[tuple[object, ...], int] = {}
    question: GivenQuestion | ConfigError | None = None
    for question in given_questions(path):
        if isinstance(question, ConfigError):
            yield QuestionProblem(str(question), hinders=True)
            continue
        yield from _of_evidence(path, question)
        words = tuple(lower_case_words(question.line.question))
        earlier = asked.setdefault((question.source.sha256, words, question.line.options), question.number)
        if earlier != question.number:
            again = f"asks what line {earlier} asks about the same document."
            yield _odd(path, question, "question", again, "Take one out.")
        for place, answer in enumerate(() if question.line.options else question.line.answers):
            if holds_words(question.line.question, answer):
                problem = f"{answer[:60]!r} stands in the question."
                yield _odd(path, question, f"answers.{place}", problem, "Ask without giving it away.")
    if question is None:
        raise no_question(path)


def questions_and_documents(path: Path) -> tuple[int, int]:
    """How many questions of a set can be read, and how many documents they are about."""
    documents = [each.source.sha256 for each in given_questions(path) if not isinstance(each, ConfigError)]
    return len(documents), len(set(documents))


def _of_evidence(path: Path, question: GivenQuestion) -> Iterator[QuestionProblem]:
    if not question.line.evidence:
        return
    try:
        text = document_text(question.source)
    except UserError as error:
        yield QuestionProblem(str(error), hinders=True)
        return
    for found in evidence_spans(path, question, text):
        if isinstance(found, ConfigError):
            yield QuestionProblem(str(found), hinders=True)


def _odd(path: Path, question: GivenQuestion, key: str, problem: str, remedy: str) -> QuestionProblem:
    return QuestionProblem(str(line_error(path, question.number, key, problem, remedy)), hinders=False)
