"""Two runs, or the same trials on two nights: did anything get significantly worse, and where?

A row is worse where signs of whole clusters, flipped over all rows of its family, say so (all, model and
model x strategy at 5/8 of alpha; lengths and depths at 3/8), and where, of three earlier nights or more, its
mean lies below the one-sided 98 % prediction interval, whose spread is no less than that of all pairs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pandas import DataFrame, Series

from niah.analysis import stats
from niah.analysis.frame import ERROR_WORDS, OUTCOMES
from niah.analysis.pairs import (
    PLAIN,
    WHO,
    Level,
    Measure,
    Pairs,
    Values,
    aligned,
    anchors_of,
    ends_of,
    floors_of,
    inside,
    levels_of,
    mean_of,
    pair,
    values_of,
)
from niah.errors import UserError, counted
from niah.judges.audit import students_quantile
from niah.judges.verdict import HIGHEST, LOWEST
from niah.strategies.strategy import display_name

VerdictKind = Literal["no regression", "regression", "incomplete"]

BROAD_SHARE = 5 / 8  # the share of alpha that broad rows are tested at
NIGHT_LEVEL = 0.02  # the one-sided level of the prediction interval
LEAST_NIGHTS = 3  # two nights have a spread of one degree of freedom, whose 98 % quantile is 16
_NUMBERS = {"context_length": "int64", "depth": "float64", "score": "float64"}  # columns of plain frames
_WHOLE = re.compile("0|-?[1-9][0-9]{0,18}")  # a number that is written as text


@dataclass(frozen=True)
class Limits:
    """When there is too little to say that nothing got worse."""

    alpha: float = 0.04  # how often any regression may be found where nothing changed
    missing: float = 0.1  # the greatest share of scored trials that may have no score in the candidate
    detectable: float = 1.5  # the drop that must be seen in a model, in points of score

    def __post_init__(self) -> None:
        """Raise UserError for what is no limit, such as nan."""
        if not (0 < self.alpha <= 0.5 and 0 <= self.missing <= 1 and 0 < self.detectable <= 9):
            said = f"alpha={self.alpha}, missing={self.missing}, detect={self.detectable}"
            remedy = "alpha goes to 0.5, missing to 1 and detect to 9; 0 is for missing alone."
            raise UserError(f"{said} are no limits of a comparison.", remedy)


@dataclass(frozen=True)
class Row:
    """One row of a comparison; what has no pairs, or is not tested, is None."""

    measure: Measure  # "score", 1 to 10, or "not scored", the share of trials with another outcome
    parts: dict[str, str]  # of the axes that cut it out, by axis; none for all pairs
    fine: bool  # whether it is a length or depth, rather than a model or strategy
    n: int = 0  # pairs; for "score", those with a score on both sides
    clusters: int = 0  # of these pairs
    baseline: float | None = None  # means over the pairs
    candidate: float | None = None
    difference: float | None = None  # candidate minus baseline
    error: float | None = None  # its clustered standard error
    low: float | None = None  # its 95 % interval; None below five clusters, and where all are alike
    high: float | None = None
    p: float = 1.0  # one-sided, by flips, that the candidate is worse, of this row alone
    adjusted: float | None = None  # the same for all rows of its family; None of too few clusters
    nights: float | None = None  # one-sided p that a usual night is as low; of three earlier nights or more
    found: bool = False  # whether it is worse
    floor: float | None = None  # the mean score of a guesser on these pairs; of scores alone
    by_clusters: float | None = None  # the worsening that flips find in four of five comparisons
    detectable: float | None = None  # the same of both tests, with the spread from night to night


@dataclass(frozen=True)
class ComparisonVerdict:
    """What a comparison comes to."""

    kind: VerdictKind  # a regression outweighs what is missing
    regressions: tuple[Row, ...]  # the row that is worst, or the worst of each model
    cells: tuple[Row | None, ...]  # of each of these the worst length or depth within it, if any
    gaps: tuple[str, ...]  # why there would be too little to say, one line each


@dataclass(frozen=True)
class Comparison:
    """What two runs come to."""

    baseline: str  # what they are called
    candidate: str
    limits: Limits
    pairs: int  # trials planned in both runs
    alike: int | None  # pairs with the same answer, word for word, and score; None without any answers
    nights: int  # how many earlier nights the spread from night to night is known from
    verdict: ComparisonVerdict  # the answer
    rows: tuple[Row, ...]  # the table
    notes: tuple[str, ...]  # trials of one run alone, what else differs, and what was left out for it
    # Of each regression the trial that fell most, id and case, and the kind of fault that grew most; or "".
    worst_trials: tuple[tuple[str, str, str], ...] = ()
    readers: tuple[str, str] | None = None  # of two models that are compared
    other_way: Comparison | None = None  # of two models, with the first in the candidate's place
    # How many cells of model, strategy, length and depth have a baseline at "floor" or "ceiling", or "", at
    # neither: ``niah.analysis.pairs.ends_of``.
    ends: Mapping[str, int] = field(default_factory=dict)
    reference: tuple[str, ...] = ()  # more nights, whose mean with the baseline is what is compared with


def compare_models(
    pairs: Pairs, readers: tuple[str, str], names: tuple[str, str], notes: Sequence[str], limits: Limits
) -> Comparison:
    """Compare two models both ways, each at half of the level."""
    half = replace(limits, alpha=limits.alpha / 2)
    turned = Pairs(pairs.candidate, pairs.baseline, pairs.only_candidate, pairs.only_baseline)
    there = compare_pairs(pairs, names=names, notes=notes, limits=half, readers=readers)
    back = compare_pairs(turned, names=names[::-1], limits=half, readers=readers[::-1])
    return replace(there, other_way=back)


def compare_frames(baseline: DataFrame, candidate: DataFrame, **options: Any) -> Comparison:
    """Compare results of any tool: frames with the columns of ``PLAIN``, one row a trial. Raises UserError.

    Trials are paired by ``case_id`` where both have it, else by length, depth and seed; and by needle set,
    haystack, strategy, model and repeat. Options are those of ``compare_pairs``.
    """
    by_name = "case_id" in baseline and "case_id" in candidate
    case = ["case_id"] if by_name else ["context_length", "depth", "seed"]
    history = [_checked("history", each, case) for each in options.pop("history", ())]
    pairs = pair(_checked("baseline", baseline, case), _checked("candidate", candidate, case))
    return compare_pairs(pairs, history=history, **options)


def _checked(name: str, frame: DataFrame, case: Sequence[str]) -> DataFrame:
    """The frame of any tool with its numbers as numbers, where it had them as text. Raises UserError."""
    if missing := [column for column in PLAIN if column not in frame]:
        raise UserError(f"{name}: no column {', '.join(missing)}.", f"Columns: {', '.join(PLAIN)}.")
    try:
        frame = frame.assign(**frame[[*_NUMBERS]].astype(_NUMBERS))
    except (ValueError, TypeError) as error:
        remedy = "context_length is whole tokens, depth and score are numbers."
        raise UserError(f"{name}: {error}.", remedy) from None
    for key in [each for each in ("case_id", "seed", "repeat") if each in frame]:
        numbers = [
            int(each) if isinstance(each, str) and _WHOLE.fullmatch(each) else each for each in frame[key]
        ]
        frame = frame.assign(**{key: Series(numbers, frame.index, dtype=object)})
    if unknown := {*frame["outcome"]} - {*OUTCOMES}:
        raise UserError(f"{name}: outcome: {unknown.pop()!r} is none.", f"Known: {', '.join(OUTCOMES)}.")
    if not frame["depth"].dropna().astype(float).between(0, 100).all():
        raise UserError(f"{name}: depth: one is not from 0 to 100.", "Give it in %, or none at all.")
    scores = frame.loc[frame["outcome"] == "scored", "score"].astype(float)
    if not scores.between(LOWEST, HIGHEST).all():
        problem = f"{name}: score: a scored trial has one from {LOWEST} to {HIGHEST}."
        raise UserError(problem, "Scale the others; of what has none say why in outcome.")
    asked = [each for each in (*case, "needle_set", "haystack", *WHO, "repeat") if each in frame]
    asked = ["trial_id"] if "trial_id" in frame else asked
    if again := int(frame.duplicated(asked).sum()):
        problem = f"{name}: {again:,} rows have the {', '.join(asked)} of an earlier one."
        raise UserError(problem, "Tell them apart in case_id or repeat, or keep one of each.")
    return frame


def compare_pairs(
    pairs: Pairs,
    *,
    names: tuple[str, str] = ("baseline", "candidate"),
    limits: Limits | None = None,
    notes: Sequence[str] = (),
    reference: Sequence[DataFrame] = (),
    history: Sequence[DataFrame] = (),
    readers: tuple[str, str] | None = None,
) -> Comparison:
    """Compare the candidate's trials with the baseline's. Raises UserError where no trial is in both.

    ``reference`` are more nights, whose mean with the baseline's is what is compared with; ``history`` whole
    nights before the candidate's, the latest first, three at least to count.
    """
    baseline, candidate, only_baseline, only_candidate = pairs
    if not len(baseline):
        problem = f"{names[0]} and {names[1]} have no trial in common (case, strategy, model and repeat)."
        raise UserError(problem, "Compare results of the same questions.")
    limits, clusters = limits or Limits(), stats.clusters_of(baseline)
    levels = levels_of(baseline, WHO[1:] if readers else WHO)
    after, floor = values_of(candidate), floors_of(baseline)
    pooled = [values_of(baseline), *(aligned(night, candidate) for night in reference)]
    nights = [aligned(night, candidate) for night in history] if len(history) >= LEAST_NIGHTS else []
    rows: list[Row] = []
    for fine, share in ((False, BROAD_SHARE), (True, 1 - BROAD_SHARE)):
        if family := [level for level in levels if level.fine == fine]:
            rows += _rows(after, floor, pooled, nights, clusters, family, limits.alpha * share)
    rows.sort(key=lambda row: row.measure == "not scored")
    before = pooled[0]["score"]
    said = (side.reindex(columns=["answer"])["answer"].astype(object) for side in (baseline, candidate))
    answers = [each.fillna("").to_numpy() for each in said]
    answered = (answers[0] != "") & (answers[1] != "")
    same = answered & (answers[0] == answers[1]) & (before == after["score"])
    alike = int(same.sum()) if answered.any() else None
    scored_before = int((~np.isnan(before)).sum() + only_baseline["score"][anchors_of(only_baseline)].count())
    # Of more nights the mean may be another.
    unchanged = bool(alike) and alike == rows[0].n and rows[0].difference == 0
    verdict = _verdict(rows, tuple(_gaps(rows, scored_before, limits, unchanged, readers)))
    alone = [*_alone("baseline", only_baseline, baseline), *_alone("candidate", only_candidate, candidate)]
    return Comparison(
        *names,
        limits=limits,
        pairs=len(baseline),
        alike=alike,
        nights=len(nights),
        verdict=verdict,
        rows=tuple(rows),
        notes=(*alone, *notes),
        worst_trials=tuple(_fallen(verdict, baseline, candidate)),
        readers=readers,
        ends=Counter(ends_of(mean_of(baseline, pooled)).drop_duplicates("cell")["end"].tolist()),
    )


def _rows(
    candidate: Values,
    floor: NDArray[np.float64],
    pooled: Sequence[Values],
    nights: Sequence[Values],
    clusters: NDArray[np.int64],
    levels: Sequence[Level],
    alpha: float,
) -> list[Row]:
    """The rows of one family, of both measures, tested together at ``alpha``.

    ``pooled`` are the values of the nights whose mean is the reference, ``nights`` of all that are known.
    """
    is_fine = levels[0].fine
    measures: tuple[Measure, ...] = ("score",) if is_fine else ("score", "not scored")
    parts_of, sums = [], []
    for measure in measures:
        sign = -1.0 if measure == "score" else 1.0
        before = DataFrame([each[measure] for each in pooled]).mean().to_numpy()  # of those that are known
        after = candidate[measure]
        # Nights are compared with the reference pair by pair, so that a missing trial moves no mean.
        falls = DataFrame([sign * (night[measure] - before) for night in nights], columns=range(len(before)))
        least = float(falls.mean(axis=1).std())
        paired = ~np.isnan(after - before)
        for level in levels:
            known = (level.codes >= 0) & paired
            worse = sign * (after - before)[known]
            sums.append(stats.cluster_sums(clusters[known], level.codes[known], worse, len(level.parts)))
            for place, parts in enumerate(level.parts):
                every = level.codes == place
                usual = falls.loc[:, every].mean(axis=1).dropna()
                parts_of.append((measure, parts, before, after, every & paired, usual, least))
    most = max(map(len, sums))
    stacked = np.hstack([np.pad(each, ((0, most - len(each)), (0, 0))) for each in sums])
    tests, rows = stats.flip_tests(stacked, alpha), list[Row]()
    for (measure, parts, before, after, own, usual, least), p, adjusted in zip(
        parts_of, tests.p.tolist(), tests.adjusted.tolist(), strict=True
    ):
        if not own.any():
            rows.append(Row(measure, parts, is_fine))
            continue
        is_score = measure == "score"
        scale, width = (stats.DIFFERENCES, HIGHEST - LOWEST) if is_score else ((-1.0, 1.0), 1)
        found = stats.mean_interval((after - before)[own], clusters[own], scale)
        night = None
        if len(usual) >= LEAST_NIGHTS:
            fall = found.estimate if is_score else -found.estimate
            night = stats.below_nights(fall, -usual, least)
        row = Row(
            *(measure, parts, is_fine, found.n, found.clusters),
            *(float(before[own].mean()), float(after[own].mean())),
            *(found.estimate, found.error, found.shown.low, found.shown.high),
            p=p,
            nights=night,
            floor=float(floor[own].mean()) if is_score else None,
        )
        # All of few clusters worse is no rarer than one in 2^clusters.
        if 0.5**row.clusters <= alpha:
            by_clusters = stats.detectable(row.error or 0.0, row.n, row.clusters, tests.critical, width)
            smallest = by_clusters
            if by_clusters is not None and night is not None:
                spread = max(float(usual.std()), least) * sqrt(1 + 1 / len(usual))
                reach = students_quantile(1 - NIGHT_LEVEL, len(usual) - 1) + stats.POWER_QUANTILE
                smallest = max(by_clusters, reach * spread)
            is_found = adjusted <= alpha and (night is None or night <= NIGHT_LEVEL)
            tested = {"adjusted": adjusted, "by_clusters": by_clusters, "detectable": smallest}
            row = replace(row, found=is_found, **tested)
        rows.append(row)
    return rows


def row_label(row: Row) -> str:
    """The row's name for people: "simulated · full context · 16-32k · middle"."""
    parts = (display_name(name) if axis == "strategy" else name for axis, name in row.parts.items())
    return " · ".join(parts) or "all"


