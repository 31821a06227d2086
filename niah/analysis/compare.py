"""Two runs, or the same trials on two nights: did anything get significantly worse, and where?

A row is worse where both hold:

* signs of whole clusters are flipped over all rows of its family (``niah.analysis.stats.flip_tests``): broad
  rows (all, model, model x strategy) at 5/8 of alpha, fine ones (lengths, depths) at 3/8: .025 and .015
* where three earlier nights at least are known, tonight's mean lies below the one-sided 98 % prediction
  interval of the row's own nights (``below_nights``); no row's spread from night to night is taken for less
  than that of all pairs together
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from niah.analysis.frame import ERROR_WORDS, cluster_codes
from niah.analysis.pairs import (
    DEFAULT_AXES,
    MEASURED,
    PLAIN,
    Level,
    Measure,
    Pairs,
    Values,
    aligned,
    axis_names,
    check_axes,
    levels_of,
    pair,
    plain_frame,
    values_of,
)
from niah.analysis.stats import (
    DIFFERENCES,
    ENOUGH_SEEDS,
    POWER_QUANTILE,
    FlipTests,
    below_nights,
    cluster_sums,
    detectable,
    flip_tests,
    is_point,
    mean_interval,
    students_quantile,
)
from niah.errors import UserError
from niah.judges.verdict import HIGHEST, LOWEST
from niah.runs.seeds import is_anchor_seed
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

VerdictKind = Literal["no regression", "regression", "incomplete"]

BROAD_SHARE = 5 / 8
"""The share of alpha that broad rows are tested at."""

NIGHT_LEVEL = 0.02
"""The one-sided level of the prediction interval."""

LEAST_NIGHTS = 3
"""Two nights have a spread of one degree of freedom, whose 98 % quantile is 16."""

UNTESTED = "too few clusters to test this row"
"""Why a row has no adjusted p."""


@dataclass(frozen=True)
class Limits:
    """When there is too little to say that nothing got worse.

    Attributes:
        alpha: how often any regression may be found where nothing changed.
        missing: the greatest share of the baseline's scored trials that may have no score in the candidate.
        detectable: the drop that must be seen in a model, in points of score.
    """

    alpha: float = 0.04
    missing: float = 0.1
    detectable: float = 1.5


@dataclass(frozen=True)
class Row:
    """One row of a comparison.

    Attributes:
        measure: "score", 1 to 10, or "not scored", the share of trials with another outcome.
        parts: of the axes that cut it out, by axis; none for all pairs.
        fine: whether it is a length or depth, rather than a model or strategy.
        n: pairs; for "score", those with a score on both sides.
        clusters: of these pairs.
        baseline, candidate: means over the pairs; None without any.
        difference: candidate minus baseline.
        low, high: its 95 % interval; None below five clusters, and where all clusters are alike.
        p: one-sided, by flips, that the candidate is worse, of this row alone.
        adjusted: the same for all rows of its family; None where clusters are too few to find anything.
        nights: one-sided p that a usual night is as low; None with fewer than three earlier nights.
        found: whether it is worse.
        by_clusters: the worsening that flips find in four of five comparisons; None where none could be.
        detectable: the same of both tests, with the spread from night to night.
        better, same, worse: pairs in which the candidate is.
    """

    measure: Measure
    parts: dict[str, str]
    fine: bool
    n: int
    clusters: int
    baseline: float | None
    candidate: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float
    adjusted: float | None
    nights: float | None
    found: bool
    by_clusters: float | None
    detectable: float | None
    better: int
    same: int
    worse: int


@dataclass(frozen=True)
class ComparisonVerdict:
    """What a comparison comes to.

    Attributes:
        kind: a regression outweighs what is missing.
        regressions: the row that is worst, or the worst of each model.
        cells: of each of these the worst length or depth within it; None where it has none.
        gaps: why there would be too little to say, one line each.
        unseen: models and strategies in which alone a drop of ``Limits.detectable`` would often not be seen,
            each with what would be; that is no gap.
    """

    kind: VerdictKind
    regressions: tuple[Row, ...]
    cells: tuple[Row | None, ...]
    gaps: tuple[str, ...]
    unseen: tuple[str, ...] = ()


@dataclass(frozen=True)
class QuantityChange:
    """One quantity of one model and strategy, in both runs; not tested.

    Attributes:
        quantity: "answers missing only" (error types), "trials truncated" (outcomes), "latency in s" ...
        n, clusters: pairs in which both sides say.
        baseline, candidate: means over these pairs; of error types and outcomes, shares.
        low, high: the difference's 95 % interval.
    """

    parts: dict[str, str]
    quantity: str
    n: int
    baseline: float
    candidate: float
    difference: float
    low: float | None
    high: float | None
    clusters: int


@dataclass(frozen=True)
class Unpaired:
    """Trials of one run that the other did not plan: "baseline" or "candidate", why, and how many."""

    run: str
    why: str
    trials: int


@dataclass(frozen=True)
class Comparison:
    """What two runs come to.

    Attributes:
        baseline, candidate: what they are called.
        by: axes of the table, the coarsest first.
        pairs: trials planned in both runs.
        alike: pairs with the same answer, word for word, and the same score.
        scored_before: trials of the baseline that have a score, but for those of rotating seeds.
        nights: how many earlier nights the spread from night to night is known from.
        verdict: the answer.
        rows: the table.
        changes: what else changed, not tested.
        unpaired: the rest.
        notes: what else differs between the runs, and what was left out for it; one line each.
        worst_trials: for each regression the id of its trial that fell most; "" where none did.
        readers: the two models that are compared, rather than two nights of the same ones.
        other_way: of two models the same comparison with the first in the candidate's place.
    """

    baseline: str
    candidate: str
    by: tuple[str, ...]
    limits: Limits
    pairs: int
    alike: int
    scored_before: int
    nights: int
    verdict: ComparisonVerdict
    rows: tuple[Row, ...]
    changes: tuple[QuantityChange, ...]
    unpaired: tuple[Unpaired, ...]
    notes: tuple[str, ...]
    worst_trials: tuple[str, ...] = ()
    readers: tuple[str, str] | None = None
    other_way: Comparison | None = None


def compare_models(pairs: Pairs, readers: tuple[str, str], **options: Any) -> Comparison:
    """Compare two models both ways, each at half of the level; options are those of ``compare_pairs``."""
    limits = options.pop("limits", None) or Limits()
    half = replace(limits, alpha=limits.alpha / 2)
    names, notes = options.pop("names", readers), options.pop("notes", ())
    turned = Pairs(pairs.candidate, pairs.baseline, pairs.only_candidate, pairs.only_baseline)
    there = compare_pairs(pairs, names=names, notes=notes, limits=half, readers=readers, **options)
    back = compare_pairs(turned, names=names[::-1], limits=half, readers=readers[::-1], **options)
    return replace(there, other_way=replace(back, changes=(), unpaired=()))


def compare_frames(baseline: DataFrame, candidate: DataFrame, **options: Any) -> Comparison:
    """Compare results of any tool: frames with the columns of ``PLAIN``, one row a trial.

    Args:
        baseline, candidate: paired by ``case_id`` where both have it, else by length, depth and seed; and by
            needle set, haystack, strategy, model and repeat.
        options: of ``compare_pairs``.

    Raises UserError where a column is missing, or no trial is in both.
    """
    for name, frame in (("baseline", baseline), ("candidate", candidate)):
        if missing := [column for column in PLAIN if column not in frame]:
            raise UserError(f"{name}: no column {', '.join(missing)}.", f"Columns: {', '.join(PLAIN)}.")
    return compare_pairs(pair(baseline, candidate), **options)


def compare_pairs(
    pairs: Pairs,
    *,
    names: tuple[str, str] = ("baseline", "candidate"),
    by: Sequence[str] = DEFAULT_AXES,
    limits: Limits | None = None,
    seed: int = 0,
    notes: Sequence[str] = (),
    reference: Sequence[DataFrame | Iterable[TrialRecord]] = (),
    history: Sequence[DataFrame | Iterable[TrialRecord]] = (),
    readers: tuple[str, str] | None = None,
) -> Comparison:
    """Compare the candidate's trials with the baseline's.

    Args:
        pairs: of the two runs.
        names: of both.
        by: axes of the table, the coarsest first.
        limits: the level, and when there is too little to say.
        seed: of the flips.
        notes: what else differs between the runs.
        reference: more nights, whose mean with the baseline is what is compared with.
        history: whole nights before the candidate's, the latest first; three at least to count.
        readers: the two models that are compared, where the pairs are theirs.

    Raises UserError where no trial is in both, and UnknownName for what is no axis.
    """
    baseline, candidate, only_baseline, only_candidate = pairs
    if not len(baseline):
        raise UserError(
            f"{names[0]} and {names[1]} have no trial in common (case, strategy, reader and repeat).",
            "Compare runs of one suite, or two readers.",
        )
    limits, axes = limits or Limits(), check_axes(by)
    clusters, levels = cluster_codes(baseline), levels_of(baseline, axes)
    after = values_of(candidate)
    pooled = [values_of(baseline), *(aligned(plain_frame(night), candidate) for night in reference)]
    usual = history if len(history) >= LEAST_NIGHTS else ()
    nights = [aligned(plain_frame(night), candidate) for night in usual]
    rows: list[Row] = []
    for fine in (False, True):
        family = [level for level in levels if level.fine == fine]
        if family:
            level = limits.alpha * (1 - BROAD_SHARE if fine else BROAD_SHARE)
            rows += _rows(after, pooled, nights, clusters, family, level, seed)
    rows.sort(key=lambda row: row.measure == "not scored")
    answers = [frame.get("answer") for frame in (baseline, candidate)]
    before, alike = pooled[0]["score"], 0
    if answers[0] is not None and answers[1] is not None:
        said = answers[0].to_numpy() == answers[1].to_numpy()
        alike = int((said & (answers[0] != "").to_numpy() & (before == after["score"])).sum())
    anchors = only_baseline["seed"].map(lambda each: is_anchor_seed(_known(each))).to_numpy(dtype=bool)
    scored_before = int((~np.isnan(before)).sum() + only_baseline["score"].notna().to_numpy()[anchors].sum())
    all_pairs = next(row for row in rows if row.measure == "score")
    nothing_changed = 0 < alike == all_pairs.n == all_pairs.same
    verdict = _verdict(rows, scored_before, limits, nothing_changed, readers)
    return Comparison(
        *names,
        by=axes,
        limits=limits,
        pairs=len(baseline),
        alike=alike,
        scored_before=scored_before,
        nights=len(nights),
        verdict=verdict,
        rows=tuple(rows),
        changes=tuple(_changes(baseline, candidate, clusters, levels)),
        unpaired=(
            *_unpaired("baseline", only_baseline, baseline),
            *_unpaired("candidate", only_candidate, candidate),
        ),
        notes=(*notes, *_design_notes(baseline, len(nights), readers is not None)),
        worst_trials=tuple(_worst_trials(verdict, baseline, candidate)),
        readers=readers,
    )


def _known(value: Any) -> int | None:
    return None if value is None or value != value else int(value)


class _Tested(NamedTuple):
    """One row before its test: ``worse`` and ``nights`` are of its pairs, above 0 is worse."""

    measure: Measure
    level: Level
    place: int
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    worse: NDArray[np.float64]
    clusters: NDArray[np.int64]
    nights: list[float]
    least_spread: float


def _rows(
    candidate: Values,
    pooled: Sequence[Values],
    nights: Sequence[Values],
    clusters: NDArray[np.int64],
    levels: Sequence[Level],
    alpha: float,
    seed: int,
) -> list[Row]:
    """The rows of one family, of both measures, tested together at ``alpha``.

    Args:
        candidate: its values by measure.
        pooled: of the nights whose mean is the reference.
        nights: of earlier nights; none of fewer than ``LEAST_NIGHTS``.
    """
    measures: tuple[Measure, ...] = ("score",) if levels[0].fine else ("score", "not scored")
    tested, sums = [], []
    for measure in measures:
        sign = -1.0 if measure == "score" else 1.0
        before = _mean(np.vstack([each[measure] for each in pooled]), axis=0)
        after = candidate[measure]
        worse = sign * (after - before)
        # Nights are compared with the reference pair by pair, so that a missing trial moves no mean.
        changes = [sign * (night[measure] - before) for night in nights]
        usual = [float(_mean(change)) for change in changes]
        least = float(np.std(usual, ddof=1)) if len(usual) >= LEAST_NIGHTS else 0.0
        for level in levels:
            known = (level.codes >= 0) & ~np.isnan(worse)
            sums.append(cluster_sums(clusters[known], level.codes[known], worse[known], len(level.parts)))
            for place in range(len(level.parts)):
                own = known & (level.codes == place)
                earlier = [float(_mean(change[level.codes == place])) for change in changes]
                earlier = [mean for mean in earlier if not np.isnan(mean)]
                sides = before[own], after[own], worse[own], clusters[own]
                tested.append(_Tested(measure, level, place, *sides, earlier, least))
    most = max(map(len, sums))
    stacked = np.hstack([np.pad(each, ((0, most - len(each)), (0, 0))) for each in sums])
    tests = flip_tests(stacked, alpha, seed)
    return [_row(each, at, tests, alpha) for at, each in enumerate(tested)]


def _row(row: _Tested, at: int, tests: FlipTests, alpha: float) -> Row:
    scale = DIFFERENCES if row.measure == "score" else (-1.0, 1.0)
    found = mean_interval(row.after - row.before, row.clusters, scale) if len(row.worse) else None
    count = found.clusters if found else 0
    # All of few clusters worse is no rarer than one in 2^clusters.
    adjusted = float(tests.adjusted[at]) if count and 0.5**count <= alpha else None
    has_nights = found is not None and len(row.nights) >= LEAST_NIGHTS
    usual = (
        below_nights(-float(row.worse.mean()), [-night for night in row.nights], row.least_spread)
        if has_nights
        else None
    )
    low, high = (found.low, found.high) if found else (None, None)
    if low is not None and high is not None and is_point(low, high):
        low = high = None
    by_clusters = smallest = None
    if adjusted is not None and found and found.error is not None:
        by_clusters = smallest = detectable(found.error, found.n, count, tests.critical, scale[1])
        if smallest is not None and has_nights:
            spread = max(float(np.std(row.nights, ddof=1)), row.least_spread)
            reach = students_quantile(1 - NIGHT_LEVEL, len(row.nights) - 1) + POWER_QUANTILE
            smallest = max(smallest, reach * spread * sqrt(1 + 1 / len(row.nights)))
    return Row(
        measure=row.measure,
        parts=row.level.parts[row.place],
        fine=row.level.fine,
        n=len(row.worse),
        clusters=count,
        baseline=float(row.before.mean()) if found else None,
        candidate=float(row.after.mean()) if found else None,
        difference=found.estimate if found else None,
        low=low,
        high=high,
        p=float(tests.p[at]),
        adjusted=adjusted,
        nights=usual,
        found=adjusted is not None and adjusted <= alpha and (usual is None or usual <= NIGHT_LEVEL),
        by_clusters=by_clusters,
        detectable=smallest,
        better=int((row.worse < 0).sum()),
        same=int((row.worse == 0).sum()),
        worse=int((row.worse > 0).sum()),
    )


def _mean(values: NDArray[np.float64], axis: int | None = None) -> NDArray[np.float64]:
    """The mean of those that are known; NaN where none is."""
    known = ~np.isnan(values)
    count = known.sum(axis=axis)
    total = np.where(known, values, 0.0).sum(axis=axis)
    mean: NDArray[np.float64] = np.divide(total, np.where(count > 0, count, np.nan))
    return mean


def _verdict(
    rows: Sequence[Row],
    scored_before: int,
    limits: Limits,
    nothing_changed: bool,
    models: tuple[str, str] | None,
) -> ComparisonVerdict:
    """One answer.

    The found row that explains most of the change is named, as a regression tree's first cut would be: the
    one with the greatest n x difference^2; and the same of each other model. Within it the length or depth
    that explains more than the row itself.
    """
    found = sorted((row for row in rows if row.found), key=lambda row: (row.fine, -_explained(row)))
    named: list[Row] = []
    for row in found:
        models_named = {each.parts.get("reader") for each in named}
        if not named or ("reader" in row.parts and not models_named & {None, row.parts["reader"]}):
            named.append(row)
    cells = []
    for row in named:
        inside = [
            each
            for each in rows
            if (each.fine, each.measure) == (True, row.measure)
            and row.parts.items() < each.parts.items()
            and (each.difference or 0.0) * (row.difference or 0.0) > 0
            and _explained(each) > _explained(row)
        ]
        cells.append(max(inside, key=_explained, default=None))
    gaps = tuple(_gaps(rows, scored_before, limits, nothing_changed, models))
    unseen = () if nothing_changed else tuple(_unseen(rows, limits.detectable))
    kind: VerdictKind = "regression" if named else "incomplete" if gaps else "no regression"
    return ComparisonVerdict(kind, tuple(named), tuple(cells), gaps, unseen)


def row_label(row: Row) -> str:
    """The row's name for people: "simulated · full context · 16-32k · middle"."""
    parts = (spoken(name) if axis == "strategy" else name for axis, name in row.parts.items())
    return " · ".join(parts) or "all"


