"""What goes into slots: names, numbers, choices and codes, none of which is ever part of another."""

from __future__ import annotations

import random
import re
import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta
from string import ascii_letters, ascii_uppercase

from niah.errors import HaystackError
from niah.haystacks.lexicons import Draw, lexicon
from niah.needles.families.schema import FamilySlot, Slot

_NOT_WORD = re.compile(r"[^\w]+")
_ATTEMPTS = 400
_FEWER = "Ask for fewer needles, or draw a number or a hex code there."


class SlotValues:
    """Draws values for slots: the same for the same seed and salt (the family's name).

    A ``fresh`` value neither contains nor is part of any before it or of the family's ``words``, and no later
    value contains it.
    """

    def __init__(self, seed: int, salt: str, words: str) -> None:
        self._seed, self._salt, self._draw = seed, salt, Draw(seed, salt)
        self._again: dict[str, list[Draw]] = {}
        self._streams: dict[str, random.Random] = {}
        self._choices: dict[str, Iterator[str]] = {}
        self._words, self._drawn, self._fresh = _folded(words), _Phrases(), _Phrases()

    def fresh(self, label: str, slot: Slot) -> str:
        """A value that has nothing to do with any other. Raises HaystackError when a lexicon is used up."""
        for _ in range(_ATTEMPTS):
            value = self._next(label, slot)
            folded = _folded(value)
            if not (folded in self._words or self._drawn.contain(folded) or self._drawn.any_within(folded)):
                self._fresh.add(folded)
                self._drawn.add(folded)
                return value
        raise _used_up(label)

    def plain(self, label: str, slot: Slot) -> str:
        """A value that may come again when all have come once, and that no fresh value is part of."""
        for _ in range(_ATTEMPTS):
            value = self._name_again(slot) if isinstance(slot, str) else self._next(label, slot)
            folded = _folded(value)
            if not self._fresh.any_within(folded):
                self._drawn.add(folded)
                return value
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
            try:
                return self._draw.one(slot)
            except HaystackError as error:
                raise HaystackError(f"the slot {label!r}: {error.message}", _FEWER) from None
        if slot.one_of:
            return next(self.cycle(f"slot|{label}", slot.one_of))
        return _code(slot, self.random(f"slot|{label}"))

    def _name_again(self, kind: str) -> str:
        """The next name; from the lexicon anew, in another order, when it is used up."""
        draws = self._again.setdefault(kind, [self._draw])
        try:
            return draws[-1].one(kind)
        except HaystackError:
            draws.append(Draw(self._seed, f"{self._salt}|{len(draws)}"))
            return draws[-1].one(kind)


class _Phrases:
    """Folded phrases that are asked, among thousands as fast as among ten, which is part of which."""

    def __init__(self) -> None:
        self._all: set[str] = set()
        self._with: dict[str, list[str]] = defaultdict(list)  # by each of their words
        self._sizes: dict[str, set[int]] = defaultdict(set)  # in words, by the first

    def add(self, folded: str) -> None:
        words = folded.split()
        if words and folded not in self._all:
            self._all.add(folded)
            self._sizes[words[0]].add(len(words))
            for word in set(words):
                self._with[word].append(folded)

    def contain(self, folded: str) -> bool:
        """Whether ``folded`` is one of the phrases, or part of one."""
        holders = (self._with.get(word, ()) for word in folded.split())
        return any(folded in phrase for phrase in min(holders, key=len, default=()))

    def any_within(self, folded: str) -> bool:
        """Whether one of the phrases is ``folded``, or part of it."""
        words = folded.split()
        return any(
            f" {' '.join(words[start : start + size])} " in self._all
            for start, word in enumerate(words)
            for size in self._sizes.get(word, ())
        )


def _used_up(label: str) -> HaystackError:
    return HaystackError(f"nothing is left to draw for the slot {label.rpartition('|')[2]!r}.", _FEWER)


def _code(slot: FamilySlot, rng: random.Random) -> str:
    if slot.number is not None:
        return str(rng.randint(*slot.number))
    if slot.date is not None:
        first, last = slot.date
        return (first + timedelta(days=rng.randint(0, (last - first).days))).isoformat()
    if slot.uuid:
        return str(uuid.UUID(int=rng.getrandbits(128), version=4))
    if count := slot.letters or slot.capitals:
        return "".join(rng.choices(ascii_letters if slot.letters else ascii_uppercase, k=count))
    if slot.joined:
        return "-".join(rng.choice(lexicon(kind)) for kind in slot.joined)
    if slot.coined:
        return "".join(map(rng.choice, slot.coined))
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
