"""Nights of a run: one verdict each, stretches of regressions, anchors against fresh seeds, the history."""

from __future__ import annotations

import datetime
import hashlib
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas import DataFrame

from niah.analysis.causes import empty_answers
from niah.analysis.compare import Comparison, Limits, VerdictKind, compare_pairs
from niah.analysis.effective_length import effective_lengths
from niah.analysis.frame import trial_frame
from niah.analysis.pairs import anchors_of, comparable_pairs, pair
from niah.analysis.stats import holm, interval_columns
from niah.analysis.tables import Table
from niah.errors import RunFileError
from niah.judges.verdict import HIGHEST
from niah.runs.file.nights import Night, NightEntry, NightRecord, night_of
from niah.runs.file.read import RunContents

SIGNIFICANCE = 0.05  # of a gap between anchors and fresh seeds: possibly contaminated
BASELINE = "the baseline"
REFERENCE_NIGHTS = 5  # the mean of five has a variance of a fifth of one night's


def seed_gaps(frame: DataFrame, anchors: Collection[int]) -> list[dict[str, Any]]:
    """Whether a model is better at anchor seeds, which it may have seen, than at tonight's fresh ones.

    One for each with two seeds at least on either side, by name; only what both were asked counts: the
    difference, anchors less fresh seeds, with its 95 % interval, one-sided p, the same for all models (Holm)
    and numbers of seeds. A seed is its mean deviation from the mean of needle set, haystack, length, depth
    and strategy; seeds are compared by Welch's unequal-variances t-test (1947).
    """
    from scipy.stats import ttest_ind

    scored = frame[frame["scored"] & frame["seed"].notna()]
    scored = scored.assign(anchor=scored["seed"].isin(list(anchors)))
    stratum = ["needle_set", "haystack", "context_length", "depth", "strategy", "reader"]
    groups = scored.groupby(stratum, dropna=False, observed=True)
    scored = scored.assign(deviation=scored["score"] - groups["score"].transform("mean"))
    scored = scored[groups["anchor"].transform("nunique") == 2]
    found = []
    for reader, own in scored.groupby("reader", observed=True):
        means = own.groupby(["anchor", "seed"])["deviation"].mean().groupby("anchor").agg(list)
        sides: list[Any] = [means.get(is_anchor, []) for is_anchor in (True, False)]
        if min(map(len, sides)) >= 2 and np.ptp(np.concatenate(sides)) >= 1e-9:
            with warnings.catch_warnings(action="ignore"):  # of a side that is all right, for instance
                p = float(ttest_ind(*sides, equal_var=False, alternative="greater").pvalue)
                ends = ttest_ind(*sides, equal_var=False).confidence_interval()
            difference = float(np.mean(sides[0]) - np.mean(sides[1]))
            gap: dict[str, Any] = {"reader": str(reader), "difference": difference, "low": float(ends.low)}
            gap |= {"high": float(ends.high), "p": p, "anchors": len(sides[0]), "fresh": len(sides[1])}
            found.append(gap)
    adjusted = holm([gap["p"] for gap in found]).tolist()
    return [gap | {"p_adjusted": p} for gap, p in zip(found, adjusted, strict=True)]


@dataclass(frozen=True)
class RedNights:
    """Nights in a row that were worse than one accepted night, and that no one mended or accepted."""

    first: datetime.date  # of these nights
    compared_with: str  # name of the run that the first was worse than

    def is_compared_by(self, entry: NightEntry) -> bool:
        """Whether a night was compared with what these were worse than, or with a night before them."""
        if entry.compared_with is None or entry.compared_with == self.compared_with:
            return entry.compared_with is not None
        night = night_of(Path(f"{entry.compared_with}.sqlite"))
        return night is not None and night.date < self.first


def open_regression(record: NightRecord, before: datetime.date = datetime.date.max) -> RedNights | None:
    """The regressions before a day that are still open; None where there are none.

    They end with a night that shows nothing worse, or with one that a person accepts.
    """
    found: RedNights | None = None
    for day, entry in sorted((day, entry) for day, entry in record.nights.items() if day < before):
        if entry.verdict == "regression":
            found = found or RedNights(day, entry.compared_with or "the night before")
            found = None if entry.accepted else found
        elif found and (
            entry.accepted == "by hand" or (entry.verdict == "no regression" and found.is_compared_by(entry))
        ):
            found = None
    return found


@dataclass(frozen=True)
class NightStanding:
    """What tonight is for the nights after it."""

    night: str  # name of its run, by which it is accepted: "nightly-2026-11-22"
    accepted: bool  # whether later nights may be compared with it
    next_reference: str | None  # name of the latest run that the next night is compared with
    since: datetime.date | None = None  # of a regression, the first night against the same reference
    still_open: RedNights | None = None  # an earlier regression that tonight is not compared with


@dataclass(frozen=True)
class NightVerdict:
    """What a night comes to."""

    date: str  # as YYYY-MM-DD
    kind: VerdictKind  # a regression anywhere outweighs what is missing, and that outweighs the rest
    comparisons: Mapping[str, Comparison]  # by role: "the last accepted night", "the baseline"
    hindrances: Mapping[str, str]  # why there is no comparison, by the same
    seed_gaps: tuple[dict[str, Any], ...]  # anchors against fresh seeds, where there are rotating seeds
    # Of each model and strategy its effective length "tonight", and "before" or None, over the trials that
    # both runs have run.
    lengths: tuple[dict[str, Any], ...]
    trials: int  # how many were planned, came to an outcome, came to a score
    asked: int
    scored: int
    standing: NightStanding | None = None  # None where no record of nights is kept
    empty: tuple[dict[str, Any], ...] = ()  # models with a notable number of empty answers
    unanswered: tuple[str, ...] = ()  # of which model or strategy there were no answers, and why, a line each
    drift: str = ""  # of the judge on answers that people labelled in an earlier night, one line


