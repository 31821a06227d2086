"""What goes into slots: names, numbers, choices and codes, none of which is ever part of another."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from niah.errors import HaystackError
from niah.haystacks.lexicons import Draw
from niah.needles.families.schema import FamilySlot, Slot

_NOT_WORD = re.compile(r"[^\w]+")
_ATTEMPTS = 400


class SlotValues:
    """Draws values for slots.

    An element is mentioned by nothing but its needle. So a value that matters (``fresh``) neither contains
    nor is contained in any value drawn before it or in the family's own words, and no later value contains
    it.

    Args:
        seed: the same seed draws the same values in the same order.
        salt: the family's name.
        words: every word that the family's templates say themselves.
    """

    def __init__(self, seed: int, salt: str, words: str) -> None:
        self._seed = seed
        self._salt = salt
        self._draw = Draw(seed, salt)
        self._again: dict[str, list[Draw]] = {}
        self._streams: dict[str, random.Random] = {}
        self._choices: dict[str, Iterator[str]] = {}
        self._words = _folded(words)
        self._taken = " "
        self._fresh: set[str] = set()
        self._phrases: set[str] = set()

    def fresh(self, label: str, slot: Slot) -> str:
        """A value that has nothing to do with any other. Raises HaystackError when a lexicon is used up."""
        for _ in range(_ATTEMPTS):
            value = self._next(label, slot)
            folded = _folded(value)
            if folded in self._words or folded in self._taken or not self._phrases.isdisjoint(_runs(folded)):
                continue
            self._fresh.add(folded)
            return self._noted(value, folded)
        raise _used_up(label)

    def plain(self, label: str, slot: Slot) -> str:
        """A value that may come again when all have come once, and that no fresh value is part of."""
        for _ in range(_ATTEMPTS):
            value = self._next_or_again(label, slot)
            folded = _folded(value)
            if self._fresh.isdisjoint(_runs(folded)):
                return self._noted(value, folded)
        raise _used_up(label)

    def random(self, label: str) -> random.Random:
        """A random generator of its own for ``label``; asked again, it goes on where it was."""
        if label not in self._streams:
            self._streams[label] = self._draw.random(label)
        return self._streams[label]

    def cycle(self, label: str, options: Sequence[str]) -> Iterator[str]:
        """The options in a random order, and again in another, for ever; never one twice in a row."""
        if label not in self._choices:
            self._choices[label] = _cycle(self.random(f"cycle|{label}"), tuple(options))
        return self._choices[label]

    def _next(self, label: str, slot: Slot) -> str:
        if isinstance(slot, str):
            return self._draw.one(slot)
        if slot.one_of:
            return next(self.cycle(f"slot|{label}", slot.one_of))
        return _code(slot, self.random(f"slot|{label}"))

    def _next_or_again(self, label: str, slot: Slot) -> str:
        """The next value; from the lexicon anew, in another order, when it is used up."""
        if not isinstance(slot, str):
            return self._next(label, slot)
        draws = self._again.setdefault(slot, [self._draw])
        try:
            return draws[-1].one(slot)
        except HaystackError:
            draws.append(Draw(self._seed, f"{self._salt}|{len(draws)}"))
            return draws[-1].one(slot)

    def _noted(self, value: str, folded: str) -> str:
        self._taken += folded
        self._phrases.add(folded)
        return value


def _used_up(label: str) -> HaystackError:
    return HaystackError(f"nothing is left to draw for the slot {label!r}.", "Ask for fewer needles.")


def _code(slot: FamilySlot, rng: random.Random) -> str:
    if slot.number is not None:
        return str(rng.randint(*slot.number))
    # With a letter and a digit a code cannot be taken for a number or a word.
    while True:
        code = "".join(rng.choice("0123456789abcdef") for _ in range(slot.hex or 6))
        if not code.isdigit() and not code.isalpha():
            return code


def _cycle(rng: random.Random, options: tuple[str, ...]) -> Iterator[str]:
    last = ""
    while True:
        order = list(options)
        rng.shuffle(order)
        if order[0] == last:
            order.append(order.pop(0))
        yield from order
        last = order[-1]


def _folded(text: str) -> str:
    """Words only, between spaces, so that a plain substring is a run of whole words."""
    return f" {_NOT_WORD.sub(' ', text).strip().casefold()} "


def _runs(folded: str) -> Iterator[str]:
    """Every run of words in a folded name."""
    words = folded.split()
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            yield f" {' '.join(words[start:end])} "
