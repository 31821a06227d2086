"""Groups and their means."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest

from niah.analysis.stats import Interval, mean_interval
from niah.plots.figures.charts.estimates import Clusters, Estimates, interval_label, means, n_label, row_of

NAN = float("nan")


def frame(values: Sequence[float], clusters: Sequence[int], names: str) -> pd.DataFrame:
    """Of one needle set, whose clusters are its seeds."""
    return pd.DataFrame(
        {
            "score": values,
            "cluster": clusters,
            "seed": pd.array(list(clusters), dtype="Int64"),
            "needle_set": pd.Categorical(["pizza"] * len(values)),
            "question_set": pd.Categorical([None] * len(values)),
            "reader": pd.Categorical(list(names)),
        }
    )


def test_means_leave_out_what_is_not_known() -> None:
    found = means(frame([10, NAN, 7, NAN], [0, 0, 1, 1], "aaab"), "score", "reader")
    assert list(found) == [("a",)]
    assert (found["a",].estimate, found["a",].n, found["a",].clusters) == (8.5, 2, 2)


def test_groups_stand_in_the_order_of_their_names() -> None:
    trials = frame([1, 2, 3], [0, 1, 2], "cab")
    assert [key for (key,) in means(trials, "score", "reader")] == ["a", "b", "c"]


def test_the_interval_is_for_new_seeds_of_these_needle_sets() -> None:
    scores, clusters, seeds = [1.0, 3, 5, 7, 10, 10], [0, 0, 1, 2, 3, 3], [1, 1, 2, 1, 2, 2]
    trials = frame(scores, clusters, "aaaaaa").assign(seed=pd.array(seeds, dtype="Int64"))
    trials["needle_set"] = pd.Categorical(["pizza"] * 3 + ["potion"] * 3)
    expected = mean_interval(scores, clusters, seeds, [0, 0, 0, 1, 1, 1])
    assert means(trials, "score", "reader")["a",] == expected
    assert expected != mean_interval(scores, clusters, seeds) != mean_interval(scores, clusters)


def test_a_row_has_empty_bounds_where_there_are_none() -> None:
    assert row_of(Interval(1 / 3, None, None, 3, 1)) == (0.333333, None, None, 3, 1)


@pytest.mark.parametrize(
    ("counts", "label"),
    [
        ((1, 1), "n = 1 trial a point"),
        ((3, 3), "n = 3 trials a point"),
        ((1, 1200), "n = 1–1,200 trials a point"),
    ],
)
def test_n_is_a_number_or_a_range(counts: tuple[int, int], label: str) -> None:
    assert n_label({(k,): Interval(1, None, None, n, 1) for k, n in enumerate(counts)}) == label


def test_the_label_says_why_there_are_no_bands() -> None:
    few, many = Interval(5, 1, 9, 9, 4), Interval(5, 4, 6, 9, 5)

    def label(found: Estimates) -> str:
        return interval_label(found, "bands", Clusters("needle set × seed", "new seeds"))

    assert label({(0,): few}) == "no bands: fewer than 5 clusters (needle set × seed)"
    assert label({(0,): many}) == "bands: 95 % intervals for new seeds"
    assert "none for fewer than 5" in label({(0,): many, (1,): few})
