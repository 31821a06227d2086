"""A run in a few sentences, by reader: where full context falls behind retrieval, the best strategy, where it
goes blind, what has no score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean
from typing import TYPE_CHECKING

from niah.analysis.causes.empty_answers import Scored, empty_answers
from niah.analysis.cells import Cell, Grid, cells
from niah.analysis.crossover import Crossover, crossovers
from niah.analysis.frame import row_groups
from niah.analysis.grouping import NOT_SCORED
from niah.analysis.lengths import length_labels
from niah.analysis.reused import earlier_run
from niah.analysis.stats import Interval, has_bounds, mean_interval, paired_difference
from niah.analysis.whole_context import whole_lengths
from niah.file_mistakes import counted
from niah.judges.verdict import HIGHEST
from niah.plots.headlines.crossover_words import CrossoverWords, crossover_words
from niah.plots.headlines.empty_words import empty_words
from niah.plots.headlines.interval_words import (
    capitalised,
    cluster_words,
    higher_than,
    lead_words,
    of_few,
    score_words,
)
from niah.plots.headlines.ranking import ranked_strategies
from niah.plots.kit.labels import amount_label, depth_label, mean_label, outcome_count
from niah.runs.cost.budget import spending_label
from niah.strategies.strategy import spoken, strategy_of

if TYPE_CHECKING:
    from pandas import DataFrame

_KNOWN = 2.0
"""From this mean without any context on, some answers are known: the rubric's least score is 1."""

BLIND = 5.0
"""A mean below this, the rubric's "moderate", counts as blind."""


_NOTABLE_SHARE = 0.05
"""From so many trials without a score on, what a strategy's mean is of is said."""

_ALIKE = 0.5
"""Depths whose means are no farther apart are named by none."""

_FEW = 5
"""Fewer trials than that may all fail by luck."""


@dataclass(frozen=True)
class Blindness:
    """Where one strategy of a reader fails.

    Attributes:
        strategy: as trials name it.
        says: from which length on it goes blind, or at which depths alone, or that it does not.
        weakest: the cell with the lowest mean, in words, and how many others have the same; "" where every
            cell has the best there is.
        cell: that cell.
        depths: the depths with the lowest and the highest mean over all lengths, or over those where it is
            blind, in words, or that no cell is below the best; "" where there is one depth alone, or they
            are level.
    """

    strategy: str
    says: str
    weakest: str
    cell: Cell
    depths: str


@dataclass(frozen=True)
class Headline:
    """One reader's sentences.

    Attributes:
        reader: its name.
        strategies: its best one, and those that send the whole context; as trials name them.
        crossover: full context against retrieval; None where one of them has no score.
        best: the first of ``ranked_strategies``; "" where nothing was scored, or several have its mean.
        standing: that mean, whether it is clearly ahead of the next, and why another strategy stands beside
            full context, where one does.
        blind: where its best strategy and full context fail.
        unsure: what is too uncertain to say.
        limits: what it scores without any context, and with the right chunks alone; "" if neither was asked.
        limits_name: which of the two it is: "Floor", "Ceiling", "Floor and ceiling".
        took: tokens and price of all its trials but for kept answers; "" where nobody counted.
        not_scored: what has no score, and why; "" where all has one.
        empty: how many answers say nothing; "" where that is no notable number.
    """

    reader: str
    strategies: tuple[str, ...]
    crossover: CrossoverWords | None
    best: str
    standing: str
    blind: tuple[Blindness, ...]
    unsure: tuple[str, ...]
    limits: str
    took: str
    not_scored: str
    empty: str = ""
    limits_name: str = "Floor and ceiling"


def headlines(frame: DataFrame) -> list[Headline]:
    """One for each reader of one run's trials, by name."""
    return [_headline(reader, frame.iloc[rows]) for (reader,), rows in row_groups(frame, "reader")]


