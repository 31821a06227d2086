"""Nightly comparisons that stop as soon as their verdict is clear, and go on where it is not."""

from niah.analysis.sequential.design import SequentialDesign
from niah.analysis.sequential.records import differences_of, trial_of, units_of
from niah.analysis.sequential.state import (
    Decision,
    Observations,
    State,
    adjusted,
    decision,
    next_batch,
    next_trials,
    start,
    update,
)
from niah.analysis.sequential.unit import Arm, Unit

__all__ = [
    "Arm",
    "Decision",
    "Observations",
    "SequentialDesign",
    "State",
    "Unit",
    "adjusted",
    "decision",
    "differences_of",
    "next_batch",
    "next_trials",
    "start",
    "trial_of",
    "units_of",
    "update",
]
