"""A haystack tokenised once: every sentence a piece whose token count adds up; cached on disk.

A piece is a sentence with what joins it to its neighbours: a leading space inside a paragraph, a blank line
after its last sentence. Pieces are counted as they are in the whole text.
"""

from __future__ import annotations

import hashlib
import io
import os
import random
import sys
import zipfile
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import numpy as np

from niah import __version__
from niah.cache import Cache
from niah.errors import HaystackError
from niah.haystacks.documents import (
    Document,
    haystack_path,
    is_shipped,
    parse_documents,
    read_texts,
    structure_of,
)
from niah.haystacks.structure import HAYSTACK_FILE, PARAGRAPH_BREAK, Piece, Structure, pieces_of, state_of
from niah.haystacks.world import is_world
from niah.text.tokenizer import Tokenizer, are_start_neutral, costs_at_start, get_tokenizer

_AROUND = 2  # pieces of the text's other end that are read with it
_ENOUGH_STARTS = 10


@dataclass(frozen=True)
class Corpus:
    """Sentences of a haystack in order, as one text with its n pieces."""

    name: str
    tokenizer: str
    text: str = field(repr=False)
    offsets: list[int] = field(repr=False)  # n + 1, of the pieces in ``text``
    tokens: list[int] = field(repr=False)  # n + 1 cumulative counts of ``tokenizer``
    is_start: list[bool] = field(repr=False)  # n flags: whether the piece starts a paragraph
    neutral_start: list[bool] = field(repr=False)  # n flags: costs as much behind a space, a break, nothing
    structure: Structure = "prose"  # lines are pieces, or paragraphs hold them, where it is not prose

    @property
    def keeps_lines(self) -> bool:
        """Whether line breaks stand where the text had them."""
        return self.structure != "prose"

    @property
    def size(self) -> int:
        """Number of pieces."""
        return len(self.offsets) - 1

    @cached_property
    def beginnings(self) -> list[int]:
        """Pieces that a context may begin with: neutral starts of a paragraph.

        All starts where hardly any is neutral, as in logs and in Chinese; of lines those behind a blank one.
        """
        starts = [piece for piece, is_start in enumerate(self.is_start) if is_start]
        if self.keeps_lines:
            behind = [piece for piece in starts if self.slice(piece - 1, piece).endswith(PARAGRAPH_BREAK)]
            starts = behind if len(behind) >= _ENOUGH_STARTS else starts
        neutral = [piece for piece in starts if self.neutral_start[piece]]
        return neutral if len(neutral) * _ENOUGH_STARTS >= len(starts) else starts

    @cached_property
    def sha256(self) -> str:
        """Digest of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def slice(self, first: int, last: int) -> str:
        """Text of the pieces first to last - 1."""
        return self.text[self.offsets[first] : self.offsets[last]]

    def piece_at(self, offset: int) -> int:
        """Number of the piece that holds the character at ``offset``."""
        return bisect_right(self.offsets, offset) - 1


def build_corpus(name: str, documents: Sequence[Document], tokenizer: Tokenizer) -> Corpus:
    """Split, join and count. Raises HaystackError where there is no text."""
    parts = [part for document in documents for part in pieces_of(document.paragraphs, document.structure)]
    if not parts:
        raise HaystackError(f"haystack {name!r} holds no sentences.", "Give it text.")
    return _tokenised(name, parts, documents[0].structure, tokenizer)


def without_pieces(corpus: Corpus, gone: Collection[int]) -> Corpus:
    """The corpus tokenised anew without some of its pieces; what is left of a paragraph stays one."""
    parts = list[Piece]()
    for piece, (before, sentence, after) in enumerate(_parts(corpus)):
        if piece in gone:
            if after and not corpus.is_start[piece] and parts and not parts[-1][2]:
                parts[-1] = (*parts[-1][:2], after)
            continue
        opens = not parts or parts[-1][2] != ""
        parts.append(("" if opens else before, sentence, after))
    if not parts[-1][2]:
        parts[-1] = (*parts[-1][:2], PARAGRAPH_BREAK)
    return _tokenised(corpus.name, parts, corpus.structure, get_tokenizer(corpus.tokenizer))


def shuffled(corpus: Corpus, tokens: int, key: str) -> Corpus:
    """The corpus tokenised anew, all but the first of its first ``tokens`` tokens' sentences shuffled."""
    parts, rng = list(_parts(corpus)), random.Random(key)
    many = max(1, bisect_right(corpus.tokens, tokens) - 1)
    order = sorted(range(1, many), key=[rng.random() for _ in range(many)].__getitem__)
    moved = [(parts[to][0], parts[piece][1], parts[to][2]) for to, piece in enumerate(order, 1)]
    parts[1:many] = moved
    return _tokenised(corpus.name, parts, corpus.structure, get_tokenizer(corpus.tokenizer))


