"""Haystack documents: front matter, then paragraphs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from niah.errors import HaystackError, UnknownName
from niah.paths import shipped

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class Document:
    """One document: its name and its paragraphs, each on one line."""

    name: str
    paragraphs: tuple[str, ...]


def haystack_names() -> list[str]:
    """The haystacks that ship."""
    return sorted(path.name for path in shipped("haystacks").iterdir() if path.is_dir())


def load_documents(name: str) -> list[Document]:
    """The documents of a shipped haystack, in the order of their file names.

    Raises UnknownName, or HaystackError for a folder without text.
    """
    if name not in haystack_names():
        raise UnknownName("haystack", name, haystack_names())
    folder = shipped("haystacks") / name
    documents = [_read(path) for path in sorted(folder.glob("*.md"))]
    if not any(document.paragraphs for document in documents):
        raise HaystackError(f"{folder}: no text in it.", "Put .md files with prose there.")
    return documents


def _read(path: Path) -> Document:
    text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
    body = _FRONT_MATTER.sub("", text, count=1)
    paragraphs = (" ".join(part.split()) for part in _BLANK_LINES.split(body))
    return Document(path.stem, tuple(paragraph for paragraph in paragraphs if paragraph))
