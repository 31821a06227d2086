"""What we aim at, and the floor: the least that anything of the kind was measured to take."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """Of one figure.

    Attributes:
        unit: "" for a ratio.
        goal: what we aim at.
        floor: where no one gets below, or above where more is better; None where nobody measured it.
        more: whether more is better.
    """

    unit: str
    goal: float
    floor: float | None = None
    more: bool = False

    def met_by(self, measured: float) -> bool:
        """Whether a figure is as good as we aim at."""
        return measured >= self.goal if self.more else measured <= self.goal

    def figure(self, number: float | None) -> str:
        """A number in this unit; nothing for None."""
        return "" if number is None else f"{number:.3g} {self.unit}".rstrip()


GOALS = {
    "mixpr, 1M tokens": Goal("s", 0.015, 0.008),
    "mixpr, 10M tokens": Goal("s", 0.15, 0.09),
    "mixpr, 500M tokens of a file": Goal("s", 60),
    "mixpr, a machine's first question": Goal("s", 1),
    "650 cases, whole process": Goal("s", 0.45, 0.25),
    "audit of 650 cases": Goal("Mtok/s", 5, more=True),
    "runner at 256 in flight, bare client = 1": Goal("", 0.85, more=True),
    "report of 50,000 trials": Goal("s", 12),
    "page of 50,000 trials": Goal("MB", 25),
    "every figure of 50,000 trials, one core": Goal("s", 15),
    "memory for every figure of 50,000 trials": Goal("MB", 700),
    "a misspelt run config": Goal("s", 0.5, 0.06),
    "a misspelt run file": Goal("s", 0.5, 0.06),
    "a misspelt suite": Goal("s", 0.5, 0.06),
    "a misspelt night": Goal("s", 0.5, 0.06),
    "a misspelt night to accept": Goal("s", 0.5, 0.06),
    "a misspelt needle set": Goal("s", 0.5, 0.06),
    "a missing key": Goal("s", 0.5, 0.06),
    "a missing key of a provider of litellm's": Goal("s", 0.5, 0.06),
    "tokens embedded for three needle sets, haystack's own text = 1": Goal("", 1.3, 1),
    "answers a lane above the budget": Goal("", 1),
    "until a reader at fault is asked no further": Goal("s", 30),
    "niah list": Goal("s", 0.5, 0.06),
    "core on disk": Goal("MB", 300),
}
"""Two cores (EPYC Zen 4, 2.6 GHz), nothing else running."""


_LINE = re.compile(r"GOAL (?P<name>.+): (?P<measured>\S+)[^:]* \(goal ")


def beside_goal(name: str, measured: float) -> str:
    """A line: the figure, its goal and its floor."""
    goal = GOALS[name]
    floor = "" if goal.floor is None else f", floor {goal.figure(goal.floor)}"
    return f"GOAL {name}: {goal.figure(measured)} (goal {goal.figure(goal.goal)}{floor})"


def figure_in(line: str) -> tuple[str, float] | None:
    """Of a line that ``beside_goal`` made: the figure's name, and the figure; None of any other line."""
    found = _LINE.match(line)
    return (found["name"], float(found["measured"])) if found and found["name"] in GOALS else None
