"""Error patterns: conditions under which models err more (u-niah, section 5.2.4, table 3), found or not.

Trials are compared only with trials of the same needle set, seed, haystack, model and more (a stratum), whose
mean is taken out. A threshold is the first cut of a regression tree (scikit-learn's DecisionTreeRegressor, as
in u-niah). Its p comes from flips of whole clusters' signs with the cut searched again under each (Westfall &
Young 1993), adjusted over patterns (Holm 1979). With what is not found goes the least difference that would
have been.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from niah.analysis.causes import planted_names, same_name
from niah.analysis.stats import (
    LEAST_CLUSTERS,
    bootstrap_sums,
    cluster_sums,
    detectable,
    flip_tests,
    holm,
    mean_interval,
    numbered,
)
from niah.cases.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame, Series

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
    """One pattern that is looked for; names are columns of ``_prepared``.

    Attributes:
        behaviour, y: what rises, in words, and its column.
        form: "step" (the behaviour rises above a threshold), "either" (on either side of one), "given" (x is
            1 under the condition, else 0), "alone" (the behaviour, of -1 to 1, is above 0).
        where: of which trials.
        x: what a threshold is searched in, and how its values are written.
        within: what trials must share to be compared, besides needle set, seed, haystack and model.
    """

    name: str
    condition: str
    behaviour: str
    y: str
    form: Literal["step", "either", "given", "alone"]
    where: str
    x: str
    within: tuple[str, ...]
    written: str = ""

    @property
    def is_cut(self) -> bool:
        return self.form in ("step", "either")

    @property
    def width(self) -> float:
        """Of what the behaviour can be."""
        return 2.0 if self.form == "alone" else 1.0


_SCOPE, _DEPTH = ("context_length", "order"), ("context_length", "depth", "retrieval")
_LENGTH, _PLACE = ("context_length", "strategy"), ("depth", "strategy")
_EVERY = ("context_length", "depth", "strategy")
_MISSED, _FALSE = ("missing elements", "missed"), ("wrong elements", "false")
_NOISE, _NEEDLES = "noise ratio {} {}", "needle count"
_PLANTED = "from distractors, not invented"

QUESTIONS = (
    _Question(
        "retrieval bottleneck",
        "retrieval completeness < 1",
        *_MISSED,
        "given",
        "retrieved",
        "incomplete",
        _SCOPE,
    ),
    _Question("noise distraction", _NOISE, *_MISSED, "step", "calm", "noise_ratio", _SCOPE, "{:.0%}"),
    _Question("noise distraction", _NOISE, *_FALSE, "step", "calm", "noise_ratio", _SCOPE, "{:.0%}"),
    _Question(
        "noise critical", _NOISE, "collapse", "collapsed", "step", "noisy", "noise_ratio", _SCOPE, "{:.0%}"
    ),
    _Question("noise critical", _NOISE, *_FALSE, "step", "noisy", "noise_ratio", _SCOPE, "{:.0%}"),
    _Question("position sensitivity", "reverse order", *_MISSED, "given", "ordered", "best_last", _DEPTH),
    _Question(
        "position sensitivity", "depth {} {} %", *_MISSED, "either", "in_place", "depth", _LENGTH, "{:.0f}"
    ),
    _Question("lost in the middle", "depth 25 to 75 %", *_MISSED, "given", "in_place", "middle", _LENGTH),
    _Question(_NEEDLES, "elements asked {} {}", *_MISSED, "step", "counted", "n_elements", _EVERY, "{:.0f}"),
    _Question(
        *("self-consistency", "context length {} {} tokens", "self-doubt", "doubt", "step"),
        *("complete", "context_length", _PLACE, "{:,.0f}"),
    ),
    _Question("distractor choice", "something is wrong", _PLANTED, "lured", "alone", "erring", "one", _SCOPE),
)
"""Conditions are u-niah's; their thresholds are searched anew."""


