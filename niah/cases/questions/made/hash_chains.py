"""Chains of hashes by number: any of them, and any line of the shuffled list, without those before.

A list of 500 million tokens is longer than memory. So nothing is drawn one after another: the hash at a place
of a chain, and the place of a line in the list, are functions of their number and the seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_letters
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.uint64]
    Characters = NDArray[np.uint8]

HASH_LETTERS = 16
ARROW = " -> "
_ALPHABET = np.frombuffer(ascii_letters.encode(), dtype=np.uint8)
_LETTERS_A_WORD = 8
_ROUNDS = 4


@dataclass(frozen=True)
class HashChains:
    """``chains`` chains of ``hops`` hops each, by number, and their lines in an order that the seed settles.

    Attributes:
        seed: whose hashes they are.
        chains: how many there are.
        hops: lines of a chain.
        first: number of the first chain; two ranges of one seed share no hash.
    """

    seed: int
    chains: int
    hops: int
    first: int = 0

    @property
    def size(self) -> int:
        """Lines of all chains."""
        return self.chains * self.hops

    def lines(self, start: int, stop: int) -> Characters:
        """Shape (stop - start, 37): lines ``start`` to ``stop`` - 1 of the shuffled list, with their ends."""
        numbers = _shuffled(np.arange(start, stop, dtype=np.uint64), self.size, self.seed)
        chain, hop = np.divmod(numbers, np.uint64(self.hops))
        place = (chain + np.uint64(self.first)) * np.uint64(self.hops + 1) + hop
        lines = np.empty((stop - start, 2 * HASH_LETTERS + len(ARROW) + 1), dtype=np.uint8)
        lines[:, :HASH_LETTERS] = _hashes(place, self.seed)
        lines[:, HASH_LETTERS : -HASH_LETTERS - 1] = np.frombuffer(ARROW.encode(), dtype=np.uint8)
        lines[:, -HASH_LETTERS - 1 : -1] = _hashes(place + np.uint64(1), self.seed)
        lines[:, -1] = ord("\n")
        return lines

    def chain(self, number: int) -> list[str]:
        """The hashes of one chain, first to last."""
        first = (self.first + number) * (self.hops + 1)
        hashes = _hashes(np.arange(first, first + self.hops + 1, dtype=np.uint64), self.seed)
        return [row.tobytes().decode() for row in hashes]


def _hashes(places: Numbers, seed: int) -> Characters:
    """Shape (len(places), 16): the hash at each place, letters of both cases."""
    letters = np.empty((len(places), HASH_LETTERS), dtype=np.uint8)
    for half in (0, 1):
        rest = _mixed(places * np.uint64(2) + np.uint64(half), seed)
        for at in range(_LETTERS_A_WORD):
            rest, letter = np.divmod(rest, np.uint64(len(_ALPHABET)))
            letters[:, half * _LETTERS_A_WORD + at] = _ALPHABET[letter]
    return letters


def _mixed(numbers: Numbers, salt: int) -> Numbers:
    """A number of 64 bits for each, by splitmix64's finaliser (Steele, Lea and Flood 2014)."""
    mixed = numbers + np.uint64((salt * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def _shuffled(numbers: Numbers, size: int, seed: int) -> Numbers:
    """Where each of the numbers below ``size`` goes in an order of all of them: a Feistel network.

    What lands at ``size`` or beyond is sent through again until it does not: no two come to one place.
    """
    half = max(1, -(-(size - 1).bit_length() // 2))
    placed = _through_network(numbers, half, seed)
    while (outside := placed >= np.uint64(size)).any():
        placed[outside] = _through_network(placed[outside], half, seed)
    return placed


def _through_network(numbers: Numbers, half: int, seed: int) -> Numbers:
    bits, mask = np.uint64(half), np.uint64(2**half - 1)
    left, right = numbers >> bits, numbers & mask
    for turn in range(_ROUNDS):
        left, right = right, left ^ (_mixed(right, seed * _ROUNDS + turn + 1) & mask)
    return (left << bits) | right
