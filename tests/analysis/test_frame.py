"""Trials as a frame: what its columns say, clusters and facets, and how lengths are written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from niah.analysis.crossover import crossover_rows
from niah.analysis.frame import length_bands
from niah.analysis.summary import scores_by_length, win_rates
from niah.cases.sample import AnswerKey
from niah.needles.needle_set import Element
from niah.plots.page_data import page_index
from tests.analysis.small_trials import at, frame_of, given_sample, given_trial, samples_of_cases, trial

CASE = at(1000)
(GENERATED,) = samples_of_cases([trial("lc", 1, case=CASE)]).values()


def test_strategies_without_retrieval_come_first_and_say_what_they_do() -> None:
    names = ["bm25/half/reverse", "oracle", "lc", "closed-book"]
    frame = frame_of([trial(name, 1) for name in names])
    assert list(frame["strategy"].cat.categories) == ["lc", "oracle", "closed-book", "bm25/half/reverse"]
    assert frame["strategy"].cat.codes.tolist() == [3, 1, 0, 2]
    facts = frame[["retrieves", "is_oracle", "sends_context", "is_closed_book"]].to_numpy()
    assert np.array_equal(facts, np.eye(4))
    assert frame["order"].astype(object).fillna("none").tolist() == ["reverse", "none", "none", "none"]
    assert frame["retrieval"].tolist() == ["bm25/half@windows", "oracle", "lc", "closed-book"]


def test_what_is_not_known_is_no_number() -> None:
    frame = frame_of([trial("lc", 7, cost=0.5, missing=("cheese",)), trial("lc", None, latency_s=2.0)])
    assert frame["scored"].tolist() == [True, False]
    for name, missing in {"cost": [0, 1], "latency_s": [1, 0], "score": [0, 1], "n_missing": [0, 1]}.items():
        assert frame[name].isna().tolist() == missing
    assert frame["missing"].tolist() == [("cheese",), ()]
    assert frame["self_doubt"].isna().all()
    odd = frame_of([trial("lc", 7, outcome="judge_error")])  # a score without the outcome counts for nothing
    assert not odd["scored"].any()
    assert odd["score"].isna().all()


def test_a_question_is_a_case_of_one_reader_and_repeat() -> None:
    records = [
        trial("lc", 1),
        trial("topk", 1),
        trial("lc", 1, repeat=1),
        trial("lc", 1, reader="other"),
        trial("lc", 1, case=at(2000)),
        trial("lc", 1, needle_set="mine/pizza-ingredients.yaml"),
    ]
    assert frame_of(records)["question"].tolist() == [0, 0, 1, 2, 3, 4]


def test_a_cluster_is_needle_set_and_seed_or_a_given_document() -> None:
    samples = [given_sample("q1", "moby-dick"), given_sample("q2", "emma"), given_sample("q3", "moby-dick")]
    records = [
        trial("lc", 1, case=CASE),
        trial("lc", 1, case=at(2000)),
        trial("lc", 1, case=at(1000, seed=2)),
        *(given_trial(sample, "lc", 1) for sample in samples),
    ]
    frame = frame_of(records, {sample.sample_id: sample for sample in samples})
    assert frame["cluster"].tolist() == [0, 0, 1, 2, 3, 2]
    assert frame["document_id"].astype(object).tolist()[3:] == ["moby-dick", "emma", "moby-dick"]
    # The records alone say as much: comparisons have no samples at hand.
    assert frame_of(records)["cluster"].tolist() == [0, 0, 1, 2, 3, 2]


def test_facets_are_the_samples_or_are_not_known() -> None:
    nested, emma = replace(GENERATED, passages=GENERATED.needles), given_sample("q1", "emma")
    records = [trial("lc", 1, case=CASE), given_trial(emma, "lc", 1), trial("lc", 1, case_id="x", kind=None)]
    frame = frame_of(records, {CASE.case_id: nested, "q1": emma})
    known = frame[["origin", "kind", "nested", "n_distractors", "needle", "shuffled", "question_type"]]
    rows = [tuple(None if pd.isna(one) else one for one in row) for row in known.astype(object).to_numpy()]
    assert rows == [
        ("generated", "multi-needle", True, 0, GENERATED.needles[0].text, False, None),
        ("given", None, False, 0, None, None, "who"),
        ("generated", None, None, None, None, None, None),
    ]


def test_nothing_is_missing_where_nobody_has_written_down_the_elements() -> None:
    bare = given_sample("q1", "emma")
    elements = (Element("Nobody", ()),)
    written = replace(given_sample("q2", "emma"), key=AnswerKey("q2", "Who?", elements=elements))
    records = [given_trial(sample, "lc", 1, missing=()) for sample in (bare, written)]
    frame = frame_of(records, {"q1": bare, "q2": written})
    assert frame["n_missing"].isna().tolist() == frame["n_wrong"].isna().tolist() == [True, False]


def test_no_records_make_a_frame_with_the_same_columns() -> None:
    frame = frame_of([])
    assert len(frame) == 0
    assert list(frame) == list(frame_of([trial("lc", 1)]))


def test_a_band_of_lengths_holds_both_ways_to_say_its_upper_border() -> None:
    lengths = pd.Series([1, 16000, 16384, 16385, 32768, 32769, 65536, 65537, 131072, 131073])
    assert length_bands(lengths).cat.codes.tolist() == [0, 0, 0, 1, 1, 2, 2, 3, 3, 4]


def test_a_band_of_documents_is_no_length_of_a_grid() -> None:
    given = [given_trial(given_sample(name, name), name_of, 1) for name in "ab" for name_of in ("lc", "topk")]
    grid = [trial(name, 10, case=at(length)) for length in (1024, 2048) for name in ("lc", "topk")]
    frame = frame_of([*given, *grid])
    rows = scores_by_length(frame).query("strategy == 'lc'")
    assert [*zip(rows["length"], rows["mean"], strict=True)] == [("512–1k", 1), (1024, 10), (2048, 10)]
    assert [*win_rates(frame)["length"]] == ["all", "512–1k", 1024, 2048]
    assert [*crossover_rows(frame)["length"]] == ["512–1k", "1k–2k"]
    index = page_index([], frame.assign(run=0, cause=None))
    assert index["labels"]["length"] == ["512–1k", "1k", "2k"]
    assert index["columns"]["length"] == [0, 0, 0, 0, 1, 1, 2, 2]
