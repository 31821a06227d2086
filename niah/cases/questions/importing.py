"""Published files made a question set: two files that appear whole, or none (``niah import``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.cases.questions import loaders_long, loaders_qa, loaders_synthetic  # noqa: F401  (they fill DATASETS)
from niah.cases.questions.datasets import DATASETS, local_files, mistakes_in, name_of_files, published_rows
from niah.cases.questions.question_set import DocumentLine, QuestionLine, check_free, write_question_set
from niah.errors import ConfigError, UnknownName, counted

__all__ = ["DATASETS", "Imported", "import_questions"]


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
    for row in published_rows(local_files(files), about, chosen.by_id):
        with mistakes_in(row, about, QuestionLine):
            for text, values, note in chosen.load(row):
                per_document[text.id] += 1
                given = {"id": f"{text.id}_{per_document[text.id]}", "licence": chosen.licence, **values}
                line = QuestionLine(document_id=text.id, citation=chosen.citation, **given)
                where, first = documents.setdefault(text.id, (row.where, text))
                if first.text != text.text:
                    raise ValueError(f"has another text for the document {text.id!r} than {where}")
                where, first_line = questions.setdefault(line.id, (row.where, line))
                if first_line is not line:
                    raise ValueError(f"gives the question {line.id!r}, which {where} gives too")
                if note:
                    notes.setdefault(note, []).append(line.id)
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
