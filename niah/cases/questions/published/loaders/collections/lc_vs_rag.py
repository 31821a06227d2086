"""Long-context-vs-rag's own files: its twelve sets, sampled or in full, filtered or not.

A line, as the scripts of github.com/lixinze777/LC_VS_RAG read it, is a ``context`` with several
``questions`` and as many answers (``answer``). Questions of multiple choice carry their options in their
text; a single right letter makes them options here, several ("ACD") stay a free answer. The file's name
says which set it is (``hotpotqa.jsonl``), and so what its contexts are. The authors' NovelQA has no public
answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field

from niah.cases.questions.knowledge_source import knowledge_source
from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    document_line,
)
from niah.cases.questions.published.lettered_options import questions_with_options
from niah.cases.questions.published.loaders.collections.questions_of_a_line import questions_of
from niah.files import NonEmptyText


class _Row(PublishedRow):
    context: NonEmptyText
    questions: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    answer: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]


def load_lc_vs_rag(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """The questions of each line about its context. Raises RowMistake."""
    for number, row in enumerate(rows, start=1):
        value: _Row = row.value
        document = document_line(value.context)
        pairs = questions_of(row, ("questions", value.questions), ("answer", value.answer))
        for place, values in questions_with_options(pairs):
            yield row.ask(
                document,
                id=f"{row.file}-{number}-{place}",
                kind=row.file,
                source=knowledge_source(row.file, row.file),
                **values,
            )


LC_VS_RAG = PublishedDataset(
    "lc-vs-rag",
    "Long-context-vs-rag's twelve sets, by their files' names: hotpotqa.jsonl, coursera.jsonl ...",
    "that of the dataset that the question's kind names",
    "Li et al. (2025), Long Context vs. RAG for LLMs: An Evaluation and Revisits. arXiv:2501.01880; and the "
    "dataset that the question's kind names",
    _Row,
    load_lc_vs_rag,
)
