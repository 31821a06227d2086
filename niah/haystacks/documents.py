"""Haystack documents: a haystack that ships, by its name, or text of one's own, by its path."""

from __future__ import annotations

import os
import random
import re
import zlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import cycle, islice
from pathlib import Path

from niah.errors import ConfigError, HaystackError, UnknownName
from niah.files import shipped
from niah.haystacks.structure import (
    Structure,
    find_structure,
    haystack_file,
    json_lines,
    kept_paragraphs,
    paragraphs,
    pieces_of,
    without_front_matter,
)
from niah.haystacks.world import fill_world, is_world
from niah.text.sentences import split_sentences

ENTRIES = "entries"  # more of a case's needle set, without text of its own: ``niah.needles.entries``
_TEXT = frozenset({".txt", ".md"})
EXCERPT = 520_000  # characters: measures of variety fall as a text grows, so that only equal sizes compare
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_BY_PATH = (
    "Any other text goes by its path from here: a folder of .txt and .md files, one text file, or .jsonl."
)


@dataclass(frozen=True)
class Document:
    """One document: its name and its paragraphs, each on one line where they are prose."""

    name: str
    paragraphs: tuple[str, ...]
    structure: Structure = "prose"


@cache
def haystack_names() -> tuple[str, ...]:
    """The haystacks that ship: folders with a document directly in them, not only lexicons."""
    folders = (folder for folder in shipped("haystacks").iterdir() if folder.is_dir())
    return tuple(sorted(at.name for at in folders if any(file.suffix in _TEXT for file in at.iterdir())))


def is_shipped(haystack: str) -> bool:
    """Whether ``haystack_names`` has it."""
    return haystack in haystack_names()


def is_entries(haystack: str) -> bool:
    """Whether it is made of a needle set's further entries."""
    return haystack == ENTRIES


def haystack_path(name: str) -> Path:
    """Where a haystack's text is; a name that ships wins over a path. Raises UnknownName, HaystackError."""
    if is_shipped(name):
        return shipped("haystacks") / name
    if is_entries(name):
        problem = f"the haystack {ENTRIES} has no text of its own: it is more of the list in a needle set."
        raise HaystackError(problem, "Look at a case: niah show common-list@20_entries_8000_d0_s1.")
    path = Path(name)
    if name and os.path.lexists(path):
        return path
    is_path, known = os.sep in name or path.suffix, (*haystack_names(), ENTRIES)
    texts = (at for at in path.parent.glob("*") if at.is_dir() or at.suffix in (*_TEXT, ".jsonl"))
    there = dict(zip(known, known, strict=True)) if not is_path else {}
    there |= {at.name: str(at) for at in texts}
    unknown = UnknownName("haystack", name, known)
    if near := get_close_matches(path.name, there, n=1):
        unknown.remedy = f"Did you mean {there[near[0]]!r}?"
    else:
        unknown.remedy = _BY_PATH if is_path else f"{unknown.remedy} {_BY_PATH}"
    if is_path:
        unknown.message = f"no haystack at {name!r}: no such file or folder."
    raise unknown


def load_documents(name: str, seed: int = 1, instance: int = 0) -> list[Document]:
    """The documents of a haystack by name or path, a world's as ``seed`` draws them. Raises UserError."""
    path = haystack_path(name)
    texts = read_texts(path, seed, instance)
    return parse_documents(path, texts, structure_of(path, texts))


def structure_of(path: Path, sources: Sequence[tuple[str, str]]) -> Structure:
    """How the texts at ``path`` are built: as written next to them, or found. Raises ConfigError."""
    if is_world(path):
        return "prose"
    return haystack_file(path).structure or find_structure(text for _, text in sources)


def parse_documents(path: Path, sources: Sequence[tuple[str, str]], structure: Structure) -> list[Document]:
    """The documents of what was read at ``path``. Raises HaystackError where there is no text."""
    split = paragraphs if structure == "prose" else kept_paragraphs
    documents = [Document(title, split(text), structure) for title, text in sources]
    if not any(document.paragraphs for document in documents):
        raise HaystackError(f"{path}: no text in it.", "Give it some.")
    return documents


