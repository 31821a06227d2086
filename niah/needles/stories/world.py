"""What a story is made of: events in order, a cast of names, a question, and the facts that answer it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from niah.errors import NeedleError

_ATTEMPTS = 2_000

Event = tuple[str, Mapping[str, str]]  # one fact: which, and what its template is filled in with


@dataclass(frozen=True)
class Plot:
    """A story before it is told."""

    events: Sequence[Event]
    ask: str  # which of the family's questions
    values: Mapping[str, str]  # what question and answer know
    answer: tuple[str, ...]  # names of the elements, in their order if that matters
    support: frozenset[int]  # places of the facts that the answer follows from
    wrong: tuple[str, ...] = ()  # names that would be wrong answers, where a fact mentions them
    options: tuple[str, ...] = ()
    ordered: bool = False
    counts: bool = False  # whether the answer is a number, which may be written as a word


@dataclass
class Cast:
    """Names for a story, and the random choices in it."""

    rng: random.Random
    fresh: Callable[[str], str]  # draws a name that nothing else has, for a slot
    choices: Mapping[str, Sequence[str]]  # by slot, in the family's order
    taken: set[str]  # choices that other casts of the same needle set have for themselves
    drawn: list[str] = field(default_factory=list)

    def names(self, slot: str, count: int) -> list[str]:
        """So many names that nothing else has."""
        names = [self.fresh(slot) for _ in range(count)]
        self.drawn += names
        return names

    def people(self, facts: int, more: int = 0) -> list[str]:
        """The people of a story of so many facts, and ``more``: few enough that each does several things."""
        return self.names("who", min(2 + facts // 5, 8) + more)

    def some(self, slot: str, count: int) -> list[str]:
        """So many choices of a slot, or all, in any order."""
        return self.rng.sample(self.choices[slot], min(count, len(self.choices[slot])))

    def other(self, choices: Sequence[str], *than: str | None) -> str:
        """One of the choices, but none of ``than``."""
        return self.rng.choice([each for each in choices if each not in than])

    def own(self, slot: str, count: int) -> list[str]:
        """So many choices that no other cast gets, or fewer: of those that are left, a third stays."""
        left = [choice for choice in self.choices[slot] if choice not in self.taken]
        own = self.rng.sample(left, min(count, max(1, 2 * len(left) // 3)))
        self.taken.update(own)
        return own

    def yes_or_no(self, *, true: bool) -> tuple[tuple[str], tuple[str, ...]]:
        """The word for yes or no, and the options: the family's `answer` lists yes, then no."""
        options = tuple(self.choices["answer"])
        return (options[0 if true else 1],), options

    def until(self, make: Callable[[], Plot | None]) -> Plot:
        """The first plot that ``make`` finds. Raises NeedleError."""
        for _ in range(_ATTEMPTS):
            if plot := make():
                return plot
        problem = "no story of that size has a question with one answer."
        raise NeedleError(problem, "Ask for more needles, or give the family more choices.")


def event(name: str, **values: str) -> Event:
    """An event with the values of its slots."""
    return name, values


Make = Callable[[Cast, int], Plot]


@dataclass(frozen=True)
class Task:
    """What a story is about."""

    make: Make
    fewest: int  # facts
    slots: Mapping[str, int]  # of ``each``: their least number of choices; 0 for names out of a lexicon
    tell: Mapping[str, frozenset[str]]  # by event, the slots that its templates must use
    asks: Mapping[str, frozenset[str]]  # by question, the slots that it knows


TASKS: dict[str, Task] = {}  # by name. The first twenty are those of bAbI (1502.05698)


def task(name: str, fewest: int, slots: str, tell: Mapping[str, str], **asks: str) -> Callable[[Make], Make]:
    """Registers a function under a task's name; slots are listed in one text: "who place:3"."""

    def register(make: Make) -> Make:
        needed = {slot: int(least or 0) for slot, _, least in (one.partition(":") for one in slots.split())}
        tells, asked = ({key: frozenset(used.split()) for key, used in each.items()} for each in (tell, asks))
        TASKS[name] = Task(make, fewest, needed, tells, asked)
        return make

    return register