def _explained(row: Row) -> float:
    """The share of the scale's sum of squares that the row's change makes up."""
    width = HIGHEST - LOWEST if row.measure == "score" else 1
    return row.n * ((row.difference or 0.0) / width) ** 2


def _gaps(
    rows: Sequence[Row],
    scored_before: int,
    limits: Limits,
    nothing_changed: bool,
    models: tuple[str, str] | None,
) -> Iterator[str]:
    every = rows[0]
    missing, (first, second) = scored_before - every.n, models or ("the baseline", "the candidate")
    if missing > limits.missing * scored_before:
        yield (
            f"{missing:,} of {scored_before:,} trials ({missing / scored_before:.0%}) that have a score in"
            f" {first} have none in {second}; {limits.missing:.0%} may."
        )
    broad = [row for row in rows if row.measure == "score" and not row.fine]
    of_models = [row for row in broad if "reader" in row.parts] or broad
    fewest = min(len(row.parts) for row in of_models)
    blind = [
        row_label(row)
        for row in of_models
        if len(row.parts) == fewest
        and not nothing_changed
        and not any(
            _shows(each, limits.detectable, each.by_clusters)
            for each in broad
            if row.parts.items() <= each.parts.items()
        )
    ]
    if blind:
        yield (
            f"with {every.clusters} clusters a {'lead' if models else 'drop'} of {limits.detectable:g} points"
            f" would often not be seen in {', '.join(blind[:3])}{' ...' if len(blind) > 3 else ''};"
            " more seeds help most."
        )