def read_texts(path: Path, seed: int, instance: int) -> list[tuple[str, str]]:
    """Names and texts of the documents at ``path``; a world's have their slots filled."""
    sources = read_source(path)
    if is_world(path):
        return fill_world(path, sources, seed, instance)
    times = haystack_file(path).times
    if times == 1:
        return sources
    texts = list[tuple[str, str]]()  # broken off behind any sentence: many lengths make many counts of tokens
    for title, text in sources:
        sentences, rng = split_sentences(" ".join(text.split())), random.Random(f"{times} times")
        lengths = [rng.randint(2, max(2, 3 * len(sentences))) for _ in range(times)]
        texts.append((title, "\n\n".join(" ".join(islice(cycle(sentences), length)) for length in lengths)))
    return texts


def read_source(path: Path) -> list[tuple[str, str]]:
    """Names and texts of the documents at ``path``, in order. Raises HaystackError or ConfigError.

    A folder gives its .txt and .md files, a .jsonl file one document a line; any other file is one document.
    """
    if path.is_dir():
        return [(file.relative_to(path).with_suffix("").as_posix(), _read(file)) for file in _files(path)]
    if path.suffix.lower() != ".jsonl":
        return [(path.stem, _read(path))]
    texts = list[tuple[str, str]]()
    for number, row in json_lines(path, _read(path).encode().split(b"\n")):
        if isinstance(row, ConfigError):
            raise row
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            remedy = 'Each line is an object such as {"text": "..."}.'
            raise ConfigError(path, f"line {number}", 'no key "text" with a string.', remedy)
        texts.append((f"{path.stem}:{number}", row["text"]))
    return texts


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
    """A file's text; of Markdown without its front matter."""
    try:
        if path.exists() and not path.is_file():
            raise HaystackError(f"{path}: neither a file nor a folder.", "Name a text file or a folder.")
        raw = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from None
    if (at := raw.find(b"\0")) >= 0:
        problem = f"{path}: a binary file, or UTF-16: byte {at:,} is NUL."
        raise HaystackError(problem, "Save it as UTF-8 text, or take it out.")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line, byte = raw.count(b"\n", 0, error.start) + 1, raw[error.start]
        problem = f"{path}, line {line}: not UTF-8: byte {error.start:,} is 0x{byte:02x}."
        raise HaystackError(problem, "Save it as UTF-8.") from None
    return without_front_matter(text) if path.suffix.lower() == ".md" else text


def _unreadable(path: Path, error: OSError) -> HaystackError:
    return HaystackError(f"{path}: cannot be read: {error.strerror}.", "Check the path and its permissions.")


# Is a haystack varied, or does it repeat itself?


def measure_haystack(documents: Sequence[Document]) -> dict[str, float]:
    """Sizes of a haystack's text as it is in contexts, and the variety of its first ``EXCERPT`` characters.

    "distinct 4" and 8: different n-grams of words / n-grams (Li et al. 2016). Duplicates are shares, 0 to 1.
    """
    texts = [paragraph for document in documents for paragraph in document.paragraphs]
    pieces = (piece for document in documents for piece in pieces_of(document.paragraphs, document.structure))
    excerpt = "\n\n".join(texts)[:EXCERPT]
    parts = excerpt.split("\n\n") if excerpt else []
    words, split = words_in(excerpt), [sentence for part in parts for sentence in split_sentences(part)]
    raw = excerpt.encode()
    return {
        "documents": len(documents),
        "sentences": sum(1 for _ in pieces),  # or lines that are pieces
        "words": sum(len(words_in(text)) for text in texts),
        "excerpt": len(excerpt),
        "zlib ratio": len(zlib.compress(raw, 9)) / len(raw) if raw else 0.0,
        "distinct 4": distinct_share(words, 4),
        "distinct 8": distinct_share(words, 8),
        "duplicate sentences": 1 - len(set(split)) / len(split) if split else 0.0,
        "vocabulary": len(set(words)),
    }


def words_in(text: str) -> list[str]:
    """The words of a text in lower case: letters and digits, with apostrophes inside."""
    return _WORD.findall(text.lower())


def distinct_share(items: Sequence[Hashable], n: int) -> float:
    """Different n-grams / n-grams; 1 where there are none."""
    grams = list(zip(*(items[first:] for first in range(n)), strict=False))
    return len(set(grams)) / len(grams) if grams else 1.0