def _headline(reader: str, frame: DataFrame) -> Headline:
    own = {name: frame.iloc[rows] for (name,), rows in row_groups(frame, "strategy")}
    scored = {name: trials[trials["scored"]] for name, trials in own.items() if trials["scored"].any()}
    means = {name: fmean(trials["score"]) for name, trials in scored.items()}
    ranking = ranked_strategies(scored)
    level = [name for name in ranking if means[name] == means[ranking[0]]]
    whole = [name for name in means if own[name]["sends_context"].any()]
    crossing = next(iter(crossovers(frame)), None)
    crossover = crossover_words(crossing, cluster_words(frame)) if crossing else None
    standing, too_close = _standing(ranking, level, means, scored)
    standing += _sent_whole(frame, level)
    if crossing and crossing.strategy not in level and any(own[name]["retrieves"].any() for name in level):
        standing += f"; {_why_beside(crossing)}"
    strategies = tuple(dict.fromkeys([*ranking[:1], *whole]))
    return Headline(
        reader,
        strategies,
        crossover=crossover,
        best=spoken(level[0], first=True) if len(level) == 1 else "",
        standing=standing,
        blind=tuple(_blind(grid) for name in strategies for grid in cells(own[name]) if grid.n),
        unsure=tuple(filter(None, (crossover.unsure if crossover else "", too_close))),
        limits=_limits(means, scored),
        took=took_words(frame),
        not_scored=_not_scored(frame),
        empty=_empty(frame),
        limits_name=_limits_name(means),
    )


def took_words(frame: DataFrame) -> str:
    """What was paid for: "6.71 USD, 2.8M prompt tokens", and what was not; "" where nobody counted."""
    asked = frame[~frame["from_cache"]]
    cost, tokens = asked["cost"], asked["prompt_tokens"]
    price = spending_label(Decimal(float(cost.sum())), "usd") if cost.sum() else ""
    least = "at least " if price and cost[asked["scored"]].isna().any() else ""
    counted = f"{amount_label(int(tokens.sum()))} prompt tokens" if tokens.notna().any() else ""
    took = ", ".join(filter(None, (f"{least}{price}", counted)))
    alike = int((frame["from_cache"] & (frame["reused_from"] == "")).sum())
    trials = "1 trial asks" if alike == 1 else f"{alike:,} trials ask"
    once = f"{trials} what others ask: answered once" if alike else ""
    return "; ".join(filter(None, (reused_words(frame), took, once)))


def reused_words(frame: DataFrame) -> str:
    """Such as "12 of 15 answers are from an earlier run (28 Nov 09:05)", UTC; "" where none is."""
    reused = frame["reused_from"][frame["reused_from"] != ""]
    answers = int(frame["outcome"].isin(["scored", "judge_error"]).sum())
    are = "is" if answers == 1 else "are"
    return (
        f"{len(reused):,} of {counted(answers, 'answer')} {are} from {earlier_run(reused)}"
        if len(reused)
        else ""
    )


def _limits(means: Mapping[str, float], scored: Mapping[str, DataFrame]) -> str:
    """Floor and ceiling, between which strategies can lie."""
    says = []
    for name in sorted(means, key=lambda name: not strategy_of(name).is_floor):
        strategy = strategy_of(name)
        mean = f"{mean_label(means[name])} ({name}, n = {len(scored[name]):,})"
        if strategy.is_floor:
            height = "near 1, the least there is" if means[name] < _KNOWN else "so some is known unread"
            says.append(f"without any context {mean}, {height}")
        elif strategy.is_ceiling:
            says.append(f"with the right chunks alone {mean}{_below_context(scored, name)}")
    return capitalised("; ".join(says))


def _limits_name(strategies: Iterable[str]) -> str:
    parsed = [strategy_of(name) for name in strategies]
    found = [any(each.is_floor for each in parsed), any(each.is_ceiling for each in parsed)]
    return {(True, False): "Floor", (False, True): "Ceiling"}.get((found[0], found[1]), "Floor and ceiling")


def _below_context(scored: Mapping[str, DataFrame], ceiling: str) -> str:
    """What it means that full context scores clearly higher than the chunks that hold the needles."""
    context = next((name for name in scored if strategy_of(name).sends_context), "")
    if not context:
        return ""
    pairs = scored[context].merge(scored[ceiling], on="question", suffixes=("", "_second"))
    if pairs.empty:
        return ""
    lead = paired_difference(pairs["score"], pairs["score_second"], pairs["cluster"])
    if not has_bounds(lead) or (lead.low or 0) <= 0:
        return ""
    return f": less than full context by {lead_words(lead)}, so it is reading short prompts that fails"


