"""HotpotQA and 2WikiMultihopQA: questions that take two or more paragraphs of Wikipedia.

Both publish a JSON list of ``_id``, ``question``, ``answer``, ``type``, ``context`` (pairs of a title and its
sentences) and ``supporting_facts`` (pairs of a title and a sentence's number, from 0), which are evidence.
The rows of hotpotqa/hotpot_qa on the Hugging Face hub have ``id``, and both in columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    RowMistake,
    document_line,
    rows_of_columns,
)
from niah.files import NonEmptyText


class _Row(PublishedRow):
    id: Annotated[NonEmptyText, Field(alias="_id")]
    question: NonEmptyText
    answer: NonEmptyText
    type: NonEmptyText
    context: Annotated[tuple[tuple[NonEmptyText, tuple[str, ...]], ...], Field(min_length=1)]
    supporting_facts: tuple[tuple[NonEmptyText, int], ...]

    @classmethod
    def as_published(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """The hub's row with pairs in place of columns."""
        pairs = {key: _pairs(data[key]) for key in ("context", "supporting_facts") if key in data}
        return {**({"_id": data["id"]} if "id" in data else {}), **data, **pairs}


def _pairs(columns: Any) -> Any:
    rows = rows_of_columns(columns)
    return [list(row.values()) for row in rows] if rows is not columns else columns


def load_hotpotqa(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row, over all of its paragraphs."""
    for row in rows:
        value: _Row = row.value
        paragraphs = [
            f"{title}\n{' '.join(each.strip() for each in found)}" for title, found in value.context
        ]
        yield row.ask(
            document_line("\n\n".join(paragraphs)),
            id=value.id,
            question=value.question,
            answers=(value.answer,),
            kind=value.type,
            source="Wikipedia",
            evidence=tuple(dict.fromkeys(_facts(row.where, value))),
        )


def _facts(where: str, row: _Row) -> Iterator[str]:
    """The supporting sentences; some that the dataset names are not there, as its authors know."""
    sentences = dict(row.context)
    for title, number in row.supporting_facts:
        if title not in sentences:
            problem = f"names {title!r}, which is none of the context's titles."
            raise RowMistake(where, "supporting_facts", problem, "Mend the row, or take it out.")
        if 0 <= number < len(sentences[title]) and sentences[title][number].strip():
            yield sentences[title][number].strip()


HOTPOTQA = PublishedDataset(
    "hotpotqa",
    "HotpotQA and 2WikiMultihopQA, train or dev: hotpot_dev_distractor_v1.json, dev.json",
    "CC BY-SA 4.0 (HotpotQA), Apache-2.0 (2WikiMultihopQA)",
    "Yang et al. (2018), HotpotQA, EMNLP. arXiv:1809.09600; Ho et al. (2020), 2WikiMultihopQA, COLING. "
    "arXiv:2011.01060",
    _Row,
    load_hotpotqa,
)
