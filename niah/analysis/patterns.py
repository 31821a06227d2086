"""Error patterns: conditions under which models err more (u-niah, section 5.2.4, table 3), found or not.

Trials are compared only with trials of the same needle set, seed, haystack, model and more (a stratum), whose
mean is taken out. A threshold is the first cut of a regression tree (scikit-learn's DecisionTreeRegressor, as
in u-niah). Its p comes from flips of whole clusters' signs with the cut searched again under each (Westfall &
Young 1993), adjusted over patterns (Holm 1979). With what is not found goes the least difference that would
have been.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from niah.analysis.causes import planted_names, same_name
from niah.analysis.stats import (
    BOOTSTRAP_DRAWS,
    LEAST_CLUSTERS,
    bootstrap_sums,
    detectable,
    flip_tests,
    holm,
    mean_interval,
)
from niah.analysis.stats import codes as numbered
from niah.cases.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

PatternAnswer = Literal["found", "not found", "too few to tell"]

SIGNIFICANCE = 0.05
MATTERS = 0.1
"""Ten points of what a behaviour can be; a run that would miss such a difference cannot say "not found"."""

CRITICAL_NOISE = 0.8
"""u-niah tells noise distraction from critical noise; up to here one is searched, above it the other."""

MOST_CUTS = 50
"""Cuts tried, at quantiles where there are more values: a fiftieth of the trials apart."""

LEAST_SHARE = 0.05
"""Of the trials, on either side of a cut: fewer are single cases."""


@dataclass(frozen=True)
class Pattern:
    """A condition under which models err more, or the finding that it is not there.

    Attributes:
        condition: with its threshold, in words; between the two values next to it no cut was tried.
        behaviour: what rises under it.
        answer: "found" where ``p_adjusted`` is at most 5 % and the effect above 0; "not found" where a
            difference of ten points would have been found in four of five such runs.
        effect: mean behaviour under the condition minus without it; ``low`` and ``high`` its 95 % interval.
        base: mean behaviour without the condition.
        threshold: the cut; ``threshold_low`` and ``threshold_high`` 95 % of those of resampled clusters.
        n, n_condition, clusters: scored trials compared, those under the condition, and their clusters.
        p, p_adjusted: one-sided, with the cut searched again; for all patterns tried (Holm).
        detectable: the least difference found in four of five such runs; None where none would be.
    """

    name: str
    condition: str
    behaviour: str
    answer: PatternAnswer = "too few to tell"
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    base: float | None = None
    threshold: float | None = None
    threshold_low: float | None = None
    threshold_high: float | None = None
    n: int = 0
    n_condition: int = 0
    clusters: int = 0
    p: float = 1.0
    p_adjusted: float = 1.0
    detectable: float | None = None

    @property
    def relative(self) -> float | None:
        """The effect as a share of the base (u-niah's "+33.53 %" is 0.3353); None without a base above 0."""
        return self.effect / self.base if self.effect is not None and self.base else None


class _Question(NamedTuple):
    """One pattern's trials; arrays have shape (n,), ``x`` is what a threshold is searched in.

    ``form``: "step" (the behaviour rises above a threshold), "either" (on either side of one), "given" (x is
    1 under the condition, else 0), "alone" (the behaviour is above 0).
    """

    name: str
    condition: str
    behaviour: str
    form: Literal["step", "either", "given", "alone"]
    y: NDArray[np.float64]
    x: NDArray[np.float64]
    cluster: NDArray[np.int64]
    strata: NDArray[np.int64]
    form_of_x: str
    width: float = 1.0


_Form = Literal["step", "either", "given", "alone"]
_Asked = tuple[
    str, str, tuple[str, "NDArray[Any]"], _Form, "NDArray[Any]", "NDArray[Any]", "NDArray[Any]", str
]
_LURED = "from distractors, not invented"
_NEEDLES = "needle count"
_NOISE, _LENGTH = "noise ratio {} {}", "context length {} {} tokens"


def find_patterns(
    frame: DataFrame, samples: Mapping[str, Sample] | None = None, *, seed: int = 0
) -> list[Pattern]:
    """Every pattern that was tried, found or not.

    Args:
        frame: of one run's trials, see ``niah.analysis.frame.trial_frame``; only scored ones count.
        samples: by sample id; without them nothing is known of distractors.
        seed: of flips and resamples.
    """
    scored = frame[frame["n_missing"].notna()]
    asked = list(_questions(scored, samples or {}))
    patterns = [_pattern(question, seed) for question in asked]
    tried = [at for at, pattern in enumerate(patterns) if pattern.n]
    order = np.array([patterns[at].p for at in tried])
    for at, p in zip(tried, holm(order), strict=True):
        pattern, width = patterns[at], asked[at].width
        answer: PatternAnswer = "too few to tell"
        if p <= SIGNIFICANCE and (pattern.effect or 0.0) > 0:
            answer = "found"
        elif pattern.clusters >= LEAST_CLUSTERS and (pattern.detectable or width) <= MATTERS * width:
            answer = "not found"
        patterns[at] = replace(pattern, p_adjusted=float(p), answer=answer)
    return patterns


def _questions(trials: DataFrame, samples: Mapping[str, Sample]) -> Iterator[_Question]:
    """What is asked; conditions are u-niah's, thresholds are searched anew."""
    missing, wrong = trials["n_missing"].to_numpy(), trials["n_wrong"].to_numpy()
    noise, completeness = trials["noise_ratio"].to_numpy(), trials["retrieval_completeness"].to_numpy()
    depth, length = trials["depth"].to_numpy(), trials["context_length"].to_numpy(dtype=np.float64)
    elements, last = trials["n_elements"].to_numpy(dtype=np.float64), trials["best_last"].to_numpy()
    most = np.where(elements > 0, elements, np.maximum(missing, 1))
    share, any_wrong = np.minimum(missing / most, 1.0), (wrong > 0).astype(np.float64)
    collapsed = (trials["score"].to_numpy() <= 3).astype(np.float64)
    complete = (missing == 0) & (wrong == 0)
    doubt = trials["self_doubt"].to_numpy(dtype=np.float64, na_value=np.nan)
    retrieved = ~np.isnan(noise) & ~np.isnan(completeness)
    calm, noisy = (
        retrieved & (completeness == 1) & side for side in (noise <= CRITICAL_NOISE, noise > CRITICAL_NOISE)
    )
    ordered = trials["best_first"].to_numpy() | last
    in_place = trials["keeps_places"].to_numpy() & ~np.isnan(depth)
    middle = ((depth >= 25) & (depth <= 75)).astype(np.float64)

    def strata(*columns: str) -> NDArray[np.int64]:
        return numbered(
            zip(*(trials[name].astype(object).fillna("").tolist() for name in columns), strict=True)
        )

    # A stratum's mean takes out the level that needle sets of one seed share, so that these count each.
    own = ("needle_set", "seed", "document_id")
    within = (*own, "haystack", "reader")
    by_scope = strata(*within, "context_length", "order")
    by_depth = strata(*within, "context_length", "depth", "retrieval")
    by_length = strata(*within, "context_length", "strategy")
    by_place = strata(*within, "depth", "strategy")
    # Needle sets differ in how many needles they have, so they are compared with one another here.
    by_needles = strata("seed", "haystack", "reader", "context_length", "depth", "strategy")
    cluster, seeds = strata(*own), strata("seed")
    everywhere = np.ones(len(trials), dtype=np.bool_)
    told, lured = complete & ~np.isnan(doubt) & ~np.isnan(depth), _lured(trials, samples)
    incomplete, reverse = (completeness < 1).astype(np.float64), last.astype(np.float64)
    missed, false = ("missing elements", share), ("wrong elements", any_wrong)
    counted, known = everywhere & ~np.isnan(elements), ~np.isnan(lured)
    one = np.ones(len(trials))
    # Name, condition, behaviour and its values, form, trials, x, strata, number format.
    asked: list[_Asked] = [
        (
            "retrieval bottleneck",
            "retrieval completeness < 1",
            missed,
            "given",
            retrieved,
            incomplete,
            by_scope,
            "",
        ),
        ("noise distraction", _NOISE, missed, "step", calm, noise, by_scope, "{:.0%}"),
        ("noise distraction", _NOISE, false, "step", calm, noise, by_scope, "{:.0%}"),
        ("noise critical", _NOISE, ("collapse", collapsed), "step", noisy, noise, by_scope, "{:.0%}"),
        ("noise critical", _NOISE, false, "step", noisy, noise, by_scope, "{:.0%}"),
        ("position sensitivity", "reverse order", missed, "given", ordered, reverse, by_depth, ""),
        ("position sensitivity", "depth {} {} %", missed, "either", in_place, depth, by_length, "{:.0f}"),
        ("lost in the middle", "depth 25 to 75 %", missed, "given", in_place, middle, by_length, ""),
        (_NEEDLES, "elements asked {} {}", missed, "step", counted, elements, by_needles, "{:.0f}"),
        ("self-consistency", _LENGTH, ("self-doubt", doubt), "step", told, length, by_place, "{:,.0f}"),
        ("distractor choice", "something is wrong", (_LURED, lured), "alone", known, one, by_scope, ""),
    ]
    for name, condition, (behaviour, y), form, rows, x, strata_of, form_of_x in asked:
        parts = y[rows], x[rows], (seeds if name == _NEEDLES else cluster)[rows], strata_of[rows]
        width = 2.0 if behaviour == _LURED else 1.0
        yield _Question(name, condition, behaviour, form, *parts, form_of_x, width)


def _lured(trials: DataFrame, samples: Mapping[str, Sample]) -> NDArray[np.float64]:
    """Of each trial's wrong elements, the share that distractors plant minus the share that they do not."""
    planted = planted_names(samples)
    found = np.full(len(trials), np.nan)
    for at, (wrong, case) in enumerate(zip(trials["wrong"], trials["case_id"], strict=True)):
        if wrong and case in planted:
            found[at] = 2 * sum(same_name(name) in planted[case] for name in wrong) / len(wrong) - 1
    return found


def _pattern(question: _Question, seed: int) -> Pattern:
    """What a question comes to, its p not yet adjusted."""
    nothing = Pattern(question.name, question.condition.partition(" {")[0], question.behaviour)
    # Strata in which x is the same throughout tell nothing.
    if question.form != "alone":
        least, most = (_by_stratum(question.strata, question.x, which) for which in (np.minimum, np.maximum))
        keep = (least < most)[question.strata]
        question = _kept(question, keep)
    x, y, cluster = question.x, question.y, question.cluster
    if not len(y):
        return nothing
    centred = y if question.form == "alone" else _centred(y, question.strata)
    cuts = _cuts(x) if question.form in ("step", "either") else np.array([0.5])
    sides = (x[:, None] > cuts).astype(np.float64)
    inside = (sides.mean(axis=0) >= LEAST_SHARE) & (sides.mean(axis=0) <= 1 - LEAST_SHARE)
    if question.form in ("step", "either"):
        cuts, sides = cuts[inside], sides[:, inside]
        if not len(cuts):
            return nothing
    if question.form != "alone":
        sides = np.column_stack([_centred(side, question.strata) for side in sides.T])
    sums, squares = (
        np.column_stack([np.bincount(cluster, weights=column).astype(np.float64) for column in values.T])
        for values in (sides * centred[:, None], sides**2)
    )
    varies = squares.sum(axis=0) > 0  # a cut that parts no stratum tells nothing
    if not varies.any():
        return nothing
    cuts, sides, sums, squares = cuts[varies], sides[:, varies], sums[:, varies], squares[:, varies]
    asked = np.hstack([sums, -sums]) if question.form == "either" else sums
    tests = flip_tests(asked, SIGNIFICANCE, seed)
    best, low, high, above = 0, None, None, True
    condition = question.condition
    if question.form in ("step", "either"):
        best = int(np.abs(cuts - _first_cut(x, centred)).argmin())
        drawn = bootstrap_sums(np.hstack([sums, squares]), BOOTSTRAP_DRAWS, seed)
        gains = drawn[:, : len(cuts)] ** 2 / np.maximum(drawn[:, len(cuts) :], 1e-9)
        places = np.quantile(gains.argmax(axis=1), (0.025, 0.975), method="closest_observation").astype(int)
        low, high = float(x[x <= cuts[places[0]]].max()), float(x[x > cuts[places[1]]].min())
        above = question.form == "step" or float(sums[:, best].sum()) > 0
        around = (x[x <= cuts[best]].max(), x[x > cuts[best]].min())
        shown = " to ".join(dict.fromkeys(question.form_of_x.format(value) for value in around))
        condition = condition.format(">" if above else "<=", shown)
    under = np.ones(len(x), dtype=np.bool_) if question.form == "alone" else (x > cuts[best]) == above
    sign = 1.0 if above else -1.0
    # The effect is a ratio of sums: its residuals' cluster sums give its standard error (Liang & Zeger 1986).
    effect = sign * float(sums[:, best].sum() / squares[:, best].sum())
    influence = sides[:, best] * (sign * centred - effect * sides[:, best]) * len(y) / squares[:, best].sum()
    found = mean_interval(effect + influence, cluster, (-question.width, question.width))
    others = y[~under]
    seen = (
        None
        if found.error is None
        else detectable(found.error, len(y), found.clusters, tests.critical, question.width)
    )
    return replace(
        nothing,
        condition=condition,
        effect=effect,
        low=found.low,
        high=found.high,
        base=float(others.mean()) if len(others) else None,
        threshold=float(cuts[best]) if question.form in ("step", "either") else None,
        threshold_low=low,
        threshold_high=high,
        n=len(y),
        n_condition=int(under.sum()),
        clusters=found.clusters,
        p=float(tests.adjusted.min()),
        detectable=seen,
    )


def _kept(question: _Question, keep: NDArray[np.bool_]) -> _Question:
    return question._replace(
        y=question.y[keep],
        x=question.x[keep],
        cluster=numbered(question.cluster[keep].tolist()),
        strata=numbered(question.strata[keep].tolist()),
    )


def _by_stratum(strata: NDArray[np.int64], x: NDArray[np.float64], which: np.ufunc) -> NDArray[np.float64]:
    """Shape (strata,): the least or greatest ``x`` of each."""
    found = np.full(int(strata.max(initial=-1)) + 1, np.inf if which is np.minimum else -np.inf)
    which.at(found, strata, x)
    return found


def _centred(values: NDArray[np.float64], strata: NDArray[np.int64]) -> NDArray[np.float64]:
    """Shape (n,): less the stratum's mean."""
    means = np.bincount(strata, weights=values) / np.maximum(np.bincount(strata), 1)
    centred: NDArray[np.float64] = values - means[strata]
    return centred


def _cuts(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Half-way between neighbouring values, or quantiles of these."""
    known = np.unique(x)
    between = (known[1:] + known[:-1]) / 2
    if len(between) > MOST_CUTS:
        between = np.unique(np.quantile(between, np.linspace(0, 1, MOST_CUTS), method="nearest"))
    return between


def _first_cut(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """The first cut of a regression tree; the middle of ``x`` where it makes none."""
    from sklearn.tree import DecisionTreeRegressor

    tree = DecisionTreeRegressor(
        max_depth=1, min_samples_leaf=max(int(LEAST_SHARE * len(x)), 1), random_state=0
    )
    tree.fit(x[:, None], y)
    return float(tree.tree_.threshold[0]) if tree.tree_.node_count > 1 else float(np.median(x))
