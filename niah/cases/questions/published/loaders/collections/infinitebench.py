"""InfiniteBench's English books: options (En.MC), free answers (En.QA), summaries (En.Sum).

The rows are those of ``longbook_choice_eng.jsonl``, ``longbook_qa_eng.jsonl`` and
``longbook_sum_eng.jsonl`` as the dataset xinrongzhang2022/InfiniteBench on the Hugging Face hub has them:
``id`` (a number), ``context``, ``input`` (empty where the whole book is to be summarised), ``answer`` (a
list) and ``options`` (an empty list where the answer is free).
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
    "Zhang et al. (2024), ∞Bench: Extending Long Context Evaluation Beyond 100K Tokens, ACL 2024. "
    "arXiv:2402.13718"
)
_LICENCE = "Apache-2.0"
_TASKS = {"mc": "En.MC", "qa": "En.QA", "sum": "En.Sum"}


class _Row(PublishedRow):
    id: int
    context: NonEmptyText
    input: str
    answer: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    options: tuple[NonEmptyText, ...] = ()


def load_infinitebench(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row; the questions about a book share it. Raises RowMistake."""
    for row in rows:
        value: _Row = row.value
        task = "mc" if value.options else "qa" if value.input.strip() else "sum"
        yield row.ask(
            document_line(value.context),
            id=f"{task}-{value.id}",
            question=value.input if value.input.strip() else "Summarise the book.",
            answers=() if value.options else tuple(dict.fromkeys(value.answer)),
            options=value.options,
            answer_index=_right(row.where, value) if value.options else None,
            kind="summary" if task == "sum" else None,
            source=f"InfiniteBench {_TASKS[task]}",
        )


def _right(where: str, row: _Row) -> int:
    """The place of the option that is an answer."""
    right = [place for place, option in enumerate(row.options) if option in row.answer]
    if len(right) != 1:
        problem = f"{row.answer[0]!r} is the text of {len(right)} of the options."
        raise RowMistake(where, "answer", problem, "Mend the row, or take it out.")
    return right[0]


INFINITEBENCH = PublishedDataset(
    "infinitebench",
    "InfiniteBench En.MC, En.QA, En.Sum: longbook_choice_eng.jsonl, longbook_qa_eng.jsonl ...",
    _LICENCE,
    _CITATION,
    _Row,
    load_infinitebench,
)