def _standing(
    ranking: Sequence[str], level: Sequence[str], means: Mapping[str, float], scored: Mapping[str, DataFrame]
) -> tuple[str, str]:
    """The mean of the first, and how far it is ahead of the second; and what of that is too close to say."""
    if not level:
        return "Nothing was scored", ""
    first = scored[ranking[0]]
    interval = mean_interval(first["score"], first["cluster"])
    says = f"mean {score_words(interval)}, n = {interval.n:,}"
    if len(level) > 1:
        return f"{_together(level)} are level: {says} each", ""
    if len(ranking) == 1:
        return says, ""
    second = spoken(ranking[1])
    pairs = first.merge(scored[ranking[1]], on="question", suffixes=("", "_second"))
    if pairs.empty:
        return f"{says}; no trial of {second}, the next, can be paired with it", ""
    ahead = paired_difference(pairs["score"], pairs["score_second"], pairs["cluster"])
    is_clear = has_bounds(ahead) and (ahead.low or 0) > 0
    too_close = "" if is_clear else f"Whether {spoken(ranking[0])} or {second} is better overall"
    return f"{says}; {_lead(ahead, second, cluster_words(first))}", too_close


def _sent_whole(frame: DataFrame, level: Sequence[str]) -> str:
    """Which of the best strategies are full context by another name: "; dos sent the whole context"."""
    own = {strategy for (_, strategy), where in whole_lengths(frame).items() if where == "every length"}
    names = [name for name in level if name in own]
    return f"; {' and '.join(names)} sent the whole context at every length" if names else ""


def _why_beside(crossing: Crossover) -> str:
    """Why another retrieval than the best over all lengths stands beside full context."""
    name = spoken(crossing.strategy)
    if crossing.above is None:
        return f"beside full context stands {name}, which reads least of those that do about as well"
    label = length_labels([crossing.length])[0] if crossing.is_grid and crossing.length else "there"
    where = f" from {label} on" if crossing.below else ""
    return f"beside full context stands {name}, which gains most on it{where}"


def _together(names: Sequence[str]) -> str:
    words = [spoken(name, first=not place) for place, name in enumerate(names)]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _lead(ahead: Interval, second: str, cluster: str) -> str:
    if not has_bounds(ahead):
        return f"{higher_than(ahead)} {second}{of_few(ahead, cluster)}"
    if (ahead.low or 0) > 0:
        return f"ahead of {second} by {lead_words(ahead)}"
    return f"not clearly ahead of {second}: difference {lead_words(ahead, signed=True)}"


def _blind(grid: Grid) -> Blindness:
    by_length = [_mean([row[place] for row in grid.rows]) for place in range(len(grid.lengths))]
    known = [place for place, mean in enumerate(by_length) if mean is not None]
    first = next((p for p in known if all(_below(by_length[later]) for later in known if later >= p)), None)
    labels, name = length_labels(grid.lengths), spoken(grid.strategy, first=True)
    if first is not None:
        where = f"from {labels[first]} tokens on" if first else "at every length"
        says = f"{name} goes blind {where} (means below {BLIND:g})"
    else:
        says = f"{name} stays at a mean of {BLIND:g} or above up to {labels[known[-1]]} tokens"
        if any(_below(by_length[place]) for place in known):
            says = f"{name} dips below {BLIND:g} at {_listed(labels, by_length)}, and recovers"
        elif dark := _dark_depths(grid, labels):
            says = f"{name} is blind at {'; '.join(dark)} (below {BLIND:g}; over all depths it is not)"
        elif any(_below(cell.mean) for cell in grid.cells):
            says += ", though not in every cell"
    lowest = min((cell for cell in grid.cells if cell.mean is not None), key=lambda cell: cell.mean or 0)
    if lowest.mean == HIGHEST:
        return Blindness(grid.strategy, says, "", lowest, f"no cell below {HIGHEST}")
    return Blindness(grid.strategy, says, _weakest(grid, lowest, labels), lowest, _depths(grid, first or 0))


