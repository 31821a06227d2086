"""MuSiQue: questions of two to four hops over twenty paragraphs of Wikipedia.

The lines of ``musique_ans_v1.0_dev.jsonl`` and its like, as github.com/StonyBrookNLP/musique publishes them:
``id``, ``question``, ``answer``, ``answer_aliases``, ``answerable`` and ``paragraphs`` (``title``,
``paragraph_text``, ``is_supporting``); the paragraphs that support the answer are evidence.
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
    document_line,
)
from niah.files import NonEmptyText


class _Paragraph(PublishedRow):
    title: NonEmptyText
    paragraph_text: NonEmptyText
    is_supporting: bool = False


class _Row(PublishedRow):
    id: NonEmptyText
    question: NonEmptyText
    paragraphs: Annotated[tuple[_Paragraph, ...], Field(min_length=1)]
    answer: NonEmptyText
    answer_aliases: tuple[NonEmptyText, ...] = ()
    answerable: bool = True


def load_musique(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row, over all of its paragraphs."""
    for row in rows:
        value: _Row = row.value
        supporting = (each.paragraph_text for each in value.paragraphs if each.is_supporting)
        yield row.ask(
            document_line("\n\n".join(f"{each.title}\n{each.paragraph_text}" for each in value.paragraphs)),
            id=value.id,
            question=value.question,
            answers=tuple(dict.fromkeys((value.answer, *value.answer_aliases))) if value.answerable else (),
            kind=value.id.split("__")[0] if value.answerable else "unanswerable",
            source="Wikipedia",
            evidence=tuple(dict.fromkeys(supporting)) if value.answerable else (),
        )


MUSIQUE = PublishedDataset(
    "musique",
    "MuSiQue, train or dev: musique_ans_v1.0_dev.jsonl",
    "CC BY 4.0",
    "Trivedi et al. (2022), MuSiQue: Multihop Questions via Single-hop Question Composition, TACL 10. "
    "arXiv:2108.00573",
    _Row,
    load_musique,
)
