"""A question set to fill in: texts as its documents, and a line to replace for each of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from niah.cases.questions.question_set import (
    DOCUMENTS,
    UNFILLED,
    DocumentLine,
    check_free,
    write_question_set,
)
from niah.errors import UserError, printable
from niah.haystacks.documents import read_source


@dataclass(frozen=True)
class QuestionSetBegun:
    """The files that were written, how many documents, and the names of files without text."""

    out: Path
    beside: Path
    documents: int
    empty: tuple[str, ...] = ()


def begin_question_set(name: str, source: Path) -> QuestionSetBegun:
    """Write the documents of a question set, and a template of its questions.

    Args:
        name: of the set, which is written to ``cases/questions``; or its path, which ends in .jsonl.
        source: a folder with .txt and .md files, as for a haystack; or one file.

    Raises UserError, with nothing written.
    """
    if not name.endswith(".jsonl") and (not name.strip() or name != Path(name).name or name in (".", "..")):
        remedy = "Write a name, such as manual, or a path that ends in .jsonl."
        raise UserError(f"{name!r} is no name of a question set.", remedy)
    out = Path(name) if name.endswith(".jsonl") else Path("cases/questions") / f"{name}.jsonl"
    check_free(out, "Take another name, or remove it.")
    documents, empty, templates = dict[str, DocumentLine](), list[str](), list[dict[str, object]]()
    for file, text in read_source(source):
        if not text.strip():
            empty.append(file)
            continue
        heading, id = re.match(r"\s*#\s+(.+)", text), printable(file)
        title = heading[1].strip(" #\r") if heading else Path(id).name
        if id in documents:
            raise UserError(f"{source}: two files are called {id}.", "Give each a name of its own.")
        documents[id] = DocumentLine(id=id, text=text, title=title or id)
        template: dict[str, object] = {
            "id": f"q{len(documents)}",
            "question": f"{UNFILLED} a question that {title or id} answers",
            "document_id": id,
            "answers": [f"{UNFILLED} the right answer"],
            "evidence": [f"{UNFILLED} the passage that says so, word for word; or leave evidence out"],
        }
        templates.append(template)
    if not documents:
        raise UserError(f"{source} holds no text.", "Name a folder of .txt and .md files.")
    write_question_set(out, templates, documents.values())
    return QuestionSetBegun(out, out.with_name(out.stem + DOCUMENTS), len(documents), tuple(empty))