def find_patterns(
    frame: DataFrame, samples: Mapping[str, Sample] | None = None, *, seed: int = 0
) -> list[Pattern]:
    """Every pattern that was tried, found or not.

    Args:
        frame: of one run's trials, see ``niah.analysis.frame.trial_frame``; only scored ones count.
        samples: by sample id; without them nothing is known of distractors.
        seed: of flips and resamples.
    """
    trials = _prepared(frame[frame["n_missing"].notna()], samples or {})
    patterns = [_pattern(question, trials, seed) for question in QUESTIONS]
    tried = [at for at, pattern in enumerate(patterns) if pattern.n]
    for at, p in zip(tried, holm([patterns[at].p for at in tried]), strict=True):
        pattern, width = patterns[at], QUESTIONS[at].width
        answer: PatternAnswer = "too few to tell"
        if p <= SIGNIFICANCE and (pattern.effect or 0.0) > 0:
            answer = "found"
        elif pattern.clusters >= LEAST_CLUSTERS and (pattern.detectable or width) <= MATTERS * width:
            answer = "not found"
        patterns[at] = replace(pattern, p_adjusted=float(p), answer=answer)
    return patterns


def _prepared(trials: DataFrame, samples: Mapping[str, Sample]) -> DataFrame:
    """The trials with the columns that ``QUESTIONS`` name."""
    completeness, noise = trials["retrieval_completeness"], trials["noise_ratio"]
    missing, elements, depth = trials["n_missing"], trials["n_elements"], trials["depth"]
    asked = elements.where(elements > 0, np.maximum(missing, 1))
    retrieved, depth_known = noise.notna() & completeness.notna(), depth.notna()
    whole = retrieved & (completeness == 1)
    doubt, lured = trials["self_doubt"].astype(float), _lured(trials, samples)
    return trials.assign(
        missed=np.minimum(missing / asked, 1.0),
        false=trials["n_wrong"] > 0,
        collapsed=trials["score"] <= 3,
        doubt=doubt,
        lured=lured,
        incomplete=completeness < 1,
        middle=(depth >= 25) & (depth <= 75),
        one=1.0,
        retrieved=retrieved,
        calm=whole & (noise <= CRITICAL_NOISE),
        noisy=whole & (noise > CRITICAL_NOISE),
        ordered=trials["best_first"] | trials["best_last"],
        in_place=trials["keeps_places"] & depth_known,
        counted=elements.notna(),
        complete=(missing == 0) & (trials["n_wrong"] == 0) & doubt.notna() & depth_known,
        erring=~np.isnan(lured),
    )


def _lured(trials: DataFrame, samples: Mapping[str, Sample]) -> NDArray[np.float64]:
    """Of each trial's wrong elements, the share that distractors plant minus the share that they do not."""
    planted = planted_names(samples)
    found = np.full(len(trials), np.nan)
    for at, (wrong, case) in enumerate(zip(trials["wrong"], trials["case_id"], strict=True)):
        if wrong and case in planted:
            found[at] = 2 * sum(same_name(name) in planted[case] for name in wrong) / len(wrong) - 1
    return found


