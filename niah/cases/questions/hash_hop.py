"""Hash-Hop as one document of any size, and questions about it (after Magic's HashHop, 2024).

Shuffled lines ``hash -> hash``, chains of so many hops. A hash, and a line's place in the list, are functions
of their number and the seed, so that the document may be larger than memory.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from string import ascii_letters
from typing import TYPE_CHECKING

import numpy as np
import orjson

from niah.cases.questions.question_set import DOCUMENTS
from niah.errors import UserError
from niah.files import atomic_write
from niah.needles.families.load import load_family
from niah.text.templates import join_names, render_line
from niah.text.tokenizer import get_tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.uint64]

ARROW = " -> "
_LETTERS = 16
_ALPHABET = np.frombuffer(ascii_letters.encode(), dtype=np.uint8)
_BLOCK = 50_000  # lines that are written at once: 1.85 MB
_SAMPLED = 5_000
_SPREADS = 8  # standard deviations by which the lines of whole chains stay below what is asked for


@dataclass(frozen=True)
class HashChains:
    """``chains`` chains of ``hops`` hops; two ranges (by ``first``) of one seed share no hash."""

    seed: int
    chains: int
    hops: int
    first: int = 0

    @property
    def size(self) -> int:
        """Lines of all chains."""
        return self.chains * self.hops

    def texts(self, start: int, stop: int) -> list[str]:
        """Lines ``start`` to ``stop`` - 1 of the shuffled list, with line ends."""
        numbers = _shuffled(np.arange(start, stop, dtype=np.uint64), self.size, self.seed)
        chain, hop = np.divmod(numbers, np.uint64(self.hops))
        place = (chain + np.uint64(self.first)) * np.uint64(self.hops + 1) + hop
        links = zip(_hashes(place, self.seed), _hashes(place + np.uint64(1), self.seed), strict=True)
        return [f"{this}{ARROW}{after}\n" for this, after in links]

    def chain(self, number: int) -> list[str]:
        """The hashes of one chain, first to last."""
        first = (self.first + number) * (self.hops + 1)
        return _hashes(np.arange(first, first + self.hops + 1, dtype=np.uint64), self.seed)


def _hashes(places: Numbers, seed: int) -> list[str]:
    """The hash at each place: 16 letters of both cases."""
    letters = np.empty((len(places), _LETTERS), dtype=np.uint8)
    for at in range(_LETTERS):
        if at % (_LETTERS // 2) == 0:  # 64 bits are 8 letters
            rest = _mixed(places * np.uint64(2) + np.uint64(at > 0), seed)
        rest, letter = np.divmod(rest, np.uint64(len(_ALPHABET)))
        letters[:, at] = _ALPHABET[letter]
    return letters.view(f"S{_LETTERS}").ravel().astype(str).tolist()


def _mixed(numbers: Numbers, salt: int) -> Numbers:
    """64 random bits for each number, by splitmix64's finaliser (Steele, Lea and Flood 2014)."""
    mixed = numbers + np.uint64((salt * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def _shuffled(numbers: Numbers, size: int, seed: int) -> Numbers:
    """Numbers below ``size`` permuted by a Feistel network, applied again to what leaves the range."""
    half = max(1, -(-(size - 1).bit_length() // 2))
    bits, mask = np.uint64(half), np.uint64(2**half - 1)
    placed = numbers.copy()
    outside = np.ones(len(placed), dtype=bool)
    while outside.any():
        left, right = placed[outside] >> bits, placed[outside] & mask
        for turn in range(4):
            left, right = right, left ^ (_mixed(right, seed * 4 + turn + 1) & mask)
        placed[outside] = (left << bits) | right
        outside = placed >= np.uint64(size)
    return placed


def write_hash_hop(
    out: Path, tokens: int, hops: int, questions: int, *, steps: bool, seed: int, tokenizer: str
) -> tuple[int, int]:
    """Write the question set ``out`` and the document next to it; returns the document's tokens and lines.

    ``steps``: every hash on the way is asked for, not the last alone. Raises UserError.
    """
    counter = get_tokenizer(tokenizer)  # whose counts of lines add up
    counts = counter.counts(HashChains(seed, _SAMPLED, hops).texts(0, _SAMPLED))
    mean, spread = float(counts.mean()), float(counts.std())
    surely = tokens / mean - _SPREADS * spread * np.sqrt(tokens / mean) / mean
    number = int(surely * (1 - _SPREADS * spread / mean / np.sqrt(len(counts))) / hops)
    if number < questions:
        problem = f"{tokens:,} tokens hold {max(0, number)} chains of {hops} hops."
        raise UserError(problem, f"Ask for more tokens, or for fewer than {questions} questions.")
    chains = HashChains(seed, number, hops)
    lines, written = 0, -counter.counts(["\n"]).item()  # the last line has no end
    with atomic_write(out.with_name(out.stem + DOCUMENTS)) as file:
        file.write(b'{"id":' + orjson.dumps(out.stem) + b',"text":"')
        for block in _blocks(chains):
            sums = written + np.cumsum(counter.counts(block))
            fitting = int(np.searchsorted(sums, tokens, side="right"))
            file.write("".join(block[:fitting]).replace("\n", "\\n").encode())
            lines += fitting
            written = int(sums[fitting - 1]) if fitting else written
            if fitting < len(block):
                break
        file.seek(-len(b"\\n"), os.SEEK_END)
        file.write(b'"}\n')
    with atomic_write(out) as file:
        drawn = random.Random(f"hash-hop|{seed}|{hops}").sample(range(number), questions)
        file.writelines(_questions(chains, drawn, out.stem, steps=steps))
    return written, lines


def _blocks(chains: HashChains) -> Iterator[list[str]]:
    """The lines of the chains, and behind them lines of further ones, without end."""
    while True:
        for start in range(0, chains.size, _BLOCK):
            yield chains.texts(start, min(start + _BLOCK, chains.size))
        chains = replace(chains, first=chains.first + chains.chains)


def _questions(chains: HashChains, drawn: Sequence[int], name: str, *, steps: bool) -> Iterator[bytes]:
    """A question for each chain that is drawn."""
    family = load_family("hash-hop-steps" if steps else "hash-hop")[1]
    for number, chain in enumerate(drawn, 1):
        hashes = chains.chain(chain)
        question = {
            "id": f"{name}-{number}",
            "document_id": name,
            "question": render_line(family.question, {"start": hashes[0], "k": str(chains.hops)}),
            "answers": [join_names(tuple(hashes[1:])) if steps else hashes[-1]],
            "evidence": [f"{this}{ARROW}{after}" for this, after in pairwise(hashes)],
            "kind": f"{chains.hops} hops",
        }
        yield orjson.dumps(question, option=orjson.OPT_APPEND_NEWLINE)
