"""Haystack documents: a haystack that ships, by its name, or text of one's own, by its path."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import orjson

from niah.errors import HaystackError, UnknownName
from niah.haystacks.prose import kept_paragraphs, paragraphs, without_front_matter
from niah.haystacks.structure import Structure, find_structure, told_structure, told_times
from niah.haystacks.world import fill_world, is_world
from niah.paths import shipped
from niah.text.sentences import split_sentences

_TEXT = frozenset({".txt", ".md"})


def read_source(path: Path) -> list[tuple[str, str]]:
    """Names and texts of the documents at ``path``, in order.

    A folder gives its .txt and .md files and those of its folders, sorted by path, none that is hidden;
    a .jsonl file one document a line, from its key "text"; any other file is one document.
    Raises HaystackError.
    """
    if path.is_dir():
        return [(file.relative_to(path).with_suffix("").as_posix(), _read(file)) for file in _files(path)]
    if path.suffix.lower() == ".jsonl":
        return list(_read_jsonl(path))
    return [(path.stem, _read(path))]


def _files(folder: Path) -> list[Path]:
    def stop(error: OSError) -> None:
        raise _unreadable(Path(error.filename or folder), error)

    files = []
    for parent, folders, names in os.walk(folder, onerror=stop):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(parent, name) for name in names if not name.startswith(".")]
    wanted = sorted(file for file in files if file.suffix.lower() in _TEXT)
    if not wanted:
        raise HaystackError(f"{folder}: no .txt or .md file in it.", "Put files with prose there.")
    return wanted


def _read(path: Path) -> str:
    text = _decoded(path, _bytes(path))
    return without_front_matter(text) if path.suffix.lower() == ".md" else text


def _read_jsonl(path: Path) -> Iterator[tuple[str, str]]:
    raw = _bytes(path)
    _decoded(path, raw)
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield f"{path.stem}:{number}", _text_of(path, number, line)


def _text_of(path: Path, number: int, line: bytes) -> str:
    where = f"{path}, line {number}"
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise HaystackError(f"{where}: not JSON: {error.msg}.", "Write one JSON object a line.") from None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        remedy = 'Each line is an object such as {"text": "..."}.'
        raise HaystackError(f'{where}: no key "text" with a string.', remedy)
    text: str = row["text"]
    return text


def _bytes(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise HaystackError(f"{path}: neither a file nor a folder.", "Name a text file or a folder.")
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from None


def _decoded(path: Path, raw: bytes) -> str:
    if b"\0" in raw:
        offset = raw.index(b"\0")
        problem = f"{path}: a binary file, or UTF-16: byte {offset:,} is NUL."
        raise HaystackError(problem, "Save it as UTF-8 text, or take it out.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problem = f"{path}, line {line}: not UTF-8: byte {error.start:,} is 0x{raw[error.start]:02x}."
        raise HaystackError(problem, "Save it as UTF-8.") from None


def _unreadable(path: Path, error: OSError) -> HaystackError:
    return HaystackError(f"{path}: cannot be read: {error.strerror}.", "Check the path and its permissions.")


_BY_PATH = (
    "Any other text goes by its path from here: a folder of .txt and .md files, one text file, or .jsonl. "
    "(The haystack in a case id is only the last part of that path.)"
)


ENTRIES = "entries"
"""The haystack without text of its own: further entries of a case's needle set (``niah.needles.entries``)."""


def is_entries(haystack: str) -> bool:
    """Whether that is the haystack made of a needle set's further entries."""
    return haystack == ENTRIES


@dataclass(frozen=True)
class Document:
    """One document: its name and its paragraphs, each on one line where they are prose."""

    name: str
    paragraphs: tuple[str, ...]
    structure: Structure = "prose"


def haystack_names() -> list[str]:
    """The haystacks that ship: folders with a document directly in them, not only lexicons."""
    with os.scandir(shipped("haystacks")) as folders:
        return sorted(folder.name for folder in folders if folder.is_dir() and _has_document(folder))


