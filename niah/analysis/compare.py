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
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from niah.analysis.frame import ERROR_WORDS
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
    clusters_of,
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
        same: pairs in which both score the same.
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
    same: int


@dataclass(frozen=True)
class ComparisonVerdict:
    """What a comparison comes to.

    Attributes:
        kind: a regression outweighs what is missing.
        regressions: the row that is worst, or the worst of each model.
        cells: of each of these the worst length or depth within it; None where it has none.
        gaps: why there would be too little to say, one line each.
    """

    kind: VerdictKind
    regressions: tuple[Row, ...]
    cells: tuple[Row | None, ...]
    gaps: tuple[str, ...]


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
        notes: trials of one run alone, what else differs, and what was left out for it; one line each.
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
    return replace(there, other_way=replace(back, changes=()))


def compare_frames(baseline: DataFrame, candidate: DataFrame, **options: Any) -> Comparison:
    """Compare results of any tool: frames with the columns of ``PLAIN``, one row a trial.

    Trials are paired by ``case_id`` where both have it, else by length, depth and seed; and by needle set,
    haystack, strategy, model and repeat. Options are those of ``compare_pairs``. Raises UserError where a
    column is missing, or no trial is in both.
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
    clusters, levels = clusters_of(baseline), levels_of(baseline, axes)
    after = values_of(candidate)
    pooled = [values_of(baseline), *(aligned(plain_frame(night), candidate) for night in reference)]
    usual = history if len(history) >= LEAST_NIGHTS else ()
    nights = [aligned(plain_frame(night), candidate) for night in usual]
    rows: list[Row] = []
    for fine, share in ((False, BROAD_SHARE), (True, 1 - BROAD_SHARE)):
        if family := [level for level in levels if level.fine == fine]:
            rows += _rows(after, pooled, nights, clusters, family, limits.alpha * share, seed)
    rows.sort(key=lambda row: row.measure == "not scored")
    before, alike = pooled[0]["score"], 0
    if "answer" in baseline and "answer" in candidate:
        said = baseline["answer"].to_numpy()
        alike = int(
            ((said == candidate["answer"].to_numpy()) & (said != "") & (before == after["score"])).sum()
        )
    scored_before = int(
        (~np.isnan(before)).sum() + only_baseline["score"][_anchors(only_baseline)].notna().sum()
    )
    unchanged = 0 < alike == rows[0].n == rows[0].same
    verdict = _verdict(rows, scored_before, limits, unchanged, readers)
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
        notes=(
            *_alone("baseline", only_baseline, baseline),
            *_alone("candidate", only_candidate, candidate),
            *notes,
            *_design_notes(baseline, len(nights), readers is not None),
        ),
        worst_trials=tuple(_worst_trials(verdict, baseline, candidate)),
        readers=readers,
    )


def _anchors(frame: DataFrame) -> NDArray[np.bool_]:
    """Which trials have a seed that every night has, or none."""
    seeds = frame["seed"].astype(object)
    return np.array([is_anchor_seed(each) for each in seeds.where(seeds.notna(), None)], dtype=bool)


# --- the rows -------------------------------------------------------------------------------------


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
    asked: list[tuple[Any, ...]] = []
    sums = []
    for measure in measures:
        sign = -1.0 if measure == "score" else 1.0
        before = _mean(np.vstack([each[measure] for each in pooled]), axis=0)
        change = candidate[measure] - before
        # Nights are compared with the reference pair by pair, so that a missing trial moves no mean.
        changes = [sign * (night[measure] - before) for night in nights]
        least = float(np.std([_mean(each) for each in changes], ddof=1)) if changes else 0.0
        for level in levels:
            known = (level.codes >= 0) & ~np.isnan(change)
            falls = sign * change[known]
            sums.append(cluster_sums(clusters[known], level.codes[known], falls, len(level.parts)))
            for place, parts in enumerate(level.parts):
                own = known & (level.codes == place)
                earlier = [float(_mean(each[level.codes == place])) for each in changes]
                sides = before[own], candidate[measure][own], clusters[own]
                asked.append(
                    (measure, parts, level.fine, *sides, [one for one in earlier if one == one], least)
                )
    most = max(map(len, sums))
    stacked = np.hstack([np.pad(each, ((0, most - len(each)), (0, 0))) for each in sums])
    tests = flip_tests(stacked, alpha, seed)
    return [_row(at, tests, alpha, *each) for at, each in enumerate(asked)]


def _row(
    at: int,
    tests: FlipTests,
    alpha: float,
    measure: Measure,
    parts: dict[str, str],
    fine: bool,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    clusters: NDArray[np.int64],
    nights: list[float],
    least_spread: float,
) -> Row:
    """A row by its pairs, its earlier nights' mean changes (above 0 is worse), and the tests' row ``at``."""
    if not len(before):
        empty: dict[str, Any] = dict.fromkeys(
            (
                "baseline",
                "candidate",
                "difference",
                "low",
                "high",
                "adjusted",
                "nights",
                "by_clusters",
                "detectable",
            )
        )
        return Row(measure, parts, fine, 0, 0, p=1.0, found=False, same=0, **empty)
    scale = DIFFERENCES if measure == "score" else (-1.0, 1.0)
    worse = before - after if measure == "score" else after - before
    found = mean_interval(after - before, clusters, scale)
    alike = found.low is not None and found.high is not None and is_point(found.low, found.high)
    # All of few clusters worse is no rarer than one in 2^clusters.
    adjusted = float(tests.adjusted[at]) if 0.5**found.clusters <= alpha else None
    has_nights, usual = len(nights) >= LEAST_NIGHTS, None
    if has_nights:
        usual = below_nights(-float(worse.mean()), [-night for night in nights], least_spread)
    by_clusters = smallest = None
    if adjusted is not None and found.error is not None:
        by_clusters = detectable(found.error, found.n, found.clusters, tests.critical, scale[1])
        smallest = by_clusters
        if smallest is not None and has_nights:
            spread = max(float(np.std(nights, ddof=1)), least_spread) * sqrt(1 + 1 / len(nights))
            reach = students_quantile(1 - NIGHT_LEVEL, len(nights) - 1) + POWER_QUANTILE
            smallest = max(smallest, reach * spread)
    return Row(
        measure=measure,
        parts=parts,
        fine=fine,
        n=found.n,
        clusters=found.clusters,
        baseline=float(before.mean()),
        candidate=float(after.mean()),
        difference=found.estimate,
        low=None if alike else found.low,
        high=None if alike else found.high,
        p=float(tests.p[at]),
        adjusted=adjusted,
        nights=usual,
        found=adjusted is not None and adjusted <= alpha and (usual is None or usual <= NIGHT_LEVEL),
        by_clusters=by_clusters,
        detectable=smallest,
        same=int((worse == 0).sum()),
    )


def _mean(values: NDArray[np.float64], axis: int | None = None) -> NDArray[np.float64]:
    """The mean of those that are known; NaN where none is."""
    known = ~np.isnan(values)
    count = known.sum(axis=axis)
    total = np.where(known, values, 0.0).sum(axis=axis)
    mean: NDArray[np.float64] = np.divide(total, np.where(count > 0, count, np.nan))
    return mean


# --- the verdict ----------------------------------------------------------------------------------


def row_label(row: Row) -> str:
    """The row's name for people: "simulated · full context · 16-32k · middle"."""
    parts = (spoken(name) if axis == "strategy" else name for axis, name in row.parts.items())
    return " · ".join(parts) or "all"


