"""Causes of lost points: which one each missing or wrong element gets, worked out by hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from niah.analysis.causes import CAUSES, elements_seen, empty_answers, wholly_retrieved, with_causes
from niah.analysis.nights import NightVerdict
from niah.analysis.tables import make_table
from niah.cases.case import Case, Placed
from niah.cases.sample import Sample
from niah.cases.samples import sample_of
from niah.judges.error_types import ERROR_TYPES
from niah.needles.load import load_needle_set
from niah.needles.needle_set import Element, Needle
from niah.plots.verdicts import write_verdict
from niah.runs.retrieval import retrieve
from niah.strategies.strategy import parse
from tests.analysis.small_trials import Row, frame_of, given_sample, row, samples_of_cases
from tests.analysis.small_trials import trial as scored_trial

PAGE = (Path(__file__).parents[1] / "data" / "causes.md").read_text(encoding="utf-8")
PIZZA = Case("pizza-ingredients", "essays", 1000, 50, distractors=3)
RAG = "bm25/top-2/norm"
FIGS, PROSCIUTTO, CHEESE = "figs", "prosciutto", "goat cheese"


def trial(strategy: str, error_type: str | None = "correct", case: Case = PIZZA, **changed: Any) -> Row:
    score = 10 if error_type == "correct" else 5
    return scored_trial(strategy, score, case=case, error_type=error_type, **changed)


def retrieved(
    ranks: tuple[int | None, ...] | None, completeness: float | None, split: tuple[bool, ...] | None
) -> dict[str, Any]:
    return {"needle_ranks": ranks, "retrieval_completeness": completeness, "needle_split": split}


WHOLE = (False, False, False)
NEEDLE: dict[str, dict[str, Any]] = {
    "": {},
    "not retrieved": retrieved((None, 1, 2), 2 / 3, WHOLE),
    "retrieved": retrieved((2, 1, None), 2 / 3, WHOLE),
    # Borders cut the first and the third; one of them lies across two retrieved chunks.
    "cut": retrieved((None, 1, None), 2 / 3, (True, False, True)),
}
ORACLE = {
    "names it": trial("oracle", "missing_only", missing=(CHEESE,)),
    "misses it": trial("oracle", "missing_only", missing=(FIGS,)),
    "correct": trial("oracle"),
    "not correct": trial("oracle", "self_doubt_complete"),
    "no trial": trial("oracle", outcome="truncated", error_type=None),
}
CLOSED_BOOK = {
    "right": trial("closed-book"),
    "wrong": trial("closed-book", "self_doubt_incomplete", missing=(FIGS, PROSCIUTTO, CHEESE)),
    "": trial("closed-book", outcome="refused", error_type=None),
}


def causes(records: Sequence[Row], samples: dict[str, Sample] | None = None) -> dict[str, str]:
    """By trial id the cause of each trial that has one."""
    samples = samples_of_cases(records) if samples is None else samples
    frame = with_causes(frame_of(records), samples).set_index("trial_id")["cause"]
    return dict(frame.dropna().astype(object))


def first_causes(
    groups: Sequence[Sequence[Row]], samples: dict[str, Sample] | None = None
) -> list[str | None]:
    """The cause of each group's first trial; groups are repeats, which are not held against each other."""
    told = [
        row(**vars(each) | {"repeat": at, "trial_id": f"{at} {place}"})
        for at, group in enumerate(groups)
        for place, each in enumerate(group)
    ]
    found = causes(told, samples)
    return [found.get(f"{at} 0") for at in range(len(groups))]


