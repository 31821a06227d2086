"""Question sets in words: their numbers, their questions, one question in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from niah.cases.questions.question_lines import GivenQuestion, document_text, evidence_spans
from niah.cases.questions.question_type import question_type
from niah.cases.questions.stats import Lengths, QuestionSetStats
from niah.errors import ConfigError
from niah.file_mistakes import counted

_AROUND = 60
_UNSAID = "not stated"


def stats_lines(stats: QuestionSetStats) -> Iterator[str]:
    """The numbers of a set, a line each."""
    free = stats.questions - stats.multiple_choice - stats.unanswerable
    yield f"{counted(stats.questions, 'question')} over {counted(stats.documents, 'document')}"
    yield f"  {stats.multiple_choice:,} multiple choice, {free:,} free, {stats.unanswerable:,} unanswerable"
    yield f"  {stats.with_evidence:,} say where their answer stands"
    yield ""
    yield f"{'words':<22}{'fewest':>9}{'median':>9}{'most':>10}"
    for name, lengths in (*stats.words.items(), ("questions a document", stats.per_document)):
        yield f"  {name:<20}{_numbers(lengths)}"
    for title, counts in (
        ("type", stats.types),
        ("kind", stats.kinds),
        ("source", stats.sources),
        ("licence", stats.licences),
    ):
        if set(counts) != {""}:
            yield ""
            yield from _counted(title, counts)
    yield ""
    yield f"{stats.answers_in_document:,} of {free:,} free answers stand in their document word for word"
    yield f"{stats.answers_in_question:,} stand in their question"
    yield f"{stats.asked_twice:,} questions have the words of another one"


def question_lines_of(questions: list[GivenQuestion]) -> Iterator[str]:
    """A line each: id, type, question."""
    width = min(30, max(len(question.line.id) for question in questions))
    for question in questions:
        asked = question.line.question
        yield f"{question.line.id:<{width}}  {question_type(asked):<5}  {asked}"


def question_in_full(path: Path, question: GivenQuestion) -> Iterator[str]:
    """Everything that the set says of a question, and where its evidence stands."""
    line = question.line
    text = document_text(question.source)
    yield f"{line.id} (line {question.number}, {question_type(line.question)})"
    yield line.question
    for place, option in enumerate(line.options):
        is_right = place == line.answer_index or option in line.answers
        yield f"  {'*' if is_right else ' '} {chr(ord('A') + place)}. {option}"
    for answer in () if line.options else line.answers:
        yield f"  answer: {answer}"
    title = f", {question.source.title}" if question.source.title else ""
    yield f"document: {question.source.document_id}{title}: {len(text):,} characters"
    for found in evidence_spans(path, question, text):
        yield str(found) if isinstance(found, ConfigError) else _passage(text, *found)
    for name in ("kind", "source", "licence", "citation"):
        if said := getattr(line, name):
            yield f"{name}: {said}"


def _passage(text: str, start: int, end: int) -> str:
    """Evidence marked [[ ]], with what stands around it, as one line."""
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    return " ".join(f"evidence at {start:,}: …{before}[[{text[start:end]}]]{after}…".split())


def _numbers(lengths: Lengths) -> str:
    return f"{lengths.fewest:>9,}{lengths.median:>9,.0f}{lengths.most:>10,}"


def _counted(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    yield title
    for name, number in counts.items():
        if number:
            yield f"  {number:>7,}  {' '.join(name.split())[:66] or _UNSAID}"
