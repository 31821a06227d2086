"""One verdict a night, from all that is known of it."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from niah.analysis.causes.empty_answers import EmptyAnswers, Scored, empty_answers
from niah.analysis.compare.comparison import Comparison
from niah.analysis.compare.verdict import VerdictKind
from niah.analysis.frame import trial_frame
from niah.analysis.nights.contamination import Contamination, contamination
from niah.analysis.nights.drift import Drift, drift_and_novelty
from niah.analysis.nights.red_nights import RedNights
from niah.analysis.sequential.adaptive import AdaptiveResult
from niah.analysis.stats.effective_length import EffectiveLength, effective_lengths, length_bases
from niah.analysis.stats.seed_clusters import fresh_trials
from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class LengthChange:
    """A reader's effective length with a strategy, tonight and before.

    Attributes:
        before: None where the run before has no such trials.
    """

    tonight: EffectiveLength
    before: EffectiveLength | None


@dataclass(frozen=True)
class NightStanding:
    """What tonight is for the nights after it.

    Attributes:
        night: name of its run, by which it is accepted: "nightly-2026-11-22".
        accepted: whether the nights after it may be compared with it.
        next_reference: name of the run that the next night is compared with; None where there is none yet.
        since: of a regression, the first of the nights that were one against the same accepted night.
        untold: a regression of before that is open still, since tonight does not compare with what it is
            worse than; None where there is none.
    """

    night: str
    accepted: bool
    next_reference: str | None
    since: datetime.date | None = None
    untold: RedNights | None = None


@dataclass(frozen=True)
class NightVerdict:
    """What a night comes to.

    Attributes:
        date: as YYYY-MM-DD.
        kind: a regression anywhere outweighs what is missing, and that outweighs the rest.
        comparisons: by what tonight is compared with: "last night", "the baseline".
        hindrances: why there is no comparison, by the same.
        contamination: of each reader, where there are rotating seeds.
        drift: of each reader, the model's change told from the facts'; where there is a night before.
        lengths: of each reader and strategy, over the trials that both runs have run.
        since: what they have changed since: "the baseline", or "last night"; "" without any.
        trials, asked, scored: how many were planned, came to an outcome, came to a score.
        adaptive: how a night went that asked no more trials than it needed; None for one that asked all.
        worst_trials: by what tonight is compared with, an id for each row that got worse.
        standing: what tonight is for the nights after it; None where no record of nights is kept.
        empty: readers with a notable number of empty answers.
        unanswered: of which reader or strategy no answers were to be had, and why, a line each.
    """

    date: str
    kind: VerdictKind
    comparisons: Mapping[str, Comparison]
    hindrances: Mapping[str, str]
    contamination: tuple[Contamination, ...]
    drift: tuple[Drift, ...]
    lengths: tuple[LengthChange, ...]
    since: str
    trials: int
    asked: int
    scored: int
    adaptive: AdaptiveResult | None = None
    worst_trials: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    standing: NightStanding | None = None
    empty: tuple[EmptyAnswers, ...] = ()
    unanswered: tuple[str, ...] = ()


def assess_night(
    date: str,
    records: Sequence[TrialRecord],
    earlier: Mapping[str, Sequence[TrialRecord]],
    anchors: Collection[int],
    comparisons: Mapping[str, Comparison],
    hindrances: Mapping[str, str],
    adaptive: AdaptiveResult | None = None,
) -> NightVerdict:
    """The night's verdict.

    Args:
        date: of tonight.
        records: tonight's.
        earlier: those of other runs, by what they are: first the night before, if there is one, and last the
            one that changes are told against.
        anchors: seeds that are the same every night.
        comparisons: of tonight with others, by what they are.
        hindrances: why one could not be compared with.
        adaptive: how an adaptive night went.
    """
    fresh = fresh_trials(records, anchors)
    last_night = next(iter(earlier.values()), ())
    *_, since = "", *earlier
    kinds = {"incomplete"} if hindrances else set()
    kinds |= {comparison.verdict.kind for comparison in comparisons.values()}
    worst: VerdictKind = "incomplete" if "incomplete" in kinds else "no regression"
    return NightVerdict(
        date=date,
        kind="regression" if "regression" in kinds else worst,
        comparisons=comparisons,
        hindrances=hindrances,
        contamination=tuple(contamination(records, anchors)) if fresh and anchors else (),
        drift=tuple(drift_and_novelty(records, last_night, anchors))
        if fresh and anchors and last_night
        else (),
        lengths=() if adaptive else tuple(_length_changes(records, earlier.get(since, ()))),
        since=since,
        trials=len(records),
        asked=sum(record.outcome != "not_run" for record in records),
        scored=sum(record.outcome == "scored" for record in records),
        adaptive=adaptive,
        empty=tuple(
            empty_answers(
                Scored(each.reader, each.strategy, each.definition, each.error_type)
                for each in records
                if each.outcome == "scored"
            )
        ),
    )


def _length_changes(records: Sequence[TrialRecord], earlier: Sequence[TrialRecord]) -> list[LengthChange]:
    """Like is set against like: the trials that both runs have run, and the earlier one's bases."""
    ran = [{each.trial_id for each in side if each.outcome != "not_run"} for side in (records, earlier)]
    ids = set.intersection(*ran)
    tonight, then = ([each for each in side if each.trial_id in ids] for side in (records, earlier))
    frame = trial_frame(then)
    bases = length_bases(frame)
    before = {(each.reader, each.strategy): each for each in effective_lengths(frame, bases=bases)}
    return [
        LengthChange(each, before.get((each.reader, each.strategy)))
        for each in effective_lengths(trial_frame(tonight or records), bases=bases)
    ]
