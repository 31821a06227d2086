"""From which context length on full context falls behind retrieval, by how much, and what to send.

The crossover is the length from which on the isotonic regression of the paired differences on length, a lead
of retrieval that may only grow, exceeds ``WORTH`` (Barlow et al. 1972): a single length's luck makes none.
Its interval comes from clusters drawn anew. Nothing is recommended from a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.analysis.frame import is_length_grid, row_groups
from niah.analysis.lengths import octave, octave_label
from niah.analysis.stats import (
    BOOTSTRAP_DRAWS,
    POWER_QUANTILE,
    Interval,
    bootstrap_sums,
    cluster_sums,
    has_bounds,
    is_point,
    isotonic_prefix,
    paired_difference,
)
from niah.analysis.table import Table, TableValue, lc_scores
from niah.judges.verdict import HIGHEST, LOWEST
from niah.strategies.strategy import strategy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

WORTH = 0.5
"""Points a question that a switch has to bring, and that matter: design.md, section 7."""

LESS = 1.05
"""Full context that takes so many times what retrieval does is dearer: tokenizers differ by less."""

Choice = Literal["context", "retrieval", "switch", "either", ""]
SentSide = Literal["context", "retrieval", "either", ""]


@dataclass(frozen=True)
class SideMeans:
    """Full context, or retrieval, over some pairs: mean score, and means a question in tokens and $."""

    score: float
    prompt_tokens: float | None
    cost: float | None


@dataclass(frozen=True)
class LengthGap:
    """Both sides at one length, or the upper border of a band; ``lead`` is retrieval's."""

    length: int
    context: SideMeans
    retrieval: SideMeans
    lead: Interval


@dataclass(frozen=True)
class Crossover:
    """Full context against one retrieving strategy.

    Attributes:
        reader: whose trials.
        strategy: of those that can be deployed the one that a switch to brings most.
        is_grid: whether lengths were asked for, rather than bands of given documents' lengths.
        gaps: by length, rising; those at which both sides have scores.
        length: from which on a switch pays; None where it pays nowhere.
        earliest, latest: the 95 % interval of ``length``; None is beyond the last.
        lead: of retrieval at all lengths; ``above`` from ``length`` on, ``below`` before it.
        ceiling: the mean with only the right chunks (oracle); None where it was not asked.
    """

    reader: str
    strategy: str
    is_grid: bool
    gaps: tuple[LengthGap, ...]
    length: int | None
    earliest: int | None
    latest: int | None
    lead: Interval
    above: Interval | None
    below: Interval | None
    ceiling: float | None


def crossovers(frame: DataFrame) -> list[Crossover]:
    """One for each model that was asked with full context and with retrieval, by name."""
    found = (_crossover(reader, frame.iloc[rows]) for (reader,), rows in row_groups(frame, "reader"))
    return [each for each in found if each is not None]


