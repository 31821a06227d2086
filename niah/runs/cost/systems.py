"""What whole applications of the user's own will take: as they reported of finished trials, else unknown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from statistics import fmean

from niah.runs.cost.estimate.planned_use import PlannedUse
from niah.runs.trial import Trial, TrialRecord


def plan_systems(
    left: Sequence[Trial], records: Iterable[TrialRecord], kept: Collection[str]
) -> tuple[PlannedUse, ...]:
    """What each application will take.

    Args:
        left: the trials that are not finished.
        records: of the run file's finished trials.
        kept: ids of trials whose answers are kept from earlier runs.
    """
    names = dict.fromkeys(trial.strategy.name for trial in left if trial.strategy.system)
    told: dict[str, list[TrialRecord]] = {name: [] for name in names}
    for record in records:
        if record.strategy in told and not record.from_cache:
            told[record.strategy].append(record)
    return tuple(
        _planned(name, [t for t in left if t.strategy.name == name and t.trial_id not in kept], told[name])
        for name in names
    )


def _planned(name: str, asked: Sequence[Trial], told: Sequence[TrialRecord]) -> PlannedUse:
    at_once = asked[0].strategy.system_at_once if asked else 1
    cost, seconds = _mean(told, lambda record: record.cost), _mean(told, lambda record: record.latency_s)
    return PlannedUse(
        name=name,
        calls=len(asked),
        prompt_tokens=round(len(asked) * (_mean(told, lambda record: record.prompt_tokens) or 0)),
        answer_tokens=round(len(asked) * (_mean(told, lambda record: record.completion_tokens) or 0)),
        usd=None if asked and cost is None else Decimal(str(round((cost or 0) * len(asked), 8))),
        free=False,
        seconds=None if asked and seconds is None else (seconds or 0) * len(asked) / at_once,
        tokenizers=(),
    )


def _mean(records: Iterable[TrialRecord], value: Callable[[TrialRecord], float | None]) -> float | None:
    """Of those that say."""
    known = [found for record in records if (found := value(record)) is not None]
    return fmean(known) if known else None
