"""What is wrong with a question set, and what is odd about it: all of it, not the first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
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

_TOLD_EACH = 3
"""With as many other lines that have the same problem, it is told once for all of them."""


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


def problem_lines(path: Path, problems: Sequence[QuestionProblem]) -> Iterator[str]:
    """A line each; what is wrong alike with more than three lines is told once for all of these."""
    place = re.compile(re.escape(f"{path}: line ") + r"(\d+)")
    alike: dict[str, list[int]] = {}
    for problem in problems:
        if found := place.match(problem.text):
            alike.setdefault(problem.text[found.end() :], []).append(int(found[1]))
    for problem in problems:
        found = place.match(problem.text)
        first, *others = alike[problem.text[found.end() :]] if found else [0]
        if len(others) < _TOLD_EACH:
            yield problem.text
        elif found and int(found[1]) == first:
            yield f"{problem.text} The same in {len(others):,} more lines: {_joined(others)}."


def _joined(numbers: Sequence[int]) -> str:
    """Rising numbers, those in a row as one: "2-17, 19"."""
    rows = groupby(enumerate(numbers), key=lambda each: each[1] - each[0])
    spans = [[number for _, number in row] for _, row in rows]
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)


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
