"""From trials of two runs side by side to a design's units and differences."""

from __future__ import annotations

from niah.analysis.compare.pairs import Pairs
from niah.analysis.sequential.state import Observations
from niah.analysis.sequential.unit import Arm, Unit
from niah.runs.trial import TrialRecord


def units_of(pairs: Pairs) -> dict[Arm, tuple[Unit, ...]]:
    """The full design: every pair that the baseline has run, for scores and for trials not scored."""
    units: dict[tuple[str, str], list[Unit]] = {}
    for record in pairs.baseline:
        if record.outcome != "not_run":
            units.setdefault((record.reader, record.strategy), []).append(_unit(record))
    own = {who: tuple(found) for who, found in units.items()}
    return {
        **{Arm(*who, "score"): found for who, found in own.items()},
        **{Arm(*who, "not scored"): found for who, found in own.items()},
    }


def differences_of(pairs: Pairs) -> Observations:
    """By arm and unit, how much better tonight is than the baseline, of all pairs that both have run.

    In points of score, None where either has none; or 1 for a trial that is scored tonight and was not, -1
    the other way round.
    """
    found: dict[Arm, dict[str, float | None]] = {}
    for before, tonight in zip(pairs.baseline, pairs.candidate, strict=True):
        if "not_run" in (before.outcome, tonight.outcome):
            continue
        key, who = _unit(before).key, (before.reader, before.strategy)
        found.setdefault(Arm(*who, "score"), {})[key] = _gain(before, tonight)
        found.setdefault(Arm(*who, "not scored"), {})[key] = float(_scored(tonight) - _scored(before))
    return found


def trial_of(record: TrialRecord) -> tuple[str, str, str]:
    """Reader, strategy, and the unit's key."""
    return record.reader, record.strategy, _unit(record).key


def _gain(before: TrialRecord, tonight: TrialRecord) -> float | None:
    if before.score is None or tonight.score is None:
        return None
    return float(tonight.score - before.score)


def _scored(record: TrialRecord) -> bool:
    return record.outcome == "scored"


def _unit(record: TrialRecord) -> Unit:
    # A case id leaves the folders of own files out.
    key = f"{record.needle_set} {record.haystack} {record.case_id}#{record.repeat}"
    return Unit(key, (record.needle_set, record.seed), record.context_length)