def _unseen(rows: Sequence[Row], drop: float) -> Iterator[str]:
    for row in rows:
        if (
            row.measure == "score"
            and not row.fine
            and "strategy" in row.parts
            and not _shows(row, drop, row.detectable)
        ):
            seen = "none" if row.detectable is None else f"from {row.detectable:.1f} on"
            yield f"{row_label(row)} ({seen})"


def _shows(row: Row, drop: float, seen_from: float | None) -> bool:
    """Whether such a drop would be seen, or cannot be: a row at the floor has nowhere to fall."""
    at_floor = row.baseline is not None and row.baseline - LOWEST < drop
    return at_floor or (seen_from is not None and seen_from <= drop)


def _changes(
    baseline: DataFrame, candidate: DataFrame, clusters: NDArray[np.int64], levels: Sequence[Level]
) -> Iterator[QuantityChange]:
    """Error types, outcomes, retrieval, tokens, cost and time, of models and strategies."""
    level = [each for each in levels if not each.fine][-1]
    sides = [_quantities(frame) for frame in (baseline, candidate)]
    for place, parts in enumerate(level.parts):
        for quantity in dict.fromkeys((*sides[0], *sides[1])):
            nothing = np.zeros(len(baseline))
            before, after = (side.get(quantity, nothing) for side in sides)
            own = (level.codes == place) & ~np.isnan(after - before)
            if not own.any() or not (before[own].any() or after[own].any()):
                continue
            found = mean_interval((after - before)[own], clusters[own], (-np.inf, np.inf))
            yield QuantityChange(
                *(parts, quantity, found.n, float(before[own].mean()), float(after[own].mean())),
                *(found.estimate, found.low, found.high, found.clusters),
            )


