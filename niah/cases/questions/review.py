"""What is wrong with a question set: ``niah questions check``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from niah.cases.questions.question_set import (
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
    question = None
    for question in given_questions(path):
        if isinstance(question, ConfigError):
            yield QuestionProblem(str(question), hinders=True)
            continue
        line, number = question.line, question.number
        try:
            spans = evidence_spans(path, question, document_text(question.source)) if line.evidence else ()
            missing = [str(found) for found in spans if isinstance(found, ConfigError)]
        except UserError as unreadable:
            missing = [str(unreadable)]
        yield from (QuestionProblem(text, hinders=True) for text in missing)
        words = _words(line.question)
        earlier = asked.setdefault((question.source.sha256, words, line.options), number)
        if earlier != number:
            again = f"asks what line {earlier} asks about the same document."
            error = line_error(path, number, "question", again, "Take one out.")
            yield QuestionProblem(str(error), hinders=False)
        for place, answer in enumerate(() if line.options else line.answers):
            if f" {_words(answer)} " in f" {words} ":
                problem = f"{answer[:60]!r} is in the question."
                error = line_error(path, number, f"answers.{place}", problem, "Ask without giving it away.")
                yield QuestionProblem(str(error), hinders=False)
    if question is None:
        load_questions(path)  # raises


_WORD = re.compile(rf"[\w{marks()}]+")


def _words(text: str) -> str:
    """Words and numbers in lower case; each character is one where no spaces are written."""
    return " ".join(part for word in _WORD.findall(text.casefold()) for part in written_parts(word))


QUESTION_TYPES = ("how", "why", "what", "when", "where", "which", "who", "other")


def question_type(question: str) -> str:
    """The first of ``QUESTION_TYPES`` whose word is anywhere in a question, or "other".

    As long-context-vs-rag (section 5.3) sorts questions, but by whole words: "show" is no "how".

    >>> question_type("Who showed Anna what the seal was for?")
    'what'
    """
    words = {re.sub("^who(m|se|ever)$", "who", word) for word in re.findall(r"\w+", question.lower())}
    return next((kind for kind in QUESTION_TYPES if kind in words), "other")