def _parts(corpus: Corpus) -> Iterator[Piece]:
    """What comes before each piece, the piece, and the line ends after it."""
    for piece in range(corpus.size):
        text = corpus.slice(piece, piece + 1)
        sentence, before = text.rstrip("\n"), ""
        after = text[len(sentence) :]
        if not corpus.is_start[piece]:
            before, sentence = sentence[: len(sentence) - len(sentence.lstrip())], sentence.lstrip()
        yield before, sentence, after


def _tokenised(name: str, parts: Sequence[Piece], structure: Structure, tokenizer: Tokenizer) -> Corpus:
    pieces = ["".join(part) for part in parts]
    sentences = [sentence for _, sentence, _ in parts]
    is_end = np.array([after == PARAGRAPH_BREAK for _, _, after in parts])
    is_start = np.array([True, *(after != "" for _, _, after in parts[:-1])])
    text = "".join(pieces)
    offsets = [0, *accumulate(map(len, pieces))]
    # Where the tokens start in a text that goes round: its first pieces follow its last, as in a context that
    # goes on past the haystack's end.
    before, after = "".join(pieces[-_AROUND:]), "".join(pieces[:_AROUND])
    starts = tokenizer.starts(before + text + after) - len(before)
    starts = starts[(starts >= 0) & (starts < len(text))]
    tokens = np.searchsorted(starts, offsets)
    neutral_start = are_start_neutral(tokenizer, sentences)
    if not tokenizer.additive:
        # Costs at a text's start are known for sentences that begin with a token and end inside a paragraph.
        places = np.array(offsets[:-1])  # a token begins there, or after the one space that is not its own
        spaces = np.array([text.startswith(" ", offset) for offset in offsets[:-1]])
        begins = np.isin(places, starts) | (spaces & np.isin(places + 1, starts))
        begins &= is_start | np.array([before == " " for before, _, _ in parts])
        neutral_start &= ~(is_start & is_end) & begins
        neutral_start &= ~is_start | (costs_at_start(tokenizer, sentences) == np.diff(tokens))
    return Corpus(
        name=name,
        tokenizer=tokenizer.name,
        text=text,
        offsets=offsets,
        tokens=tokens.tolist(),
        is_start=is_start.tolist(),
        neutral_start=neutral_start.tolist(),
        structure=structure,
    )


_TOTALS = ("offsets", "tokens")
_FLAGS = ("is_start", "neutral_start")


def rotate(corpus: Corpus, first: int) -> Corpus:
    """The same corpus begun at ``first``, one of ``beginnings``; what stood before goes to the end."""
    return concatenate([_part(corpus, first, corpus.size), _part(corpus, 0, first)])


def _part(corpus: Corpus, first: int, last: int) -> Corpus:
    """The pieces first to last - 1; counts of tokens stay what they are in the whole text."""
    totals = {name: getattr(corpus, name)[first : last + 1] for name in _TOTALS}
    parts: dict[str, Any] = {name: [each - found[0] for each in found] for name, found in totals.items()}
    parts |= {name: getattr(corpus, name)[first:last] for name in _FLAGS}
    return replace(corpus, text=corpus.slice(first, last), **parts)


def concatenate(corpora: Sequence[Corpus]) -> Corpus:
    """Several corpora one after another, as one of the first one's name. All were tokenised alike."""
    parts: dict[str, Any] = {"text": "".join(corpus.text for corpus in corpora)}
    for name in _TOTALS:
        parts[name] = [0]
        for corpus in corpora:
            before = parts[name][-1]
            parts[name].extend([before + total for total in getattr(corpus, name)[1:]])
    for name in _FLAGS:
        parts[name] = list(chain.from_iterable(getattr(corpus, name) for corpus in corpora))
    return replace(corpora[0], **parts)


_MADE_WITH = f"3|{__version__}|{np.__version__}|{sys.version_info[:2]}"
"""Its number changes where text is cut or counted in another way."""

_ARRAYS = (*_TOTALS, *_FLAGS)


def load_corpus(name: str, tokenizer: str, seed: int = 1, instance: int = 0) -> Corpus:
    """The haystack of that name or path, tokenised; only a world depends on the seed. Raises UserError."""
    drawn = (seed, instance) if is_world(haystack_path(name)) else (0, 0)
    return _load(name, haystack_state(name), tokenizer, *drawn)


def haystack_state(name: str) -> str:
    """A digest of a haystack's files, their times and sizes; "" of one that ships. Raises UserError."""
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
    """Documents, by their names and texts, read at ``path``, as one corpus. Raises HaystackError."""
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
