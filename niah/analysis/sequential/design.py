"""A sequential design: what may be asked of whom, in how many looks and in which order, at what level."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Arm(NamedTuple):
    """Whose trials: a reader's with one strategy."""

    reader: str
    strategy: str


@dataclass(frozen=True)
class DesignUnit:
    """One trial that has a partner in the baseline.

    Attributes:
        key: what it is called, the same in all arms: its case, and which repeat it is.
        cluster: units of one cluster share luck: needle set and seed.
        stratum: every look gets its share of each: context length.
    """

    key: str
    cluster: Hashable
    stratum: Hashable = None


@dataclass(frozen=True)
class SequentialDesign:
    """Several arms against their baseline, looked at several times; one level for the whole table.

    Attributes:
        arms: for each reader and strategy, all units of the full design, of which it may need fewer.
        looks: how often at most the results are looked at, the last time with all units.
        alpha: the chance of any false alarm in the table.
        doubt: the verdict is settled where all trials would give another one with no greater chance.
        seed: of the order of units; fix it before the night, by the date for example.

    Raises ValueError for a number out of range, or for units of the same key in one arm.
    """

    arms: Mapping[Arm, tuple[DesignUnit, ...]]
    looks: int = 5
    alpha: float = 0.05
    doubt: float = 0.03
    seed: int = 0

    def __post_init__(self) -> None:
        if self.looks < 1:
            raise ValueError(f"a design has at least 1 look, not {self.looks}.")
        for name, chance in (("alpha", self.alpha), ("doubt", self.doubt)):
            if not 0 < chance < 0.5:
                raise ValueError(f"{name} lies between 0 and 0.5; {chance} does not.")
        for arm, units in self.arms.items():
            if len({unit.key for unit in units}) < len(units):
                raise ValueError(f"two units of {'/'.join(arm)} have the same key.")

    @cached_property
    def look_of(self) -> Mapping[Arm, Mapping[str, int]]:
        """For each arm, the look that each unit is dealt to, from 1."""
        return {
            arm: {
                unit.key: look
                for look, dealt in enumerate(deal(units, self.looks, self.seed), 1)
                for unit in dealt
            }
            for arm, units in self.arms.items()
        }


def deal(units: Sequence[DesignUnit], looks: int, seed: int) -> tuple[tuple[DesignUnit, ...], ...]:
    """The units of each look; a look may be empty where units are few.

    The order is fixed, so that no result can have chosen what is asked next. Every cluster is spread over all
    looks, and within it every stratum: looks are alike, the first already knows all clusters, and it tells as
    much of the last look's statistic as it can.

    A unit's look follows from the seed and from names alone: arms with the same units get them in the same
    look.
    """
    dealt: list[list[DesignUnit]] = [[] for _ in range(looks)]
    clusters = _by(units, lambda unit: unit.cluster)
    shuffled = sorted(clusters, key=lambda cluster: _chance(seed, repr(cluster)))
    for rank, cluster in enumerate(shuffled):
        # Clusters of fewer units than looks must not all begin with the first.
        offset = (rank + 0.5) / len(shuffled)
        members = _in_order(clusters[cluster], seed)
        for place, unit in enumerate(members):
            dealt[int((place + offset) / len(members) * looks)].append(unit)
    return tuple(tuple(look) for look in dealt)


def _in_order(members: Sequence[DesignUnit], seed: int) -> list[DesignUnit]:
    """One cluster's units: at random within a stratum, strata interleaved."""
    placed: list[tuple[float, str, DesignUnit]] = []
    for stratum in _by(members, lambda unit: unit.stratum).values():
        shuffled = sorted(stratum, key=lambda unit: _chance(seed, unit.key))
        for rank, unit in enumerate(shuffled):
            placed.append(((rank + _chance(seed, f"place {unit.key}")) / len(shuffled), unit.key, unit))
    return [unit for _, _, unit in sorted(placed, key=lambda one: one[:2])]


def _by(
    units: Sequence[DesignUnit], key: Callable[[DesignUnit], Hashable]
) -> dict[Hashable, list[DesignUnit]]:
    groups: dict[Hashable, list[DesignUnit]] = {}
    for unit in units:
        groups.setdefault(key(unit), []).append(unit)
    return groups


def _chance(seed: int, name: str) -> float:
    """A number from 0 to below 1, as good as random, and the same on every machine."""
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48
