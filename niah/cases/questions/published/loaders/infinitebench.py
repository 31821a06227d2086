"""InfiniteBench's English books: multiple choice (En.MC) and free answers (En.QA) over 190,000 tokens.

The rows are those of ``longbook_choice_eng.jsonl`` and ``longbook_qa_eng.jsonl`` as the dataset
xinrongzhang2022/InfiniteBench on the Hugging Face hub has them: ``id`` (a number), ``context``, ``input``,
``answer`` (a list) and ``options`` (an empty list where the answer is free).
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
    question_line,
)
from niah.files import NonEmptyText

_CITATION = (
    "Zhang et al. (2024), ∞Bench: Extending Long Context Evaluation Beyond 100K Tokens, ACL 2024. "
    "arXiv:2402.13718"
)
_LICENCE = "Apache-2.0"


class _Row(PublishedRow):
    id: int
    context: NonEmptyText
    input: NonEmptyText
    answer: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    options: tuple[NonEmptyText, ...] = ()


def load_infinitebench(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row; the questions about a book share it. Raises RowMistake."""
    for row in rows:
        value: _Row = row.value
        document = document_line(value.context)
        question = question_line(
            row.where,
            id=f"{'mc' if value.options else 'qa'}-{value.id}",
            question=value.input,
            document_id=document.id,
            answers=() if value.options else tuple(dict.fromkeys(value.answer)),
            options=value.options,
            answer_index=_right(row.where, value) if value.options else None,
            source=f"InfiniteBench {'En.MC' if value.options else 'En.QA'}",
            licence=_LICENCE,
            citation=_CITATION,
        )
        yield Imported(row.where, question, document)


def _right(where: str, row: _Row) -> int:
    """The place of the option that is an answer."""
    right = [place for place, option in enumerate(row.options) if option in row.answer]
    if len(right) != 1:
        problem = f"{row.answer[0]!r} is the text of {len(right)} of the options."
        raise RowMistake(where, "answer", problem, "Mend the row, or take it out.")
    return right[0]


INFINITEBENCH = PublishedDataset(
    "infinitebench",
    "InfiniteBench En.MC and En.QA: longbook_choice_eng.jsonl, longbook_qa_eng.jsonl",
    _LICENCE,
    _CITATION,
    _Row,
    load_infinitebench,
)
