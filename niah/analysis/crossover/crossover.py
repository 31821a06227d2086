"""From which context length on full context falls behind retrieval, and by how much.

A reader that can choose sends everything below some length and a strategy's chunks from there on. The
crossover is the length at which that pays most: the one that maximises the sum of the paired differences,
less ``WORTH`` each, from it on. It is also where the isotonic regression of the differences on length (a lead
of retrieval that may only grow with length) first exceeds ``WORTH`` (Barlow et al. 1972, max-min formula), so
that a single length's luck makes no crossover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import TrialLuck, is_length_grid, row_groups, strategies_in, trial_luck
from niah.analysis.stats.bootstrap import paired_difference
from niah.analysis.stats.clusters import resampled, totals
from niah.analysis.stats.interval import Interval
from niah.analysis.tables.win_rates import lc_scores
from niah.strategies.strategy import strategy_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

WORTH = 0.5
"""Points of score a question that a switch has to bring: where both read everything right, luck decides."""

_DRAWS = 2000
_LEAST_SEEDS = 5


@dataclass(frozen=True)
class SideMeans:
    """Full context, or retrieval, over some pairs.

    Attributes:
        score: mean, 1 to 10.
        prompt_tokens, cost: means a question, in the reader's tokens and in $; None where no trial says.
    """

    score: float
    prompt_tokens: float | None
    cost: float | None


@dataclass(frozen=True)
class LengthGap:
    """Both sides at one length.

    Attributes:
        length: in tokens; of given documents the upper border of their band, twice its lower one.
        context, retrieval: both sides.
        lead: of retrieval, over the pairs.
    """

    length: int
    context: SideMeans
    retrieval: SideMeans
    lead: Interval


@dataclass(frozen=True)
class UnreadLength:
    """A length at which full context was asked and never scored, and retrieval was.

    Attributes:
        length: in tokens, as of a ``LengthGap``.
        retrieval: of the strategy's scored trials there.
    """

    length: int
    retrieval: SideMeans


@dataclass(frozen=True)
class Crossover:
    """Full context against the retrieving strategy that it pays most to switch to.

    Attributes:
        reader: whose trials.
        strategy: of those that can be deployed the one that it pays most to switch to, or that surely loses
            less than ``WORTH`` to that one and reads least; where no switch pays, of those that surely lose
            less than that to full context the one that reads least, or else the one with the greatest lead.
            Of one cluster alone nothing is sure: a mean that is no lower does.
        is_grid: whether lengths were asked for, rather than bands of given documents' lengths.
        gaps: by length, rising; those at which both sides have scores.
        length: from which on a switch pays; None where it pays nowhere.
        earliest, latest: the interval of ``length``, 95 %, over clusters drawn anew; None is beyond the last.
        lead: of retrieval at all lengths.
        above, below: the same from ``length`` on, and before; None where there is nothing.
        unread: by length, rising; those at which full context has no score, though it was asked.
        needle_sets: by length, of ``gaps``, in the order of names: means of other needle sets are of other
            questions. Empty for given documents, each of whose lengths has questions of its own.
        run, planned: trials of full context and of the strategy: those that were asked, and all.
        is_application: whether the strategy answers by itself, an application of the user's own.
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
    unread: tuple[UnreadLength, ...]
    needle_sets: Mapping[int, tuple[str, ...]]
    run: int
    planned: int
    is_application: bool = False

    def chosen(self, gap: LengthGap) -> SideMeans:
        """The side to send at a length: full context below the crossover, retrieval from it on."""
        return gap.context if self.length is None or gap.length < self.length else gap.retrieval

    @property
    def mixed(self) -> SideMeans:
        """Of who sends everything below the crossover, and the strategy's chunks from it on."""
        return self.over_lengths(self.chosen)

    def over_lengths(self, side: Callable[[LengthGap], SideMeans]) -> SideMeans:
        """Means over the pairs of every length; tokens and cost are None where one length does not say."""

        def mean(value: Callable[[SideMeans], float | None]) -> float | None:
            known = [(value(side(gap)), gap.lead.n) for gap in self.gaps]
            if any(each is None for each, _ in known):
                return None
            return sum((each or 0) * n for each, n in known) / sum(n for _, n in known)

        score = mean(lambda means: means.score)
        assert score is not None
        return SideMeans(score, mean(lambda means: means.prompt_tokens), mean(lambda means: means.cost))


