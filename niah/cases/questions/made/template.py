"""A question set to fill in: a folder's texts as its documents, and a line to replace for each of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from niah.cases.questions.published.importing import check_free
from niah.cases.questions.question_lines import DOCUMENTS, UNFILLED, DocumentLine, QuestionLine
from niah.errors import UserError, printable
from niah.files import atomic_write
from niah.haystacks.documents import read_source

_FOLDER = Path("cases/questions")
_HEADING = re.compile(r"\s*#\s+(.+)")


@dataclass(frozen=True)
class QuestionSetBegun:
    """What was written.

    Attributes:
        out: the questions to fill in, one a document.
        beside: the documents.
        documents: how many.
        empty: names of files without text, which were left out.
    """

    out: Path
    beside: Path
    documents: int
    empty: tuple[str, ...] = ()


def begin_question_set(name: str, source: Path) -> QuestionSetBegun:
    """Write the documents of a question set, and a template of its questions.

    Args:
        name: of the set, which is written to ``cases/questions``; or its path, which ends in .jsonl.
        source: a folder with .txt and .md files, as for a haystack; or one file.

    Raises UserError, with nothing written, for a name that is none, texts that cannot be read and a file that
    would be lost.
    """
    out = _path(name)
    check_free(out, "Take another name, or remove it.")
    read = read_source(source)
    documents = [_document(printable(name), text) for name, text in read if text.strip()]
    _check(source, documents)
    beside = out.with_name(out.stem + DOCUMENTS)
    with atomic_write(out) as asked, atomic_write(beside) as texts:
        texts.writelines(map(_line, documents))
        asked.writelines(map(_line, _templates(documents)))
    return QuestionSetBegun(
        out, beside, len(documents), tuple(name for name, text in read if not text.strip())
    )


def _path(name: str) -> Path:
    if name.endswith(".jsonl"):
        return Path(name)
    if not name.strip() or name != Path(name).name or name in (".", ".."):
        remedy = "Write a name, such as manual, or a path that ends in .jsonl."
        raise UserError(f"{name!r} is no name of a question set.", remedy)
    return _FOLDER / f"{name}.jsonl"


def _check(source: Path, documents: list[DocumentLine]) -> None:
    if not documents:
        raise UserError(f"{source} holds no text.", "Name a folder of .txt and .md files.")
    name, times = Counter(document.id for document in documents).most_common(1)[0]
    if times > 1:
        raise UserError(f"{source}: {times} files are called {name}.", "Give each a name of its own.")


def _document(name: str, text: str) -> DocumentLine:
    """The text, called by its first line where that is a heading, and else by its file."""
    heading = _HEADING.match(text)
    title = heading[1].strip(" #\r") if heading else Path(name).name
    return DocumentLine(id=name, text=text, title=title or name)


def _templates(documents: list[DocumentLine]) -> Iterator[QuestionLine]:
    for number, document in enumerate(documents, start=1):
        yield QuestionLine(
            id=f"q{number}",
            document_id=document.id,
            question=f"{UNFILLED} a question that {document.title} answers",
            answers=(f"{UNFILLED} the right answer",),
            evidence=(f"{UNFILLED} the passage that says so, word for word; or leave evidence out",),
        )


def _line(model: QuestionLine | DocumentLine) -> bytes:
    said = model.model_dump(exclude_defaults=True)
    return orjson.dumps(said, option=orjson.OPT_APPEND_NEWLINE)
