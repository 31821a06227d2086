"""Sequential nights: false alarms, agreement with all trials at once, trials saved; and the same by betting.

    PYTHONPATH=. python tests/bench/bench_sequential.py [NIGHTS]

Simulated nights (``tests/analysis/simulated_nights.py``) of six readers with strategies; 2 % of trials have
no score, so that there are twelve arms: six of scores, six of trials not scored. The full design asks for all
pairs and applies Holm to the same statistic. The minimum detectable difference is the mean drop that it finds
in 80 % of nights in one arm at a twelfth of the level.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtr

from niah.analysis.sequential.design import Arm, SequentialDesign
from niah.analysis.sequential.state import State, decision, next_batch, start, update
from tests.analysis.simulated_nights import NightWorld, differences, units_of

ALPHA = 0.05
NOT_SCORED = 0.02
WORLDS = (
    NightWorld(6, 20, 0.1),
    NightWorld(6, 60, 0.5),
    NightWorld(12, 20, 0.03),
    NightWorld(12, 20, 0.5),
    NightWorld(20, 40, 0.1),
    NightWorld(30, 10, 1.0),
)
FEW = tuple(NightWorld(clusters, 10, changing) for clusters in (3, 4, 6) for changing in (0.03, 0.3))


@dataclass
class Tally:
    """What came of some nights, each a list over nights."""

    alarms: list[bool]
    full_alarms: list[bool]
    same: list[bool]
    missed: list[int]
    added: list[int]
    share: list[float]
    first: list[bool]
    full_first: list[bool]

    def line(self) -> str:
        return (
            f"{100 * np.mean(self.same):5.1f} % same, {100 * np.mean(self.share):4.0f} % of trials;"
            f" first arm alarms {100 * np.mean(self.first):5.1f} %"
            f" (all trials {100 * np.mean(self.full_first):5.1f} %);"
            f" arms missed {sum(self.missed)}, added {sum(self.added)} of {12 * len(self.same)}"
        )


def main() -> None:
    nights = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    began = time.perf_counter()
    tallies: dict[tuple[float, int], list[Tally]] = {}
    print(f"false alarms in {nights} null nights of six arms (and with all trials at once)")
    for world in (*WORLDS, *FEW):
        tally = play(world, nights, 0, 0.0, 0)
        if world in WORLDS:
            tallies.setdefault((0.0, 0), []).append(tally)
        print(
            f"  {name(world)}: {100 * np.mean(tally.alarms):.1f} %"
            f" ({100 * np.mean(tally.full_alarms):.1f} %); {tally.line()}"
        )
    for world in WORLDS:
        chance, smallest = detectable(world)
        print(f"\n{name(world)}: minimum detectable difference {smallest:.2f} points")
        for times in (0.5, 1.0, 2.0):
            drop, reached = planted(world, chance, times * smallest)
            for dropped in (1, 2, world.arms):
                tally = play(world, nights // 3, 1, drop, dropped)
                tallies.setdefault((times, dropped), []).append(tally)
                print(f"  {reached / smallest:.1f}x in {dropped}: {tally.line()}")
        print(f"  {betting(world, nights // 3, planted(world, chance, 2 * smallest)[0])}")
    print("\nmeans over worlds")
    for (times, dropped), found in tallies.items():
        same, share = (
            np.mean([np.mean(getattr(one, field)) for one in found]) for field in ("same", "share")
        )
        print(f"  {times:g}x in {dropped}: {100 * same:.1f} % same, {100 * share:.0f} % of trials")
    for what, most in (("none or one", 1), ("at most two", 2), ("any", 6)):
        kinds = [found for (_, dropped), found in tallies.items() if dropped <= most]
        same, share = (
            np.mean([np.mean(getattr(one, field)) for found in kinds for one in found])
            for field in ("same", "share")
        )
        print(f"  {what} of the arms worse: {100 * same:.1f} % same, {100 * share:.0f} % of trials")
    print(f"{time.perf_counter() - began:.0f} s")


def name(world: NightWorld) -> str:
    return f"{world.clusters} clusters of {world.units}, {100 * world.changing:.0f} % drawn anew"


def play(world: NightWorld, nights: int, seed: int, drop: float, dropped: int) -> Tally:
    """Nights through the public interface, look by look."""
    tally = Tally([], [], [], [], [], [], [], [])
    rng = np.random.default_rng(seed)
    scores = units_of(world)
    units = scores | {arm._replace(measure="not scored"): own for arm, own in scores.items()}
    design, at_once = SequentialDesign(units, alpha=ALPHA), SequentialDesign(units, looks=1, alpha=ALPHA)
    for _ in range(nights):
        night = differences(world, 1, rng, drop, dropped)[0]
        observed = observations(design, night, rng)
        alarms, asked = sequential(design, observed)
        full = alarmed(update(start(at_once), observed))
        tally.alarms.append(bool(alarms.any()))
        tally.full_alarms.append(bool(full.any()))
        tally.same.append(bool((alarms == full).all()))
        tally.missed.append(int((full & ~alarms).sum()))
        tally.added.append(int((alarms & ~full).sum()))
        tally.share.append(asked / night.size)
        tally.first.append(bool(alarms[0]))
        tally.full_first.append(bool(full[0]))
    return tally


def observations(
    design: SequentialDesign, night: NDArray[np.float64], rng: np.random.Generator
) -> dict[Arm, dict[str, float | None]]:
    """All that could be asked: 2 % of the trials of either night have no score."""
    before, tonight = rng.random((2, *night.shape)) < NOT_SCORED
    gains = np.where(before | tonight, np.nan, night)
    scored = before.astype(float) - tonight
    found: dict[Arm, dict[str, float | None]] = {}
    for arm, units in design.arms.items():
        values = (gains if arm.measure == "score" else scored)[int(arm.strategy.removeprefix("strategy-"))]
        keys = (unit.key for unit in units)
        found[arm] = {
            key: None if np.isnan(value) else value
            for key, value in zip(keys, values.ravel().tolist(), strict=True)
        }
    return found


def sequential(
    design: SequentialDesign, observed: Mapping[Arm, Mapping[str, float | None]]
) -> tuple[NDArray[np.bool_], int]:
    """Which arms alarm, and how many pairs were asked for: once, where two arms want the same."""
    state, asked = start(design), set[tuple[str, str]]()
    while batch := next_batch(state):
        for arm, units in batch.items():
            asked |= {(arm.strategy, unit.key) for unit in units}
        state = update(
            state,
            {arm: {unit.key: observed[arm][unit.key] for unit in units} for arm, units in batch.items()},
        )
    return alarmed(state), len(asked)


def alarmed(state: State) -> NDArray[np.bool_]:
    """Shape (arms,): those that got worse."""
    return np.array([one == "regression" for one in decision(state).values()])


def z_of(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Normal scores of one-sided cluster t tests; clusters on the last axis, all of the same size."""
    from scipy.special import ndtri

    clusters = means.shape[-1]
    error = means.std(axis=-1, ddof=1) / np.sqrt(clusters)
    mean = means.mean(axis=-1)
    t = np.where(error > 0, mean / np.where(error > 0, error, 1), np.sign(mean) * 1e9)
    return np.asarray(np.clip(ndtri(stdtr(clusters - 1, t)), -8, 8))


