"""A haystack by name, tokenised; what was tokenised once is cached on disk by what it was made from."""

from __future__ import annotations

import hashlib
import os
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from pathlib import Path

import numpy as np

from niah import __version__
from niah.files import atomic_write
from niah.haystacks.corpus import Corpus, build_corpus
from niah.haystacks.documents import haystack_path, is_shipped, parse_documents, read_texts, structure_of
from niah.haystacks.structure import HAYSTACK_FILE, Structure, state_of
from niah.haystacks.world import is_world
from niah.paths import cache as cache_folder
from niah.text.tokenizer import get_tokenizer

_MADE_WITH = f"2|{__version__}|{np.__version__}|{sys.version_info[:2]}"
"""Its number changes where text is cut or counted in another way."""

_CACHED = 64
"""Tokenised haystacks that are cached; the ones not used for longest go first."""

_ARRAYS = [
    field.name for field in fields(Corpus) if field.name not in ("name", "tokenizer", "text", "structure")
]


def load_corpus(
    name: str, tokenizer: str, seed: int = 1, instance: int = 0, structure: Structure | None = None
) -> Corpus:
    """The haystack of that name or path, tokenised.

    Only a world depends on ``seed`` and ``instance``; other text is read as ``structure`` says, if it is
    given. Raises UnknownName, ConfigError or HaystackError.
    """
    state = haystack_state(name)
    if is_world(haystack_path(name)):
        return _load(name, state, tokenizer, seed, instance, None)
    return _load(name, state, tokenizer, 0, 0, structure)


def haystack_state(name: str) -> str:
    """A digest of where a haystack's files are, and of their times and sizes; "" of one that ships.

    Raises UnknownName or HaystackError.
    """
    if is_shipped(name):
        return ""
    path = haystack_path(name)
    files = [path, path.parent / HAYSTACK_FILE]
    if path.is_dir():
        files = sorted(Path(folder, file) for folder, _, names in os.walk(path) for file in names)
    states = [state_of(file) for file in files if file.is_file()]
    return hashlib.sha256(repr(states).encode("utf-8", "surrogateescape")).hexdigest()


@lru_cache(maxsize=8)
def _load(
    name: str, state: str, tokenizer: str, seed: int, instance: int, structure: Structure | None
) -> Corpus:
    path = haystack_path(name)
    texts = read_texts(path, seed, instance)
    return tokenised(name, path, texts, tokenizer, structure_of(path, texts, structure))


def tokenised(
    name: str, path: Path, texts: Sequence[tuple[str, str]], tokenizer: str, structure: Structure
) -> Corpus:
    """Documents, by their names and texts, as one corpus of that name; ``path`` is what they were made of.

    Raises HaystackError where there is no text.
    """
    counter = get_tokenizer(tokenizer)
    digest = hashlib.sha256(f"{_MADE_WITH}|{counter.identity}|{structure}".encode())
    for title, text in texts:
        digest.update(f"\0{title}\0{len(text)}\0".encode("utf-8", "surrogateescape"))
        digest.update(text.encode())
    cached = cache_folder() / "corpora" / f"{digest.hexdigest()[:32]}.npz"
    corpus = _read(cached, name, counter.name, structure)
    if corpus is None:
        corpus = build_corpus(name, parse_documents(path, texts, structure), counter)
        _write(cached, corpus)
    return corpus


def _read(path: Path, name: str, tokenizer: str, structure: Structure) -> Corpus | None:
    """What is cached under ``path``; nothing if it is not there or not whole."""
    try:
        with np.load(path, allow_pickle=False) as cached:
            lists = {field: cached[field].tolist() for field in _ARRAYS}
            text = cached["text"].tobytes().decode()
        path.touch()
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return Corpus(name=name, tokenizer=tokenizer, text=text, structure=structure, **lists)


def _write(path: Path, corpus: Corpus) -> None:
    """Cache the corpus. A full or read-only disk costs the next time, not this run."""
    arrays = {field: np.array(getattr(corpus, field)) for field in _ARRAYS}
    text = np.frombuffer(corpus.text.encode(), dtype=np.uint8)
    try:
        with atomic_write(path) as file:
            np.savez(file, allow_pickle=False, text=text, **arrays)
        by_age = sorted(path.parent.glob("*.npz"), key=lambda cached: cached.stat().st_mtime)
        for old in by_age[:-_CACHED]:
            old.unlink(missing_ok=True)
    except OSError:
        return
