"""A reference for tonight that is the mean of several nights: those before it that were accepted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from niah.analysis.compare.comparison import compare_pairs
from niah.analysis.compare.pairs import Pairs, pair
from niah.analysis.compare.verdict import Limits
from niah.runs.file.nights import night_of
from niah.runs.file.read_model import RunScores
from niah.runs.trial import TrialRecord

LOOKED_AT = 3
"""So many times as many nights are looked at as are asked for: to find those that are no regressions."""


@dataclass(frozen=True)
class PooledNights:
    """Nights whose mean tonight is compared with.

    Attributes:
        asked: how many nights were asked for.
        runs: the accepted ones, the latest first; as many as asked for, or fewer.
        left_out: regressions since the first of them, the latest first.
    """

    asked: int
    runs: tuple[RunScores, ...]
    left_out: tuple[date, ...]

    @property
    def role(self) -> str:
        """What tonight's verdict calls them."""
        count = len(self.runs)
        return "the last accepted night" if count == 1 else f"the mean of the last {count} accepted nights"

    @property
    def note(self) -> str:
        """One line: which nights they are, and which were left out."""
        told = f"the reference is {self.role}: {', '.join(str(_date(run)) for run in self.runs)}"
        if len(self.runs) < self.asked:
            told += f"; {self.asked} were asked for, and there are no more"
        if self.left_out:
            told += f"; left out as {'regressions' if len(self.left_out) > 1 else 'a regression'}: "
            told += ", ".join(map(str, self.left_out))
        return told


def pooled_nights(
    nights: Sequence[RunScores],
    count: int,
    limits: Limits,
    since: date | None = None,
    refused: Collection[date] = (),
) -> PooledNights:
    """The last ``count`` accepted ones of whole nights of a run.

    From the earliest on, a night is accepted unless it is a regression against the mean of those accepted
    before it. Where nothing is alike any longer, such as texts or judges, the nights before that no longer
    count.

    Args:
        nights: before the one that is to be compared, the latest first: ``LOOKED_AT`` times ``count``.
        count: how many are pooled.
        limits: of tonight's verdict.
        since: the night from which on a lasting change was accepted; earlier ones are not looked at.
        refused: nights that are not among these, since they were regressions that nobody accepted.
    """
    accepted: list[RunScores] = []
    left_out: list[date] = []
    for run in reversed(nights):
        if since and _date(run) < since:
            continue
        pairs = _alike(accepted[-1], run) if accepted else None
        if pairs and not pairs.baseline:
            accepted, left_out, pairs = [], [], None
        if pairs and _is_regression(pairs, accepted, count, limits):
            left_out.append(_date(run))
        else:
            accepted.append(run)
    pooled = accepted[-count:][::-1]
    left_out += [day for day in refused if pooled and day > _date(pooled[-1])]
    return PooledNights(count, tuple(pooled), tuple(sorted(left_out, reverse=True)))


def _is_regression(pairs: Pairs, accepted: Sequence[RunScores], count: int, limits: Limits) -> bool:
    before = [run.records for run in accepted]
    found = compare_pairs(pairs, limits=limits, earlier=before, pool=before[-count:-1])
    return found.verdict.kind == "regression"


def _alike(before: RunScores, run: RunScores) -> Pairs:
    """The pairs that were asked and judged alike."""
    pairs = pair(before.records, run.records)
    both = [each for each in zip(pairs.baseline, pairs.candidate, strict=True) if _asked_alike(*each)]
    return Pairs(tuple(first for first, _ in both), tuple(second for _, second in both), (), ())


def _asked_alike(first: TrialRecord, second: TrialRecord) -> bool:
    judges = {first.judge_version, second.judge_version} - {""}
    return first.trial_id == second.trial_id and len(judges) <= 1


def _date(run: RunScores) -> date:
    night = night_of(run.path)
    if night is None:
        raise ValueError(f"{run.path} is called like no night.")
    return night.date
