"""Effective lengths of nights in simulated worlds: both held against the earlier night's base.

    PYTHONPATH=. python tests/bench/bench_night_lengths.py [RUNS] [SEED] [trials=1,3]

Two nights ask the same cases of a reader of ``tests/analysis/planted_lengths.py``: seeds keep their luck of
0.6 in log-odds, every answer is drawn anew. The later night's reader is the same, answers less at every
length, or falls a doubling sooner. Goal: the later night's interval holds the truth in 93 % or more, a change
is told in at most 5 % where there is none. The truth is what holds against the base as it was measured, since
it is taken as it is; in parentheses against the mean that the earlier reader truly has. Told: how often the
table of the verdict has a change other than 0, and of these how many had the wrong sign; under: that not even
the shortest length holds. Without RUNS, 8; docs have 240, which take half an hour of CPU.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

from niah.analysis.nights.night_verdict import NightVerdict, assess_night
from niah.plots.terminal.night import effective_table
from niah.runs.trial import TrialRecord
from tests.analysis.planted_lengths import LENGTHS, answered, as_records, curves, lengths_held, odds_and_means

KINDS = ("cliff anywhere", "cliff to a part", "slope", "lost in the middle")
CHANGES = {
    "the same": (0.96, 0.0),
    "a little less": (0.88, 0.0),
    "far less": (0.72, 0.0),
    "a doubling": (0.96, 1.0),
}
"""Of the later night: the share right at best, and how many doublings sooner it falls."""
_LUCK, _DEPTHS = 0.6, 5


def main() -> None:
    numbers = [int(each) for each in sys.argv[1:] if each.isdigit()]
    runs, seed = (*numbers, *(8, 0)[len(numbers) :])[:2]
    trials = next((word[7:] for word in sys.argv[1:] if word.startswith("trials=")), "1,3")
    print(f"{runs} pairs of nights each, seed {seed}, {_DEPTHS} depths; widths in lengths of the grid")
    for cell, kind, change in product(map(int, trials.split(",")), KINDS, CHANGES):
        _measure(runs, seed, kind, change, cell)


def _measure(runs: int, seed: int, kind: str, change: str, trials: int) -> None:
    rng = np.random.default_rng([seed, trials, KINDS.index(kind), list(CHANGES).index(change)])
    found = np.array([_pair(kind, change, trials, rng) for _ in range(runs)])
    held, truly, before, width, told, wrong, under = found.mean(axis=0)
    print(
        f"  {trials} a cell, {kind:18s} {change:13s}: held {held:6.1%} ({truly:6.1%}), the night before"
        f" {before:6.1%}, {width:.2f} lengths wide, told {told:6.1%}, wrong {wrong:5.1%}, under {under:6.1%}",
        flush=True,
    )


def _pair(kind: str, change: str, trials: int, rng: np.random.Generator) -> tuple[float, ...]:
    """Whether intervals hold the truth, how wide tonight's is, and what is told of a change."""
    thresholds, slope, left = curves(kind, _DEPTHS, rng)
    own = _LUCK * rng.standard_normal(trials)
    top, sooner = CHANGES[change]
    records, means = list[list[TrialRecord]](), []
    for share, shift in ((0.96, 0.0), (top, sooner)):
        odds, mean = odds_and_means(thresholds - shift, slope, np.arange(8.0), top=share, left=left)
        records.append(as_records(answered(odds, own, rng)))
        means.append(mean)
    night = assess_night("2026-11-27", records[1], {"last night": records[0]}, (), {}, {})
    (lengths,) = night.lengths
    assert lengths.before
    base = lengths.tonight.base
    tonight, before = (
        [0 if each is None else int(np.searchsorted(LENGTHS, each)) + 1 for each in (one.low, one.high)]
        for one in (lengths.tonight, lengths.before)
    )
    truth = lengths_held(means[1], base)
    told = _told(night)
    return (
        tonight[0] <= truth <= tonight[1],
        tonight[0] <= lengths_held(means[1], means[0][:, 0].mean()) <= tonight[1],
        before[0] <= lengths_held(means[0], base) <= before[1],
        tonight[1] - tonight[0],
        told != 0,
        told * (truth - lengths_held(means[0], base)) < 0 or (told != 0 and change == "the same"),
        lengths.tonight.length is None,
    )


def _told(night: NightVerdict) -> int:
    """The change that the verdict's table tells, in tokens; 0 where it tells none."""
    table = effective_table(night)
    change = table.rows[0][table.columns.index("change")]
    return change if isinstance(change, int) else 0


if __name__ == "__main__":
    main()
