"""Published files made a question set: two files that appear whole, or none (``niah questions import``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from niah.cases.questions import loaders_long, loaders_qa, loaders_synthetic  # noqa: F401  (they fill DATASETS)
from niah.cases.questions.datasets import (
    AS_PUBLISHED,
    DATASETS,
    Asked,
    Dataset,
    Row,
    RowError,
    local_files,
    name_of_files,
    published_rows,
)
from niah.cases.questions.question_set import DocumentLine, QuestionLine, check_free, write_question_set
from niah.errors import ConfigError, UnknownName
from niah.file_mistakes import counted, first_mistake

__all__ = ["DATASETS", "Imported", "command_to_import", "import_questions"]


@dataclass(frozen=True)
class Imported:
    """How many questions over how many documents were written, their licences, and notes, a line each."""

    questions: int
    documents: int
    licences: tuple[str, ...]
    notes: tuple[str, ...]


def import_questions(name: str, files: Sequence[str], out: Path) -> Imported:
    """Write the questions of published files to ``out`` and their documents next to it.

    Args:
        name: of the dataset.
        files: paths, or names on the hub ("hub:OWNER/NAME/FILE").
        out: the question set.

    Raises UserError; a mistake names its row and key, and nothing is written.
    """
    if name not in DATASETS:
        raise UnknownName("published format", name, DATASETS)
    check_free(out)
    chosen, about = DATASETS[name], name_of_files(files)
    questions: dict[str, tuple[str, QuestionLine]] = {}
    documents: dict[str, tuple[str, DocumentLine]] = {}
    notes: dict[str, list[str]] = {}
    per_document = Counter[str]()
    try:
        for row in published_rows(local_files(files), about, chosen.by_id):
            for asked in _questions(chosen, row):
                text = asked.document
                per_document[text.id] += 1
                line = _line(chosen, row, asked, f"{text.id}_{per_document[text.id]}")
                where, first = documents.setdefault(text.id, (row.where, text))
                if first.text != text.text:
                    problem = f"has another text for the document {text.id!r} than {where}."
                    raise RowError(row.where, "", problem, "Give the documents names of their own.")
                if line.id in questions:
                    problem = f"gives the question {line.id!r}, which {questions[line.id][0]} gives too."
                    raise RowError(row.where, "", problem, "Take one of them out.")
                questions[line.id] = (row.where, line)
                if asked.note:
                    notes.setdefault(asked.note, []).append(line.id)
    except RowError as error:
        raise error.about(about) from None
    if not questions:
        raise ConfigError(about, "", "holds no question.", f"Name a file of {chosen.description}")
    lines = [line for _, line in questions.values()]
    write_question_set(out, lines, [text for _, text in documents.values()])
    return Imported(
        len(questions),
        len(documents),
        tuple(dict.fromkeys(line.licence or "" for line in lines)),
        tuple(f"{counted(len(ids), 'question')} ({ids[0]} ...): {note}" for note, ids in notes.items()),
    )


def _questions(chosen: Dataset, row: Row) -> Iterator[Asked]:
    """The questions of a row. Raises RowError, whatever is wrong with the row."""
    try:
        yield from chosen.load(row)
    except ValidationError as error:  # of a document
        raise _mistake(row, DocumentLine, error, {}) from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        problem = f"is not as {chosen.name} is published: {type(error).__name__}: {error}."
        raise RowError(row.where, "", problem, AS_PUBLISHED) from None


def _line(chosen: Dataset, row: Row, asked: Asked, id: str) -> QuestionLine:
    given = {key: value for key, value in asked.values.items() if value is not None and value != ()}
    given = {"id": id, "licence": chosen.licence, **given, "citation": chosen.citation}
    try:
        return QuestionLine.model_validate({**given, "document_id": asked.document.id})
    except ValidationError as error:
        raise _mistake(row, QuestionLine, error, given) from None


def _mistake(row: Row, model: Any, error: ValidationError, given: Mapping[str, Any]) -> RowError:
    found = first_mistake(model, given, error.errors())
    return RowError(row.where, found.key, found.problem, "Correct the row, or take it out.")


_IMPORTED_AS = {
    "quality": ("quality", "QuALITY.v1.0.1.dev"),
    "infinitebench-en-mc": ("infinitebench", "longbook_choice_eng.jsonl"),
    "narrativeqa": ("longbench", "narrativeqa.jsonl"),
    "qasper": ("longbench", "qasper.jsonl"),
    "multifieldqa": ("longbench", "multifieldqa_en.jsonl"),
    "hotpotqa": ("longbench", "hotpotqa.jsonl"),
    "2wikimhqa": ("longbench", "2wikimqa.jsonl"),
    "musique": ("longbench", "musique.jsonl"),
    "nq": ("l-eval", "natural_question.jsonl"),
    "coursera": ("l-eval", "coursera.jsonl"),
    "toefl-qa": ("l-eval", "tpo.jsonl"),
    "multidoc2dial": ("l-eval", "multidoc_qa.jsonl"),
    "novelqa": ("novelqa", "NovelQA/Data/PublicDomain/*.json"),
}
"""Dataset and published file of the question sets that shipped suites name."""


def command_to_import(question_set: str) -> str:
    """The command that makes the question set of that name; "" where no shipped suite names it."""
    if question_set not in _IMPORTED_AS:
        return ""
    name, file = _IMPORTED_AS[question_set]
    out = "" if name == question_set else f" --out cases/questions/{question_set}.jsonl"
    return f"niah questions import {name} {file}{out}"
