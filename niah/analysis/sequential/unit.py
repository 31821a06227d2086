"""What a sequential design is made of: arms, and the pairs of trials that each may be asked for."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

from niah.analysis.compare.rows import Measure

FAILING = 0.2
"""Of an arm of trials not scored, against 1 of an arm of scores."""


class Arm(NamedTuple):
    """What one test is about.

    Attributes:
        reader, strategy: whose trials.
        measure: "score", or "not scored", the share of trials with another outcome.
    """

    reader: str
    strategy: str
    measure: Measure = "score"

    @property
    def weight(self) -> float:
        """Its part of the level against other arms'. What fails fails plainly, and needs little of it."""
        return 1.0 if self.measure == "score" else FAILING


@dataclass(frozen=True)
class Unit:
    """One trial that has a partner in the baseline.

    Attributes:
        key: what it is called, the same in all arms: its case, and which repeat it is.
        cluster: units of one cluster share luck: needle set and seed.
        stratum: every look gets its share of each: context length.
    """

    key: str
    cluster: Hashable
    stratum: Hashable = None