def _verdict(
    rows: Sequence[Row],
    scored_before: int,
    limits: Limits,
    unchanged: bool,
    models: tuple[str, str] | None,
) -> ComparisonVerdict:
    """One answer.

    The found row that explains most of the change is named, as a regression tree's first cut would be: the
    one with the greatest n x difference^2; and the same of each other model. Within it the length or depth
    that explains more than the row itself.
    """
    named: list[Row] = []
    for row in sorted((row for row in rows if row.found), key=lambda row: (row.fine, -_explained(row))):
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
    gaps = tuple(_gaps(rows, scored_before, limits, unchanged, models))
    kind: VerdictKind = "regression" if named else "incomplete" if gaps else "no regression"
    return ComparisonVerdict(kind, tuple(named), tuple(cells), gaps)


def _explained(row: Row) -> float:
    """The share of the scale's sum of squares that the row's change makes up."""
    width = HIGHEST - LOWEST if row.measure == "score" else 1
    return row.n * ((row.difference or 0.0) / width) ** 2


def _gaps(
    rows: Sequence[Row],
    scored_before: int,
    limits: Limits,
    unchanged: bool,
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

    def sees(row: Row) -> bool:
        """Whether a drop in it, or in one of its parts, would be seen; at the floor none can be."""
        inside = [each for each in broad if row.parts.items() <= each.parts.items()]
        return any(
            (each.baseline is not None and each.baseline - LOWEST < limits.detectable)
            or (each.by_clusters is not None and each.by_clusters <= limits.detectable)
            for each in inside
        )

    blind = [row_label(row) for row in of_models if len(row.parts) == fewest and not sees(row)]
    if blind and not unchanged:
        yield (
            f"with {every.clusters} clusters a {'lead' if models else 'drop'} of {limits.detectable:g} points"
            f" would often not be seen in {', '.join(blind[:3])}{' ...' if len(blind) > 3 else ''};"
            " more seeds help most."
        )


# --- what else there is to say --------------------------------------------------------------------


def _changes(
    baseline: DataFrame, candidate: DataFrame, clusters: NDArray[np.int64], levels: Sequence[Level]
) -> Iterator[QuantityChange]:
    """Error types, outcomes, retrieval, tokens, cost and time, of models and strategies."""
    level = [each for each in levels if not each.fine][-1]
    sides = [_quantities(frame) for frame in (baseline, candidate)]
    nothing = np.zeros(len(baseline))
    for place, parts in enumerate(level.parts):
        for quantity in dict.fromkeys((*sides[0], *sides[1])):
            before, after = (side.get(quantity, nothing) for side in sides)
            own = (level.codes == place) & ~np.isnan(after - before)
            if before[own].any() or after[own].any():
                found = mean_interval((after - before)[own], clusters[own], (-np.inf, np.inf))
                means = float(before[own].mean()), float(after[own].mean())
                yield QuantityChange(
                    parts, quantity, found.n, *means, found.estimate, found.low, found.high, found.clusters
                )


def _quantities(frame: DataFrame) -> dict[str, NDArray[np.float64]]:
    """By name, of each trial; NaN where it does not say."""
    found = {}
    for column, words in (("error_type", "answers {}"), ("outcome", "trials {}")):
        if column in frame:
            said = frame[column].astype(object)
            known = said.notna() & (said != "not_run")
            for name in sorted(said[known].unique()):
                shown = words.format(ERROR_WORDS.get(name, name).replace("_", " "))
                found[shown] = np.where(known, said == name, np.nan)
    measured = {name: column for name, column in MEASURED.items() if column in frame}
    return found | {
        name: frame[column].to_numpy(np.float64, na_value=np.nan) for name, column in measured.items()
    }


def _alone(run: str, rest: DataFrame, paired: DataFrame) -> Iterator[str]:
    """What only one of the runs planned, counted by what parts it from all pairs."""
    why = np.where(_anchors(rest), "other cases or repeats", "rotating seeds").astype(object)
    for name in ("strategy", "reader"):
        new = ~rest[name].isin(paired[name]).to_numpy()
        why[new] = [f"{name} {each}" for each in rest[name][new]]
    for each, count in sorted(Counter(why.tolist()).items()):
        yield f"only in the {run}: {count:,} trials ({each})"


def _design_notes(frame: DataFrame, nights: int, models: bool) -> Iterator[str]:
    """What the design of the cases, and too few nights, keep a comparison from knowing."""
    generated = frame.loc[frame["seed"].notna()]
    seeds = generated["seed"].nunique()
    if seeds < ENOUGH_SEEDS and (generated.groupby("seed")["needle_set"].nunique() > 1).any():
        yield f"needle sets share only {seeds} seeds; `spread: true` gives each set its own: surer nights"
    if not nights and not models:
        yield f"the spread from night to night is not known: fewer than {LEAST_NIGHTS} earlier nights"


def _worst_trials(verdict: ComparisonVerdict, baseline: DataFrame, candidate: DataFrame) -> Iterator[str]:
    """For each regression the trial that fell most, of its worst cell; "" where none did."""
    before, after = values_of(baseline), values_of(candidate)
    falls = {
        "score": before["score"] - after["score"],
        "not scored": np.where(after["not scored"] == 1, before["score"] - LOWEST + 1, np.nan),
    }
    for row, cell in zip(verdict.regressions, verdict.cells, strict=True):
        inside = np.ones(len(candidate), dtype=bool)
        for axis, name in (cell or row).parts.items():
            inside &= np.array([each == name for each in axis_names(candidate, axis)])
        fall = np.where(inside & (falls[row.measure] > 0), falls[row.measure], 0.0)
        yield str(candidate["trial_id"].iloc[fall.argmax()]) if "trial_id" in candidate and fall.any() else ""
