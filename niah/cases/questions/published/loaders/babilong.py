"""BABILong: bAbI's questions, whose few facts stand far apart in the pages of books.

The rows are those of the dataset RMT-team/babilong on the Hugging Face hub: ``input`` (facts among book
text), ``question`` and ``target``. They have no ids, and are numbered.
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

_CITATION = (
    "Kuratov et al. (2024), BABILong: Testing the Limits of LLMs with Long Context Reasoning-in-a-Haystack. "
    "arXiv:2406.10149"
)
_LICENCE = "that of bAbI and of the books that its facts stand in; see the dataset's card"


class _Row(PublishedRow):
    input: NonEmptyText
    question: NonEmptyText
    target: NonEmptyText


def load_babilong(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row, each with its own document."""
    for number, row in enumerate(rows, start=1):
        value: _Row = row.value
        document = document_line(value.input)
        yield row.ask(
            document,
            id=f"babilong-{number}",
            question=value.question,
            answers=(value.target,),
            source="BABILong",
        )


BABILONG = PublishedDataset(
    "babilong", "BABILong, one task and length: .json", _LICENCE, _CITATION, _Row, load_babilong
)
