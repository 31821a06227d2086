"""Published files made a question set: two files that appear whole, or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from niah.cases.questions.published.dataset import Imported, PublishedDataset, RowMistake
from niah.cases.questions.published.rows import published_rows
from niah.cases.questions.question_lines import DOCUMENTS, DocumentLine, QuestionLine
from niah.errors import ConfigError, UserError
from niah.file_mistakes import counted
from niah.files import atomic_write


@dataclass(frozen=True)
class QuestionSetWritten:
    """How many questions over how many documents were written, on what terms, what no rule judges."""

    questions: int
    documents: int
    licences: tuple[str, ...]
    notes: tuple[str, ...] = ()


def import_questions(
    dataset: PublishedDataset, paths: Sequence[Path], out: Path, called: Path
) -> QuestionSetWritten:
    """Write the questions of files to ``out`` and their documents beside it; mistakes are told of ``called``.

    Raises ConfigError, which names row and key, where a file is not as the dataset is published, and
    UserError where a file would be lost.
    """
    check_free(out)
    try:
        rows = published_rows(paths, dataset.row, called, dataset.by_id)
        questions, documents, notes = _checked(dataset.load(rows))
    except RowMistake as mistake:
        where = f"{mistake.where}, {mistake.key}" if mistake.key else mistake.where
        raise ConfigError(called, where, mistake.problem, mistake.remedy) from None
    if not questions:
        raise ConfigError(called, "", "holds no question.", f"Name a file of {dataset.description}")
    with atomic_write(out) as asked, atomic_write(_beside(out)) as texts:
        texts.writelines(_line(document) for document in documents)
        asked.writelines(_line(_signed(question, dataset)) for question in questions)
    licences = dict.fromkeys(question.licence or dataset.licence for question in questions)
    said = (f"{counted(len(ids), 'question')} ({ids[0]} ...): {note}" for note, ids in notes.items())
    return QuestionSetWritten(len(questions), len(documents), tuple(licences), tuple(said))


def check_free(out: Path, instead: str = "Name another with --out, or remove it.") -> None:
    """Raise UserError where ``out`` is no name of a question set, or a file would be lost.

    Args:
        out: the file to write.
        instead: what to do where it is there already.
    """
    if out.suffix != ".jsonl" or out.name.endswith(DOCUMENTS):
        raise UserError(f"{out} is no name of a question set.", "Write NAME.jsonl.")
    for file in (out, _beside(out)):
        if file.exists():
            raise UserError(f"{file} is there already.", instead)


def _beside(out: Path) -> Path:
    return out.with_name(out.stem + DOCUMENTS)


def _signed(question: QuestionLine, dataset: PublishedDataset) -> QuestionLine:
    """The question with what the dataset asks of those who use it."""
    said = {"licence": question.licence or dataset.licence, "citation": dataset.citation}
    return question.model_copy(update=said)


def _checked(
    imported: Iterable[Imported],
) -> tuple[list[QuestionLine], list[DocumentLine], dict[str, list[str]]]:
    """Questions and documents, each once, and the ids of the questions of each note. Raises RowMistake."""
    notes: dict[str, list[str]] = {}
    questions: dict[str, Imported] = {}
    documents: dict[str, Imported] = {}
    for one in imported:
        earlier = questions.setdefault(one.question.id, one)
        if earlier is not one:
            problem = f"gives the question {one.question.id!r}, which {earlier.where} gives too."
            raise RowMistake(one.where, "", problem, "Take one of them out.")
        first = documents.setdefault(one.document.id, one)
        if first.document.text != one.document.text:
            problem = f"has another text for the document {one.document.id!r} than {first.where}."
            raise RowMistake(one.where, "", problem, "Give the documents names of their own.")
        _check_options(one)
        if one.note:
            notes.setdefault(one.note, []).append(one.question.id)
    asked, texts = [one.question for one in questions.values()], [one.document for one in documents.values()]
    return asked, texts, notes


def _check_options(one: Imported) -> None:
    options = one.question.options
    twice = [option for option, times in Counter(options).items() if times > 1]
    if twice:
        problem = f"has the option {twice[0]!r} twice in the question {one.question.id!r}."
        raise RowMistake(one.where, "", problem, "Take the question out, or mend it.")


def _line(model: QuestionLine | DocumentLine) -> bytes:
    return orjson.dumps(model.model_dump(exclude_defaults=True), option=orjson.OPT_APPEND_NEWLINE)