def _pattern(question: _Question, trials: DataFrame, seed: int) -> Pattern:
    """What a question comes to, its p not yet adjusted."""
    nothing = Pattern(question.name, question.condition.partition(" {")[0], question.behaviour)
    own = trials[trials[question.where].to_numpy(dtype=bool)]
    # Needle sets differ in how many needles they have, so they are compared with one another there.
    shared = ["seed"] if question.name == _NEEDLES else ["needle_set", "seed", "document_id"]
    own = own.assign(stratum=numbered(own[[*shared, "haystack", "reader", *question.within]]))
    if question.form != "alone":  # strata in which x is the same throughout tell nothing
        own = own[own.groupby("stratum")[question.x].transform("nunique") > 1]
    if own.empty:
        return nothing
    strata, cluster = own["stratum"], numbered(own[shared])
    x, y = (own[name].to_numpy(dtype=np.float64) for name in (question.x, question.y))
    centred = y if question.form == "alone" else _centred(y[:, None], strata)[:, 0]
    cuts = _cuts(x) if question.is_cut else np.array([0.5])
    sides = (x[:, None] > cuts).astype(np.float64)
    if question.form != "alone":
        sides = _centred(sides, strata)
    many = len(cuts)
    clusters, columns = np.repeat(cluster, many), np.tile(np.arange(many), len(x))
    sums, squares = (
        cluster_sums(clusters, columns, values.ravel(), many)
        for values in (sides * centred[:, None], sides**2)
    )
    varies = squares.sum(axis=0) > 0  # a cut that parts no stratum tells nothing
    if not varies.any():
        return nothing
    cuts, sides, sums, squares = cuts[varies], sides[:, varies], sums[:, varies], squares[:, varies]
    tests = flip_tests(np.hstack([sums, -sums]) if question.form == "either" else sums, SIGNIFICANCE, seed)
    best, above = 0, True
    threshold: dict[str, Any] = {}
    if question.is_cut:
        best = int(np.abs(cuts - _first_cut(x, centred)).argmin())
        above = question.form == "step" or float(sums[:, best].sum()) > 0
        drawn = bootstrap_sums(np.hstack([sums, squares]), seed)
        gains = drawn[:, : len(cuts)] ** 2 / np.maximum(drawn[:, len(cuts) :], 1e-9)
        first, last = np.quantile(gains.argmax(axis=1), (0.025, 0.975), method="closest_observation").astype(
            int
        )
        around = (x[x <= cuts[best]].max(), x[x > cuts[best]].min())
        shown = " to ".join(dict.fromkeys(question.written.format(value) for value in around))
        threshold = {
            "condition": question.condition.format(">" if above else "<=", shown),
            "threshold": float(cuts[best]),
            "threshold_low": float(x[x <= cuts[first]].max()),
            "threshold_high": float(x[x > cuts[last]].min()),
        }
    under = np.ones(len(x), dtype=bool) if question.form == "alone" else (x > cuts[best]) == above
    sign, parted = 1.0 if above else -1.0, squares[:, best].sum()
    # The effect is a ratio of sums: its residuals' cluster sums give its standard error (Liang & Zeger 1986).
    effect = sign * float(sums[:, best].sum() / parted)
    influence = sides[:, best] * (sign * centred - effect * sides[:, best]) * len(y) / parted
    found = mean_interval(effect + influence, cluster, (-question.width, question.width))
    seen = None
    if found.error is not None:
        seen = detectable(found.error, len(y), found.clusters, tests.critical, question.width)
    return replace(
        nothing,
        **threshold,
        effect=effect,
        low=found.low,
        high=found.high,
        base=float(y[~under].mean()) if not under.all() else None,
        n=len(y),
        n_condition=int(under.sum()),
        clusters=found.clusters,
        p=float(tests.adjusted.min()),
        detectable=seen,
    )


def _centred(values: NDArray[np.float64], strata: Series[int]) -> NDArray[np.float64]:
    """Shape (n, columns): less the stratum's mean."""
    import pandas as pd

    means = pd.DataFrame(values).groupby(strata.to_numpy()).transform("mean")
    centred: NDArray[np.float64] = values - means.to_numpy()
    return centred


def _cuts(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Half-way between neighbouring values, or quantiles of these; with enough trials on either side."""
    known = np.unique(x)
    between = (known[1:] + known[:-1]) / 2
    if len(between) > MOST_CUTS:
        between = np.unique(np.quantile(between, np.linspace(0, 1, MOST_CUTS), method="nearest"))
    share = (x[:, None] > between).mean(axis=0)
    kept: NDArray[np.float64] = between[(share >= LEAST_SHARE) & (share <= 1 - LEAST_SHARE)]
    return kept


def _first_cut(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """The first cut of a regression tree; the middle of ``x`` where it makes none."""
    from sklearn.tree import DecisionTreeRegressor

    least = max(int(LEAST_SHARE * len(x)), 1)
    tree = DecisionTreeRegressor(max_depth=1, min_samples_leaf=least, random_state=0)
    tree.fit(x[:, None], y)
    return float(tree.tree_.threshold[0]) if tree.tree_.node_count > 1 else float(np.median(x))
