"""Two runs of the same simulated readers, with the noise of real ones; drops are planted on request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas import DataFrame

from niah.analysis.compare.axes import Axis, axes_of
from niah.analysis.frame import category_codes, trial_frame
from niah.analysis.grouping import OUTCOMES
from niah.runs.trial import TrialRecord

LEVELS = np.array([1, 3, 5, 7, 10], dtype=np.float64)
BORDERS = np.array([-1.6, -1.1, -0.6, 0.1])
"""Of skill: below the first the score is 1, above the last 10."""

DEPTHS = (0.0, 25.0, 50.0, 75.0, 100.0)
LENGTHS = (4096, 32000, 128000)
STRATEGIES = ("lc", "bm25/top-5/norm", "bm25/half/document", "mixpr")
AXES = ("reader", "strategy", "length_band", "depth")


@dataclass(frozen=True)
class Nights:
    """What the two nights are like.

    Attributes:
        sets, seeds: clusters are their product.
        readers: how many.
        strategies, lengths, depths: of every reader.
        same: share of trials that are answered alike on both nights, as at temperature 0.
        luck: standard deviation of what all trials of a cluster share on one night; skill has one of 1.
        tails: degrees of freedom of that luck (Student); few mean clusters far off.
        failing: share of trials without a score, each night anew.
        spread: whether each seed goes with one set, in turn, so that clusters are as many as seeds.
        ability: of a reader at 4k; 1 is right in about four of five, 0 in two of five.
    """

    sets: int = 4
    seeds: int = 3
    readers: int = 2
    strategies: tuple[str, ...] = STRATEGIES
    lengths: tuple[int, ...] = LENGTHS
    depths: tuple[float, ...] = DEPTHS
    same: float = 0.6
    luck: float = 0.15
    tails: float = np.inf
    failing: float = 0.01
    spread: bool = False
    ability: float = 1.0

    @property
    def clusters(self) -> int:
        return self.seeds if self.spread else self.sets * self.seeds


def records_of(nights: Nights) -> list[TrialRecord]:
    """Every trial, scored 10 each."""
    return [
        TrialRecord(
            f"{set_}-{seed}-{length}-{depth:g}-{strategy}-{reader}",
            f"set-{set_}_essays_{length}_d{depth:g}_s{seed}",
            f"set-{set_}",
            "essays",
            length,
            depth,
            seed,
            strategy,
            f"simulated-{reader}",
            0,
            "scored",
            10,
        )
        for reader in range(nights.readers)
        for strategy in nights.strategies
        for set_ in range(nights.sets)
        for seed in range(1, nights.seeds + 1)
        if not nights.spread or (seed - 1) % nights.sets == set_
        for length in nights.lengths
        for depth in nights.depths
    ]


class Simulation:
    """Trials of two nights, drawn as often as one likes; the recipes are made once."""

    def __init__(self, nights: Nights) -> None:
        self.nights = nights
        self.records = records_of(nights)
        self.frame = trial_frame(self.records)
        self._cluster = self.frame["cluster"].to_numpy()
        self._length = self.frame["context_length"].to_numpy()
        self._depth = self.frame["depth"].to_numpy()
        self.axes: tuple[Axis, ...] = axes_of(self.frame, AXES)
        self._ability = self._abilities()

    def where(self, **parts: str) -> NDArray[np.bool_]:
        """The trials of those parts of the axes: where(reader="simulated-0", depth="middle")."""
        inside = np.ones(len(self.records), dtype=np.bool_)
        for axis in self.axes:
            if axis.name in parts:
                inside &= axis.codes == axis.names.index(parts[axis.name])
        return inside

    def draw(
        self, seed: int, struck: NDArray[np.bool_] | None = None, falls: float = 0.0, failing: float = 0.0
    ) -> tuple[DataFrame, DataFrame]:
        """Baseline and candidate.

        Args:
            seed: of everything.
            struck: whose scores drop.
            falls: the share of them that fall to 1; the others stay.
            failing: the share of struck trials that fail beyond the usual.
        """
        rng = np.random.default_rng(seed)
        n, nights = len(self.records), self.nights
        steady = rng.normal(size=nights.clusters)[self._cluster] * 0.5 + rng.normal(size=n)
        alike = rng.random(n) < nights.same
        first, second = (self._night(rng, steady, alike) for _ in range(2))
        scores_first, scores_second = _scores(first), _scores(second)
        outcome_first, outcome_second = (rng.random(n) < nights.failing for _ in range(2))
        if struck is not None:
            scores_second = np.where(struck & (rng.random(n) < falls), 1.0, scores_second)
            outcome_second |= struck & (rng.random(n) < failing)
        return self._as_frame(scores_first, outcome_first), self._as_frame(scores_second, outcome_second)

    def share_falling(self, struck: NDArray[np.bool_], drop: float) -> float:
        """The share of struck trials that must fall to 1 for a mean drop of so many points."""
        means = [np.nanmean(self.draw(seed)[0]["score"][struck]) for seed in range(900_000, 900_100)]
        return float(drop / (np.mean(means) - 1))

    def _abilities(self) -> NDArray[np.float64]:
        length = np.log2(self._length / 4096) / 5
        middle = 1 - np.abs(self._depth - 50) / 50
        ability: NDArray[np.float64] = (
            self.nights.ability - 0.6 * length - 0.3 * middle * (self._length > 10000)
        )
        return ability

    def _night(
        self, rng: np.random.Generator, steady: NDArray[np.float64], alike: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        nights = self.nights
        luck = (
            rng.standard_t(nights.tails, nights.clusters)
            if np.isfinite(nights.tails)
            else rng.normal(size=nights.clusters)
        )
        anew = rng.normal(size=len(steady)) + nights.luck * luck[self._cluster] / 0.6
        return self._ability + np.where(alike, steady, 0.8 * steady + 0.6 * anew)

    def _as_frame(self, scores: NDArray[np.float64], failed: NDArray[np.bool_]) -> DataFrame:
        codes = np.where(failed, OUTCOMES.index("reader_error"), OUTCOMES.index("scored"))
        return self.frame.assign(
            score=np.where(failed, np.nan, scores),
            scored=~failed,
            outcome=pd.Categorical.from_codes(codes, pd.Index(OUTCOMES)),
        )


def as_records(records: Iterable[TrialRecord], frame: DataFrame) -> list[TrialRecord]:
    """The records with the outcomes and scores of the frame."""
    return [
        replace(record, outcome=OUTCOMES[code], score=None if np.isnan(score) else int(score))
        for record, code, score in zip(records, category_codes(frame, "outcome"), frame["score"], strict=True)
    ]


def _scores(skill: NDArray[np.float64]) -> NDArray[np.float64]:
    return LEVELS[np.searchsorted(BORDERS, skill)]