def _quantities(frame: DataFrame) -> dict[str, NDArray[np.float64]]:
    """By name, of each trial; NaN where it does not say."""
    outcome, found = frame["outcome"], {}
    if "error_type" in frame:
        error = frame["error_type"]
        for name in sorted(error.dropna().unique()):
            found[f"answers {ERROR_WORDS[name]}"] = np.where(error.isna(), np.nan, error == name)
    for name in sorted(set(outcome) - {"not_run"}):
        found[f"trials {name.replace('_', ' ')}"] = np.where(outcome == "not_run", np.nan, outcome == name)
    measured = {name: column for name, column in MEASURED.items() if column in frame}
    return found | {
        name: frame[column].to_numpy(dtype=np.float64, na_value=np.nan) for name, column in measured.items()
    }


def _unpaired(run: str, rest: DataFrame, paired: DataFrame) -> list[Unpaired]:
    """What only one of the runs planned, counted by what parts it from all pairs."""
    readers, strategies = set(paired["reader"]), set(paired["strategy"])
    counts: Counter[str] = Counter()
    for reader, strategy, seed in zip(rest["reader"], rest["strategy"], rest["seed"], strict=True):
        if reader not in readers:
            counts[f"reader {reader}"] += 1
        elif strategy not in strategies:
            counts[f"strategy {strategy}"] += 1
        else:
            counts["other cases or repeats" if is_anchor_seed(_known(seed)) else "rotating seeds"] += 1
    return [Unpaired(run, why, trials) for why, trials in sorted(counts.items())]


