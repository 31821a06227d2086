"""A haystack by name, tokenised; what was tokenised once is kept on disk by what it was made from."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import fields
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

import niah.haystacks
import niah.text
from niah import __version__
from niah.files import atomic_write
from niah.haystacks.corpus import Corpus, build_corpus
from niah.haystacks.documents import haystack_path, parse_documents, read_texts, structure_of
from niah.haystacks.structure import Structure
from niah.haystacks.world import is_world
from niah.paths import cache as cache_folder
from niah.text.tokenizer import get_tokenizer

_KEPT = 64
"""Tokenised haystacks that are kept; the ones not used for longest go first."""


def load_corpus(
    name: str, tokenizer: str, seed: int = 1, instance: int = 0, structure: Structure | None = None
) -> Corpus:
    """The haystack of that name or path, tokenised.

    Only a world depends on ``seed`` and ``instance``; other text is read as ``structure`` says, if it is
    given. Raises UnknownName, ConfigError or HaystackError.
    """
    if is_world(haystack_path(name)):
        return _load(name, tokenizer, seed, instance, None)
    return _load(name, tokenizer, 0, 0, structure)


@lru_cache(maxsize=8)
def _load(name: str, tokenizer: str, seed: int, instance: int, told: Structure | None) -> Corpus:
    path = haystack_path(name)
    texts = read_texts(path, seed, instance)
    return tokenised(name, path, texts, tokenizer, structure_of(path, texts, told))


def tokenised(
    name: str, path: Path, texts: Sequence[tuple[str, str]], tokenizer: str, structure: Structure
) -> Corpus:
    """Documents, by their names and texts, as one corpus of that name; ``path`` is what they were made of.

    Raises HaystackError where there is no text.
    """
    counter = get_tokenizer(tokenizer)
    kept = cache_folder() / "corpora" / f"{_digest(texts, counter.identity, structure)}.npz"
    corpus = _read(kept, name, counter.name, structure)
    if corpus is None:
        corpus = build_corpus(name, parse_documents(path, texts, structure), counter)
        _keep(kept, corpus)
    return corpus


def _digest(texts: Sequence[tuple[str, str]], identity: str, structure: str) -> str:
    """What a tokenised haystack depends on, the code that splits and counts included."""
    made_with = f"{__version__}|{np.__version__}|{sys.version_info[:2]}|{identity}|{structure}"
    digest = hashlib.sha256(made_with.encode())
    digest.update(_code())
    for title, text in texts:
        digest.update(f"\0{title}\0{len(text)}\0".encode("utf-8", "surrogateescape"))
        digest.update(text.encode())
    return digest.hexdigest()[:32]


@cache
def _code() -> bytes:
    """Digest of all code that reads, splits and counts text."""
    digest = hashlib.sha256()
    for package in (niah.haystacks, niah.text):
        for file in sorted(Path(package.__file__ or "").parent.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.digest()


def _read(path: Path, name: str, tokenizer: str, structure: Structure) -> Corpus | None:
    """What was kept under ``path``; nothing if it is not there or not whole."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            arrays = {field: kept[field] for field in _ARRAYS}
            text = kept["text"].tobytes().decode()
        path.touch()
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    lists = {field: values.tolist() for field, values in arrays.items()}
    return Corpus(name=name, tokenizer=tokenizer, text=text, structure=structure, **lists)


def _keep(path: Path, corpus: Corpus) -> None:
    """Write the corpus down for next time. A full or read-only disk costs the next time, not this run."""
    arrays = {field: np.array(getattr(corpus, field)) for field in _ARRAYS}
    text = np.frombuffer(corpus.text.encode(), dtype=np.uint8)
    try:
        with atomic_write(path) as file:
            np.savez(file, allow_pickle=False, text=text, **arrays)
        by_age = sorted(path.parent.glob("*.npz"), key=lambda kept: kept.stat().st_mtime)
        for old in by_age[:-_KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return


_ARRAYS = [
    field.name for field in fields(Corpus) if field.name not in ("name", "tokenizer", "text", "structure")
]
