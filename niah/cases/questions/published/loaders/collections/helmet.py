"""HELMET's retrieval-augmented questions: Natural Questions, HotpotQA, TriviaQA, PopQA among many passages.

The lines of ``kilt/*.jsonl`` in the data of github.com/princeton-nlp/HELMET, as its data.py reads them:
``question``, ``answers`` and ``ctxs``, passages with ``title`` and ``text``. They are numbered, since one
question stands there with its answer at several depths.
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


class _Passage(PublishedRow):
    text: NonEmptyText
    title: str = ""


class _Row(PublishedRow):
    question: NonEmptyText
    answers: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    ctxs: Annotated[tuple[_Passage, ...], Field(min_length=1)]


def load_helmet(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row, over all of its passages."""
    for number, row in enumerate(rows, start=1):
        value: _Row = row.value
        passages = (f"{each.title}\n{each.text}" if each.title else each.text for each in value.ctxs)
        yield row.ask(
            document_line("\n\n".join(passages)),
            id=f"helmet-{number}",
            question=value.question,
            answers=tuple(dict.fromkeys(value.answers)),
            source="Wikipedia",
        )


HELMET = PublishedDataset(
    "helmet",
    "HELMET's questions over passages: kilt/nq-dev-multikilt_1000_k220_dep6.jsonl ...",
    "that of the dataset that the file's name says",
    "Yen et al. (2025), HELMET: How to Evaluate Long-Context Language Models Effectively and Thoroughly. "
    "ICLR 2025, arXiv:2410.02694; and the dataset that the file's name says",
    _Row,
    load_helmet,
)
