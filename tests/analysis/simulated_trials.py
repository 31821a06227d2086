"""Simulated trials with known error patterns: readers named ``simulated-*``, no text and no model.

Clusters (needle set x seed) have luck of their own, and so has each case; a cluster's luck also turns with
order, noise, depth and length, on average not at all. Retrieval is simulated from chunk counts: noise ratios
follow from how many chunks a scope takes at a length, and how many of them hold needles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from niah.cases.case import Case
from niah.cases.sample import AnswerKey, Sample
from niah.needles.needle_set import Distractor, Element
from tests.analysis.small_trials import Row, row

SETS = {"two-keys": 3, "pizza": 3, "potion": 7, "lamps": 7, "courses": 15, "teachers": 15}
LENGTHS = (2_000, 8_000, 32_000, 128_000)
DEPTHS = (10.0, 30.0, 50.0, 70.0, 90.0)
STRATEGIES = ("lc", "topk", "topk-rev", "half", "half-rev", "full", "full-rev", "dos")
READERS = ("simulated-small", "simulated-middle", "simulated-large")
_TOP = {3: 5, 7: 10, 15: 20}


@dataclass(frozen=True)
class Effects:
    """What is planted: by default nothing but that more needles are harder."""

    noise: float = 0.44  # above this noise ratio a wrong element is more likely by ``distraction``
    distraction: float = 0.0
    reverse: float = 0.0  # added to the log-odds that an element is missing in reverse order
    count: float = 0.08  # the same for each needle


NONE = Effects()


@dataclass(frozen=True)
class World:
    """The size of a simulated run."""

    sets: Sequence[str] = ("pizza", "potion", "lamps", "courses")
    seeds: int = 8
    readers: Sequence[str] = READERS
    lengths: Sequence[int] = LENGTHS
    depths: Sequence[float] = DEPTHS
    strategies: Sequence[str] = STRATEGIES
    spread: float = 0.5


def simulated_samples(world: World) -> dict[str, Sample]:
    """The samples of a world by case id; of what they hold, only what their distractors plant."""
    lure = Element("lure 1", ("lure 2",))
    distractors = (Distractor("d", "", elements=(lure,)),)
    keys = {
        name: AnswerKey(
            "simulated",
            "",
            elements=tuple(Element(f"element {at}") for at in range(SETS[name])),
            distractors=distractors,
        )
        for name in world.sets
    }
    return {
        case_id: Sample(
            case_id, "generated", keys[name], Case(name, "essays", length, depth, seed), "", "", 0, 0, "", ""
        )
        for name, seed, length, depth in product(world.sets, range(world.seeds), world.lengths, world.depths)
        for case_id in [_case_id(name, length, depth, seed)]
    }


def _case_id(name: str, length: int, depth: float, seed: int) -> str:
    return f"{name}_essays_{length}_d{depth:g}_s{seed}"


def simulate(effects: Effects, world: World, seed: int) -> list[Row]:
    """All trials of a world."""
    rng = np.random.default_rng(seed)
    records: list[Row] = []
    for name, number in product(world.sets, range(world.seeds)):
        luck = rng.normal(0, world.spread, 3)  # missing, wrong, doubt
        taste = rng.normal(0, world.spread / 2, 4)  # reverse order, noise, depth, length
        liking = rng.normal(0, world.spread / 2, (len(world.readers), 3))
        for length, depth in product(world.lengths, world.depths):
            case = rng.normal(0, world.spread / 2, 3)
            for strategy in world.strategies:
                retrieved = _retrieved(rng, strategy, SETS[name], length)
                for place, reader in enumerate(world.readers):
                    luck_here = luck + liking[place] + case + rng.normal(0, 0.2, 3)
                    told = _told(
                        rng, effects, place, luck_here, taste, name, length, depth, strategy, retrieved
                    )
                    records.append(_record(name, number, length, depth, strategy, reader, retrieved, told))
    return records


@dataclass(frozen=True)
class _Retrieved:
    needles: int
    completeness: float | None
    noise: float | None


def _retrieved(rng: np.random.Generator, strategy: str, needles: int, length: int) -> _Retrieved:
    """How many needles, and the noise ratio: chunks of 600 tokens, of 100 for dos."""
    if strategy == "lc":
        return _Retrieved(needles, None, None)
    scope = strategy.removesuffix("-rev")
    chunk, share = (100, 1.0) if scope == "dos" else (600, {"topk": 0.0, "half": 0.5, "full": 1.0}[scope])
    room = min(length, 10_000) if scope == "dos" else share * length
    taken = max(int(room / (chunk - 100 if chunk > 100 else chunk)), 1) if scope != "topk" else _TOP[needles]
    missed = {"topk": 0.06, "half": 0.02, "full": 0.005, "dos": 0.02}[scope] * (
        1 + np.log2(length / 1000) / 7
    )
    got = int(rng.binomial(needles, 1 - missed))
    holding = min(max(round(got * rng.uniform(0.45, 1.15)), 1), taken)
    return _Retrieved(got, got / needles, (taken - holding) / taken)


@dataclass(frozen=True)
class _Told:
    missing: int
    wrong: tuple[str, ...]
    doubt: bool


def _told(
    rng: np.random.Generator,
    effects: Effects,
    place: int,
    luck: NDArray[np.float64],
    taste: NDArray[np.float64],
    name: str,
    length: int,
    depth: float,
    strategy: str,
    retrieved: _Retrieved,
) -> _Told:
    needles, noise = SETS[name], retrieved.noise or 0.0
    long = np.log2(length / 2000)
    lost = -3.0 - 0.5 * place + 0.2 * long + effects.count * needles + luck[0]
    lost += (taste[0] + effects.reverse) * strategy.endswith("-rev")
    lost += taste[1] * noise + taste[2] * (depth - 50) / 50
    seen = rng.binomial(retrieved.needles, 1 - _chance(lost))
    guessed = rng.binomial(needles - retrieved.needles, 1 - _chance(lost))
    error = _chance(-2.4 - 0.4 * place + 0.15 * long + luck[1] + taste[1] * (noise - 0.5))
    error += effects.distraction * (noise > effects.noise)
    count = int(rng.random() < error) * int(rng.integers(1, 3))
    missing = needles - int(seen) - int(guessed)
    if rng.random() < 0.01:
        missing, count = needles, 0
    doubtful = -2.8 - 0.3 * place + luck[2] + taste[3] * (long - 3) / 3
    wrong = tuple(f"{'lure' if rng.random() < 0.5 else 'fancy'} {i + 1}" for i in range(count))
    return _Told(missing, wrong, bool(rng.random() < _chance(doubtful)))


def _chance(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))


def _record(
    name: str,
    number: int,
    length: int,
    depth: float,
    strategy: str,
    reader: str,
    retrieved: _Retrieved,
    told: _Told,
) -> Row:
    case = _case_id(name, length, depth, number)
    return row(
        **{"trial_id": f"{case}-{strategy}-{reader}", "case_id": case, "needle_set": name},
        **{"haystack": "essays", "context_length": length, "depth": depth, "seed": number},
        **{"strategy": strategy, "reader": reader, "repeat": 0, "outcome": "scored"},
        score=_score(SETS[name], told),
        missing=tuple(f"element {i}" for i in range(told.missing)),
        wrong=told.wrong,
        self_doubt=told.doubt,
        retrieval_completeness=retrieved.completeness,
        noise_ratio=retrieved.noise,
    )


def _score(needles: int, told: _Told) -> int:
    """The rubric's thresholds (``niah.judges.rubric``)."""
    found = needles - told.missing
    agreement = found / (needles + len(told.wrong))
    if not found:
        return 1
    if not (told.missing or told.wrong):
        return 10
    if agreement >= 2 / 3 and not (told.missing and told.wrong):
        return 7
    return 5 if agreement >= 1 / 3 or told.wrong else 3
