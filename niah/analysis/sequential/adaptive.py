"""A night that asks no more trials than its verdict needs: the sequential design, on trials of two runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal

import numpy as np

from niah.analysis.compare.comparison import Comparison, compare_pairs
from niah.analysis.compare.pairs import Pairs
from niah.analysis.compare.rows import MEASURES, Measure, Row, finite
from niah.analysis.compare.verdict import Limits, VerdictKind, comparison_verdict
from niah.analysis.sequential.design import Arm, DesignUnit, SequentialDesign
from niah.analysis.sequential.foresight import Foresight, PlannedTable
from niah.analysis.stats.clusters import cluster_of
from niah.analysis.trial_columns import band_places
from niah.runs.trial import TrialRecord

Decision = Literal["regression", "no regression", "undecided"]

_NAMING_DOUBT = 0.1
"""Once the verdict is settled, an arm is asked on where such a chance is left that its row will be found
worse in the end and is not now, or the other way round."""


@dataclass(frozen=True)
class ArmVerdict:
    """What came of one reader with one strategy, in scores or in trials not scored.

    Attributes:
        reader, strategy, measure: whose trials.
        decision: "undecided" where trials are missing, or clusters are too few to test the row.
        asked, planned: pairs of it, that both runs have run and of the full design.
        look: the last one it took part in, from 1; 0 for none.
        chance: that all trials would find it worse, as it was foreseen at the last look before the end; None
            where nothing had to be foreseen.
        p: one-sided, that it got worse, adjusted for the whole table.
    """

    reader: str
    strategy: str
    measure: Measure
    decision: Decision
    asked: int
    planned: int
    look: int
    chance: float | None
    p: float | None


@dataclass(frozen=True)
class AdaptiveResult:
    """What an adaptive night came to.

    Attributes:
        looks: how many there may be.
        looks_done: how many there were.
        asked, planned: pairs, that both runs have run and of the full design.
        chance: of a regression with all trials, as it was foreseen at the last look before the end; None
            where nothing had to be foreseen.
        arms: what came of each.
    """

    looks: int
    looks_done: int
    asked: int
    planned: int
    chance: float | None
    arms: tuple[ArmVerdict, ...]


@dataclass(frozen=True)
class NightProgress:
    """How far a night has come.

    Attributes:
        looked: the last look that each arm took part in.
        due: reader, strategy and unit of what the next look lacks.
        foresight: at the last look that was complete.
    """

    looked: Mapping[Arm, int]
    due: frozenset[tuple[Arm, str]]
    foresight: Foresight | None


def design_of(pairs: Pairs, alpha: float, seed: int) -> SequentialDesign:
    """Every reader x strategy against its baseline, at one level for the whole night.

    Args:
        pairs: of the baseline and of tonight as it is planned; those that the baseline has run are the units.
        alpha: how often any regression may be found where nothing changed.
        seed: of the order of trials; the night's own.
    """
    units: dict[Arm, list[DesignUnit]] = {}
    for record in _planned(pairs).baseline:
        arm, unit = unit_of(record)
        units.setdefault(arm, []).append(unit)
    return SequentialDesign({arm: tuple(own) for arm, own in units.items()}, alpha=alpha, seed=seed)


def needed_trials(
    design: SequentialDesign, pairs: Pairs, nights: Sequence[Sequence[TrialRecord]] = ()
) -> frozenset[str]:
    """The ids of tonight's trials that the next look needs; none where all is decided.

    In it are those that have no partner, such as trials of rotating seeds: no look can do without them.

    Args:
        design: as it was before the night.
        pairs: of the baseline and of tonight, as far as it is.
        nights: records of earlier nights, as the verdict will have them.
    """
    due = progress_of(design, pairs, nights).due
    needed = [record for record in pairs.candidate if (_arm(record), _unit_key(record)) in due]
    return frozenset(record.trial_id for record in (*needed, *pairs.only_candidate))


def adaptive_comparison(
    design: SequentialDesign,
    pairs: Pairs,
    *,
    names: tuple[str, str],
    limits: Limits,
    notes: tuple[str, ...] = (),
    nights: Sequence[Sequence[TrialRecord]] = (),
) -> tuple[Comparison, AdaptiveResult]:
    """The comparison of what was asked: that of a night of all trials, where all of them were.

    What could be seen is told of the full design.

    Args:
        design: as it was before the night.
        pairs: of the baseline and of tonight.
        names: of baseline and tonight.
        limits: ``alpha`` as in the design.
        notes: to be told with the result.
        nights: records of earlier nights, which tell of luck that clusters share.

    Raises UserError where no pair was run.
    """
    progress, planned, asked = progress_of(design, pairs, nights), _planned(pairs), _asked(pairs)
    looks_done = max(progress.looked.values())
    how = (
        f"adaptive: {len(asked.baseline):,} of {len(planned.baseline):,} pairs asked, in {looks_done} of"
        f" {design.looks} looks"
    )
    found = compare_pairs(asked, names=names, limits=limits, notes=(how, *notes), earlier=nights)
    if len(asked.baseline) < len(planned.baseline):
        found = _as_of_all(found, planned, asked, nights, len(progress.due))
    return found, _result(design, progress, found, planned, asked, looks_done)


def progress_of(
    design: SequentialDesign, pairs: Pairs, nights: Sequence[Sequence[TrialRecord]]
) -> NightProgress:
    """The night again, look by look, as far as it has asked: a runner that was stopped need keep no state.

    What was asked beyond the look that is due counts in the verdict, and not in what is foreseen. The
    arguments are those of ``needed_trials``.
    """
    planned = _planned(pairs)
    places = [(_arm(record), _unit_key(record)) for record in planned.baseline]
    look_of = np.array([design.look_of[arm][key] for arm, key in places])
    run = np.array([record.outcome != "not_run" for record in planned.candidate])
    table = PlannedTable(planned, design.alpha, nights)
    looked, foresight, open_arms = dict.fromkeys(design.arms, 0), None, set(design.arms)
    while open_arms:
        look = min(max(looked.values()) + 1, design.looks)
        wanted = {**looked, **dict.fromkeys(open_arms, look)}
        asked = look_of <= np.array([wanted[arm] for arm, _ in places])
        if lacking := np.flatnonzero(asked & ~run).tolist():
            return NightProgress(looked, frozenset(places[at] for at in lacking), foresight)
        looked = wanted
        if asked.all():
            break
        if asked.any():
            foresight = table.foresee(asked)
            open_arms = _open_arms(design, foresight, _only(planned, asked), nights)
        open_arms = {arm for arm in open_arms if looked[arm] < design.looks}
    return NightProgress(looked, frozenset(), foresight)


def _open_arms(
    design: SequentialDesign, foresight: Foresight, asked: Pairs, nights: Sequence[Sequence[TrialRecord]]
) -> set[Arm]:
    """All, until the verdict is settled; then, where it is a regression, those that may be part of it."""
    chance = foresight.regression
    if design.doubt < chance < 1 - design.doubt:
        return set(design.arms)
    now = compare_pairs(asked, limits=Limits(alpha=design.alpha), earlier=nights)
    is_worse = now.verdict.kind == "regression"
    if (1 - chance if is_worse else chance) > design.doubt:
        return set(design.arms)
    if not is_worse:
        return set()
    p = {key: row.adjusted for key, row in _arm_rows(now).items()}
    found = {key for key, adjusted in p.items() if adjusted is not None and adjusted <= design.alpha}
    return {
        key[0]
        for key, chance in foresight.arms.items()
        if (1 - chance if key in found else chance) > _NAMING_DOUBT
    }


def _as_of_all(
    found: Comparison,
    planned: Pairs,
    asked: Pairs,
    nights: Sequence[Sequence[TrialRecord]],
    due: int,
) -> Comparison:
    """The comparison of a part, with what can be seen by all trials, and what may be missing of a part."""
    run = np.array([record.outcome != "not_run" for record in planned.candidate])
    table = PlannedTable(planned, found.limits.alpha, nights)
    detectable: dict[tuple[str, ...], list[float]] = {}
    for row in (row for rows in table.rows_at_the_end(run) for row in rows):
        detectable.setdefault(_row_key(row), []).append(np.inf if row.detectable is None else row.detectable)
    rows = tuple(
        replace(row, detectable=finite(float(np.median(detectable.get(_row_key(row), [np.inf])))))
        for row in found.rows
    )
    # Trials that tonight does not plan weigh as much against the pairs that were asked as against all.
    paired = sum(record.outcome == "scored" for record in asked.baseline)
    not_planned = (found.scored_before - paired) * len(asked.baseline) / len(planned.baseline)
    scored_before, nothing_changed = paired + round(not_planned), 0 < found.alike == found.rows[0].n
    verdict = comparison_verdict(
        *(rows, scored_before, found.limits),
        nothing_changed=nothing_changed,
        luck_is_known=table.luck_is_known,
    )
    if due:
        kind: VerdictKind = "incomplete" if verdict.kind == "no regression" else verdict.kind
        gap = f"{due:,} pairs of the next look were not asked."
        verdict = replace(verdict, kind=kind, gaps=(gap, *verdict.gaps))
    return replace(found, rows=rows, verdict=verdict)


def _result(
    design: SequentialDesign,
    progress: NightProgress,
    found: Comparison,
    planned: Pairs,
    asked: Pairs,
    looks_done: int,
) -> AdaptiveResult:
    rows, counts = _arm_rows(found), Counter(map(_arm, asked.baseline))
    due, chances = {arm for arm, _ in progress.due}, progress.foresight.arms if progress.foresight else {}
    arms = []
    for measure in MEASURES:
        for arm, units in design.arms.items():
            row = rows.get((arm, measure))
            p = row.adjusted if row else None
            decision: Decision = "undecided" if p is None or arm in due else "no regression"
            if p is not None and p <= design.alpha:
                decision = "regression"
            place = counts[arm], len(units), progress.looked[arm]
            arms.append(ArmVerdict(*arm, measure, decision, *place, chances.get((arm, measure)), p))
    chance = progress.foresight.regression if progress.foresight else None
    return AdaptiveResult(
        design.looks, looks_done, len(asked.baseline), len(planned.baseline), chance, tuple(arms)
    )


def _planned(pairs: Pairs) -> Pairs:
    """The pairs that the baseline has run."""
    return _only(pairs, [record.outcome != "not_run" for record in pairs.baseline])


def _asked(pairs: Pairs) -> Pairs:
    """The pairs that both have run."""
    both = zip(pairs.baseline, pairs.candidate, strict=True)
    return _only(pairs, ["not_run" not in (one.outcome, other.outcome) for one, other in both])


def _only(pairs: Pairs, which: Iterable[bool]) -> Pairs:
    kept = tuple(which)
    baseline, candidate = (tuple(compress(side, kept)) for side in (pairs.baseline, pairs.candidate))
    return replace(pairs, baseline=baseline, candidate=candidate)


def _arm_rows(comparison: Comparison) -> dict[tuple[Arm, Measure], Row]:
    """The rows of readers with strategies."""
    return {
        (Arm(**row.parts), row.measure): row for row in comparison.rows if set(row.parts) == set(Arm._fields)
    }


def _row_key(row: Row) -> tuple[str, ...]:
    return (row.measure, *row.parts.keys(), *row.parts.values())


def _arm(record: TrialRecord) -> Arm:
    return Arm(record.reader, record.strategy)


def _unit_key(record: TrialRecord) -> str:
    # A case id leaves the folders of own files out.
    return f"{record.needle_set} {record.haystack} {record.case_id}#{record.repeat}"


def unit_of(record: TrialRecord) -> tuple[Arm, DesignUnit]:
    """Whose trial it is, and what it is in the design.

    In strata of its length; lengths that were not asked for, in bands.
    """
    stratum = record.context_length
    if record.document_id is not None:
        stratum = int(band_places(np.array([record.context_length]))[0])
    return _arm(record), DesignUnit(_unit_key(record), cluster_of(record), stratum)
