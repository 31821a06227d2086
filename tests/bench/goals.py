"""What we aim at, and the floor: the least that anything of the kind was measured to take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """Of one figure.

    Attributes:
        unit: "s" and the like, less being better; "" for a ratio and "Mtok/s", more being better.
        goal: what we aim at.
        floor: where no one gets below; None where nobody measured it.
    """

    unit: str
    goal: float
    floor: float | None = None


GOALS = {
    "mixpr, 1M tokens": Goal("s", 0.015, 0.008),
    "mixpr, 10M tokens": Goal("s", 0.15, 0.09),
    "mixpr, 500M tokens of a file": Goal("s", 60),
    "mixpr, a machine's first question": Goal("s", 1),
    "650 cases, whole process": Goal("s", 0.45, 0.25),
    "audit of 650 cases": Goal("Mtok/s", 5),
    "runner at 256 in flight, bare client = 1": Goal("", 0.85),
    "report of 50,000 trials": Goal("s", 12),
    "a misspelt run config": Goal("s", 0.5, 0.06),
    "a misspelt run file": Goal("s", 0.5, 0.06),
    "a misspelt suite": Goal("s", 0.5, 0.06),
    "a misspelt night": Goal("s", 0.5, 0.06),
    "a misspelt night to accept": Goal("s", 0.5, 0.06),
    "a misspelt needle set": Goal("s", 0.5, 0.06),
    "a missing key": Goal("s", 0.5, 0.06),
    "a missing key of a provider of litellm's": Goal("s", 0.5, 0.06),
    "niah list": Goal("s", 0.5, 0.06),
    "core on disk": Goal("MB", 300),
}
"""Two cores (EPYC Zen 4, 2.6 GHz), nothing else running."""


def beside_goal(name: str, measured: float) -> str:
    """A line: the figure, its goal and its floor."""
    goal = GOALS[name]
    unit = f" {goal.unit}" if goal.unit else ""
    floor = "" if goal.floor is None else f", floor {goal.floor:g}{unit}"
    return f"GOAL {name}: {measured:.3g}{unit} (goal {goal.goal:g}{unit}{floor})"
