"""What a question set consists of, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from niah.cases.questions.overlaps import holds_words, lower_case_words
from niah.cases.questions.question_lines import GivenQuestion, document_text, load_questions
from niah.cases.questions.question_type import QUESTION_TYPES, question_type


@dataclass(frozen=True)
class Lengths:
    """How many words texts have."""

    fewest: int
    median: float
    most: int


@dataclass(frozen=True)
class QuestionSetStats:
    """A question set in numbers.

    Attributes:
        multiple_choice, unanswerable: of the questions; the others have free answers.
        with_evidence: questions that say where their answer stands.
        words: of questions, the fullest answers of free ones, documents.
        per_document: questions about one document.
        types: questions by what they ask for, all types in their order.
        kinds, sources, licences: questions by what they say of themselves; "" where they do not.
        asked_twice: questions whose words another one has as well.
        answers_in_document: free questions with an answer that stands in the document word for word.
        answers_in_question: free questions with an answer that stands in the question.
    """

    questions: int
    documents: int
    multiple_choice: int
    unanswerable: int
    with_evidence: int
    words: Mapping[str, Lengths]
    per_document: Lengths
    types: Mapping[str, int]
    kinds: Mapping[str, int]
    sources: Mapping[str, int]
    licences: Mapping[str, int]
    asked_twice: int
    answers_in_document: int
    answers_in_question: int


def question_set_stats(path: Path) -> QuestionSetStats:
    """The numbers of a question set; each document is read once. Raises ConfigError."""
    questions = load_questions(path)
    by_document: dict[str, list[GivenQuestion]] = {}
    for question in questions:
        by_document.setdefault(question.source.sha256, []).append(question)
    long_documents, in_document = [], 0
    for own in by_document.values():
        text = document_text(own[0].source)
        long_documents.append(len(lower_case_words(text)))
        in_document += sum(any(holds_words(text, answer) for answer in _free(each)) for each in own)
    lines = [question.line for question in questions]
    asked = Counter(" ".join(lower_case_words(line.question)) for line in lines)
    types = Counter(question_type(line.question) for line in lines)
    free = [line.answers[0] for line in lines if line.answers and not line.options]
    return QuestionSetStats(
        questions=len(lines),
        documents=len(by_document),
        multiple_choice=sum(bool(line.options) for line in lines),
        unanswerable=sum(not line.answers and not line.withheld for line in lines),
        with_evidence=sum(bool(line.evidence) for line in lines),
        words={
            "question": _lengths(len(lower_case_words(line.question)) for line in lines),
            **({"answer": _lengths(len(lower_case_words(answer)) for answer in free)} if free else {}),
            "document": _lengths(long_documents),
        },
        per_document=_lengths(map(len, by_document.values())),
        types={kind: types[kind] for kind in QUESTION_TYPES},
        kinds=dict(Counter(line.kind or "" for line in lines)),
        sources=dict(Counter(line.source or "" for line in lines)),
        licences=dict(Counter(line.licence or "" for line in lines)),
        asked_twice=sum(times for times in asked.values() if times > 1),
        answers_in_document=in_document,
        answers_in_question=sum(
            any(holds_words(each.line.question, answer) for answer in _free(each)) for each in questions
        ),
    )


def _free(question: GivenQuestion) -> tuple[str, ...]:
    return () if question.line.options else question.line.answers


def _lengths(numbers: Iterable[int]) -> Lengths:
    found = sorted(numbers)
    return Lengths(found[0], median(found), found[-1])
