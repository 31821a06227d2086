"""From records of runs to a design's units and differences."""

from __future__ import annotations

from collections.abc import Sequence

from niah.analysis.sequential.state import Observations
from niah.analysis.sequential.unit import Arm, Unit
from niah.runs.trial import TrialRecord


def units_of(baseline: Sequence[TrialRecord]) -> dict[Arm, tuple[Unit, ...]]:
    """The full design: every trial that has a score in the baseline, by reader and strategy."""
    units: dict[Arm, list[Unit]] = {}
    for record in baseline:
        if record.score is not None:
            units.setdefault(_arm(record), []).append(_unit(record))
    return {arm: tuple(own) for arm, own in units.items()}


def differences_of(tonight: Sequence[TrialRecord], baseline: Sequence[TrialRecord]) -> Observations:
    """Score tonight minus score in the baseline, for all trials of the full design that tonight has run.

    None where tonight's trial was run and got no score. Anchor seeds alone have partners.
    """
    scores = {(_arm(one), _unit(one).key): one.score for one in baseline if one.score is not None}
    found: dict[Arm, dict[str, float | None]] = {}
    for record in tonight:
        arm, key = _arm(record), _unit(record).key
        if record.outcome == "not_run" or (arm, key) not in scores:
            continue
        found.setdefault(arm, {})[key] = None if record.score is None else record.score - scores[arm, key]
    return found


def _arm(record: TrialRecord) -> Arm:
    return record.reader, record.strategy


def _unit(record: TrialRecord) -> Unit:
    return Unit(f"{record.case_id}#{record.repeat}", (record.needle_set, record.seed), record.context_length)