def assess_night(
    date: str,
    run: RunContents,
    sides: Mapping[str, Sequence[RunContents]],
    level: Sequence[RunContents],
    anchors: Collection[int],
    limits: Limits,
    *,
    common: bool,
) -> NightVerdict:
    """The verdict of the night of ``date``, compared with the first run of each of ``sides`` that compares.

    ``level`` are accepted nights since a person accepted one, the latest first: the mean of five is the
    reference, all are the history. With ``common`` runs that differ are compared in what they share.
    """

    def alike(one: RunContents, reference: RunContents) -> bool:
        """Whether a night was asked and judged as the reference was."""
        versions = [set(side.trials["judge_version"]) - {""} for side in (one, reference)]
        shared = pair(reference.trials, one.trials)
        ids = [side["trial_id"].tolist() for side in (shared.baseline, shared.candidate)]
        return one.judge == reference.judge and versions[0] == versions[1] and ids[0] == ids[1] != []

    limits = replace(limits, alpha=limits.alpha / max(len(sides), 1))
    comparisons: dict[str, Comparison] = {}
    hindrances: dict[str, str] = {}
    frame = trial_frame(run.trials)
    before = frame[:0]
    for role, candidates in sides.items():
        for reference in candidates:
            try:
                pairs, notes = comparable_pairs(reference, run, common=common)
                break
            except RunFileError as error:  # of another config, say: the night is run, and only this is lost
                hindrances.setdefault(role, str(error))
        else:
            continue
        hindrances.pop(role, None)
        history = [each for each in level if alike(each, reference)]
        others = [each for each in history if each.path != reference.path and role != BASELINE]
        others = others[: REFERENCE_NIGHTS - 1]
        name = f"the mean of the last {len(others) + 1} accepted nights" if others else role
        found = compare_pairs(
            pairs,
            names=(str(reference.path), str(run.path)),
            limits=limits,
            notes=notes,
            reference=[each.trials for each in others],
            history=[each.trials for each in history],
        )
        comparisons[name] = replace(found, reference=tuple(str(each.path) for each in others))
        before = trial_frame(reference.trials)
    # Effective lengths of the trials that both runs have run, against the earlier one's bases.
    ran = [set(side.loc[side["outcome"] != "not_run", "trial_id"]) for side in (frame, before)]
    tonight, then = (side[side["trial_id"].isin(ran[0] & ran[1])] for side in (frame, before))
    earlier = {(row["reader"], row["strategy"]): row for row in effective_lengths(then).to_dict("records")}
    bases = {names: row["base"] for names, row in earlier.items()}
    rows = effective_lengths(tonight if len(tonight) else frame, bases).to_dict("records")
    lengths = [{"tonight": row, "before": earlier.get((row["reader"], row["strategy"]))} for row in rows]
    kinds = {each.verdict.kind for each in comparisons.values()}
    kinds |= {"incomplete"} if hindrances or not frame["scored"].any() else set()
    kind: VerdictKind = "incomplete" if "incomplete" in kinds else "no regression"
    return NightVerdict(
        *(date, "regression" if "regression" in kinds else kind),
        *(comparisons, hindrances),
        seed_gaps=tuple(seed_gaps(frame, anchors)) if anchors else (),
        lengths=tuple(lengths),
        trials=len(frame),
        asked=int((frame["outcome"] != "not_run").sum()),
        scored=int(frame["scored"].sum()),
        empty=tuple(empty_answers(frame)),
    )


def history_table(nights: Sequence[tuple[Night, RunContents]], records: Mapping[str, NightRecord]) -> Table:
    """One row per night, model and strategy: means over anchor cases, and what the night came to.

    ``records`` say by run what nights came to.
    """
    rows: list[dict[str, Any]] = []
    for night, run in nights:
        entry = records[night.name].nights.get(night.date) if night.name in records else None
        verdict: str | None = entry.verdict if entry else None
        if entry and verdict == "no regression" and entry.compared_with is None:
            verdict = "first night"
        frame = trial_frame(run.trials)
        for (reader, strategy), every in frame.groupby(["reader", "strategy"], observed=True):
            own = every[anchors_of(every)]
            scored, costs = own[own["scored"]], every.loc[every["outcome"] != "not_run", "cost"]
            asked = [run.judge, *sorted(scored["judge_version"].unique()), *sorted(own["trial_id"])]
            rows.append(
                {
                    **{"run": night.name, "reader": reader, "strategy": strategy},
                    **{"date": night.date.isoformat()},
                    **interval_columns(scored["score"], scored["cluster"]),
                    "trials": len(own),
                    "not_scored": int((~own["scored"] & (own["outcome"] != "not_run")).sum()),
                    "right": int((scored["score"] == HIGHEST).sum()),
                    "cost_usd": costs.sum() if len(costs) and costs.notna().all() else None,
                    "asked": hashlib.sha256("\n".join(asked).encode()).hexdigest()[:12],
                    "verdict": verdict,
                    **{name: entry and getattr(entry, name) for name in ("accepted", "page")},
                }
            )
    rows.sort(key=lambda row: tuple(str(row[name]) for name in ("run", "reader", "strategy", "date")))
    history = pd.DataFrame(rows).drop(columns="clusters", errors="ignore")
    note = "Means over the scored trials of anchor cases, 1 to 10; low, high: 95 % intervals over clusters."
    note += " verdict: of the whole night." * any(row["verdict"] for row in rows)
    return Table.of("nights", "Every night", history, note)
