"""A night that asks no more trials than its verdict needs: the sequential design, on trials of two runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from niah.analysis.compare.comparison import Comparison, compare
from niah.analysis.compare.pairs import Pairs
from niah.analysis.compare.rows import Measure, Row
from niah.analysis.compare.verdict import ComparisonVerdict, Limits, VerdictKind, comparison_verdict
from niah.analysis.sequential import (
    Arm,
    Decision,
    SequentialDesign,
    State,
    adjusted,
    decision,
    differences_of,
    next_batch,
    next_trials,
    start,
    trial_of,
    units_of,
    update,
)
from niah.analysis.sequential.detectable import detectable_at_end
from niah.judges.verdict import LOWEST

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
class Adaptive:
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
        pairs: of the baseline and of tonight as it is planned.
        alpha: how often any regression may be found where nothing changed.
        seed: of the order of trials; the night's own.
    """
    return SequentialDesign(units_of(pairs), alpha=alpha, seed=seed)


def wanted(design: SequentialDesign, pairs: Pairs) -> frozenset[str]:
    """The ids of tonight's trials that the next look needs; none where all is decided.

    In it are those that have no partner, such as trials of rotating seeds: no look can do without them.
    """
    batch = next_trials(design, differences_of(pairs))
    due = {(arm.reader, arm.strategy, unit.key) for arm, units in batch.items() for unit in units}
    asked = {record.trial_id for record in pairs.candidate if trial_of(record) in due}
    return frozenset(asked | {record.trial_id for record in pairs.only_candidate})


def adaptive_comparison(
    design: SequentialDesign,
    pairs: Pairs,
    *,
    names: tuple[str, str],
    limits: Limits,
    notes: tuple[str, ...] = (),
) -> tuple[Comparison, Adaptive]:
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
    state = update(start(design), differences_of(pairs))
    asked = _asked(pairs)
    told = _told(state, asked)
    comparison = compare(
        asked, names=names, limits=limits, seed=design.seed, notes=(*_how(told, design.alpha), *notes)
    )
    rows = tuple(_row(row, state) for row in comparison.rows)
    found = comparison_verdict(
        rows,
        _to_find(comparison.scored_before, asked, told),
        limits,
        nothing_changed=0 < comparison.alike == comparison.rows[0].n,
    )
    return replace(comparison, rows=rows, untested=_UNTESTED, verdict=_looked_through(found, state)), told


def _asked(pairs: Pairs) -> Pairs:
    """Without the pairs that either run has not run."""
    run = [
        both
        for both in zip(pairs.baseline, pairs.candidate, strict=True)
        if "not_run" not in (both[0].outcome, both[1].outcome)
    ]
    return replace(pairs, baseline=tuple(one for one, _ in run), candidate=tuple(one for _, one in run))


def _to_find(scored_before: int, asked: Pairs, told: Adaptive) -> int:
    """How many trials should have a score tonight, as do these of the baseline.

    Those that tonight does not plan weigh as much against the pairs that were asked as they do against all.
    """
    paired = sum(record.outcome == "scored" for record in asked.baseline)
    return paired + round((scored_before - paired) * told.asked / max(told.planned, 1))


def _looked_through(found: ComparisonVerdict, state: State) -> ComparisonVerdict:
    """Incomplete where a look lacks trials, unless something got worse."""
    due = {(arm.reader, arm.strategy, unit.key) for arm, units in next_batch(state).items() for unit in units}
    if not due:
        return found
    kind: VerdictKind = "incomplete" if found.kind == "no regression" else found.kind
    return replace(
        found, kind=kind, gaps=(f"{len(due):,} pairs of the next look were not asked.", *found.gaps)
    )


def _told(state: State, asked: Pairs) -> Adaptive:
    decided, p = decision(state), adjusted(state.design, state.p)
    arms = tuple(_arm(state, arm, decided[arm], p[arm]) for arm in state.design.arms)
    planned = sum(len(units) for arm, units in state.design.arms.items() if arm.measure == "score")
    return Adaptive(state.design.looks, state.looks_done, len(asked.baseline), planned, arms)


def _arm(state: State, arm: Arm, decided: Decision, p: float) -> ArmVerdict:
    at = state.standings.get(arm)
    return ArmVerdict(
        reader=arm.reader,
        strategy=arm.strategy,
        measure=arm.measure,
        decision=decided,
        asked=len(state.observed[arm]),
        planned=len(state.design.arms[arm]),
        look=state.looked.get(arm, 0),
        z=at.z if at else 0.0,
        p=p,
    )


def _how(told: Adaptive, alpha: float) -> tuple[str, ...]:
    return (
        f"adaptive: {told.asked:,} of {told.planned:,} pairs asked, in {told.looks_done} of {told.looks}"
        f" looks; tested are readers with strategies, at {alpha:g} over all; other rows say where",
    )


def _row(row: Row, state: State) -> Row:
    """The row as the design sees it: tested where it is an arm."""
    arm = _arm_of(row.parts, row.measure)
    at = state.standings.get(arm) if arm else None
    if arm is None or at is None:
        return replace(row, adjusted=None)
    boundary = state.design.boundary(arm, state.design.looks - 1)
    room = (row.baseline or LOWEST) - LOWEST if row.measure == "score" else 1 - (row.baseline or 0)
    least = detectable_at_end(at, boundary, len(state.design.arms[arm]), room)
    return replace(row, adjusted=adjusted(state.design, state.p)[arm], detectable=least)


def _arm_of(parts: Mapping[str, str], measure: Measure) -> Arm | None:
    if parts.keys() != {"reader", "strategy"}:
        return None
    return Arm(parts["reader"], parts["strategy"], measure)