def _verdict(rows: Sequence[Row], gaps: tuple[str, ...]) -> ComparisonVerdict:
    """One answer: named is the found row that explains most of the change, and the same of each other model.

    That is the one with the greatest n x difference^2, as a regression tree's first cut would be; and within
    it the length or depth that explains more than the row itself.
    """
    named: list[Row] = []
    for row in sorted((row for row in rows if row.found), key=lambda row: (row.fine, -_explained(row))):
        models_named = {each.parts.get("reader") for each in named}
        if not named or ("reader" in row.parts and not models_named & {None, row.parts["reader"]}):
            named.append(row)
    cells = []
    for row in named:
        finer = [
            each
            for each in rows
            if each.fine
            and each.measure == row.measure
            and row.parts.items() < each.parts.items()
            and (each.difference or 0.0) * (row.difference or 0.0) > 0
        ]
        most = max(finer, key=_explained, default=row)
        cells.append(most if _explained(most) > _explained(row) else None)
    kind: VerdictKind = "regression" if named else "incomplete" if gaps else "no regression"
    return ComparisonVerdict(kind, tuple(named), tuple(cells), gaps)


def _explained(row: Row) -> float:
    """The share of the scale's sum of squares that the row's change makes up."""
    width = HIGHEST - LOWEST if row.measure == "score" else 1
    return row.n * ((row.difference or 0.0) / width) ** 2


