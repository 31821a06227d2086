"""What a sequential design is made of: arms, and the pairs of trials that each may be asked for."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

Arm = tuple[str, str]
"""Reader and strategy."""


@dataclass(frozen=True)
class Unit:
    """One trial that has a partner in the baseline.

    Attributes:
        key: what it is called: case id, and the repeat where there are several.
        cluster: units of one cluster share luck: needle set and seed.
        stratum: every look gets its share of each: context length.
    """

    key: str
    cluster: Hashable
    stratum: Hashable = None