@dataclass(frozen=True)
class _Pairs:
    """A strategy's trials that full context has a scored twin of.

    Attributes:
        rows: of the retrieving trials, shape (n,).
        twins: rows of their twins, shape (n,).
        places: each pair's length, by its place among ``lengths``, shape (n,).
        lengths: at which there are pairs, rising.
        leads: retrieval's score less full context's, shape (n,).
    """

    rows: NDArray[np.intp]
    twins: NDArray[np.intp]
    places: NDArray[np.intp]
    lengths: NDArray[np.int64]
    leads: NDArray[np.float64]

    def sums(self, clusters: NDArray[np.int64]) -> NDArray[np.float64]:
        """Shape (clusters, lengths): by how much leads exceed what a switch is worth."""
        at_length = self.places[:, None] == np.arange(len(self.lengths))
        return totals(clusters[self.rows], *((self.leads - WORTH)[:, None] * at_length).T)


def crossovers(frame: DataFrame) -> list[Crossover]:
    """One for each reader that was asked with full context and with retrieval, by name."""
    found = (_crossover(reader, frame.iloc[rows]) for (reader,), rows in row_groups(frame, "reader"))
    return [each for each in found if each is not None]


def switch_place(gains: NDArray[np.float64]) -> NDArray[np.intp]:
    """Shape (...,): from which place on it pays most to switch; the number of places where it never does.

    Args:
        gains: shape (..., places): what a switch brings in each, less what it has to bring.
    """
    from_place = np.cumsum(gains[..., ::-1], axis=-1)[..., ::-1]
    never = np.zeros((*gains.shape[:-1], 1))
    # The later of two places that pay alike: a switch that brings nothing is none.
    backwards = np.concatenate([from_place, never], axis=-1)[..., ::-1]
    place: NDArray[np.intp] = gains.shape[-1] - np.argmax(backwards, axis=-1)
    return place


def _crossover(reader: str, frame: DataFrame) -> Crossover | None:
    is_grid = is_length_grid(frame)
    lengths = _lengths(frame, is_grid=is_grid)
    twin, luck = _twins(frame), trial_luck(frame)
    candidates = {
        strategy: _pairs(frame, rows, twin, lengths)
        for (strategy,), rows in row_groups(frame, "strategy", rows=np.flatnonzero(twin >= 0))
        if strategy_of(strategy).is_deployable
    }
    if not candidates:
        return None
    strategy = _chosen(frame, candidates, luck)
    pairs = candidates[strategy]
    sums = pairs.sums(_drawn_as_one(luck, pairs.rows))
    place = int(switch_place(sums.sum(axis=0)))
    earliest, latest = _bounds(sums)
    known = [*map(int, pairs.lengths), None]

    def lead(where: NDArray[np.bool_]) -> Interval | None:
        members = pairs.rows[where], pairs.twins[where]
        return _lead(frame, luck, *members) if where.any() else None

    compared = frame["sends_context"].to_numpy() | (frame["strategy"] == strategy).to_numpy()
    everywhere = lead(np.ones(len(pairs.rows), dtype=np.bool_))
    assert everywhere is not None
    return Crossover(
        reader,
        strategy,
        is_grid,
        gaps=tuple(_gaps(frame, luck, pairs)),
        length=known[place],
        earliest=known[earliest],
        latest=known[latest],
        lead=everywhere,
        above=lead(pairs.places >= place),
        below=lead(pairs.places < place),
        unread=tuple(_unread(frame, strategy, lengths)),
        needle_sets=_needle_sets(frame, pairs) if is_grid else {},
        run=int((compared & (frame["outcome"] != "not_run").to_numpy()).sum()),
        planned=int(compared.sum()),
        is_application=strategies_in(frame)[strategy].system is not None,
    )


def _lengths(frame: DataFrame, *, is_grid: bool) -> NDArray[np.int64]:
    """Shape (n,): each trial's length, or the upper border of its band."""
    lengths = frame["context_length"].to_numpy(dtype=np.int64)
    return lengths if is_grid else 1 << np.ceil(np.log2(np.maximum(lengths, 1))).astype(np.int64)


def _twins(frame: DataFrame) -> NDArray[np.intp]:
    """Shape (n,): of a retrieving trial that makes a pair the row of its twin with full context; else -1."""
    question, reads = frame["question"].to_numpy(), frame["sends_context"].to_numpy()
    place = np.full(int(question.max(initial=-1)) + 1, -1, dtype=np.intp)
    place[question[reads]] = np.flatnonzero(reads)
    return np.where(np.isnan(lc_scores(frame)), -1, place[question])


def _pairs(
    frame: DataFrame, rows: NDArray[np.intp], twin: NDArray[np.intp], lengths: NDArray[np.int64]
) -> _Pairs:
    score = frame["score"].to_numpy()
    known, places = np.unique(lengths[rows], return_inverse=True)
    return _Pairs(rows, twin[rows], places, known, score[rows] - score[twin[rows]])