def _gaps(
    rows: Sequence[Row], scored_before: int, limits: Limits, unchanged: bool, models: tuple[str, str] | None
) -> Iterator[str]:
    """Why there would be too little to say."""
    every, drop = rows[0], limits.detectable
    missing, (first, second) = scored_before - every.n, models or ("the baseline", "the candidate")
    if missing > limits.missing * scored_before:
        share = f"{missing:,} of {scored_before:,} trials ({missing / scored_before:.0%})"
        yield f"{share} that have a score in {first} have none in {second}; {limits.missing:.0%} may."
    broad = [row for row in rows if row.measure == "score" and not row.fine]
    of_models = [row for row in broad if "reader" in row.parts] or broad
    blind = []
    for row in [each for each in of_models if len(each.parts) == len(of_models[0].parts)]:
        own = [each for each in broad if row.parts.items() <= each.parts.items()]
        # A row at the floor cannot fall; a model that rose by as much did not, and its rise is the spread.
        high = [each for each in own if each.baseline and each.baseline - (each.floor or LOWEST) >= drop]
        seen = [each.by_clusters for each in high if each.by_clusters is not None]
        if high and (row.difference or 0) < drop < min(seen, default=np.inf):
            blind.append(row_label(row))
    if blind and not unchanged and every.n:
        yield (
            f"with {counted(every.clusters, 'cluster')} a {'lead' if models else 'drop'} of {drop:g} points"
            f" would often not be seen in {', '.join(blind[:3])}{' ...' if len(blind) > 3 else ''};"
            " more seeds help most."
        )


