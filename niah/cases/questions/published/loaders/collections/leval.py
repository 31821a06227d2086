"""L-Eval: several questions about each of a few hundred long documents, closed and open.

A line of the files in ``LEval-data`` of github.com/OpenLMLab/LEval (and of L4NLP/LEval on the Hugging Face
hub) is a document (``input``) with its questions (``instructions``) and their answers (``outputs``),
``source`` and ``evaluation``. Where the answer is one letter and the question ends in options under those
letters, the question has these options; several right letters ("ACD") stay a free answer. Lines that ask
for a summary of the whole input are questions as well. Three of long-context-vs-rag's sets are from here:
Coursera, TOEFL-QA (``tpo``) and MultiDoc2Dial (``multidoc_qa``).
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
from niah.cases.questions.published.lettered_options import with_options
from niah.cases.questions.published.loaders.collections.questions_of_a_line import questions_of
from niah.files import NonEmptyText


class _Row(PublishedRow):
    instructions: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    outputs: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    input: NonEmptyText
    source: NonEmptyText
    evaluation: str = ""


def load_leval(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """The questions of each line about its document. Raises RowMistake."""
    for number, row in enumerate(rows, start=1):
        value: _Row = row.value
        document = document_line(value.input)
        pairs = questions_of(row, ("instructions", value.instructions), ("outputs", value.outputs))
        for place, asked, answer in pairs:
            yield row.ask(
                document,
                id=f"{value.source}-{number}-{place}",
                kind=value.evaluation or None,
                source=value.source,
                **with_options(asked, answer),
            )


LEVAL = PublishedDataset(
    "l-eval",
    "L-Eval, one of its files: coursera.jsonl, tpo.jsonl, multidoc_qa.jsonl ...",
    "GPL-3.0; of the sets it takes over their own",
    "An et al. (2024), L-Eval: Instituting Standardized Evaluation for Long Context Language Models. "
    "ACL 2024, arXiv:2307.11088; and the dataset that the question's source names",
    _Row,
    load_leval,
)
