"""Worlds: haystacks whose documents are templates, filled with names that a seed draws.

``world.yaml`` declares every slot; one seed gives each the same value in all documents. Further instances of
the same world are the same documents with other draws.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from niah.errors import ConfigError, HaystackError, UnknownName, did_you_mean
from niah.files import FileModel, load_yaml, shipped
from niah.haystacks.structure import FileState, state_of
from niah.text.templates import fill_slots, slots_in

WORLD_FILE = "world.yaml"
PERSON = "person"

NameShare = Literal["world", "needles"]

# Of the names of persons, of which a world has some 130; of all other lexicons a quarter.
_WORLDS_SHARE = {"given": 0.4, "family": 0.4}
_NUMBERS = ("year", "number")


class WorldSlot(FileModel):
    """One slot."""

    kind: str  # a lexicon's name, ``person``, ``year`` or ``number``
    note: str = ""  # for writers
    low: int = Field(default=0, ge=0)  # of a year or number; a year so many years after or before another
    high: int = Field(default=0, ge=0)
    after: str = ""
    before: str = ""
    first: str = ""  # its value in the first instance

    @model_validator(mode="after")
    def _range(self) -> WorldSlot:
        if self.kind in _NUMBERS and not self.low <= self.high:
            raise ValueError(f"low is {self.low} and high is {self.high}. Swap them.")
        if self.kind not in _NUMBERS and (self.low or self.high or self.after or self.before):
            raise ValueError(f"a {self.kind} has no low, high, after or before. Take them out.")
        if self.after and self.before:
            raise ValueError("has both after and before. Take one out.")
        if self.kind in _NUMBERS and self.first and not (self.first.isascii() and self.first.isdigit()):
            raise ValueError(f"first is {self.first!r}, which is no {self.kind}. Write it in figures.")
        return self


class WorldFile(FileModel):
    """``world.yaml``: every name, year and number of a world."""

    description: str = ""
    slots: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")], WorldSlot]


class Person(str):
    """A full name that also knows its two parts."""

    @property
    def given(self) -> str:
        """What friends call them."""
        return self.rpartition(" ")[0]

    @property
    def family(self) -> str:
        """The last part of the name."""
        return self.rpartition(" ")[2]


def is_world(folder: Path) -> bool:
    """Whether the documents in ``folder`` are templates."""
    return (folder / WORLD_FILE).is_file()


def load_world(folder: Path) -> WorldFile:
    """The world of a folder, its slots checked. Raises ConfigError."""
    path = folder / WORLD_FILE
    return _world(path, state_of(path))


@lru_cache(maxsize=8)
def _world(path: Path, state: FileState) -> WorldFile:
    world, kinds = load_yaml(path, WorldFile), [*lexicon_kinds(), *_NUMBERS]
    years = [name for name, slot in world.slots.items() if slot.kind in _NUMBERS]
    for name, slot in world.slots.items():
        if slot.kind not in kinds:
            problem = f"no kind of name called {slot.kind!r}."
            raise ConfigError(path, f"slots.{name}.kind", problem, did_you_mean(slot.kind, kinds))
        # From a year to the year it is reckoned from, and on, until one needs no other.
        seen = [name]
        while other := (year := world.slots[seen[-1]]).after or year.before:
            where = f"slots.{seen[-1]}.{'after' if year.after else 'before'}"
            if other not in years:
                raise ConfigError(path, where, f"no year called {other!r}.", did_you_mean(other, years))
            if other in seen:
                raise ConfigError(path, where, "is circular.", "One year must need no other.")
            seen.append(other)
    return world


def slot_values(world: WorldFile, seed: int, instance: int = 0) -> dict[str, str]:
    """What each slot says in one instance of a seed's universe. Raises HaystackError: no names left."""
    draw = Draw(seed, f"world|{instance}", "world")
    values: dict[str, str] = {}

    def value(name: str) -> str:
        if name not in values:
            slot = world.slots[name]
            if slot.first and not instance:
                drawn = slot.first
            elif slot.kind in _NUMBERS:
                step = draw.random(f"slot|{name}").randint(slot.low, slot.high)
                other = slot.after or slot.before
                base = int(value(other)) if other else 0
                drawn = str(base - step if slot.before else base + step)
            else:
                drawn = draw.one(slot.kind)
            values[name] = Person(drawn) if slot.kind == PERSON else drawn
        return values[name]

    for name in world.slots:
        value(name)
    return values


def fill_world(
    folder: Path, sources: Sequence[tuple[str, str]], seed: int, instance: int
) -> list[tuple[str, str]]:
    """A world's documents, those directly in the folder, filled in, in a seeded order. Raises UserError."""
    from jinja2 import TemplateError

    values, filled = slot_values(load_world(folder), seed, instance), list[tuple[str, str]]()
    documents = [(title, text) for title, text in sources if "/" not in title]
    Draw(seed, f"world|{instance}", "world").random("order").shuffle(documents)
    for title, text in documents:
        path = folder / f"{title}.md"
        try:
            for slot in sorted(slots_in(text) - values.keys()):
                raise ConfigError(path, "", f"unknown slot {slot!r}.", did_you_mean(slot, values))
            filled.append((title, fill_slots(text, values)))
        except TemplateError as error:
            problem = f"cannot be filled in: {str(error.message).rstrip('.')}."
            raise ConfigError(path, "", problem, "Slots look like this: {{ town }}.") from None
    return filled


# Invented names by kind, and draws from them that a seed settles


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

    A seed deals every lexicon out (``part``): no name of its world's text is ever one of its needles.
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