def _weakest(grid: Grid, lowest: Cell, labels: Sequence[str]) -> str:
    """The cell with the lowest mean, and whether others have the same: it is no finding where they do."""
    length, mean = labels[grid.lengths.index(lowest.context_length)], mean_label(lowest.mean or 0)
    scored = [cell for cell in grid.cells if cell.mean is not None]
    alike = [cell for cell in scored if mean_label(cell.mean or 0) == mean]
    own = [cell for cell in scored if cell.context_length == lowest.context_length]
    if len(alike) == len(scored) > 1:
        return f"cell: none, all {len(scored)} have {mean}"
    if len(alike) == 1 or alike != own:
        more = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
        return f"cell {_cell(lowest, length)}{more}"
    return f"{length}, all {len(own)} depths alike: {mean} (n = {sum(cell.n for cell in own)})"


def _dark_depths(grid: Grid, labels: Sequence[str]) -> list[str]:
    """Depths that fail up to the longest context, such as "depth 50 % at every length: mean 2.1, n = 30".

    A mean over all depths hides what the others make good.
    """
    says = []
    for depth, row in zip(grid.depths, grid.rows, strict=True):
        known = [place for place, cell in enumerate(row) if cell.mean is not None]
        dark = [p for p in known if all(_below(row[later].mean) for later in known if later >= p)]
        cells = [row[place] for place in dark]
        if (n := sum(cell.n for cell in cells)) >= _FEW:
            where = f"from {labels[dark[0]]} tokens on" if dark[0] != known[0] else "at every length"
            says.append(
                f"depth {depth_label(depth)} {where}: mean {mean_label(_mean(cells) or 0)}, n = {n:,}"
            )
    return says if len(grid.depths) > 1 else []


def _depths(grid: Grid, first: int) -> str:
    """How far depths are apart, from the length at this place on."""
    means = [
        (mean, depth)
        for depth, row in zip(grid.depths, grid.rows, strict=True)
        if (mean := _mean(row[first:])) is not None
    ]
    if len(means) < 2:
        return ""
    (low, lowest), (high, highest) = min(means), max(means)
    if mean_label(low) == mean_label(high):
        return ""
    where = "there" if first else "over all lengths"
    if high - low < _ALIKE:
        return f"{where} depths differ by {high - low:.1f} at most"
    return (
        f"{where} depth {depth_label(lowest)} is lowest with {mean_label(low)}, "
        f"{depth_label(highest)} highest with {mean_label(high)}"
    )


def _listed(labels: Sequence[str], means: Sequence[float | None]) -> str:
    return ", ".join(label for label, mean in zip(labels, means, strict=True) if _below(mean))


def _below(mean: float | None) -> bool:
    return mean is not None and mean < BLIND


def _mean(column: Sequence[Cell]) -> float | None:
    """Mean over all scored trials of a length."""
    n = sum(cell.n for cell in column)
    return sum((cell.mean or 0) * cell.n for cell in column) / n if n else None


def _cell(cell: Cell, length: str) -> str:
    return f"{length}, depth {depth_label(cell.depth)}: {mean_label(cell.mean or 0)} (n = {cell.n})"


def _not_scored(frame: DataFrame) -> str:
    counts = frame["outcome"].value_counts()
    words = [outcome_count(int(counts[outcome]), outcome) for outcome in NOT_SCORED if counts[outcome]]
    if not words:
        return ""
    percent = 100 * sum(counts[outcome] for outcome in NOT_SCORED) / len(frame)
    # Two digits, and no power of ten.
    share = f"{percent:.2g}" if percent < 10 else f"{percent:.0f}"
    return f"Not scored: {', '.join(words)}, of {len(frame):,} ({share} %){_of_others(frame)}"


def _of_others(frame: DataFrame) -> str:
    """Of which strategies so many are missing that their means are of the others alone."""
    told = []
    for (name,), rows in row_groups(frame, "strategy"):
        own = frame.iloc[rows]
        asked = int((own["outcome"] != "not_run").sum())
        scored = int(own["scored"].sum())
        if scored and asked - scored >= _NOTABLE_SHARE * asked and asked > scored:
            told.append(f"that of {spoken(name)} of {scored:,} of {asked:,}")
    return f"; means are of the other trials alone: {', '.join(told)}" if told else ""


def _empty(frame: DataFrame) -> str:
    """Of one reader's trials."""
    scored = frame[frame["scored"]]
    columns = (scored[name] for name in Scored._fields)
    found = empty_answers(map(Scored, *columns))
    return "; ".join(f"{each.answers}: " * each.is_application + empty_words(each) for each in found)
