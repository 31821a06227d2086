"""A sequential design: what may be asked of whom, in how many looks, at what level."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from niah.analysis.sequential.dealing import deal
from niah.analysis.sequential.spending import boundaries, spent
from niah.analysis.sequential.unit import Arm, Unit


@dataclass(frozen=True)
class SequentialDesign:
    """Several arms against their baseline, looked at several times; one level for the whole table.

    Attributes:
        arms: for each reader and strategy, all units of the full design, of which it may need fewer.
        looks: how often at most the results are looked at, the last time with all units.
        alpha: the chance of any false alarm in the table.
        doubt: an arm is given up as "no regression" where an alarm at the end has become less likely than
            this over its weight.
        seed: of the order of units; fix it before the night, by the date for example.

    Raises ValueError for a number out of range, or for units of the same key in one arm.
    """

    arms: Mapping[Arm, tuple[Unit, ...]]
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
    def keys(self) -> Mapping[Arm, frozenset[str]]:
        """For each arm, what its units are called."""
        return {arm: frozenset(unit.key for unit in units) for arm, units in self.arms.items()}

    @cached_property
    def dealt(self) -> Mapping[Arm, tuple[tuple[Unit, ...], ...]]:
        """For each arm, the units of each look."""
        seen: dict[tuple[Unit, ...], tuple[tuple[Unit, ...], ...]] = {}
        for units in self.arms.values():
            if units not in seen:
                seen[units] = deal(units, self.looks, self.seed)
        return {arm: seen[units] for arm, units in self.arms.items()}

    @cached_property
    def shares(self) -> Mapping[Arm, tuple[float, ...]]:
        """For each arm, the share of its units that are known after each look."""
        return {arm: _shares(looks) for arm, looks in self.dealt.items()}

    def boundary(self, arm: Arm, look: int, alarmed: Collection[Arm] = ()) -> float:
        """What minus z must reach at a look (from 0), where those other arms have alarmed (Holm 1979)."""
        shares = self.shares[arm]
        left = sum(other.weight for other in self.arms if other == arm or other not in alarmed)
        level = self.alpha * arm.weight / left
        return boundaries(shares, tuple(spent(level, share) for share in shares))[look]


def _shares(looks: tuple[tuple[Unit, ...], ...]) -> tuple[float, ...]:
    sizes = [len(look) for look in looks]
    return tuple(sum(sizes[: look + 1]) / max(sum(sizes), 1) for look in range(len(looks)))
