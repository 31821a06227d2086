"""What a judge must reach to pass an audit (why so: docs/judge-audit.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from niah.judges.audit.figures import Figures

_JUDGED = 0.95
_EXACT = 0.8
_KAPPA = 0.8
_BIAS = 1.0
_RAISED = 0
# The mean of fewer answers says little of their type.
_ENOUGH = 5


@dataclass(frozen=True)
class Mark:
    """One thing that is asked of a judge.

    Attributes:
        name: what is measured.
        value: what the judge reached; None where it is undefined.
        asked: what it should reach, in words.
        met: whether it did; what is undefined is not met.
    """

    name: str
    value: float | None
    asked: str
    met: bool


def marks(figures: Figures) -> tuple[Mark, ...]:
    """All that is asked, with what the judge reached."""
    worst = _worst_bias(figures)
    raised = len(figures.raised) if figures.hostile else None
    return (
        _at_least("answers judged", figures.judged / figures.answers if figures.answers else None, _JUDGED),
        _at_least("exact agreement", figures.exact, _EXACT),
        _at_least("weighted kappa", figures.kappa, _KAPPA),
        _at_most("greatest bias of a type, in levels", worst, _BIAS),
        _at_most("hostile answers raised", raised, _RAISED),
    )


def passed(all_marks: Sequence[Mark]) -> bool:
    """Whether every mark is met."""
    return all(mark.met for mark in all_marks)


def _worst_bias(figures: Figures) -> float | None:
    """Greatest absolute bias of a type of which enough was judged; hostile answers have their own mark."""
    of_types = [
        abs(of_type.bias)
        for of_type in figures.types
        if of_type.type != "hostile" and of_type.judged >= _ENOUGH and of_type.bias is not None
    ]
    return max(of_types, default=None)


def _at_least(name: str, value: float | None, least: float) -> Mark:
    return Mark(name, value, f"at least {least:g}", value is not None and value >= least)


def _at_most(name: str, value: float | None, most: float) -> Mark:
    return Mark(name, value, f"at most {most:g}", value is not None and value <= most)
