"""Two runs, on frames whose answer is known by hand; next to SciPy's tests of the same."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import niah
from niah.analysis.compare import compare_frames
from niah.plots.verdicts import comparison_markdown

COLUMNS = ["reader", "strategy", "needle_set", "haystack", "context_length", "depth", "seed", "repeat"]


def nights(seeds: int = 12, strategies: tuple[str, ...] = ("lc", "dos")) -> pd.DataFrame:
    """All right: one needle set, two lengths, three depths."""
    asked = product(
        ["m"], strategies, ["keys"], ["essays"], [1000, 2000], [0.0, 50.0, 100.0], range(seeds), [0]
    )
    return pd.DataFrame(asked, columns=COLUMNS).assign(score=10.0, outcome="scored")


def test_the_worst_row_is_named_and_its_worst_cell() -> None:
    before = nights()
    hit = (before["strategy"] == "lc") & (before["depth"] == 50)
    found = compare_frames(before, before.assign(score=np.where(hit, 1.0, 10.0)))
    (row,), (cell,) = found.verdict.regressions, found.verdict.cells
    assert (row.parts, row.n, row.clusters, row.difference) == ({"reader": "m", "strategy": "lc"}, 72, 12, -3)
    assert cell is not None
    assert (cell.parts["depth"], cell.difference) == ("middle", -9)
    # One of 4,096 flips is as bad; both rows with the drop are found with it.
    assert (row.p, row.adjusted) == (1 / 4096, 1 / 4096)


def test_lengths_and_depths_of_too_few_clusters_are_named() -> None:
    before = nights().assign(score=5.0)
    few = before[(before["context_length"] == 1000) | (before["seed"] < 3)]
    told = comparison_markdown(compare_frames(few, few.assign(score=5.0 + few["seed"] % 2)))
    assert "\n* not tested, too few clusters: m · 2,000 tokens\n" in told
    assert "not tested" not in comparison_markdown(compare_frames(before, before.assign(score=6.0)))


def test_what_dropped_everywhere_is_named_as_a_whole() -> None:
    before = nights()
    hit = before["seed"] % 2 == 0
    found = compare_frames(before, before.assign(score=np.where(hit, 4.0, 8.0)))
    assert [row.parts for row in found.verdict.regressions] == [{"reader": "m"}]
    assert found.verdict.cells == (None,)


def test_trials_that_lose_their_score_are_counted_not_averaged() -> None:
    before = nights()
    lost = before["strategy"] == "dos"
    after = before.assign(
        score=np.where(lost, np.nan, 10.0), outcome=np.where(lost, "reader_error", "scored")
    )
    (row,) = compare_frames(before, after).verdict.regressions
    assert (row.measure, row.parts["strategy"], row.baseline, row.candidate) == ("not scored", "dos", 0, 1)


def test_a_usual_night_is_no_regression() -> None:
    """Means that go up and down by a point from night to night hide a drop of one."""
    before = nights()
    history = [before.assign(score=score) for score in (10.0, 8.0, 9.0, 7.5, 9.5)]
    after = before.assign(score=np.where(before["seed"] < 11, 8.0, 9.0))
    alone, known = compare_frames(before, after), compare_frames(before, after, history=history)
    assert (alone.verdict.kind, known.verdict.kind) == ("regression", "no regression")
    assert known.nights == 5


def test_five_clusters_are_too_few_and_say_so() -> None:
    before = nights(seeds=5)
    noisy = before.assign(score=np.where(before["seed"] == 0, 1.0, 10.0))
    found = compare_frames(before, noisy).verdict
    assert found.kind == "incomplete"
    assert "5 clusters" in found.gaps[0]


def test_a_missing_column_is_named() -> None:
    with pytest.raises(niah.UserError, match="no column seed"):
        niah.compare(nights().drop(columns="seed"), nights())


def test_ours_agrees_with_the_paired_t_test_and_mcnemar_where_designs_are_simple() -> None:
    """One trial a cluster: p within a factor of three of SciPy's, and the same direction."""
    rng = np.random.default_rng(7)
    compared = 0
    for _ in range(10):
        before = nights(seeds=60, strategies=("lc",))
        before = before[(before["context_length"] == 1000) & (before["depth"] == 50)]
        first = np.where(rng.random(60) < 0.8, 10.0, 1.0)
        second = np.where(rng.random(60) < 0.2, 11.0 - first, first)
        row = compare_frames(before.assign(score=first), before.assign(score=second)).rows[0]
        paired = stats.ttest_rel(first, second, alternative="greater")
        worse, better = int((second < first).sum()), int((second > first).sum())
        mcnemar = stats.binomtest(worse, worse + better, alternative="greater").pvalue
        assert np.sign(-(row.difference or 0.0)) == np.sign(paired.statistic)
        for theirs in (paired.pvalue, mcnemar):
            if 0.003 < theirs < 0.9:
                compared += 1
                assert theirs / 3 < row.p < theirs * 3
    assert compared >= 10