def rows(name: str, records: Sequence[Row]) -> list[dict[str, Any]]:
    samples = samples_of_cases(records)
    table = make_table(name, with_causes(frame_of(records, samples), samples))
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def table(heading: str) -> list[tuple[str, ...]]:
    """The rows of the table under a heading of the page, without head and rule."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return [
        tuple(cell.strip() for cell in row.strip("|").split("|"))
        for row in re.findall(r"^\|.*\|$", section, re.MULTILINE)
    ][2:]


def test_the_page_names_every_cause_in_order() -> None:
    assert tuple(row[0] for row in table("The causes, by precedence")) == CAUSES


def named(strategy: str) -> str:
    return RAG if strategy == "RAG" else strategy


def missing_element(strategy: str, needle: str, oracle: str, closed_book: str) -> list[Row]:
    asked = trial(named(strategy), "missing_only", missing=(FIGS,), **NEEDLE[needle])
    others = (ORACLE[oracle], CLOSED_BOOK[closed_book])
    return [asked, *(each for each in others if each.strategy != asked.strategy)]


def after_a_search(needle: str, oracle: str) -> list[Row]:
    ranks = NEEDLE["retrieved" if needle == "read" else "not retrieved"]
    marks = ("found, not read" if needle == "read" else needle, "found, not read", "searched, not found")
    asked = trial("agent", "missing_only", missing=(FIGS,), needle_search=marks, turns=3, searches=2, **ranks)
    return [asked, ORACLE[oracle]]


def nothing_missing(answer: str, strategy: str, oracle: str) -> list[Row]:
    error_types = {
        "doubts": "self_doubt_complete", "takes it back": "taken_back", "names nothing": "nonsense"
    }  # fmt: skip
    ranks = NEEDLE["retrieved"] if strategy == "RAG" else {}
    return [trial(named(strategy), error_types[answer], **ranks), ORACLE[oracle]]


@pytest.mark.parametrize(
    ("heading", "group"),
    [
        ("A missing element", missing_element),
        ("After a search", after_a_search),
        ("Nothing missing and nothing wrong", nothing_missing),
    ],
)
def test_what_the_page_says(heading: str, group: Callable[..., list[Row]]) -> None:
    expected = {tuple(of): cause for *of, cause in table(heading)}
    assert dict(zip(expected, first_causes([group(*of) for of in expected]), strict=True)) == expected


EVIDENCE: dict[str, dict[str, Any]] = {
    "": {},
    "none retrieved": retrieved((None, None), 0.0, (False, False)),
    "some retrieved": retrieved((1, None), 0.5, (False, False)),
    "all retrieved": retrieved((1, 2), 1.0, (False, False)),
    "unknown": retrieved(None, None, None),
}


def test_over_given_documents() -> None:
    expected = table("Over given documents")
    scores = {"correct": 10, "not correct": 3}
    others = {said: [scored_trial("oracle", score, case=PIZZA)] for said, score in scores.items()}
    quoted = Placed("1", "It was Nobody.", (), 0, 14, 0, 0)
    sample = replace(given_sample(PIZZA.case_id, "a document"), needles=(quoted,))
    groups = [
        [trial(named(strategy), None, **EVIDENCE[evidence]), *others.get(oracle, [])]
        for strategy, evidence, oracle, _ in expected
    ]
    found = first_causes(groups, {PIZZA.case_id: sample})
    assert [(*of[:3], cause) for of, cause in zip(expected, found, strict=True)] == expected


@pytest.mark.parametrize("kind", [None, "multi-hop", "aggregation"])
def test_evidence_tells_several_right_options_whole_or_not_at_all(kind: str | None) -> None:
    quoted = tuple(Placed(id, "It was Nobody.", (), 0, 14, 0, 0) for id in ("1", "2"))
    sample = given_sample(PIZZA.case_id, "a document")
    needles = tuple(Needle(each.id, each.text, ()) for each in quoted)
    key = replace(sample.key, kind=kind, needles=needles, elements=(Element("A"), Element("B")))
    sample = replace(sample, key=key, needles=quoted)
    groups = [
        [trial(RAG, "missing_only", missing=("B",), **EVIDENCE[f"{much} retrieved"])]
        for much in ("none", "some", "all")
    ]
    found = first_causes(groups, {PIZZA.case_id: sample})
    assert found == ["not retrieved", "unexplained", "retrieved but unused"]


GATES = Case("three-gates", "essays", 1000, 50)
TALLY = Case("common-words@7", "essays", 3000, 50)
# Of the pizza's distractors three are in the case: calzone, rival, apprentice. The fourth plants pears.
WRONG = {
    "planted by a distractor that stands in the case": [(PIZZA, "anchovies"), (PIZZA, "Rosemary")],
    "planted by a distractor that does not": [(PIZZA, "pears"), (GATES, "63529")],
    "a trap: the needles mention it": [(TALLY, load_needle_set(TALLY.needle_set, 1).traps[0].name)],
    "a right value, given to the wrong key": [(GATES, "17685 (copper gate)")],
    "another value that the text says": [(PIZZA, "Altnabreac")],
    "nothing of the text": [(PIZZA, "truffles"), (GATES, "11111")],
}


@pytest.mark.parametrize(("what", "expected"), table("A wrong element"))
def test_a_wrong_element(what: str, expected: str) -> None:
    for case, name in WRONG[what]:
        asked = trial("lc", "wrong_only", case, wrong=(name,))
        assert causes([asked]) == {asked.trial_id: expected}


@pytest.mark.parametrize(
    "changed",
    [
        {"reader": "other"},
        {"repeat": 1},
        {"case_id": replace(PIZZA, depth=75).case_id},
        {"needle_set": "own/pizza-ingredients.yaml"},
        {"haystack": "own/essays"},
        {"outcome": "reader_error"},
    ],
    ids=str,
)
def test_only_scored_trials_of_the_same_case_reader_and_repeat_are_held_against(
    changed: dict[str, Any],
) -> None:
    asked = trial("lc", "missing_only", missing=(FIGS,))
    assert causes([asked, trial("oracle", **changed)])[asked.trial_id] == "unexplained"
    assert causes([asked, trial("oracle")])[asked.trial_id] == "lost in context"


@pytest.mark.parametrize("strategy", ["lc", "oracle", "closed-book", RAG])
def test_scored_trials_that_are_not_correct_have_a_cause(strategy: str) -> None:
    found = first_causes([[trial(strategy, error_type)] for error_type in ERROR_TYPES])
    assert {error_type for error_type, cause in zip(ERROR_TYPES, found, strict=True) if cause} == (
        {*ERROR_TYPES} - {"correct"} if strategy != "closed-book" else set()
    )
    cut = [[trial(strategy, error_type, outcome="truncated")] for error_type in ERROR_TYPES]
    assert set(first_causes(cut)) == {None}


def test_what_says_nothing_explains_nothing() -> None:
    asked = trial("lc", "empty", missing=(FIGS,))
    assert causes([asked, trial("oracle")]) == {asked.trial_id: "empty"}
    wrong = trial("lc", "missing_only", missing=(FIGS,))
    empty = trial("oracle", "empty", missing=(FIGS,))
    assert causes([wrong, empty])[wrong.trial_id] == "unexplained"
    # Ranks of other needles than the sample's.
    other = trial(RAG, "missing_only", missing=(FIGS,), **retrieved((1, 2), 1, (False, False)))
    assert causes([other, trial("oracle")])[other.trial_id] == "unexplained"
    asked = trial(RAG, "missing_and_wrong", missing=(FIGS,), wrong=("pears",), **NEEDLE["retrieved"])
    assert causes([asked, trial("oracle")], {})[asked.trial_id] == "unexplained"


def test_silence_is_no_knowledge_where_the_text_tells_nothing() -> None:
    case = Case("stairs-portrait", "essays", 1000, 50)
    asked = trial("lc", "wrong_only", case, wrong=("Odro Venable",))
    records = [asked, trial("closed-book", "correct", case), trial("oracle", "correct", case)]
    assert causes(records)[asked.trial_id] == "misled by a distractor"


def test_counts_worked_by_hand() -> None:
    deeper = replace(PIZZA, depth=75)
    records = [
        trial("lc", "missing_and_wrong", missing=(FIGS, CHEESE), wrong=("anchovies",)),
        trial("oracle", "missing_only", missing=(FIGS,)),
        trial("lc", "correct", deeper),
        trial("oracle", "correct", deeper),
        trial(RAG, "missing_only", deeper, missing=(FIGS,), **NEEDLE["not retrieved"]),
        trial("closed-book", "correct", deeper),
        trial("closed-book", "correct", deeper, repeat=1),
        trial("closed-book", "nonsense", deeper, repeat=2),
        trial("lc", "nonsense", outcome="refused", trial_id="refused"),
    ]
    for _ in range(2):
        found = {row["strategy"]: row for row in rows("causes", records)}
        assert {name: (row["n"], row["errors"]) for name, row in found.items()} == {
            "lc": (2, 1), "oracle": (2, 1), RAG: (1, 1)
        }  # fmt: skip
        assert {name: [kind for kind in CAUSES if row.get(kind)] for name, row in found.items()} == {
            "lc": ["beyond the model"], "oracle": ["beyond the model"], RAG: ["known without context"]
        }  # fmt: skip
        Random(1).shuffle(records)


@pytest.mark.parametrize(("empty", "scored", "told"), [(2, 50, False), (3, 200, True), (1, 20, True)])
def test_a_verdict_has_a_notable_number_of_empty_answers(
    empty: int, scored: int, told: bool, tmp_path: Path
) -> None:
    kinds = ["empty" if at < empty else "nonsense" for at in range(scored)]
    found = empty_answers(frame_of([trial("lc", kind, repeat=at) for at, kind in enumerate(kinds)]))
    night = NightVerdict("", "no regression", {}, {}, (), (), scored, scored, scored, empty=tuple(found))
    write_verdict(night, tmp_path)
    written = json.loads((tmp_path / "verdict.json").read_text())["empty"]
    assert written == [{"answers": "simulated", "empty": empty, "scored": scored}] * told


def seen(case: Case, ranks: tuple[int | None, ...]) -> dict[str, bool | None]:
    (sample,) = samples_of_cases([trial(RAG, case=case)]).values()
    return elements_seen(sample, [rank is not None for rank in ranks])


def test_which_elements_the_retrieved_needles_tell() -> None:
    bell = Case("school-bell", "essays", 1000, 50)
    assert seen(bell, (1, 2, 3, 4)) == {"Perpetua Grole": True}
    assert seen(bell, (1, None, 3, 4)) == {"Perpetua Grole": False}
    # link-1 gives names 1 and 2, link-2 names 2 and 3, link-3 names 3 and 4, link-4 name 4.
    told = seen(Case("variables@3", "essays", 2000, 50), (1, 2, None, 3))
    assert list(told.values()) == [True, True, True, False]
    assert set(seen(TALLY, (1, 2, 3, 4, 5, 6, None)).values()) == {False}
    assert set(seen(TALLY, (1, 2, 3, 4, 5, 6, 7)).values()) == {True}
    assert seen(PIZZA, (None, 1, None)) == {FIGS: False, PROSCIUTTO: True, CHEESE: False}


@pytest.mark.parametrize("strategy", ["bm25/half/norm", "tfidf/top-4/norm@100"])
@pytest.mark.parametrize("name", ["rainbow-potion", "graduation-trials", "starlight-nested@5"])
def test_needles_said_to_be_retrieved_are(name: str, strategy: str) -> None:
    told = Counter[bool]()
    retrieval = retrieve(sample_of(Case(name, "essays", 6000, 50)), parse(strategy), lambda _: None)
    facts, text = retrieval.selection.facts, retrieval.context.text
    assert facts is not None
    chunks = [each.chunk for each in retrieval.selection.chunks]
    sent = {at for chunk in chunks for at in range(chunk.start, chunk.end) if not text[at].isspace()}
    whole = wholly_retrieved(facts.needle_ranks or (), facts.needle_split, facts.completeness or 0)
    for needle, known in zip(retrieval.context.needles, whole, strict=True):
        own = {at for at in range(needle.start, needle.end) if not text[at].isspace()}
        assert known in (None, own <= sent)
        told[known is not None] += 1
    assert told[True] >= 0.8 * told.total()
