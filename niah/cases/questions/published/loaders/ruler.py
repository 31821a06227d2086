"""RULER's generated files: needles, chains of variables, common words, questions of SQuAD and HotpotQA.

The rows are those that scripts/data/synthetic of github.com/NVIDIA/RULER writes: ``index``, ``input`` (task,
context and, as its last line, the question), ``outputs``, ``length`` and ``answer_prefix``, with which older
versions end the input. All outputs are asked for but in the tasks qa_1 and qa_2, where one
is enough; those say "Question:" after "Answer the question based on the given documents.".
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
    "Hsieh et al. (2024), RULER: What's the Real Context Size of Your Long-Context Language Models? "
    "arXiv:2404.06654"
)
_LICENCE = "Apache-2.0; of its qa tasks SQuAD's and HotpotQA's own"
_ANY_OF_THEM = "Answer the question based on the given documents."


class _Row(PublishedRow):
    index: int
    input: NonEmptyText
    outputs: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    answer_prefix: str = ""


def load_ruler(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row, each with its own document. Raises RowMistake."""
    for row in rows:
        value: _Row = row.value
        asked = value.input.rstrip().removesuffix(value.answer_prefix.strip()).rstrip()
        context, line_break, question = asked.rpartition("\n")
        if not line_break or not context.strip():
            problem = "has no line break between context and question."
            raise RowMistake(row.where, "input", problem, "Generate it without --remove_newline_tab.")
        if "?" not in question and not question.startswith("Question:"):
            remedy = "Generate it with the model template base."
            raise RowMistake(row.where, "input", f"ends in {question[-60:]!r}, no question.", remedy)
        any_of_them = context.lstrip().startswith(_ANY_OF_THEM)
        document = document_line(context.rstrip())
        yield row.ask(
            document,
            id=f"ruler-{value.index}",
            question=question.removeprefix("Question:").strip(),
            answers=tuple(dict.fromkeys(value.outputs)) if any_of_them else (", ".join(value.outputs),),
            source="RULER",
        )


RULER = PublishedDataset(
    "ruler", "RULER, one task and length as it generates them: .jsonl", _LICENCE, _CITATION, _Row, load_ruler
)
