"""What a published dataset's loader says of itself, takes and gives."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from niah.cases.questions.question_lines import DocumentLine, QuestionLine
from niah.file_mistakes import first_mistake


class PublishedRow(BaseModel):
    """Base of the rows of published files: what niah has no use for is passed over."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)

    @classmethod
    def as_published(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """The row in its authors' form, where the hub has another; nothing is checked yet."""
        return data


class RowMistake(Exception):
    """A row that cannot become a question.

    Args:
        where: which row of the file: "line 3".
        key: the key inside it, dotted, or "" for all of it.
        problem: what is wrong with it.
        remedy: what to do.
    """

    def __init__(self, where: str, key: str, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.where = where
        self.key = key
        self.problem = problem
        self.remedy = remedy


@dataclass(frozen=True)
class Imported:
    """A question with its document, which row of the file it comes from, and why no rule can judge it."""

    where: str
    question: QuestionLine
    document: DocumentLine
    note: str = ""


@dataclass(frozen=True)
class NumberedRow:
    """One row of a published file, checked.

    Attributes:
        where: which it is ("line 3").
        value: what it holds.
        path: of the file.
    """

    where: str
    value: Any
    path: Path

    @property
    def file(self) -> str:
        """The file's name without ending."""
        return self.path.stem

    def ask(self, document: DocumentLine, **values: object) -> Imported:
        """A question of these values about the document, as ``question_line`` takes them."""
        question = question_line(self.where, document_id=document.id, **values)
        return Imported(self.where, question, document)


@dataclass(frozen=True)
class PublishedDataset:
    """A dataset that is published in a form of its own.

    Attributes:
        name: what it is called on the command line.
        description: one line for people: which files.
        licence: on what terms it is published; of every question whose row does not name its own.
        citation: what to cite; of every question.
        row: what each row of its files holds.
        load: makes the rows questions. Raises RowMistake.
        by_id: the key of a row's id where a file may be one object of rows by their ids; "" where none is.
    """

    name: str
    description: str
    licence: str
    citation: str
    row: type[PublishedRow]
    load: Callable[[Iterable[NumberedRow]], Iterator[Imported]]
    by_id: str = ""


def rows_of_columns(value: Any) -> Any:
    """Columns of one length as rows: {"a": [1, 2], "b": [3, 4]} is [{"a": 1, "b": 3}, {"a": 2, "b": 4}].

    What else it may be comes back as it is.
    """
    if not (isinstance(value, Mapping) and value and all(isinstance(each, list) for each in value.values())):
        return value
    if len({len(column) for column in value.values()}) != 1:
        return value
    return [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]


def question_line(where: str, **values: object) -> QuestionLine:
    """A question of these values; None, and options that are none, count as left out. Raises RowMistake."""
    given = {key: value for key, value in values.items() if value is not None and value != ()}
    try:
        return QuestionLine.model_validate(given)
    except ValidationError as error:
        mistake = first_mistake(QuestionLine, given, error.errors())
        remedy = "Mend the row, or take it out."
        raise RowMistake(where, mistake.key, mistake.problem, remedy) from None


def document_line(text: str, title: str = "") -> DocumentLine:
    """The document of a row that holds its text and no name for it: the same text is the same document."""
    return DocumentLine(id=f"text-{hashlib.sha256(text.encode()).hexdigest()[:16]}", text=text, title=title)