def _design_notes(frame: DataFrame, nights: int, models: bool) -> Iterator[str]:
    """What the design of the cases, and too few nights, keep a comparison from knowing."""
    generated = frame.loc[frame["seed"].notna()]
    seeds = generated["seed"].nunique()
    crossed = seeds < ENOUGH_SEEDS and (generated.groupby("seed")["needle_set"].nunique() > 1).any()
    if crossed:
        yield f"needle sets share only {seeds} seeds; `spread: true` gives each set its own: surer nights"
    if not nights and not models:
        yield f"the spread from night to night is not known: fewer than {LEAST_NIGHTS} earlier nights"


def _worst_trials(verdict: ComparisonVerdict, baseline: DataFrame, candidate: DataFrame) -> Iterator[str]:
    """For each regression the trial that fell most, of its worst cell; "" where none did."""
    if "trial_id" not in candidate:
        yield from [""] * len(verdict.regressions)
        return
    ids = candidate["trial_id"].tolist()
    before, after = values_of(baseline), values_of(candidate)
    for row, cell in zip(verdict.regressions, verdict.cells, strict=True):
        parts = (cell or row).parts
        inside = np.ones(len(ids), dtype=np.bool_)
        for axis, name in parts.items():
            inside &= np.array([each == name for each in axis_names(candidate, axis)])
        if row.measure == "score":
            fall = before["score"] - after["score"]
        else:
            fall = np.where(after["not scored"] == 1, before["score"] - LOWEST + 1, np.nan)
        fall = np.where(inside & (fall > 0), fall, 0.0)
        yield ids[int(fall.argmax())] if fall.any() else ""