def detectable(world: NightWorld) -> tuple[float, float]:
    """The chance of a drop that has 80 % power in one arm at a twelfth of the level, and the mean drop."""
    low, high = 0.0, 1.0
    for _ in range(10):
        chance = (low + high) / 2
        drawn = differences(one_arm(world), 1500, np.random.default_rng(7), chance)
        power = (ndtr(z_of(drawn.mean(axis=-1))) <= ALPHA / (2 * world.arms)).mean()
        low, high = (chance, high) if power < 0.8 else (low, chance)
    return chance, float(-drawn.mean())


def planted(world: NightWorld, chance: float, wanted: float) -> tuple[float, float]:
    """The chance of a drop whose mean is the one wanted, or as near as scores allow, and its mean."""
    low, high = 0.0, 1.0
    for _ in range(12):
        chance = (low + high) / 2
        mean = float(-differences(one_arm(world), 400, np.random.default_rng(5), chance).mean())
        low, high = (chance, high) if mean < wanted else (low, chance)
    return chance, mean


def one_arm(world: NightWorld) -> NightWorld:
    return NightWorld(world.clusters, world.units, world.changing, 1, world.luck, world.unevenness)


def betting(world: NightWorld, nights: int, drop: float) -> str:
    """An always-valid test of bounded means, by whole clusters (Waudby-Smith and Ramdas 2024, section 4).

    Wealth grows by 1 + bet * loss, losses scaled to at most 1; bets by their approximate GRAPA, at most 0.9;
    an alarm comes at a wealth of arms / level, twelve of them.
    """
    rng = np.random.default_rng(2)
    losses = -differences(one_arm(world), nights, rng, drop)[:, 0].mean(axis=-1) / 9
    wealth, best = np.ones(nights), np.ones(nights)
    for place in range(world.clusters):
        before = losses[:, :place]
        mean = before.sum(axis=1) / (place + 1)
        spread = (1 / 16 + ((before - mean[:, None]) ** 2).sum(axis=1)) / (place + 1)
        wealth *= 1 + np.clip(mean / (spread + mean**2), 0, 0.9) * losses[:, place]
        best = np.maximum(best, wealth)
    return f"betting finds 2x in {100 * np.mean(best >= 2 * world.arms / ALPHA):.1f} %"


if __name__ == "__main__":
    main()
