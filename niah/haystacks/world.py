"""Worlds: haystacks whose documents are templates, filled with names that a seed draws.

``world.yaml`` declares every slot; one seed gives each the same value in all documents. Further instances of
the same world are the same documents with other draws.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import Field, field_validator, model_validator

from niah.errors import ConfigError, did_you_mean
from niah.files import FileModel, load_yaml
from niah.haystacks.lexicons import PERSON, Draw, lexicon_kinds
from niah.haystacks.structure import FileState, state_of
from niah.text.templates import fill_slots, slots_in

WORLD_FILE = "world.yaml"
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
        if self.kind in _NUMBERS and self.first and not (self.first.isascii() and self.first.isdigit()):
            raise ValueError(f"first is {self.first!r}, which is no {self.kind}. Write it in figures.")
        return self

    @property
    def relation(self) -> str:
        """The key that says which other year a year is reckoned from; "" for none."""
        return "after" if self.after else "before" if self.before else ""


class WorldFile(FileModel):
    """``world.yaml``: every name, year and number of a world."""

    description: str = ""
    slots: dict[str, WorldSlot]

    @field_validator("slots")
    @classmethod
    def _names(cls, slots: dict[str, WorldSlot]) -> dict[str, WorldSlot]:
        for name in slots:
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                raise ValueError(f"{name!r} is no slot name. Use small letters, digits and underscores.")
        return slots


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
        while key := world.slots[seen[-1]].relation:
            where, other = f"slots.{seen[-1]}.{key}", getattr(world.slots[seen[-1]], key)
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
                values[name] = slot.first
            elif slot.kind in _NUMBERS:
                step = draw.random(f"slot|{name}").randint(slot.low, slot.high)
                base = int(value(slot.after or slot.before)) if slot.relation else 0
                values[name] = str(base - step if slot.before else base + step)
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
