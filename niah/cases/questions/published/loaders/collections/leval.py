"""L-Eval: several questions about each of a few hundred long documents, closed and open.

A line of the files in ``LEval-data`` of github.com/OpenLMLab/LEval (and of L4NLP/LEval on the Hugging Face
hub) is a document (``input``) with its questions (``instructions``) and their answers (``outputs``),
``source`` and ``evaluation``; a part of them has no ``source``, and the file's name stands for it. Where the
answer is letters, or a letter with its text, and the question ends in options under those letters, the
question has these options; several letters ("ACD") are all right. An answer in sci_fi, "True [fact: False]",
adds what is true outside the text, which is left out. Lines that ask
for a summary of the whole input are questions as well. Three of long-context-vs-rag's sets are from here:
Coursera, TOEFL-QA (``tpo``) and MultiDoc2Dial (``multidoc_qa``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    document_line,
)
from niah.cases.questions.published.lettered_options import names_no_option, questions_with_options
from niah.cases.questions.published.loaders.collections.questions_of_a_line import questions_of
from niah.files import NonEmptyText

_FACT = re.compile(r"\s*\[fact:[^\]]*\]\s*\Z", re.IGNORECASE)
_TRUTHS = ("True", "False")
_OPEN = ("rouge", "llm", "human")
"""How L-Eval scores long answers, which no rule of niah's reads."""


class _Row(PublishedRow):
    instructions: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    outputs: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    input: NonEmptyText
    source: str = ""
    evaluation: str = ""


def load_leval(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """The questions of each line about its document. Raises RowMistake."""
    for number, row in enumerate(rows, start=1):
        value: _Row = row.value
        source = value.source.strip() or row.file
        document = document_line(value.input)
        pairs = questions_of(row, ("instructions", value.instructions), ("outputs", value.outputs))
        stated = ((place, asked, _FACT.sub("", answer) or answer) for place, asked, answer in pairs)
        for place, values in questions_with_options(stated):
            if values.get("answers", ("",))[0] in _TRUTHS and "options" not in values:
                values["options"] = _TRUTHS
            imported = row.ask(
                document,
                id=f"{source}-{number}-{place}",
                kind=value.evaluation or None,
                source=source,
                **values,
            )
            yield replace(imported, note=_note(values, value.evaluation))


def _note(values: Mapping[str, Any], evaluation: str) -> str:
    """What keeps the rules from judging a question; "" where nothing does."""
    if names_no_option(values):
        return "the answer is letters, and the question shows no options: no judge can score it"
    if evaluation.casefold() in _OPEN:
        return f"evaluation is {evaluation}: take a model as judge, or rouge-l-sum"
    return ""


LEVAL = PublishedDataset(
    "l-eval",
    "L-Eval, one of its files: coursera.jsonl, tpo.jsonl, multidoc_qa.jsonl ...",
    "GPL-3.0; of the sets it takes over their own",
    "An et al. (2024), L-Eval: Instituting Standardized Evaluation for Long Context Language Models. "
    "ACL 2024, arXiv:2307.11088; and the dataset that the question's source names",
    _Row,
    load_leval,
)