def is_shipped(haystack: str) -> bool:
    """Whether ``haystack_names`` has it: no other haystack's folder is looked into."""
    with os.scandir(shipped("haystacks")) as folders:
        return any(
            folder.name == haystack and folder.is_dir() and _has_document(folder) for folder in folders
        )


def _has_document(folder: os.DirEntry[str]) -> bool:
    with os.scandir(folder) as files:
        return any(file.name.endswith((".md", ".txt")) for file in files)


def haystack_path(name: str) -> Path:
    """Where a haystack's text is; a name that ships wins over a path.

    Raises UnknownName, or HaystackError for what can only be a path and is not there.
    """
    if is_shipped(name):
        return shipped("haystacks") / name
    if is_entries(name):
        raise HaystackError(
            f"the haystack {ENTRIES} has no text of its own: it is more of the list in a case's needle set.",
            "Look at a case of it: niah show common-list@20_entries_8000_d0_s1.",
        )
    path = Path(name)
    if name and os.path.lexists(path):
        return path
    if os.sep in name or path.suffix:
        raise HaystackError(f"no haystack at {name!r}: no such file or folder.", _BY_PATH)
    unknown = UnknownName("haystack", name, haystack_names())
    unknown.remedy = f"{unknown.remedy} {_BY_PATH}"
    raise unknown


def load_documents(
    name: str, seed: int = 1, instance: int = 0, structure: Structure | None = None
) -> list[Document]:
    """The documents of a haystack by name or path, in the order of their paths or lines.

    A world's documents depend on ``seed`` and ``instance`` (see ``niah.haystacks.world``); other haystacks
    on neither. They are read as ``structure`` says, if it is given. Raises UnknownName, ConfigError for a
    world's mistakes, or HaystackError for what cannot be read or holds no text.
    """
    path = haystack_path(name)
    texts = read_texts(path, seed, instance)
    return parse_documents(path, texts, structure_of(path, texts, structure))


def read_texts(path: Path, seed: int, instance: int) -> list[tuple[str, str]]:
    """Names and texts of the documents at ``path``; a world's have their slots filled.

    A text that ``haystack.yaml`` lets come several times does so.
    """
    sources = read_source(path)
    if is_world(path):
        return fill_world(path, sources, seed, instance)
    times = told_times(path)
    if times == 1:
        return sources
    return [(title, _again_and_again(text, times)) for title, text in sources]


def _again_and_again(text: str, times: int) -> str:
    """So many paragraphs, each the text from its beginning on, over and over, broken off behind a sentence.

    Where depends on the paragraph's number alone; without that few counts of tokens could be made up of it.
    """
    sentences = split_sentences(" ".join(text.split()))
    rng = random.Random(f"{times} times")
    lengths = (rng.randint(2, 3 * len(sentences)) for _ in range(times))
    return "\n\n".join(" ".join(islice(cycle(sentences), length)) for length in lengths)


def haystack_structure(name: str, told: Structure | None = None) -> Structure:
    """How the text of a haystack is built, by its name or path. Raises as ``load_documents`` does."""
    path = haystack_path(name)
    return "prose" if is_world(path) else structure_of(path, read_source(path), told)


def structure_of(path: Path, sources: Sequence[tuple[str, str]], told: Structure | None = None) -> Structure:
    """How the texts read at ``path`` are built: a world is prose, others as they are told to be, or found.

    Raises ConfigError.
    """
    if is_world(path):
        return "prose"
    return told or told_structure(path) or find_structure(text for _, text in sources)


def parse_documents(path: Path, sources: Sequence[tuple[str, str]], structure: Structure) -> list[Document]:
    """The documents of what was read at ``path``. Raises HaystackError where there is no text."""
    split = paragraphs if structure == "prose" else kept_paragraphs
    documents = [Document(title, split(text), structure) for title, text in sources]
    if not any(document.paragraphs for document in documents):
        raise HaystackError(f"{path}: no text in it.", "Give it some.")
    return documents
