"""What a question set holds, and what is wrong with it: ``niah questions stats``, ``check`` and ``show``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from niah.cases.questions.question_set import (
    GivenQuestion,
    document_text,
    evidence_spans,
    given_questions,
    line_error,
    load_questions,
    question_set_path,
)
from niah.errors import ConfigError, UserError
from niah.file_mistakes import counted
from niah.text.writing import marks, written_parts

_AROUND = 60
"""Characters that are shown on both sides of evidence."""


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


def question_set_stats(path: Path) -> dict[str, Any]:
    """A question set in numbers, ready for JSON; each document is read once. Raises ConfigError.

    ``words`` and ``per_document`` have fewest, median and most; ``types``, ``kinds``, ``sources`` and
    ``licences`` count questions; ``answers_in_document`` counts free questions with an answer that is in
    the text.
    """
    questions = load_questions(path)
    by_document: dict[str, list[GivenQuestion]] = {}
    for question in questions:
        by_document.setdefault(question.source.sha256, []).append(question)
    lengths, in_document = list[int](), 0
    for own in by_document.values():
        text = document_text(own[0].source)
        lengths.append(len(lower_case_words(text)))
        in_document += sum(any(holds_words(text, answer) for answer in _free_answers(each)) for each in own)
    lines = [question.line for question in questions]
    asked = Counter(" ".join(lower_case_words(line.question)) for line in lines)
    types = Counter(question_type(line.question) for line in lines)
    free = [line.answers[0] for line in lines if line.answers and not line.options]
    return {
        "questions": len(lines),
        "documents": len(by_document),
        "multiple_choice": sum(bool(line.options) for line in lines),
        "unanswerable": sum(not line.references and not line.withheld for line in lines),
        "with_evidence": sum(bool(line.evidence) for line in lines),
        "words": {
            "question": _spread(len(lower_case_words(line.question)) for line in lines),
            **({"answer": _spread(len(lower_case_words(answer)) for answer in free)} if free else {}),
            "document": _spread(lengths),
        },
        "per_document": _spread(map(len, by_document.values())),
        "types": {kind: types[kind] for kind in QUESTION_TYPES},
        "kinds": dict(Counter(line.kind or "" for line in lines)),
        "sources": dict(Counter(line.source or "" for line in lines)),
        "licences": dict(Counter(line.licence or "" for line in lines)),
        "asked_twice": sum(times for times in asked.values() if times > 1),
        "answers_in_document": in_document,
        "answers_in_question": sum(
            any(holds_words(each.line.question, answer) for answer in _free_answers(each))
            for each in questions
        ),
    }


def stats_lines(stats: dict[str, Any]) -> Iterator[str]:
    """The numbers of a set for people, a line each."""
    free = stats["questions"] - stats["multiple_choice"] - stats["unanswerable"]
    yield f"{counted(stats['questions'], 'question')} over {counted(stats['documents'], 'document')}"
    choices, unanswerable = stats["multiple_choice"], stats["unanswerable"]
    yield f"  {choices:,} multiple choice, {free:,} free, {unanswerable:,} unanswerable"
    yield f"  {stats['with_evidence']:,} with evidence"
    yield ""
    yield f"{'words':<22}{'fewest':>9}{'median':>9}{'most':>10}"
    for name, spread in (*stats["words"].items(), ("questions a document", stats["per_document"])):
        yield f"  {name:<20}{spread['fewest']:>9,}{spread['median']:>9,.0f}{spread['most']:>10,}"
    for title in ("type", "kind", "source", "licence"):
        counts = {name: number for name, number in stats[f"{title}s"].items() if number}
        if set(counts) != {""}:
            yield from ("", title)
            for name, number in counts.items():
                yield f"  {number:>7,}  {' '.join(name.split())[:66] or 'not stated'}"
    yield ""
    yield f"{stats['answers_in_document']:,} of {free:,} free answers are in their document word for word"
    yield f"{stats['answers_in_question']:,} are in their question"
    yield f"{stats['asked_twice']:,} questions have the words of another one"


def question_lines_of(questions: list[GivenQuestion]) -> Iterator[str]:
    """A line each: id, type, question."""
    width = min(30, max(len(question.line.id) for question in questions))
    for question in questions:
        asked = question.line.question
        yield f"{question.line.id:<{width}}  {question_type(asked):<5}  {asked}"


def question_in_full(path: Path, question: GivenQuestion) -> Iterator[str]:
    """Everything that the set says of a question, and where its evidence is."""
    line, text = question.line, document_text(question.source)
    yield f"{line.id} (line {question.number}, {question_type(line.question)})"
    yield line.question
    for place, option in enumerate(line.options):
        yield f"  {'*' if option in line.right else ' '} {chr(ord('A') + place)}. {option}"
    for answer in _free_answers(question):
        yield f"  answer: {answer}"
    title = f", {question.source.title}" if question.source.title else ""
    yield f"document: {question.source.document_id}{title}: {len(text):,} characters"
    for found in evidence_spans(path, question, text):
        if isinstance(found, ConfigError):
            yield str(found)
        else:
            start, end = found
            before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
            yield " ".join(f"evidence at {start:,}: …{before}[[{text[start:end]}]]{after}…".split())
    for name in ("kind", "source", "licence", "citation"):
        if said := getattr(line, name):
            yield f"{name}: {said}"


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


def _spread(numbers: Iterable[int]) -> dict[str, float]:
    found = sorted(numbers)
    return {"fewest": found[0], "median": median(found), "most": found[-1]}


def describe_question_set(name: str) -> str:
    """One line: how many questions over how many documents, where from, on what terms, and what to cite."""
    questions = load_questions(question_set_path(name))
    documents = len({(question.source.path, question.source.document_id) for question in questions})
    choices = sum(bool(question.line.options) for question in questions)
    asked, over = counted(len(questions), "question"), counted(documents, "document")
    said = [
        dict.fromkeys(value for question in questions if (value := getattr(question.line, key)))
        for key in ("source", "licence", "citation")
    ]
    return "; ".join(
        [f"{asked} ({choices} multiple choice) over {over}", *(one for each in said for one in each)]
    )


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
