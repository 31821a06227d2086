"""Which side is correct and which is better, over given documents: worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from niah.analysis.frame import trial_frame
from niah.analysis.tables.rag_papers.beside_paper import beside_paper
from niah.analysis.tables.rag_papers.lc_vs_rag import lc_vs_rag
from niah.analysis.tables.rag_papers.overlaps import overlaps
from niah.analysis.tables.registry import report_tables
from niah.cases.sample import Sample
from niah.reference.numbers import published
from niah.runs.trial import TrialRecord
from tests.analysis.small_trials import given_sample, given_trial, trial

# Contained match and F1 of each side: (lc correct, lc F1, rag correct, rag F1).
ANSWERS = [
    ("Who keeps the light?", "a", True, 0.5, True, 1.0),  # both: nobody is better, whatever F1 says
    ("When was it lit?", "a", True, 0.2, False, 0.9),  # only full context
    ("Where does it stand?", "b", False, 0.9, True, 0.1),  # only retrieval
    ("How high is it?", "b", False, 0.6, False, 0.3),  # neither; full context is nearer
    ("Is it high?", "c", False, 0.0, False, 0.0),  # neither, and alike
]


def asked(question: str, document: str, at: int) -> Sample:
    sample = given_sample(f"q{at}", document)
    return replace(sample, key=replace(sample.key, question=question))


SAMPLES = {f"q{at}": asked(question, document, at) for at, (question, document, *_) in enumerate(ANSWERS)}


def answer(sample: Sample, strategy: str, correct: bool, f1: float, **changed: Any) -> TrialRecord:
    scores = {"contained-match": 10.0 if correct else 1.0, "token-f1": 1 + 9 * f1, "squad-f1": 5.0}
    return given_trial(sample, strategy, 5.0, judge_scores=scores, **changed)


def records() -> list[TrialRecord]:
    made = []
    for sample, (_, _, lc, lc_f1, rag, rag_f1) in zip(SAMPLES.values(), ANSWERS, strict=True):
        made += [answer(sample, "lc", lc, lc_f1), answer(sample, "topk", rag, rag_f1)]
    return made


def test_counts_by_hand() -> None:
    table = lc_vs_rag(trial_frame(records(), SAMPLES))
    every, *by_type = table.rows
    # lc right, rag right, both, only lc, only rag, neither; lc better, rag better.
    assert every == ("simulated", "topk", "all", "all", 5, 2, 2, 1, 1, 1, 2, 2, 1)
    assert [row[2:4] for row in by_type] == [
        ("question type", each) for each in ("how", "when", "where", "who", "other")
    ]
    assert by_type[0][4:] == (1, 0, 0, 0, 0, 0, 1, 1, 0)
    assert "contained-match, token-f1" in table.note


def test_each_retriever_is_set_next_to_its_own_printed_row() -> None:
    named = [replace(each, question_set="MultiFieldQA") for each in records()]
    others = [
        replace(each, strategy=name, definition=definition, trial_id=f"{each.trial_id}-{name}")
        for name, definition in (
            ("raptor", "raptor-pca:minilm/budget-2000/norm@100"),
            ("bm25/top-5/norm", ""),
        )
        for each in named
        if each.strategy == "topk"
    ]
    frame = trial_frame([*named, *others], SAMPLES)
    found = beside_paper(frame, published("long-context-vs-rag")).rows
    rows = {(row[1], row[2], row[3]): row[4:] for row in found}
    # Table 4, of RAPTOR: of 121 questions full context alone answers 14, and RAPTOR better 21.
    assert rows["raptor", "MultiFieldQA", "only_lc"] == (5, 0.2, 14 / 121, 0.2 - 14 / 121, "table 4")
    assert rows["raptor", "MultiFieldQA", "rag_better"] == (5, 0.2, 21 / 121, 0.2 - 21 / 121, "table 4")
    # Table 5, of BM25: 20.4 % are 319, and 50 alone.
    share = 50 / (319 / 20.4 * 100)
    assert rows["bm25/top-5/norm", "all", "only_rag"] == (5, 0.2, share, 0.2 - share, "table 5")
    assert {strategy for strategy, *_ in rows} == {"raptor", "bm25/top-5/norm"}
    assert {what for strategy, *_, what in rows if strategy == "bm25/top-5/norm"} == {
        "rag_correct",
        "only_rag",
        "rag_better",
    }
    assert beside_paper(trial_frame(named, SAMPLES), published(None)).rows == ()


def test_options_are_right_by_accuracy_alone() -> None:
    sample = SAMPLES["q0"]
    by_letter = {"accuracy": 10.0, "contained-match": 1.0, "token-f1": 1.0}
    by_words = {"accuracy": 1.0, "contained-match": 10.0, "token-f1": 10.0}
    pair = [
        given_trial(sample, "lc", 1.0, judge_scores=by_letter),
        given_trial(sample, "topk", 1.0, judge_scores=by_words),
    ]
    (row,) = lc_vs_rag(trial_frame(pair, SAMPLES)).rows
    assert row[4:] == (1, 1, 0, 0, 1, 0, 0, 1, 0)


def test_without_metrics_the_score_stands_in() -> None:
    sample = SAMPLES["q0"]
    pair = [given_trial(sample, "lc", 5.5), given_trial(sample, "topk", 7.0)]
    table = lc_vs_rag(trial_frame(pair, SAMPLES))
    assert table.rows[0][4:] == (1, 0, 0, 0, 0, 0, 1, 0, 1)
    assert "No metric judged" in table.note


def test_what_has_no_partner_and_what_is_planted_is_left_out() -> None:
    sample = SAMPLES["q0"]
    alone = [
        given_trial(sample, "lc", None),
        given_trial(sample, "topk", 10.0),
        trial("lc", 10),
        trial("topk", 10),
    ]
    tables = {table.name for table in report_tables(trial_frame(alone, SAMPLES), SAMPLES)}
    assert "win-lose" in tables
    assert not {"lc-vs-rag", "lc-vs-rag-shares", "overlaps"} & tables


def test_what_two_strategies_are_correct_on() -> None:
    third = [answer(SAMPLES["q0"], "dos", False, 0.0), answer(SAMPLES["q1"], "dos", True, 1.0)]
    rows = {row[1:3]: row[3:] for row in overlaps(trial_frame([*records(), *third], SAMPLES)).rows}
    assert rows["lc", "topk"] == (5, 1, 1, 1, 2, 1 / 3)
    assert rows["lc", "dos"] == (2, 1, 1, 0, 0, 0.5)
    # dos is right on q1 alone, topk on q0 alone.
    assert rows["dos", "topk"] == (2, 0, 1, 1, 0, 0.0)
