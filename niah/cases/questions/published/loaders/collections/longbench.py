"""LongBench (v1): questions over one or several documents, of about 5,000 to 15,000 words.

The rows are as LongBench/README.md of github.com/THUDM/LongBench tells them: ``input``, ``context``,
``answers``, ``dataset``, ``_id`` ... Datasets that give no question with a context (summaries without one,
examples to classify by, code to go on with, counting) are refused by name.
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
    document_line,
)
from niah.files import NonEmptyText

_CITATION = (
    "Bai et al. (2024), LongBench: A Bilingual, Multitask Benchmark for Long Context Understanding. "
    "ACL 2024, arXiv:2308.14508; and the dataset that the question's source names"
)
_LICENCE = "that of the dataset that the question's source names"
_ASKING = (
    "narrativeqa",
    "qasper",
    "multifieldqa_en",
    "multifieldqa_zh",
    "hotpotqa",
    "2wikimqa",
    "musique",
    "dureader",
    "qmsum",
)


class _Row(PublishedRow):
    id: Annotated[NonEmptyText, Field(alias="_id")]
    dataset: NonEmptyText
    input: str
    context: str
    answers: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]


def load_longbench(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row; rows with the same context share a document. Raises RowMistake."""
    for row in rows:
        value: _Row = row.value
        if value.dataset.removesuffix("_e") not in _ASKING:
            remedy = f"Import one of {', '.join(_ASKING)}."
            raise RowMistake(row.where, "dataset", f"is {value.dataset!r}, which asks no question.", remedy)
        for key, text in (("input", value.input), ("context", value.context)):
            if not text.strip():
                raise RowMistake(row.where, key, "is empty.", "Take the row out.")
        document = document_line(value.context)
        yield row.ask(
            document,
            id=value.id,
            question=value.input.strip(),
            answers=tuple(dict.fromkeys(value.answers)),
            source=value.dataset,
        )


LONGBENCH = PublishedDataset(
    "longbench",
    "LongBench v1, the sets that ask questions: .jsonl",
    _LICENCE,
    _CITATION,
    _Row,
    load_longbench,
)
