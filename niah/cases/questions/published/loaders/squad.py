"""SQuAD 1.1 and 2.0: questions about paragraphs of Wikipedia, answered by a span of the paragraph.

The file is one JSON object: ``data`` is a list of articles with ``title`` and ``paragraphs``, each a
``context`` with its ``qas``: ``id``, ``question``, ``answers`` with ``text``, ``is_impossible``. The
paragraphs of an article make one document, so that the questions are asked about more than one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    document_line,
)
from niah.files import NonEmptyText


class _Answer(PublishedRow):
    text: NonEmptyText


class _Question(PublishedRow):
    id: NonEmptyText
    question: NonEmptyText
    answers: tuple[_Answer, ...]
    is_impossible: bool = False


class _Paragraph(PublishedRow):
    context: NonEmptyText
    qas: tuple[_Question, ...]


class _Article(PublishedRow):
    title: NonEmptyText
    paragraphs: tuple[_Paragraph, ...]


class _Row(PublishedRow):
    data: tuple[_Article, ...]


def load_squad(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """The questions about each article."""
    for row in rows:
        value: _Row = row.value
        for article in value.data:
            text = "\n\n".join(paragraph.context for paragraph in article.paragraphs)
            document = document_line(text, article.title.replace("_", " "))
            for paragraph in article.paragraphs:
                for asked in paragraph.qas:
                    yield row.ask(
                        document,
                        id=asked.id,
                        question=asked.question,
                        answers=tuple(dict.fromkeys(answer.text for answer in asked.answers)),
                        kind="unanswerable" if asked.is_impossible else None,
                        source="Wikipedia",
                        evidence=() if asked.is_impossible else (paragraph.context,),
                    )


SQUAD = PublishedDataset(
    "squad",
    "SQuAD 1.1 and 2.0, train or dev: dev-v2.0.json",
    "CC BY-SA 4.0",
    "Rajpurkar et al. (2016), SQuAD, EMNLP. arXiv:1606.05250; Rajpurkar et al. (2018), Know What You Don't "
    "Know, ACL. arXiv:1806.03822",
    _Row,
    load_squad,
)
