"""QuALITY 1.0.1: multiple choice over stories and articles of about 5,000 words.

The format is as the README of github.com/nyu-mll/quality tells it: a JSON line is the questions of one
writer about one article, so an article stands in two lines. ``gold_label`` counts options from 1, and is
not there in the test split. Questions with ``difficult`` 1 are the "hard" subset. Both the HTML files and
the ``htmlstripped`` ones are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    RowMistake,
    question_line,
)
from niah.cases.questions.published.html_text import html_as_text
from niah.cases.questions.question_lines import DocumentLine, QuestionLine
from niah.files import NonEmptyText

_CITATION = "Pang et al. (2022), QuALITY: Question Answering with Long Input Texts, Yes! arXiv:2112.08608"
_LICENCE = "each article's own, see the licence of its questions"


class _Question(PublishedRow):
    question: NonEmptyText
    options: tuple[NonEmptyText, ...]
    gold_label: int | None = None
    difficult: int | None = None
    question_unique_id: NonEmptyText | None = None


class _Row(PublishedRow):
    article_id: NonEmptyText
    set_unique_id: NonEmptyText
    article: NonEmptyText
    questions: tuple[_Question, ...]
    title: str | None = None
    source: str | None = None
    license: str | None = None


def load_quality(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """The questions of both writers about each article, which is one document. Raises RowMistake."""
    for row in rows:
        value: _Row = row.value
        text = html_as_text(value.article)
        if not text.strip():
            raise RowMistake(row.where, "article", "holds no words.", "Take the row out.")
        document = DocumentLine(id=value.article_id, text=text, title=value.title or "")
        for number, asked in enumerate(value.questions):
            yield Imported(row.where, _question(row.where, value, number, asked), document)


def _question(where: str, row: _Row, number: int, asked: _Question) -> QuestionLine:
    key = f"questions.{number}.gold_label"
    if asked.gold_label is None:
        remedy = "Import the train or the dev split: the test split has no public answers."
        raise RowMistake(where, key, "is missing.", remedy)
    if not 1 <= asked.gold_label <= len(asked.options):
        problem = f"is {asked.gold_label}, and there are {len(asked.options)} options."
        raise RowMistake(where, key, problem, "It counts from 1.")
    return question_line(
        where,
        id=asked.question_unique_id or f"{row.set_unique_id}_{number + 1}",
        question=asked.question,
        document_id=row.article_id,
        options=asked.options,
        answer_index=asked.gold_label - 1,
        kind=None if asked.difficult is None else "hard" if asked.difficult else "not hard",
        source=row.source or "QuALITY",
        licence=row.license or "not stated for this article",
    )


QUALITY = PublishedDataset(
    "quality", "QuALITY 1.0.1, train or dev: .jsonl", _LICENCE, _CITATION, _Row, load_quality
)