def _crossover(reader: str, frame: DataFrame) -> Crossover | None:
    question, score, reads = (frame[name].to_numpy() for name in ("question", "score", "sends_context"))
    clusters, is_grid = np.unique(frame["cluster"], return_inverse=True)[1], is_length_grid(frame)
    lengths = frame["context_length"].to_numpy(dtype=np.int64)
    if not is_grid:
        lengths = np.array([octave(length) for length in lengths.tolist()])
    twin = np.full(int(question.max(initial=-1)) + 1, -1)
    twin[question[reads]] = np.flatnonzero(reads)
    paired = np.flatnonzero(~np.isnan(lc_scores(frame)))
    rows_of = {
        str(name): rows
        for (name,), rows in row_groups(frame, "strategy", rows=paired)
        if strategy_of(name).is_deployable
    }
    if not rows_of:
        return None

    def leads(rows: NDArray[np.intp]) -> NDArray[np.float64]:
        gaps: NDArray[np.float64] = score[rows] - score[twin[question[rows]]]
        return gaps

    def sums(rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Shape (clusters, lengths): by how much leads exceed ``WORTH``, the longest length first."""
        known, places = np.unique(-lengths[rows], return_inverse=True)
        return cluster_sums(clusters[rows], places, leads(rows) - WORTH, len(known))

    def worth(name: str) -> tuple[float, float]:
        gains = np.cumsum(sums(rows_of[name]).sum(axis=0))
        return max(float(gains.max()), 0.0) / len(rows_of[name]), float(leads(rows_of[name]).mean())

    best = max(rows_of, key=worth)
    rows = rows_of[best]
    known = np.unique(lengths[rows])
    totals = sums(rows)
    totals = totals[totals.any(axis=1)] if totals.any() else totals[:1]
    switched = int(isotonic_prefix(totals.sum(axis=0) - 1e-6))
    drawn = np.sort(isotonic_prefix(bootstrap_sums(totals, BOOTSTRAP_DRAWS) - 1e-6))
    most, fewest = (int(drawn[int(share * (len(drawn) - 1))]) for share in (0.975, 0.025))
    # From so many of the longest lengths on; none is beyond the last.
    starts = [None, *map(int, known[::-1])]

    def lead(where: NDArray[np.bool_]) -> Interval | None:
        own = rows[where]
        return paired_difference(score[own], score[twin[question[own]]], clusters[own]) if len(own) else None

    def side(own: NDArray[np.intp]) -> SideMeans:
        means = [frame[name].to_numpy()[own] for name in ("prompt_tokens", "cost")]
        told = [
            float(values[~np.isnan(values)].mean()) if (~np.isnan(values)).any() else None for values in means
        ]
        return SideMeans(float(score[own].mean()), *told)

    gaps = []
    for length in known.tolist():
        own = rows[lengths[rows] == length]
        gap = lead(lengths[rows] == length)
        assert gap is not None
        gaps.append(LengthGap(length, side(twin[question[own]]), side(own), gap))
    start = starts[switched]
    above = lengths[rows] >= (start if start is not None else np.inf)
    everywhere = lead(np.ones(len(rows), dtype=np.bool_))
    assert everywhere is not None
    ceiling = score[frame["is_ceiling"].to_numpy() & ~np.isnan(score)]
    return Crossover(
        reader,
        best,
        is_grid,
        gaps=tuple(gaps),
        length=start,
        earliest=starts[max(most, switched)],
        latest=starts[min(fewest, switched)],
        lead=everywhere,
        above=lead(above),
        below=lead(~above),
        ceiling=float(ceiling.mean()) if len(ceiling) else None,
    )


def overall_choice(crossing: Crossover) -> Choice:
    """What to send: one side at every length, one below the crossover and the other from it on, either where
    the leads leave it open; "" where too little is known to say even that.

    Retrieval also where it surely loses less than ``WORTH`` and takes less.
    """
    lead, above, below = crossing.lead, crossing.above, crossing.below
    if not has_bounds(above or lead):
        return ""
    if above is not None and clear_leader(above) == "retrieval":
        return "retrieval" if below is None or _serves(below, shorter(crossing)) else "switch"
    if clear_leader(lead) == "context":
        return "context"
    return "retrieval" if _serves(lead, crossing.gaps) else "either"


def _serves(lead: Interval, gaps: Sequence[LengthGap]) -> bool:
    """Whether retrieval does as well for less: it surely loses less than ``WORTH``, full context is clearly
    ahead at no length, and no length is dearer."""
    dear = any(
        context is not None and retrieval is not None and retrieval > LESS * context
        for context, retrieval in ((gap.context.prompt_tokens, gap.retrieval.prompt_tokens) for gap in gaps)
    )
    behind = any(clear_leader(gap.lead) == "context" for gap in gaps)
    return has_bounds(lead) and greatest_loss(lead) < WORTH and not dear and not behind and saves(gaps)


def side_to_send(crossing: Crossover, gap: LengthGap) -> SentSide:
    """What to send at a length; where the leads together leave it open, who is clearly ahead at that one."""
    choice = overall_choice(crossing)
    if choice == "either":
        return clear_leader(gap.lead) or "either"
    if choice != "switch":
        return choice
    return "context" if gap.length < (crossing.length or 0) else "retrieval"


def clear_leader(lead: Interval) -> Literal["context", "retrieval", ""]:
    """Who is ahead, where the 95 % interval of retrieval's lead does not hold 0; "" otherwise."""
    if not has_bounds(lead):
        return ""
    if (lead.low or 0) > 0:
        return "retrieval"
    return "context" if (lead.high or 0) < 0 else ""


def greatest_loss(lead: Interval) -> float:
    """By how much retrieval may score lower, at the interval's end.

    Clusters that are all alike have no spread: that so many show no loss bounds the share of others (the rule
    of three's exact form, Hanley & Lippman-Hand 1983), each of which may lose the whole scale.
    """
    if lead.low is not None and lead.high is not None and is_point(lead.low, lead.high):
        return max(-lead.estimate, (HIGHEST - LOWEST) * (1 - float(0.05 ** (1 / lead.clusters))))
    return max(-(lead.low or 0), 0.0)


def clusters_to_decide(lead: Interval) -> int | None:
    """How many clusters would show a lead as large as this one, or ``WORTH``, in four of five runs.

    2.8 standard errors (Miller 2024), which shrink with the root of clusters; None where so many are there.
    """
    if lead.error is None:
        return None
    effect = max(abs(lead.estimate), WORTH)
    needed = ceil(lead.clusters * ((1.96 + POWER_QUANTILE) * lead.error / effect) ** 2)
    return needed if needed > lead.clusters else None


def shorter(crossing: Crossover) -> tuple[LengthGap, ...]:
    """The lengths below the crossover; all of them where there is none."""
    return tuple(gap for gap in crossing.gaps if crossing.length is None or gap.length < crossing.length)


def saves(gaps: Sequence[LengthGap]) -> bool:
    """Whether retrieval takes fewer tokens, by more than ``LESS``, at one of the lengths at least."""
    return any(
        gap.context.prompt_tokens is not None
        and gap.retrieval.prompt_tokens is not None
        and gap.retrieval.prompt_tokens * LESS < gap.context.prompt_tokens
        for gap in gaps
    )


def crossover_table(frame: DataFrame) -> Table:
    """One row per model and length: both sides, the lead and what to send."""
    return Table(
        name="crossover",
        title="Where retrieval beats full context",
        columns=(
            *("reader", "strategy", "length", "send", "context_score", "retrieval_score"),
            *("lead", "low", "high", "pairs", "clusters"),
            *("context_tokens", "retrieval_tokens", "context_cost", "retrieval_cost"),
        ),
        rows=tuple(_table_row(each, gap) for each in crossovers(frame) for gap in each.gaps),
        note="Means over pairs: trials of the same case, model and repeat, both scored. lead: retrieval less"
        " full context, with its 95 % interval over clusters. send: where the interval holds 0, either,"
        f" unless retrieval surely loses less than {WORTH:g} and takes less.",
    )


def _table_row(crossing: Crossover, gap: LengthGap) -> tuple[TableValue, ...]:
    context, retrieval, lead = gap.context, gap.retrieval, gap.lead
    side = side_to_send(crossing, gap)
    send = {"context": "everything", "retrieval": crossing.strategy}.get(side, side) or None
    # Nothing was paid, or no price is set: no 0.00 that reads as one.
    costs = (context.cost, retrieval.cost) if context.cost or retrieval.cost else (None, None)
    length = gap.length if crossing.is_grid else octave_label(gap.length)
    return (
        *(crossing.reader, crossing.strategy, length, send, context.score, retrieval.score),
        *(lead.estimate, lead.low, lead.high, lead.n, lead.clusters),
        *(context.prompt_tokens, retrieval.prompt_tokens, *costs),
    )
