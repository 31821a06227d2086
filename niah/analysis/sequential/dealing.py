"""Which look a unit belongs to: a fixed order, so that no result can have chosen what is asked next.

Every cluster is spread over all looks, and within it every stratum. Looks are then alike, the first already
knows all clusters, and it tells as much of the last look's statistic as it can.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence

from niah.analysis.sequential.unit import Unit


def deal(units: Sequence[Unit], looks: int, seed: int) -> tuple[tuple[Unit, ...], ...]:
    """The units of each look; a look may be empty where units are few.

    A unit's look follows from the seed and from names alone: arms with the same units get them in the same
    look.
    """
    dealt: list[list[Unit]] = [[] for _ in range(looks)]
    clusters = _by(units, lambda unit: unit.cluster)
    shuffled = sorted(clusters, key=lambda cluster: _chance(seed, repr(cluster)))
    for rank, cluster in enumerate(shuffled):
        # Clusters of fewer units than looks must not all begin with the first.
        offset = (rank + 0.5) / len(shuffled)
        members = _in_order(clusters[cluster], seed)
        for place, unit in enumerate(members):
            dealt[int((place + offset) / len(members) * looks)].append(unit)
    return tuple(tuple(look) for look in dealt)


def _in_order(members: Sequence[Unit], seed: int) -> list[Unit]:
    """One cluster's units: at random within a stratum, strata interleaved."""
    placed: list[tuple[float, str, Unit]] = []
    for stratum in _by(members, lambda unit: unit.stratum).values():
        shuffled = sorted(stratum, key=lambda unit: _chance(seed, unit.key))
        for rank, unit in enumerate(shuffled):
            placed.append(((rank + _chance(seed, f"place {unit.key}")) / len(shuffled), unit.key, unit))
    return [unit for _, _, unit in sorted(placed, key=lambda one: one[:2])]


def _by(units: Sequence[Unit], key: Callable[[Unit], Hashable]) -> dict[Hashable, list[Unit]]:
    groups: dict[Hashable, list[Unit]] = {}
    for unit in units:
        groups.setdefault(key(unit), []).append(unit)
    return groups


def _chance(seed: int, name: str) -> float:
    """A number from 0 to below 1, as good as random, and the same on every machine."""
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48
