"""A night that asks no more trials than its verdict needs: the sequential design, on trials of two runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from niah.analysis.compare.comparison import Comparison, compare
from niah.analysis.compare.pairs import Pairs
from niah.analysis.compare.rows import Measure, Row
from niah.analysis.compare.verdict import Limits, VerdictKind, comparison_verdict
from niah.analysis.frame import band_places
from niah.analysis.sequential.design import Arm, DesignUnit, SequentialDesign
from niah.analysis.sequential.interim_statistic import detectable_at_end
from niah.analysis.sequential.state import (
    Decision,
    Observations,
    State,
    adjusted,
    decision,
    next_batch,
    next_trials,
    start,
    update,
)
from niah.analysis.stats.clusters import cluster_of
from niah.judges.verdict import LOWEST
from niah.runs.trial import TrialRecord

_UNTESTED = "not tested in an adaptive night, which tests readers with strategies"


@dataclass(frozen=True)
class ArmVerdict:
    """What came of one reader with one strategy, in scores or in trials not scored.

    Attributes:
        reader, strategy, measure: whose trials.
        decision: "undecided" where trials are missing, or fewer than three clusters have scores.
        asked, planned: pairs of it, that both runs have run and of the full design.
        look: the last one it took part in, from 1; 0 for none.
        z: its statistic there, below 0 for worse.
        p: one-sided, that it got worse, with Holm's correction for all arms.
    """

    reader: str
    strategy: str
    measure: Measure
    decision: Decision
    asked: int
    planned: int
    look: int
    z: float
    p: float


@dataclass(frozen=True)
class AdaptiveResult:
    """What an adaptive night came to.

    Attributes:
        looks: how many there may be.
        looks_done: how many there were.
        asked, planned: pairs, that both runs have run and of the full design.
        arms: what came of each.
    """

    looks: int
    looks_done: int
    asked: int
    planned: int
    arms: tuple[ArmVerdict, ...]


def design_of(pairs: Pairs, alpha: float, seed: int) -> SequentialDesign:
    """Every reader x strategy against its baseline, at one level for the whole night.

    Args:
        pairs: of the baseline and of tonight as it is planned; those that the baseline has run are the units.
        alpha: how often any regression may be found where nothing changed.
        seed: of the order of trials; the night's own.
    """
    units: dict[tuple[str, str], list[DesignUnit]] = {}
    for record in pairs.baseline:
        if record.outcome != "not_run":
            units.setdefault((record.reader, record.strategy), []).append(_unit(record))
    measures: tuple[Measure, ...] = ("score", "not scored")
    arms = {Arm(*who, measure): tuple(own) for measure in measures for who, own in units.items()}
    return SequentialDesign(arms, alpha=alpha, seed=seed)


def observed_differences(pairs: Pairs) -> Observations:
    """By arm and unit, how much better tonight is than the baseline, of all pairs that both have run.

    In points of score, None where either has none; or 1 for a trial that is scored tonight and was not, -1
    the other way round.
    """
    found: dict[Arm, dict[str, float | None]] = {}
    for before, tonight in _both_run(pairs):
        key, who = _unit_key(before), (before.reader, before.strategy)
        unknown = before.score is None or tonight.score is None
        gain = None if unknown else float(tonight.score or 0) - float(before.score or 0)
        found.setdefault(Arm(*who, "score"), {})[key] = gain
        scored = (tonight.outcome == "scored") - (before.outcome == "scored")
        found.setdefault(Arm(*who, "not scored"), {})[key] = float(scored)
    return found


def needed_trials(design: SequentialDesign, pairs: Pairs) -> frozenset[str]:
    """The ids of tonight's trials that the next look needs; none where all is decided.

    In it are those that have no partner, such as trials of rotating seeds: no look can do without them.
    """
    due = _due(next_trials(design, observed_differences(pairs)))
    needed = [each for each in pairs.candidate if (each.reader, each.strategy, _unit_key(each)) in due]
    return frozenset(record.trial_id for record in (*needed, *pairs.only_candidate))


def adaptive_comparison(
    design: SequentialDesign,
    pairs: Pairs,
    *,
    names: tuple[str, str],
    limits: Limits,
    notes: tuple[str, ...] = (),
) -> tuple[Comparison, AdaptiveResult]:
    """The comparison of what was asked, with the verdict of the design.

    Of the table's rows those of reader x strategy are tested, by the design; finer ones say where. What could
    be seen is told of the full design.

    Args:
        design: as it was before the night.
        pairs: of the baseline and of tonight.
        names: of baseline and tonight.
        limits: ``alpha`` as in the design.
        notes: to be told with the result.

    Raises UserError where no pair was run.
    """
    state = update(start(design), observed_differences(pairs))
    both = _both_run(pairs)
    asked = replace(
        pairs, baseline=tuple(one for one, _ in both), candidate=tuple(other for _, other in both)
    )
    result = _result(state, len(both))
    how = (
        f"adaptive: {result.asked:,} of {result.planned:,} pairs asked, in {result.looks_done} of"
        f" {result.looks} looks; tested are readers with strategies, at {design.alpha:g} over all; other"
        " rows say where"
    )
    comparison = compare(asked, names=names, limits=limits, seed=design.seed, notes=(how, *notes))
    rows = tuple(_row(row, state) for row in comparison.rows)
    # Trials that tonight does not plan weigh as much against the pairs that were asked as against all.
    paired = sum(record.outcome == "scored" for record in asked.baseline)
    not_planned = (comparison.scored_before - paired) * result.asked / max(result.planned, 1)
    nothing_changed = 0 < comparison.alike == comparison.rows[0].n
    verdict = comparison_verdict(rows, paired + round(not_planned), limits, nothing_changed=nothing_changed)
    if due := _due(next_batch(state)):
        kind: VerdictKind = "incomplete" if verdict.kind == "no regression" else verdict.kind
        gap = f"{len(due):,} pairs of the next look were not asked."
        verdict = replace(verdict, kind=kind, gaps=(gap, *verdict.gaps))
    return replace(comparison, rows=rows, untested=_UNTESTED, verdict=verdict), result


def _both_run(pairs: Pairs) -> list[tuple[TrialRecord, TrialRecord]]:
    """The pairs that both runs have run."""
    both = zip(pairs.baseline, pairs.candidate, strict=True)
    return [pair for pair in both if "not_run" not in (pair[0].outcome, pair[1].outcome)]


def _due(batch: Mapping[Arm, tuple[DesignUnit, ...]]) -> set[tuple[str, str, str]]:
    """Reader, strategy and unit of each trial of a batch: once, where two arms want the same."""
    return {(arm.reader, arm.strategy, unit.key) for arm, units in batch.items() for unit in units}


def _result(state: State, asked: int) -> AdaptiveResult:
    design, decided, p = state.design, decision(state), adjusted(state.design, state.p)
    arms = tuple(
        ArmVerdict(
            *arm,
            decision=decided[arm],
            asked=len(state.observed[arm]),
            planned=len(units),
            look=state.looked.get(arm, 0),
            z=state.statistics[arm].z if arm in state.statistics else 0.0,
            p=p[arm],
        )
        for arm, units in design.arms.items()
    )
    planned = sum(len(units) for arm, units in design.arms.items() if arm.measure == "score")
    return AdaptiveResult(design.looks, state.looks_done, asked, planned, arms)


def _row(row: Row, state: State) -> Row:
    """The row as the design sees it: tested where it is an arm."""
    if row.parts.keys() != {"reader", "strategy"}:
        return replace(row, adjusted=None)
    arm = Arm(row.parts["reader"], row.parts["strategy"], row.measure)
    if arm not in state.statistics:
        return replace(row, adjusted=None)
    boundary = state.design.boundary(arm, state.design.looks - 1)
    room = (row.baseline or LOWEST) - LOWEST if row.measure == "score" else 1 - (row.baseline or 0)
    least = detectable_at_end(state.statistics[arm], boundary, len(state.design.arms[arm]), room)
    return replace(row, adjusted=adjusted(state.design, state.p)[arm], detectable=least)


def _unit_key(record: TrialRecord) -> str:
    # A case id leaves the folders of own files out.
    return f"{record.needle_set} {record.haystack} {record.case_id}#{record.repeat}"


def _unit(record: TrialRecord) -> DesignUnit:
    """In strata of its length; lengths that were not asked for, in bands."""
    stratum = record.context_length
    if record.document_id is not None:
        stratum = int(band_places(np.array([record.context_length]))[0])
    return DesignUnit(_unit_key(record), cluster_of(record), stratum)
