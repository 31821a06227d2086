"""LongBench v2: 503 multiple-choice questions over documents of 8,000 to 2 million words.

The rows are as the README of github.com/THUDM/LongBench tells them: ``question``, ``choice_A`` to
``choice_D``, ``answer`` as a letter, ``context``, ``domain``, ``difficulty`` ...; the file is a JSON list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    document_line,
)
from niah.files import NonEmptyText

_CITATION = (
    "Bai et al. (2024), LongBench v2: Towards Deeper Understanding and Reasoning on Realistic Long-context "
    "Multitasks. arXiv:2412.15204"
)
_LICENCE = "Apache-2.0"


class _Row(PublishedRow):
    id: Annotated[NonEmptyText, Field(alias="_id")]
    domain: NonEmptyText
    difficulty: NonEmptyText
    question: NonEmptyText
    choice_a: Annotated[NonEmptyText, Field(alias="choice_A")]
    choice_b: Annotated[NonEmptyText, Field(alias="choice_B")]
    choice_c: Annotated[NonEmptyText, Field(alias="choice_C")]
    choice_d: Annotated[NonEmptyText, Field(alias="choice_D")]
    answer: Literal["A", "B", "C", "D"]
    context: NonEmptyText


def load_longbench_v2(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row; rows with the same context share a document."""
    for row in rows:
        value: _Row = row.value
        document = document_line(value.context)
        yield row.ask(
            document,
            id=value.id,
            question=value.question,
            options=(value.choice_a, value.choice_b, value.choice_c, value.choice_d),
            answer_index="ABCD".index(value.answer),
            kind=value.difficulty,
            source=value.domain,
        )


LONGBENCH_V2 = PublishedDataset(
    "longbench-v2", "LongBench v2: data.json", _LICENCE, _CITATION, _Row, load_longbench_v2
)
