"""One night in numbers: by reader and strategy, the mean over the anchor cases, and what it rests on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from math import fsum

import numpy as np
import orjson

from niah.analysis.frame import trial_frame
from niah.analysis.grouping import count_outcomes, grouped, mean_score
from niah.analysis.stats.bootstrap import Interval, mean_interval, paired_difference
from niah.analysis.stats.clusters import clusters_of
from niah.analysis.stats.effective_length import effective_lengths
from niah.runs.file.nights import NightTrials, is_anchor
from niah.runs.trial import Outcome, TrialRecord

_DRAWS = 1000


@dataclass(frozen=True)
class Basis:
    """What the scores of one reader and strategy rest on: nights with the same basis compare.

    Attributes:
        asked: the trials planned on anchor cases, in order: case and repeat; then the trial's id, which is a
            digest of texts, prompt, strategy and sampling, with the context's digest.
        clusters: of each of these trials, see ``niah.analysis.stats.clusters``.
        judge: name and versions: "rubric 3".
        model: that the reader's name stands for.
        strategy: its definition.
    """

    asked: tuple[tuple[str, str], ...]
    clusters: tuple[int, ...]
    judge: str
    model: str
    strategy: str

    @cached_property
    def identity(self) -> str:
        """Digest of everything."""
        parts = [self.asked, self.judge, self.model, self.strategy]
        return hashlib.sha256(orjson.dumps(parts)).hexdigest()[:16]


@dataclass(frozen=True)
class NightScore:
    """One reader and strategy in one night.

    Attributes:
        run: name of the run that is repeated.
        score: mean over scored trials of anchor cases, with its interval; None where nothing was scored.
        scores: of each trial that the basis lists; None where it was not scored.
        outcomes: count of every outcome of these, zeros included.
        identity: of the basis.
        fresh: mean over scored trials of rotating cases, which no other night has; None without any.
        fresh_n: how many these are.
        effective_length: in tokens, over anchor cases; None where not even the shortest length holds.
        cost: US dollars, of all trials of the night; None unless all that were asked say it.
        prompt_tokens, answer_tokens: likewise.
        latency_p50_s: the least time that half of the trials do not exceed; None where none says it.
        adaptive: whether it asked no more trials than its verdict needed.
    """

    run: str
    date: date
    reader: str
    strategy: str
    score: Interval | None
    scores: tuple[float | None, ...]
    outcomes: Mapping[Outcome, int]
    identity: str
    fresh: float | None
    fresh_n: int
    effective_length: int | None
    cost: float | None
    prompt_tokens: int | None
    answer_tokens: int | None
    latency_p50_s: float | None
    adaptive: bool

    @property
    def planned(self) -> int:
        """Trials on anchor cases."""
        return len(self.scores)

    @property
    def not_scored(self) -> int:
        """Trials on anchor cases that came to another outcome; those not run are not among them."""
        return self.planned - self.outcomes["scored"] - self.outcomes["not_run"]

    @property
    def finished(self) -> bool:
        """Whether every trial on an anchor case was run: a mean over a part compares with nothing."""
        return not self.outcomes["not_run"]

    @property
    def spared(self) -> bool:
        """Whether trials were left out because the night's verdict did not need them."""
        return self.adaptive and not self.finished


def night_scores(night: NightTrials, known: dict[str, Basis]) -> list[NightScore]:
    """One per reader and strategy, readers by name; ``known`` gets the bases that are new, by identity."""
    anchors = [record for record in night.records if is_anchor(record)]
    lengths = {
        (one.reader, one.strategy): one.length for one in effective_lengths(trial_frame(anchors), draws=1)
    }
    groups = grouped(night.records)
    scores = []
    for key, records in groups.items():
        basis = _basis(night, key.reader, key.strategy, records)
        known.setdefault(basis.identity, basis)
        scores.append(_score(night, records, basis.identity, lengths.get((key.reader, key.strategy))))
    return scores


