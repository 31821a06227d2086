"""Haystack documents: a haystack that ships, by its name, or text of one's own, by its path."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.errors import HaystackError, UnknownName
from niah.haystacks.prose import paragraphs
from niah.haystacks.sources import read_source
from niah.haystacks.world import is_world, written_world
from niah.paths import shipped

_BY_PATH = (
    "Any other text goes by its path from here: a folder of .txt and .md files, one text file, or .jsonl. "
    "(The haystack in a case id is only the last part of that path.)"
)


@dataclass(frozen=True)
class Document:
    """One document: its name and its paragraphs, each on one line."""

    name: str
    paragraphs: tuple[str, ...]


def haystack_names() -> list[str]:
    """The haystacks that ship: folders with a document directly in them, not only lexicons."""
    return sorted(path.name for path in shipped("haystacks").iterdir() if _has_document(path))


def _has_document(folder: Path) -> bool:
    return folder.is_dir() and any(path.suffix in {".md", ".txt"} for path in folder.iterdir())


def haystack_path(name: str) -> Path:
    """Where a haystack's text is; a name that ships wins over a path.

    Raises UnknownName, or HaystackError for what can only be a path and is not there.
    """
    if name in haystack_names():
        return shipped("haystacks") / name
    path = Path(name)
    if name and os.path.lexists(path):
        return path
    if os.sep in name or path.suffix:
        raise HaystackError(f"no haystack at {name!r}: no such file or folder.", _BY_PATH)
    unknown = UnknownName("haystack", name, haystack_names())
    unknown.remedy = f"{unknown.remedy} {_BY_PATH}"
    raise unknown


def load_documents(name: str, seed: int = 1, instance: int = 0) -> list[Document]:
    """The documents of a haystack by name or path, in the order of their paths or lines.

    A world's documents depend on ``seed`` and ``instance`` (see ``niah.haystacks.world``); other haystacks
    on neither. Raises UnknownName, ConfigError for a world's mistakes, or HaystackError for what cannot be
    read or holds no text.
    """
    path = haystack_path(name)
    return documents_of(path, texts_of(path, seed, instance))


def texts_of(path: Path, seed: int, instance: int) -> list[tuple[str, str]]:
    """Names and texts of the documents at ``path``; a world's have their slots filled."""
    sources = read_source(path)
    return written_world(path, sources, seed, instance) if is_world(path) else sources


def documents_of(path: Path, sources: Sequence[tuple[str, str]]) -> list[Document]:
    """The documents of what was read at ``path``. Raises HaystackError where there is no text."""
    documents = [Document(title, paragraphs(text)) for title, text in sources]
    if not any(document.paragraphs for document in documents):
        raise HaystackError(f"{path}: no text in it.", "Give it prose.")
    return documents
