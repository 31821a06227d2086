from __future__ import annotations

import numpy as np

from niah.analysis.columns import coded, columns_of, groups
from tests.analysis.small_trials import at, trial


def test_strategies_without_retrieval_come_first() -> None:
    columns = columns_of([trial("bm25/half/norm", 1), trial("oracle", 1), trial("lc", 1)])
    assert columns.strategy.names == ("lc", "oracle", "bm25/half/norm")
    assert columns.strategy.codes.tolist() == [2, 1, 0]
    assert columns.retrieving.tolist() == [True, False, False]
    assert columns.whole.tolist() == [False, False, True]


def test_what_is_not_known_is_no_number() -> None:
    columns = columns_of([trial("lc", 7, cost=0.5), trial("lc", None, latency_s=2.0)])
    assert columns.scored.tolist() == [True, False]
    assert np.isnan(columns.cost).tolist() == [False, True]
    assert np.isnan(columns.latency_s).tolist() == [True, False]


def test_a_score_without_the_outcome_scored_counts_for_nothing() -> None:
    assert not columns_of([trial("lc", 7, outcome="judge_error")]).scored.any()


def test_a_question_is_a_case_of_one_reader_and_repeat() -> None:
    records = [
        trial("lc", 1),
        trial("topk", 1),
        trial("lc", 1, repeat=1),
        trial("lc", 1, reader="other"),
        trial("lc", 1, case=at(2000)),
        trial("lc", 1, needle_set="mine/pizza-ingredients.yaml"),
    ]
    assert columns_of(records).question.tolist() == [0, 0, 1, 2, 3, 4]


def test_groups_come_in_the_order_of_names() -> None:
    first, second = coded(["b", "a", "b", "b"]), coded(["x", "x", "y", "x"])
    found = [(names, rows.tolist()) for names, rows in groups(np.array([0, 1, 2, 3]), first, second)]
    assert found == [(("a", "x"), [1]), (("b", "x"), [0, 3]), (("b", "y"), [2])]
    assert [names for names, _ in groups(np.array([2]), first, second)] == [("b", "y")]
    assert list(groups(np.array([], dtype=np.intp), first)) == []
