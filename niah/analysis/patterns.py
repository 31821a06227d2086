"""Error patterns: conditions under which models err more (u-niah, section 5.2.4, table 3), found or not.

Trials are compared only with trials of the same needle set, seed, haystack, model and more (a stratum), whose
mean is taken out. A threshold is the first cut of a regression tree, as in u-niah. Its p comes from flips of
whole clusters' signs with the cut searched again (Westfall & Young 1993), adjusted over patterns (Holm 1979).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas import DataFrame

from niah.analysis import stats

SIGNIFICANCE = 0.05
MATTERS = 0.1  # ten points of what a behaviour can be: who would miss that cannot say "not found"

# u-niah tells noise distraction from critical noise; up to here one is searched, above it the other.
CRITICAL_NOISE = 0.8
MOST_CUTS = 50  # cuts tried, at quantiles where there are more values: a fiftieth of the trials apart
LEAST_SHARE = 0.05  # of the trials, on either side of a cut: fewer are single cases


class _Question(NamedTuple):
    """One pattern that is looked for; names are columns of ``_prepared``."""

    name: str
    condition: str  # with two places where a threshold is searched: ">", and the values next to it
    y: str  # what rises, a behaviour
    where: str  # of which trials
    x: str  # what a threshold is searched in; without one, 1 under the condition, else 0
    within: tuple[str, ...]  # what trials must share to be compared, besides needle set, seed, text and model
    written: str = ""  # how the values of ``x`` are written
    either: bool = False  # whether the behaviour may rise on either side of a threshold


_SCOPE, _DEPTH = ("context_length", "order"), ("context_length", "depth", "retrieval")
_LENGTH, _PLACE = ("context_length", "strategy"), ("depth", "strategy")
_EVERY = ("context_length", "depth", "strategy")
_NOISE, _NEEDLES = "noise ratio {} {}", "needle count"
_BEHAVIOURS = {"missed": "missing elements", "false": "wrong elements", "doubt": "self-doubt"}

QUESTIONS = (
    _Question(
        "retrieval bottleneck", "retrieval completeness < 1", "missed", "retrieved", "incomplete", _SCOPE
    ),
    _Question("noise distraction", _NOISE, "missed", "calm", "noise_ratio", _SCOPE, "{:.0%}"),
    _Question("noise distraction", _NOISE, "false", "calm", "noise_ratio", _SCOPE, "{:.0%}"),
    _Question("noise critical", _NOISE, "collapse", "noisy", "noise_ratio", _SCOPE, "{:.0%}"),
    _Question("noise critical", _NOISE, "false", "noisy", "noise_ratio", _SCOPE, "{:.0%}"),
    _Question("position sensitivity", "reverse order", "missed", "ordered", "best_last", _DEPTH),
    _Question(
        "position sensitivity", "depth {} {} %", "missed", "in_place", "depth", _LENGTH, "{:.0f}", True
    ),
    _Question("lost in the middle", "depth 25 to 75 %", "missed", "in_place", "middle", _LENGTH),
    _Question(_NEEDLES, "elements asked {} {}", "missed", "counted", "n_elements", _EVERY, "{:.0f}"),
    _Question(
        *("self-consistency", "context length {} {} tokens", "doubt", "complete", "context_length"),
        *(_PLACE, "{:,.0f}"),
    ),
)  # conditions are u-niah's; their thresholds are searched anew


def find_patterns(frame: DataFrame) -> DataFrame:
    """A row a pattern that had trials to compare, found or not.

    answer: "found" where ``p_adjusted`` is at most 5 % and the effect above 0; "not found" where ten points
    would have been found in four of five such runs (``detectable``); else "too few to tell".
    """
    trials = _prepared(frame[frame["n_missing"].notna()])
    found = pd.DataFrame(filter(None, (_pattern(question, trials) for question in QUESTIONS)))
    if found.empty:
        return found
    adjusted, few = stats.holm(found["p"]), found["clusters"] < stats.LEAST_CLUSTERS
    blind = few | ~(found["detectable"].astype(float) <= MATTERS)
    shown = (adjusted <= SIGNIFICANCE) & (found["effect"] > 0)
    found["answer"] = np.select([shown, blind], ["found", "too few to tell"], "not found")
    return found.assign(p_adjusted=adjusted)


def _prepared(trials: DataFrame) -> DataFrame:
    """The trials with the columns that ``QUESTIONS`` name."""
    completeness, noise = trials["retrieval_completeness"], trials["noise_ratio"]
    missing, elements, depth = trials["n_missing"], trials["n_elements"], trials["depth"]
    asked = elements.where(elements > 0, np.maximum(missing, 1))
    retrieved, placed = noise.notna() & completeness.notna(), depth.notna()
    whole, doubt = retrieved & (completeness == 1), trials["self_doubt"].astype(float)
    return trials.assign(
        missed=np.minimum(missing / asked, 1.0),
        false=trials["n_wrong"] > 0,
        collapse=trials["score"] <= 3,
        doubt=doubt,
        incomplete=completeness < 1,
        middle=(depth >= 25) & (depth <= 75),
        retrieved=retrieved,
        calm=whole & (noise <= CRITICAL_NOISE),
        noisy=whole & (noise > CRITICAL_NOISE),
        ordered=trials["best_first"] | trials["best_last"],
        in_place=trials["keeps_places"] & placed,
        counted=elements.notna(),
        complete=(missing == 0) & (trials["n_wrong"] == 0) & doubt.notna() & placed,
    )


def _pattern(question: _Question, trials: DataFrame) -> dict[str, Any]:
    """What a question comes to, its p not yet adjusted; empty without trials to compare."""
    # Needle sets differ in how many needles they have, so they are compared with one another there.
    shared = ["seed"] if question.name == _NEEDLES else ["needle_set", "seed", "document_id"]
    alike = [*shared, "haystack", "reader", *question.within]
    needed = list(dict.fromkeys([*alike, question.x, question.y]))
    own = trials.loc[trials[question.where].to_numpy(dtype=bool), needed]
    own = own.assign(stratum=stats.numbered(own[alike]))
    # Strata in which x is the same throughout tell nothing.
    own = own[own.groupby("stratum")[question.x].transform("nunique") > 1]
    if own.empty:
        return {}
    strata, cluster = own["stratum"].to_numpy(), stats.numbered(own[shared])
    x, y = (own[name].to_numpy(dtype=np.float64) for name in (question.x, question.y))
    cuts = _cuts(x) if question.written else np.array([0.5])
    values = np.column_stack([x[:, None] > cuts, y])
    values -= pd.DataFrame(values).groupby(strata).transform("mean").to_numpy()
    sides, centred = values[:, :-1], values[:, -1:]
    parts, columns = np.repeat(cluster, len(cuts)), np.tile(np.arange(len(cuts)), len(x))
    sums = stats.cluster_sums(parts, columns, (sides * centred).ravel(), len(cuts))
    squares = (sides**2).sum(axis=0)
    varies = squares > 0  # a cut that parts no stratum tells nothing
    if not varies.any():
        return {}
    cuts, sides, sums, squares = cuts[varies], sides[:, varies], sums[:, varies], squares[varies]
    tests = stats.flip_tests(np.hstack([sums, -sums]) if question.either else sums, SIGNIFICANCE)
    best, condition, sign = 0, question.condition, 1.0
    if question.written:
        # The first cut of a regression tree leaves the least variance; of equal ones that next to the median.
        above = x[:, None] > cuts
        n = above.sum(axis=0)
        gain = (above * centred).sum(axis=0) ** 2 * (1 / n + 1 / (len(x) - n))
        best = int(np.lexsort((np.abs(cuts - np.median(x)), -gain.round(9)))[0])
        sign = -1.0 if question.either and sums[:, best].sum() < 0 else 1.0
        around = (x[x <= cuts[best]].max(), x[x > cuts[best]].min())
        shown = " to ".join(dict.fromkeys(map(question.written.format, around)))
        condition = condition.format(">" if sign > 0 else "<=", shown)
    under = (x > cuts[best]) == (sign > 0)
    # The effect is a ratio of sums: its residuals' cluster sums give its standard error (Liang & Zeger 1986).
    effect = sign * float(sums[:, best].sum() / squares[best])
    influence = sides[:, best] * (sign * centred[:, 0] - effect * sides[:, best]) * len(y) / squares[best]
    found = stats.mean_interval(effect + influence, cluster, (-1.0, 1.0))
    error, many = found.error, found.clusters
    seen = None if error is None else stats.detectable(error, len(y), many, tests.critical, 1.0)
    base = y[~under].mean()
    return {
        **{"pattern": question.name, "condition": condition},
        "behaviour": _BEHAVIOURS.get(question.y, question.y),
        **{"threshold": cuts[best] if question.written else None, "answer": "", "effect": effect},
        **{"low": found.low, "high": found.high, "relative": effect / base if base else None},
        **{"p": tests.adjusted.min(), "detectable": seen, "n": len(y), "n_condition": under.sum()},
        "clusters": many,
    }


def _cuts(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Half-way between neighbouring values, or quantiles of these; with enough trials on either side."""
    known = np.unique(x)
    between = (known[1:] + known[:-1]) / 2
    if len(between) > MOST_CUTS:
        between = np.unique(np.quantile(between, np.linspace(0, 1, MOST_CUTS), method="nearest"))
    share = (x[:, None] > between).mean(axis=0)
    kept: NDArray[np.float64] = between[(share >= LEAST_SHARE) & (share <= 1 - LEAST_SHARE)]
    return kept
