"""A haystack by name, tokenised; what was tokenised once is cached on disk by what it was made from."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from pathlib import Path

import numpy as np

from niah import __version__
from niah.cache import Cache
from niah.haystacks.corpus import Corpus, build_corpus
from niah.haystacks.documents import haystack_path, is_shipped, parse_documents, read_texts, structure_of
from niah.haystacks.structure import HAYSTACK_FILE, Structure, state_of
from niah.haystacks.world import is_world
from niah.text.tokenizer import get_tokenizer

_MADE_WITH = f"2|{__version__}|{np.__version__}|{sys.version_info[:2]}"
"""Its number changes where text is cut or counted in another way."""

_ARRAYS = [
    field.name for field in fields(Corpus) if field.name not in ("name", "tokenizer", "text", "structure")
]


def load_corpus(name: str, tokenizer: str, seed: int = 1, instance: int = 0) -> Corpus:
    """The haystack of that name or path, tokenised; only a world depends on ``seed`` and ``instance``.

    Raises UnknownName, ConfigError or HaystackError.
    """
    drawn = (seed, instance) if is_world(haystack_path(name)) else (0, 0)
    return _load(name, haystack_state(name), tokenizer, *drawn)


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
def _load(name: str, state: str, tokenizer: str, seed: int, instance: int) -> Corpus:
    path = haystack_path(name)
    texts = read_texts(path, seed, instance)
    return tokenised(name, path, texts, tokenizer, structure_of(path, texts))


def tokenised(
    name: str, path: Path, texts: Sequence[tuple[str, str]], tokenizer: str, structure: Structure
) -> Corpus:
    """Documents, by their names and texts, as one corpus of that name; ``path`` is what they were made of.

    Raises HaystackError where there is no text.
    """
    counter, cache = get_tokenizer(tokenizer), Cache("corpora")
    digest = hashlib.sha256(f"{_MADE_WITH}|{counter.identity}|{structure}".encode())
    for title, text in texts:
        digest.update(f"\0{title}\0{len(text)}\0".encode("utf-8", "surrogateescape"))
        digest.update(text.encode())
    key = digest.digest()
    for packed in cache.get([key]).values():
        try:
            with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
                lists = {field: arrays[field].tolist() for field in _ARRAYS}
                whole = arrays["text"].tobytes().decode()
            return Corpus(name=name, tokenizer=counter.name, text=whole, structure=structure, **lists)
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile):  # of another version of NumPy
            break
    corpus, file = build_corpus(name, parse_documents(path, texts, structure), counter), io.BytesIO()
    flags = {field: np.array(getattr(corpus, field)) for field in _ARRAYS}
    text_bytes = np.frombuffer(corpus.text.encode(), dtype=np.uint8)
    np.savez(file, allow_pickle=False, text=text_bytes, **flags)
    cache.put({key: file.getvalue()})
    return corpus
