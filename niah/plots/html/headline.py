"""A run in a few sentences: the best strategy of each reader, where it goes blind, what has no score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from niah.analysis.cells import Cell, Grid, cells
from niah.analysis.frame import trial_frame
from niah.analysis.grouping import NOT_SCORED, grouped, mean_score, question_of
from niah.analysis.stats.bootstrap import Interval, mean_interval, paired_difference
from niah.analysis.stats.clusters import clusters_of
from niah.plots.figures.charts.estimates import LEAST_CLUSTERS
from niah.plots.kit.labels import depth_label, length_labels, mean_label, outcome_label
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of

BLIND = 5.0
"""A mean below this, the rubric's "moderate", counts as blind."""


@dataclass(frozen=True)
class Headline:
    """One reader's sentences.

    Attributes:
        reader: its name.
        best: the strategy with the highest mean; "" where nothing was scored, or several have it.
        standing: that mean, and whether it is clearly ahead of the next.
        blind: from which length on, and in which cell, its best strategy and the whole context fail.
        not_scored: what has no score, and why; "" where all has one.
    """

    reader: str
    best: str
    standing: str
    blind: tuple[str, ...]
    not_scored: str


def headlines(records: Sequence[TrialRecord]) -> list[Headline]:
    """One for each reader, by name."""
    by_reader: dict[str, list[TrialRecord]] = {}
    for record in records:
        by_reader.setdefault(record.reader, []).append(record)
    return [_headline(reader, by_reader[reader]) for reader in sorted(by_reader)]


def _headline(reader: str, records: Sequence[TrialRecord]) -> Headline:
    strategies = {key.strategy: group for key, group in grouped(records, per_needle_set=False).items()}
    means = {name: mean for name, group in strategies.items() if (mean := mean_score(group)) is not None}
    deployable = (name for name in means if not strategy_of(name).is_ceiling)
    ranking = sorted(deployable, key=lambda name: -means[name])
    whole = [name for name in means if strategy_of(name).sends_context]
    told = list(dict.fromkeys([*ranking[:1], *whole]))
    return Headline(
        reader,
        best=ranking[0] if len(_level(ranking, means)) == 1 else "",
        standing=_told(ranking, strategies, means),
        blind=tuple(_blind(grid) for name in told for grid in cells(trial_frame(strategies[name]))),
        not_scored=_not_scored(records),
    )


def _level(ranking: Sequence[str], means: Mapping[str, float]) -> list[str]:
    """The strategies that have the highest mean."""
    return [name for name in ranking if means[name] == means[ranking[0]]]


def _told(
    ranking: Sequence[str], strategies: dict[str, list[TrialRecord]], means: Mapping[str, float]
) -> str:
    level = _level(ranking, means)
    if not level:
        return "nothing was scored"
    if len(level) > 1:
        return f"{', '.join(level[:-1])} and {level[-1]} are level: mean {mean_label(means[level[0]])}"
    return _standing(ranking, strategies)


def _standing(ranking: Sequence[str], strategies: dict[str, list[TrialRecord]]) -> str:
    first = strategies[ranking[0]]
    scored = _scored(first)
    interval = mean_interval([score for _, score in scored], clusters_of([record for record, _ in scored]))
    says = f"mean {_with_interval(interval)}, n = {interval.n:,}"
    if len(ranking) == 1:
        return says
    ahead = _ahead(first, strategies[ranking[1]])
    return f"{says}; {_lead(ahead, ranking[1])}"


def _lead(ahead: Interval | None, second: str) -> str:
    if ahead is None:
        return f"no trial of {second}, the next, can be paired with it"
    if ahead.low is None:
        return f"{ahead.estimate:+z.1f} against {second}, from one needle set and seed alone"
    if ahead.clusters < LEAST_CLUSTERS:
        few = f"{ahead.clusters} needle sets and seeds: too few to tell"
        return f"{ahead.estimate:+z.1f} against {second}, from {few}"
    if ahead.low > 0:
        return f"ahead of {second} by {_with_interval(ahead)}"
    return f"not clearly ahead of {second}: difference {_with_interval(ahead, signed=True)}"


def _ahead(first: Sequence[TrialRecord], second: Sequence[TrialRecord]) -> Interval | None:
    """The difference over the trials that both have scored."""
    others = {question_of(record): score for record, score in _scored(second)}
    pairs = [
        (record, score, others[question_of(record)])
        for record, score in _scored(first)
        if question_of(record) in others
    ]
    if not pairs:
        return None
    records, left, right = zip(*pairs, strict=True)
    return paired_difference(left, right, clusters_of(records))


def _scored(records: Sequence[TrialRecord]) -> list[tuple[TrialRecord, float]]:
    return [(record, record.score) for record in records if record.score is not None]


def _with_interval(interval: Interval, *, signed: bool = False) -> str:
    """ "6.8 (95 %: 5.9 to 7.7)"; the mean alone where clusters are too few."""
    value = f"{interval.estimate:+z.1f}" if signed else mean_label(interval.estimate)
    if interval.low is None or interval.high is None or interval.clusters < LEAST_CLUSTERS:
        return value
    bounds = interval.low, interval.high
    low, high = (f"{bound:z.1f}" if signed else mean_label(bound) for bound in bounds)
    return f"{value} (95 %: {low} to {high})"


def _blind(grid: Grid) -> str:
    by_length = [_mean([row[place] for row in grid.rows]) for place in range(len(grid.lengths))]
    known = [place for place, mean in enumerate(by_length) if mean is not None]
    first = next((p for p in known if all(_below(by_length[later]) for later in known if later >= p)), None)
    labels = length_labels(grid.lengths)
    if first is not None:
        where = f"from {labels[first]} tokens on" if first else "at every length"
        says = f"{grid.strategy} goes blind {where} (means below {BLIND:g})"
    else:
        says = f"{grid.strategy} stays at {BLIND:g} or above up to {labels[known[-1]]} tokens"
        if any(_below(by_length[place]) for place in known):
            says = f"{grid.strategy} dips below {BLIND:g} at {_listed(labels, by_length)}, and recovers"
    lowest = min((cell for cell in grid.cells if cell.mean is not None), key=lambda cell: cell.mean or 0)
    return f"{says}; weakest cell {_cell(lowest, labels[grid.lengths.index(lowest.context_length)])}"


def _listed(labels: Sequence[str], means: Sequence[float | None]) -> str:
    return ", ".join(label for label, mean in zip(labels, means, strict=True) if _below(mean))


def _below(mean: float | None) -> bool:
    return mean is not None and mean < BLIND


def _mean(column: Sequence[Cell]) -> float | None:
    """Mean over all scored trials of a length."""
    n = sum(cell.n for cell in column)
    return sum((cell.mean or 0) * cell.n for cell in column) / n if n else None


def _cell(cell: Cell, length: str) -> str:
    return f"{length}, {depth_label(cell.depth)}: {mean_label(cell.mean or 0)} (n = {cell.n})"


def _not_scored(records: Sequence[TrialRecord]) -> str:
    counts = Counter(record.outcome for record in records)
    words = [f"{counts[outcome]:,} {outcome_label(outcome)}" for outcome in NOT_SCORED if counts[outcome]]
    return f"not scored: {', '.join(words)}, of {len(records):,}" if words else ""