def _chosen(frame: DataFrame, candidates: Mapping[str, _Pairs], luck: TrialLuck) -> str:
    """The strategy that it pays most to switch to, or one that is level with it and reads less; if a
    switch to none pays, the one that does as well as full context for least.
    """
    worth = {name: _worth(pairs, luck) for name, pairs in candidates.items()}
    best = max(worth, key=lambda name: worth[name])
    if worth[best][0] > 0:
        as_good = [
            name
            for name, pairs in candidates.items()
            if name == best or _is_level(frame, luck, pairs, candidates[best])
        ]
    else:
        as_good = [
            name for name, pairs in candidates.items() if _loses_little(frame, luck, pairs.rows, pairs.twins)
        ]
    tokens = frame["prompt_tokens"].fillna(np.inf).to_numpy()
    return min(as_good, key=lambda name: float(tokens[candidates[name].rows].mean()), default=best)


def _is_level(frame: DataFrame, luck: TrialLuck, pairs: _Pairs, best: _Pairs) -> bool:
    """Whether a strategy surely loses less than ``WORTH`` to the best one: over the questions from that one's
    crossover on, and over all.
    """
    question = frame["question"].to_numpy()
    order, of_best = (np.argsort(question[each.rows], kind="stable") for each in (pairs, best))
    rows, others = pairs.rows[order], best.rows[of_best]
    if not np.array_equal(question[rows], question[others]):
        return False
    place = int(switch_place(best.sums(luck.clusters).sum(axis=0)))
    switched = best.places[of_best] >= place
    return _loses_little(frame, luck, rows[switched], others[switched]) and _loses_little(
        frame, luck, rows, others
    )


def _loses_little(
    frame: DataFrame, luck: TrialLuck, rows: NDArray[np.intp], others: NDArray[np.intp]
) -> bool:
    """Whether ``rows`` surely lose less than ``WORTH``; of one cluster, which has no interval, nothing."""
    lead = _lead(frame, luck, rows, others)
    return lead.estimate >= 0 if lead.low is None else lead.low > -WORTH


def _worth(pairs: _Pairs, luck: TrialLuck) -> tuple[float, float]:
    """What a strategy is chosen by: what the best switch to it brings a pair, then its lead."""
    gains = pairs.sums(luck.clusters).sum(axis=0)
    place = int(switch_place(gains))
    return float(gains[place:].sum()) / len(pairs.rows), float(pairs.leads.mean())


def _drawn_as_one(luck: TrialLuck, rows: NDArray[np.intp]) -> NDArray[np.int64]:
    """What is drawn together: seeds, whose luck needle sets may share; clusters where seeds are few."""
    return luck.seeds if len(np.unique(luck.seeds[rows])) >= _LEAST_SEEDS else luck.clusters


def _bounds(sums: NDArray[np.float64]) -> tuple[int, int]:
    """Between which places the switch lies in 95 % of draws."""
    places = np.sort(switch_place(resampled(sums, _DRAWS, seed=0)))
    low, high = np.quantile(places, (0.025, 0.975), method="inverted_cdf")
    return int(low), int(high)


def _gaps(frame: DataFrame, luck: TrialLuck, pairs: _Pairs) -> list[LengthGap]:
    gaps = []
    for place, length in enumerate(pairs.lengths):
        members = pairs.places == place
        rows, twins = pairs.rows[members], pairs.twins[members]
        sides = _side(frame, twins), _side(frame, rows)
        gaps.append(LengthGap(int(length), *sides, _lead(frame, luck, rows, twins)))
    return gaps


def _needle_sets(frame: DataFrame, pairs: _Pairs) -> dict[int, tuple[str, ...]]:
    names = frame["needle_set"].to_numpy()[pairs.rows]
    return {
        int(length): tuple(sorted(set(names[pairs.places == place])))
        for place, length in enumerate(pairs.lengths)
    }


def _lead(frame: DataFrame, luck: TrialLuck, rows: NDArray[np.intp], twins: NDArray[np.intp]) -> Interval:
    score = frame["score"].to_numpy()
    return paired_difference(score[rows], score[twins], *luck.of_new_seeds(rows))


def _side(frame: DataFrame, rows: NDArray[np.intp]) -> SideMeans:
    def mean(name: str) -> float | None:
        values = frame[name].to_numpy()[rows]
        known = values[~np.isnan(values)]
        return float(known.mean()) if len(known) else None

    return SideMeans(float(frame["score"].to_numpy()[rows].mean()), mean("prompt_tokens"), mean("cost"))


def _unread(frame: DataFrame, strategy: str, lengths: NDArray[np.int64]) -> Iterator[UnreadLength]:
    reads, scored = frame["sends_context"].to_numpy(), frame["scored"].to_numpy()
    asked = reads & (frame["outcome"] != "not_run").to_numpy()
    own = (frame["strategy"] == strategy).to_numpy() & scored
    answered = set(lengths[own].tolist()) - set(lengths[reads & scored].tolist())
    for length in sorted(answered & set(lengths[asked].tolist())):
        yield UnreadLength(length, _side(frame, np.flatnonzero(own & (lengths == length))))
