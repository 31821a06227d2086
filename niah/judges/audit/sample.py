"""Fewer answers for judges that cost money or time: every type keeps its share."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from niah.judges.audit.probe import PROBE_TYPES, Probe, ProbeType


def sample(probes: Sequence[Probe], limit: int, seed: int) -> tuple[Probe, ...]:
    """At most ``limit`` of the probes, drawn by the seed, in their own order.

    Shares are rounded by largest remainders, but while there is room each type keeps one probe at least: a
    type that nobody tried would pass unseen.
    """
    if limit >= len(probes):
        return tuple(probes)
    places = {name: [i for i, p in enumerate(probes) if p.type == name] for name in PROBE_TYPES}
    shares = _shares({name: len(of_type) for name, of_type in places.items() if of_type}, limit)
    random = Random(seed)
    drawn = {place for name, count in shares.items() for place in random.sample(places[name], count)}
    return tuple(probe for place, probe in enumerate(probes) if place in drawn)


def _shares(sizes: dict[ProbeType, int], limit: int) -> dict[ProbeType, int]:
    """How many of each type; they add up to ``limit``, and none is greater than its type."""
    by_size = sorted(sizes, key=lambda name: -sizes[name])
    shares = dict.fromkeys(by_size[:limit], 1)
    total = sum(sizes.values())
    for _ in range(limit - len(shares)):
        room = [name for name in shares if shares[name] < sizes[name]]
        shares[max(room, key=lambda name: sizes[name] * limit / total - shares[name])] += 1
    return shares
