"""NarrativeQA: questions of free answers about whole books and film scripts.

The rows are those of the dataset deepmind/narrativeqa on the Hugging Face hub, as JSON lines: ``document``
with id, kind, text and a Wikipedia summary that has the title, ``question`` with its text, two ``answers``.
(The authors' own repository, github.com/google-deepmind/narrativeqa, holds the same in CSV files, with links
in place of the stories.) Thirty questions or so share a document, which is kept once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    RowMistake,
    question_line,
)
from niah.cases.questions.published.html_text import html_as_text
from niah.cases.questions.question_lines import DocumentLine
from niah.files import NonEmptyText

_CITATION = "Kočiský et al. (2018), The NarrativeQA Reading Comprehension Challenge, TACL 6. arXiv:1712.07040"
_LICENCE = "Apache-2.0; the stories' own"


class _Text(PublishedRow):
    text: NonEmptyText


class _Summary(PublishedRow):
    title: str | None = None


class _Document(PublishedRow):
    id: NonEmptyText
    text: NonEmptyText
    kind: str | None = None
    summary: _Summary | None = None


class _Row(PublishedRow):
    document: _Document
    question: _Text
    answers: Annotated[tuple[_Text, ...], Field(min_length=1)]


def load_narrativeqa(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row; numbered within its document, since rows have no id. Raises RowMistake."""
    asked: dict[str, int] = {}
    for row in rows:
        value: _Row = row.value
        story = value.document
        asked[story.id] = asked.get(story.id, 0) + 1
        text = html_as_text(story.text)
        if not text.strip():
            raise RowMistake(row.where, "document.text", "holds no words.", "Take the row out.")
        title = story.summary.title if story.summary else None
        question = question_line(
            row.where,
            id=f"{story.id}_{asked[story.id]}",
            question=value.question.text,
            document_id=story.id,
            answers=tuple(dict.fromkeys(answer.text for answer in value.answers)),
            source=story.kind or "NarrativeQA",
        )
        yield Imported(row.where, question, DocumentLine(id=story.id, text=text, title=title or ""))


NARRATIVEQA = PublishedDataset(
    "narrativeqa", "NarrativeQA, the hub's rows: .jsonl", _LICENCE, _CITATION, _Row, load_narrativeqa
)
