"""One night in numbers: by reader and strategy, the mean over the anchor cases, and what it rests on."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from math import fsum

import numpy as np
import orjson

from niah.analysis.frame import trial_frame
from niah.analysis.grouping import count_outcomes, grouped, mean_score
from niah.analysis.stats.bootstrap import paired_difference
from niah.analysis.stats.bounded_mean import bounded_mean
from niah.analysis.stats.clusters import clusters_of, codes, seed_of_luck, set_of_luck
from niah.analysis.stats.effective_length import effective_lengths
from niah.analysis.stats.interval import Interval
from niah.file_mistakes import counted
from niah.runs.file.nights import Night
from niah.runs.file.read_model import RunScores
from niah.runs.seeds import is_anchor_seed
from niah.runs.trial import Outcome, TrialRecord

_SHOWN_SETS = 3
_LENGTH_DRAWS = 200
"""For a median; a hundred nights are read at once."""


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
        effective_length: in tokens, over anchor cases; None where not even the shortest length holds, where
            clusters are too few to tell, and of an adaptive night that spared trials, whose cells say little.
        length_told: whether clusters are enough to tell it.
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
    length_told: bool
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


def night_scores(night: Night, run: RunScores, known: dict[str, Basis]) -> list[NightScore]:
    """One per reader and strategy, readers by name; ``known`` gets the bases that are new, by identity.

    Args:
        night: whose run file it is.
        run: what that holds.
        known: the bases of other nights, by identity.
    """
    anchors = [record for record in run.records if is_anchor_seed(record.seed)]
    lengths = {
        (one.reader, one.strategy): one
        for one in effective_lengths(trial_frame(anchors), draws=_LENGTH_DRAWS)
    }
    models = {identity.split(" = ")[0]: identity for identity in run.config.get("readers", ())}
    adaptive = any(each.settings.get("adaptive", {}).get("value") for each in run.invocations)
    scores = []
    for (reader, strategy), records in grouped(run.records).items():
        # In an order that is the same every night.
        own = sorted((r for r in records if is_anchor_seed(r.seed)), key=_asked)
        fresh = [record for record in records if not is_anchor_seed(record.seed)]
        spared = adaptive and count_outcomes(own)["not_run"] > 0
        versions = {record.judge_version for record in own if record.outcome == "scored"}
        length = lengths.get((reader, strategy))
        basis = Basis(
            asked=tuple((_asked(r), f"{r.trial_id} {r.context_sha256}") for r in own),
            clusters=tuple(clusters_of(own).tolist()),
            judge=" ".join([run.judge, *sorted(versions)]),
            model=models.get(reader, reader),
            strategy=records[0].definition,
        )
        known.setdefault(basis.identity, basis)
        asked = [record for record in records if record.outcome != "not_run"]
        latencies = [record.latency_s for record in asked if record.latency_s is not None]
        scores.append(
            NightScore(
                run=night.name,
                date=night.date,
                reader=reader,
                strategy=strategy,
                score=_mean(own),
                scores=tuple(record.score for record in own),
                outcomes=count_outcomes(own),
                identity=basis.identity,
                fresh=mean_score(fresh),
                fresh_n=count_outcomes(fresh)["scored"],
                effective_length=length.length if length and length.is_told and not spared else None,
                length_told=length is None or length.is_told,
                cost=_total(record.cost for record in asked),
                prompt_tokens=_rounded(_total(record.prompt_tokens for record in asked)),
                answer_tokens=_rounded(_total(record.completion_tokens for record in asked)),
                latency_p50_s=float(np.quantile(latencies, 0.5, method="inverted_cdf"))
                if latencies
                else None,
                adaptive=adaptive,
            )
        )
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
    old, new = dict(before.asked), dict(after.asked)
    # Another strategy, which is said by itself, changes every id as well.
    both = old.keys() & new.keys() if before.strategy == after.strategy else ()
    other = "with another context, prompt or room for the answer"
    cases = (
        (new.keys() - old.keys(), "added"),
        (old.keys() - new.keys(), "taken out"),
        ({case for case in both if old[case] != new[case]}, other),
    )
    every = {_set_of(case) for case in (*old, *new)}
    words = ((name, getattr(before, name), getattr(after, name)) for name in ("judge", "model", "strategy"))
    return (
        *(f"{counted(len(own), 'trial')} {what}{_sets_in_words(own, every)}" for own, what in cases if own),
        *(f"{name}: {one} → {other}" for name, one, other in words if one != other),
    )


def _set_of(case: str) -> str:
    """The needle or question set that a case's id begins with."""
    return case.partition("_")[0]


def _sets_in_words(cases: Iterable[str], every: Collection[str]) -> str:
    """Behind a count, which sets these cases are of; "" of all there are, or of many."""
    sets = {_set_of(case) for case in cases}
    return "" if sets == {*every} or len(sets) > _SHOWN_SETS else f" ({', '.join(sorted(sets))})"


def _asked(record: TrialRecord) -> str:
    return f"{record.case_id} #{record.repeat}"


def _mean(records: Sequence[TrialRecord]) -> Interval | None:
    scored = [record for record in records if record.score is not None]
    if not scored:
        return None
    seeds, sets = (codes(map(of, scored)) for of in (seed_of_luck, set_of_luck))
    return bounded_mean([float(r.score or 0) for r in scored], clusters_of(scored), seeds, sets)


def _total(amounts: Iterable[float | None]) -> float | None:
    known = list(amounts)
    return fsum(each or 0 for each in known) if known and None not in known else None


def _rounded(amount: float | None) -> int | None:
    return None if amount is None else round(amount)
