"""Lexicons: invented names by kind, and draws from them that a seed settles."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Literal

from niah.errors import HaystackError, UnknownName
from niah.files import shipped

PERSON = "person"

NameShare = Literal["world", "needles"]

# Of the names of persons, of which a world has some 130; of all other lexicons a quarter.
_WORLDS_SHARE = {"given": 0.4, "family": 0.4}


def lexicon_kinds() -> list[str]:
    """The kinds of names that can be drawn: those with a lexicon, and ``person``."""
    return sorted([*(path.stem for path in _folder().glob("*.txt")), PERSON])


@lru_cache(maxsize=64)
def lexicon(kind: str) -> tuple[str, ...]:
    """The names of one kind, in the file's order. Raises UnknownName."""
    path = _folder() / f"{kind}.txt"
    if not path.is_file():
        raise UnknownName("lexicon", kind, [name for name in lexicon_kinds() if name != PERSON])
    lines = map(str.strip, path.read_text(encoding="utf-8").splitlines())
    return tuple(dict.fromkeys(line for line in lines if line and not line.startswith("#")))


class Draw:
    """Draws names without replacement, the same ones in every process, each kind in an order of its own.

    A seed deals every lexicon out between its world's text and the needles hidden there (``part``), so that
    no name of the one is ever one of the other.
    """

    def __init__(self, seed: int, salt: str, part: NameShare = "needles") -> None:
        self._seed = seed
        self._salt = salt
        self._part = part
        self._orders: dict[str, Iterator[str]] = {}

    def one(self, kind: str) -> str:
        """The next name of ``kind``. Raises UnknownName, or HaystackError when the lexicon is used up."""
        if kind not in self._orders:
            names = self._persons() if kind == PERSON else self._dealt(kind, f"lexicon|{kind}")
            self._orders[kind] = iter(names)
        name = next(self._orders[kind], None)
        if name is None:
            raise HaystackError(f"the lexicon {kind!r} is used up.", "Ask for fewer needles, or add names.")
        return name

    def random(self, label: str) -> random.Random:
        """A random generator of this draw's own for ``label``; the same label starts it anew."""
        return _random(f"{self._salt}|{self._seed}|{label}")

    def _persons(self) -> Iterator[str]:
        """Given and family names in every pair; two persons share one only when one of the two is used up."""
        given, family = (self._dealt(kind, f"{PERSON}|{kind}") for kind in ("given", "family"))
        for shift in range(len(family)):
            for place in range(min(len(given), len(family))):
                yield f"{given[place]} {family[(place + shift) % len(family)]}"

    def _dealt(self, kind: str, label: str) -> list[str]:
        """The names of a lexicon that a seed deals to this part, in the order of ``label``."""
        names = list(lexicon(kind))
        _random(f"universe|{self._seed}|{kind}").shuffle(names)
        cut = round(len(names) * _WORLDS_SHARE.get(kind, 0.25))
        dealt = names[:cut] if self._part == "world" else names[cut:]
        self.random(label).shuffle(dealt)
        return dealt


def _random(words: str) -> random.Random:
    return random.Random(int.from_bytes(hashlib.sha256(words.encode()).digest()[:16], "big"))


def _folder() -> Path:
    return shipped("haystacks") / "starlight" / "lexicons"
