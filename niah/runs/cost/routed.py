"""Trials whose reader may answer before it reads: how many read on, nobody knows before some are finished."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

from niah.runs.trial import Trial, TrialRecord

EXPECTED_SHARE = Decimal("0.5")
"""Of such trials that read on, until finished ones tell."""

FEWEST_TELLING = 10
"""Finished trials: fewer do not tell how many read on."""


@dataclass(frozen=True)
class RoutedTrials:
    """Of what is left to one reader, the trials that it may answer before it reads.

    Attributes:
        trials: how many.
        read_on: of them, expected; the others are answered on the way, which is preparation.
        is_known: whether finished trials told.
        prompt_tokens_at_least: of the reader's plan, where it answers all of them on the way.
    """

    trials: int
    read_on: int
    is_known: bool
    prompt_tokens_at_least: int


def may_be_answered_first(trial: Trial) -> bool:
    """Whether its reader may answer on the way."""
    return trial.strategy.prepared is not None and trial.strategy.prepared.may_answer


def share_reading_on(records: Sequence[TrialRecord], routes: Collection[str]) -> Decimal | None:
    """The share, 0 to 1, of scored trials of such strategies that read on; None where they are too few.

    Args:
        records: of one reader.
        routes: the strategies' definitions.
    """
    scored = [each for each in records if each.outcome == "scored" and each.definition in routes]
    if len(scored) < FEWEST_TELLING:
        return None
    return Decimal(sum(was_read(each) for each in scored)) / len(scored)


def was_read(record: TrialRecord) -> bool:
    """Whether the reader was sent the trial's prompt: what was answered on the way reports none."""
    return record.prompt_tokens != 0
