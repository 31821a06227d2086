"""NovelQA: questions about whole novels, whose right answers its authors keep to themselves.

The files are those of NovelQA.zip on the Hugging Face hub: ``Data/PublicDomain/B00.json`` ..., an object of
questions by their ids (in the form before, a list with ``QID``), with ``Question``, ``Options`` by their
letters, ``Aspect`` and ``Complexity``; the novel in ``Books/PublicDomain/B00.txt``, or beside the questions
under the same name; titles in ``bookmeta.json``. No answer is public: a run asks, and ``niah questions
submission`` writes what the authors' leaderboard takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import AliasChoices, Field

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    RowMistake,
)
from niah.cases.questions.question_lines import DocumentLine
from niah.files import NonEmptyText

_CITATION = (
    "Wang et al. (2025), NovelQA: Benchmarking Question Answering on Documents Exceeding 200K Tokens, ICLR. "
    "arXiv:2403.12766"
)
_LICENCE = "Apache-2.0; the novels' own. Its authors ask not to spread the questions"
_META = "bookmeta.json"


class _Row(PublishedRow):
    id: Annotated[NonEmptyText, Field(alias="QID")]
    question: Annotated[NonEmptyText, Field(alias="Question")]
    options: Annotated[Mapping[str, str | None], Field(alias="Options")] = Field(default_factory=dict)
    aspect: Annotated[str, Field(alias="Aspect")] = ""
    complexity: Annotated[str, Field(validation_alias=AliasChoices("Complexity", "Complex"))] = ""


def load_novelqa(rows: Iterable[NumberedRow], *, choices: bool) -> Iterator[Imported]:
    """A question a row, with its options or without them. Raises RowMistake."""
    for row in rows:
        value: _Row = row.value
        options = tuple(text for _, text in sorted(value.options.items()) if text) if choices else ()
        if choices and not options:
            raise RowMistake(row.where, "Options", "is missing.", "Import it as novelqa-gen.")
        yield row.ask(
            _novel(row),
            id=f"{row.file}-{value.id}",
            question=value.question,
            options=options,
            withheld=True,
            kind=value.aspect or None,
            source="NovelQA",
        )


def _novel(row: NumberedRow) -> DocumentLine:
    """The novel that a file of questions is about. Raises RowMistake where it is not there."""
    folder = row.path.absolute().parent
    in_books = folder.parent.parent / "Books" / folder.name / f"{row.file}.txt"
    for path in (in_books, row.path.with_suffix(".txt")):
        if path.is_file():
            stamp = path.stat().st_mtime_ns
            return DocumentLine(id=row.file, text=_text(path, stamp), title=_title(row))
    problem = f"has no novel: neither {in_books} nor {row.file}.txt beside it is there."
    raise RowMistake(row.where, "", problem, "Unpack the dataset with its folder Books.")


@lru_cache(maxsize=2)
def _text(path: Path, stamp: int) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _title(row: NumberedRow) -> str:
    """The novel's title, by which the leaderboard knows it; the file's name where no list has one."""
    for folder in row.path.absolute().parents[:3]:
        if (listed := folder / _META).is_file():
            book = _listed(row.where, listed).get(row.file)
            title = book.get("title") if isinstance(book, Mapping) else None
            return title if isinstance(title, str) and title else row.file
    return row.file


def _listed(where: str, path: Path) -> Mapping[str, Any]:
    try:
        listed = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        listed = None
    if not isinstance(listed, dict):
        raise RowMistake(
            where, "", f"has {path} beside it, which is no JSON object.", "Unpack the dataset again."
        )
    return listed


NOVELQA, NOVELQA_FREE = (
    PublishedDataset(
        name, description, _LICENCE, _CITATION, _Row, partial(load_novelqa, choices=choices), "QID"
    )
    for name, description, choices in (
        ("novelqa", "NovelQA, multiple choice, for a submission: Data/PublicDomain/B00.json ...", True),
        ("novelqa-gen", "NovelQA, free answers, for a submission: the same files", False),
    )
)