def _alone(run: str, rest: DataFrame, paired: DataFrame) -> Iterator[str]:
    """What only one of the runs planned, counted by what parts it from all pairs."""
    why = np.where(anchors_of(rest), "other cases or repeats", "rotating seeds").astype(object)
    for name, words in (("strategy", "strategy"), ("reader", "model")):
        new = ~rest[name].isin(paired[name]).to_numpy()
        why[new] = [f"{words} {each}" for each in rest[name][new]]
    for each, count in Series(why, dtype=object).value_counts().sort_index().items():
        yield f"only in the {run}: {counted(count, 'trial')} ({each})"


def _fallen(
    verdict: ComparisonVerdict, before: DataFrame, after: DataFrame
) -> Iterator[tuple[str, str, str]]:
    """For each regression the trial that fell most, of its worst cell, and the fault that grew; or ""."""
    old, new = values_of(before), values_of(after)
    falls = {
        "score": old["score"] - new["score"],
        "not scored": np.where(new["not scored"] == 1, old["score"] - LOWEST + 1, np.nan),
    }
    for row, cell in zip(verdict.regressions, verdict.cells, strict=True):
        own = inside(after, (cell or row).parts)
        fall = np.where(own & (falls[row.measure] > 0), falls[row.measure], 0.0)
        worst, named = after.iloc[fall.argmax()], {"trial_id", "case_id"} <= {*after} and fall.any()
        case = f"{worst['case_id']}, {display_name(worst['strategy'])}" if named else ""
        whole = inside(after, {axis: name for axis, name in row.parts.items() if axis in WHO})
        yield worst["trial_id"] if named else "", case, _grown(before[whole], after[whole])


def _grown(before: DataFrame, after: DataFrame) -> str:
    """Which error type or outcome most more pairs have: "declined, 0% -> 14% of answers"; or ""."""
    grown = {"": 0.0}
    for column, of in (("error_type", "answers"), ("outcome", "trials")):
        if column in before and column in after:
            both = DataFrame({0: before[column].array, 1: after[column].array}, dtype=object)
            both = both[both.notna().all(axis=1) & (both != "not_run").all(axis=1)]
            counts = DataFrame({at: both[at].value_counts() for at in both}).fillna(0)
            for name, old, new in counts.drop(["correct", "scored"], errors="ignore").itertuples():
                fault = ERROR_WORDS.get(name, name).replace("_", " ")
                shares = f"{old / len(both):.0%} -> {new / len(both):.0%}"
                grown[f"{fault}, {shares} of {of}"] = new - old
    return max(grown, key=lambda said: grown[said])