def paired_change(before: NightScore, after: NightScore, basis: Basis) -> Interval | None:
    """How much better ``after`` is, over the trials scored in both nights; None where there are none.

    Args:
        before, after: of one reader and strategy.
        basis: of both.
    """
    rows = [
        (new, old, cluster)
        for old, new, cluster in zip(before.scores, after.scores, basis.clusters, strict=True)
        if old is not None and new is not None
    ]
    if not rows:
        return None
    new, old, clusters = zip(*rows, strict=True)
    return paired_difference(new, old, clusters)


def basis_differences(before: Basis, after: Basis) -> tuple[str, ...]:
    """What differs between two bases, each in a few words for people; empty where they are the same."""
    return tuple(filter(None, (*_cases_differ(before, after), *_words_differ(before, after))))


def _basis(night: NightTrials, reader: str, strategy: str, records: Sequence[TrialRecord]) -> Basis:
    anchors = _anchors(records)
    versions = {night.judge_versions[r.trial_id] for r in anchors if r.outcome == "scored"}
    return Basis(
        asked=tuple((_asked(r), f"{r.trial_id} {night.contexts[r.case_id]}") for r in anchors),
        clusters=tuple(clusters_of(anchors).tolist()),
        judge=" ".join([night.judge, *sorted(versions)]),
        model=night.readers.get(reader, reader),
        strategy=night.definitions.get(strategy, strategy),
    )


def _score(
    night: NightTrials, records: Sequence[TrialRecord], identity: str, effective_length: int | None
) -> NightScore:
    anchors = _anchors(records)
    fresh = [record for record in records if not is_anchor(record)]
    asked = [record for record in records if record.outcome != "not_run"]
    latencies = [record.latency_s for record in asked if record.latency_s is not None]
    return NightScore(
        run=night.night.name,
        date=night.night.date,
        reader=records[0].reader,
        strategy=records[0].strategy,
        score=_mean(anchors),
        scores=tuple(record.score for record in anchors),
        outcomes=count_outcomes(anchors),
        identity=identity,
        fresh=mean_score(fresh),
        fresh_n=count_outcomes(fresh)["scored"],
        effective_length=effective_length,
        cost=_total([record.cost for record in asked]),
        prompt_tokens=_whole(_total([record.prompt_tokens for record in asked])),
        answer_tokens=_whole(_total([record.completion_tokens for record in asked])),
        latency_p50_s=float(np.quantile(latencies, 0.5, method="inverted_cdf")) if latencies else None,
        adaptive=night.adaptive,
    )


def _anchors(records: Sequence[TrialRecord]) -> list[TrialRecord]:
    """Those on anchor cases, in an order that is the same every night."""
    return sorted(filter(is_anchor, records), key=_asked)


def _asked(record: TrialRecord) -> str:
    return f"{record.case_id} #{record.repeat}"


def _mean(records: Sequence[TrialRecord]) -> Interval | None:
    scored = [record for record in records if record.score is not None]
    if not scored:
        return None
    return mean_interval([float(r.score or 0) for r in scored], clusters_of(scored), draws=_DRAWS)


def _total(amounts: Sequence[float | None]) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    return fsum(known) if known and len(known) == len(amounts) else None


def _whole(amount: float | None) -> int | None:
    return None if amount is None else round(amount)


def _cases_differ(before: Basis, after: Basis) -> tuple[str, ...]:
    old, new = dict(before.asked), dict(after.asked)
    # Another strategy, which is said by itself, changes every id as well.
    other = (
        0
        if before.strategy != after.strategy
        else sum(old[case] != new[case] for case in old.keys() & new.keys())
    )
    return (
        _counted(len(new.keys() - old.keys()), "added"),
        _counted(len(old.keys() - new.keys()), "taken out"),
        _counted(other, "with another context, prompt or room for the answer"),
    )


def _counted(trials: int, what: str) -> str:
    return f"{trials:,} {'trial' if trials == 1 else 'trials'} {what}" if trials else ""


def _words_differ(before: Basis, after: Basis) -> tuple[str, ...]:
    pairs = (
        ("judge", before.judge, after.judge),
        ("model", before.model, after.model),
        ("strategy", before.strategy, after.strategy),
    )
    return tuple(f"{name}: {old} → {new}" for name, old, new in pairs if old != new)
