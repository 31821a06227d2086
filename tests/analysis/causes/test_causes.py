from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pandas import DataFrame

from niah.analysis.causes.cause_tables import (
    KnownCase,
    cause_counts,
    errors_by_cause,
    known_cases,
    known_without_context,
)
from niah.analysis.causes.causes import CAUSES, Cause, CauseKind, causes
from niah.analysis.causes.needles_seen import elements_seen, wholly_retrieved
from niah.analysis.frame import trial_frame
from niah.cases.case import Case
from niah.cases.context import Placed
from niah.cases.sample import Sample
from niah.cases.samples import sample_of
from niah.judges.error_types import ERROR_TYPES
from niah.needles.load import load_needle_set
from niah.runs.retrieval import retrieve
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import parse
from tests.analysis.small_trials import given_sample, samples_of_cases

PAGE = (Path(__file__).parents[2] / "data" / "causes.md").read_text(encoding="utf-8")
PIZZA = Case("pizza-ingredients", "essays", 1000, 50, distractors=3)
RAG = "bm25/top-2/norm"
FIGS, PROSCIUTTO, CHEESE = "figs", "prosciutto", "goat cheese"


def trial(
    strategy: str, error_type: str | None = "correct", case: Case = PIZZA, **changed: Any
) -> TrialRecord:
    record = TrialRecord(
        f"{case.case_id} {strategy}", case.case_id, case.needle_set, case.haystack, case.context_length,
        case.depth, case.seed, strategy, "simulated", 0, "scored", 10 if error_type == "correct" else 5,
        error_type=error_type,
    )  # fmt: skip
    return replace(record, **changed)


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


def asked_of(records: Sequence[TrialRecord]) -> tuple[DataFrame, dict[str, Sample]]:
    """The trials as columns, and their samples."""
    samples = samples_of_cases(records)
    return trial_frame(records, samples), samples


def table(heading: str) -> list[tuple[str, ...]]:
    """The rows of the table under a heading of the page, without head and rule."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [row.strip("| ").split("|") for row in re.findall(r"^\|.*\|$", section, re.MULTILINE)]
    width = len(rows[0])
    return [(*(cell.strip() for cell in row), *[""] * (width - len(row))) for row in rows[2:]]


def cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row.split(","))


def test_the_page_names_every_cause_in_order() -> None:
    assert tuple(row[0] for row in table("The causes, by precedence")) == CAUSES


@pytest.mark.parametrize(
    ("strategy", "needle", "oracle", "closed_book", "expected", "lacking"), table("A missing element")
)
def test_a_missing_element(
    strategy: str, needle: str, oracle: str, closed_book: str, expected: str, lacking: str
) -> None:
    name = RAG if strategy == "RAG" else strategy
    asked = trial(name, "missing_only", missing=(FIGS,), **NEEDLE[needle])
    others = [each for each in (ORACLE[oracle], CLOSED_BOOK[closed_book]) if each.strategy != name]
    cause = causes(*asked_of([asked, *others]))[asked.trial_id]
    assert (cause.kind, *cause.also) == cells(expected)
    assert cause.lacking == ((lacking,) if lacking else ())
    # That a case tells nothing is no cause of an element.
    of_the_element = [kind for kind in cells(expected) if kind != "known without context"]
    assert cause.elements == {FIGS: (*of_the_element, "unexplained")[0]}


@pytest.mark.parametrize(
    ("answer", "strategy", "oracle", "expected", "lacking"), table("Nothing missing and nothing wrong")
)
def test_nothing_missing_and_nothing_wrong(
    answer: str, strategy: str, oracle: str, expected: str, lacking: str
) -> None:
    ranks = NEEDLE["retrieved"] if strategy == "RAG" else {}
    error_type = {
        "doubts": "self_doubt_complete", "takes it back": "taken_back", "names nothing": "nonsense"
    }[answer]  # fmt: skip
    asked = trial(RAG if strategy == "RAG" else strategy, error_type, **ranks)
    cause = causes(*asked_of([asked, ORACLE[oracle]]))[asked.trial_id]
    assert (cause.kind, cause.also, cause.elements) == (expected, (), {})
    assert cause.lacking == ((lacking,) if lacking else ())


EVIDENCE: dict[str, dict[str, Any]] = {
    "": {},
    "none retrieved": retrieved((None, None), 0.0, (False, False)),
    "some retrieved": retrieved((1, None), 0.5, (False, False)),
    "all retrieved": retrieved((1, 2), 1.0, (False, False)),
    "unknown": retrieved(None, None, None),
}


@pytest.mark.parametrize(
    ("strategy", "evidence", "oracle", "expected", "lacking"), table("Over given documents")
)
def test_over_given_documents(strategy: str, evidence: str, oracle: str, expected: str, lacking: str) -> None:
    asked = trial(RAG if strategy == "RAG" else strategy, None, **EVIDENCE[evidence])
    others = {"correct": [trial("oracle", None, score=10)], "not correct": [trial("oracle", None, score=3)]}
    records = [asked, *others.get(oracle, [])]
    quoted = Placed("1", "It was Nobody.", (), 0, 14, 0, 0)
    sample = replace(given_sample(asked.case_id, "a document"), needles=(quoted,))
    samples = {asked.case_id: sample}
    cause = causes(trial_frame(records, samples), samples)[asked.trial_id]
    assert (cause.kind, *cause.also) == cells(expected)
    assert cause.lacking == ((lacking,) if lacking else ())


GATES = Case("three-gates", "essays", 1000, 50)
TALLY = Case("common-words@7", "essays", 3000, 50)
# Of the pizza's distractors three stand in the case: calzone, rival, apprentice. The fourth plants pears.
WRONG = {
    "planted by a distractor that stands in the case": [(PIZZA, "anchovies"), (PIZZA, "Rosemary")],
    "planted by a distractor that does not": [(PIZZA, "pears"), (GATES, "63529")],
    "a trap: the needles mention it": [(TALLY, load_needle_set(TALLY.needle_set, 1).traps[0].name)],
    "a right value, given to the wrong key": [(GATES, "17685 (copper gate)")],
    "another value that the text says": [(PIZZA, "Altnabreac")],
    "nothing of the text": [(PIZZA, "truffles"), (GATES, "11111")],
}


@pytest.mark.parametrize(("what", "expected"), table("A wrong element"))
def test_a_wrong_element(what: str, expected: CauseKind) -> None:
    for case, name in WRONG[what]:
        asked = trial("lc", "wrong_only", case, wrong=(name,))
        assert causes(*asked_of([asked])) == {asked.trial_id: Cause(expected, elements={name: expected})}


def test_the_first_cause_of_several_elements_is_the_trials() -> None:
    # Figs were not retrieved, goat cheese was; anchovies stood in the case, truffles nowhere.
    asked = trial(
        RAG,
        "missing_and_wrong",
        missing=(FIGS, CHEESE),
        wrong=("truffles", "anchovies"),
        **retrieved((None, 1, 2), 2 / 3, WHOLE),
    )
    assert causes(*asked_of([asked, trial("oracle")])) == {
        asked.trial_id: Cause(
            "not retrieved",
            ("retrieved but unused", "misled by a distractor", "invented"),
            {
                FIGS: "not retrieved",
                CHEESE: "retrieved but unused",
                "truffles": "invented",
                "anchovies": "misled by a distractor",
            },
        )
    }


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
    assert causes(*asked_of([asked, trial("oracle", **changed)]))[asked.trial_id].kind == "unexplained"
    assert causes(*asked_of([asked, trial("oracle")]))[asked.trial_id].kind == "lost in context"


@pytest.mark.parametrize("error_type", ERROR_TYPES)
@pytest.mark.parametrize("strategy", ["lc", "oracle", "closed-book", RAG])
def test_scored_trials_that_are_not_correct_have_a_cause(strategy: str, error_type: str) -> None:
    asked = trial(strategy, error_type)
    assert (asked.trial_id in causes(*asked_of([asked]))) == (
        error_type != "correct" and strategy != "closed-book"
    )
    assert causes(*asked_of([replace(asked, outcome="truncated")])) == {}


def test_an_empty_answer_is_its_own_cause_and_an_empty_oracle_tells_nothing() -> None:
    asked = trial("lc", "empty", missing=(FIGS,), score=1)
    cause = causes(*asked_of([asked, trial("oracle")]))[asked.trial_id]
    assert (cause.kind, cause.also, cause.elements, cause.lacking) == ("empty", (), {FIGS: "empty"}, ())
    wrong = trial("lc", "missing_only", missing=(FIGS,))
    cause = causes(*asked_of([wrong, trial("oracle", "empty", missing=(FIGS,))]))[wrong.trial_id]
    assert (cause.kind, cause.lacking) == ("unexplained", ("an oracle trial of the case",))


def test_needles_that_are_not_the_samples_leave_retrieval_unexplained() -> None:
    asked = trial(RAG, "missing_only", missing=(FIGS,), **retrieved((1, 2), 1, (False, False)))
    cause = causes(*asked_of([asked, trial("oracle")]))[asked.trial_id]
    assert (cause.kind, cause.lacking) == ("unexplained", ("the needle set as it was",))


def test_without_a_sample_less_is_known() -> None:
    asked = trial(RAG, "missing_and_wrong", missing=(FIGS,), wrong=("pears",), **NEEDLE["retrieved"])
    cause = causes(trial_frame([asked, trial("oracle")]), {})[asked.trial_id]
    assert (cause.kind, cause.lacking) == ("unexplained", ("the needle set as it was",))


def test_an_answer_without_an_error_type_is_correct_with_the_highest_score() -> None:
    wrong, right = (
        trial(strategy, None, score=score, trial_id=f"{strategy} {score}", repeat=score)
        for strategy, score in (("lc", 1), ("lc", 10))
    )
    known = trial("closed-book", None, score=10)
    assert causes(*asked_of([wrong, right])).keys() == {wrong.trial_id}
    assert [case.right for case in known_without_context(*asked_of([known]))] == [1]


def test_silence_is_no_knowledge_where_the_text_tells_nothing() -> None:
    case = Case("stairs-portrait", "essays", 1000, 50)
    asked = trial("lc", "wrong_only", case, wrong=("Odro Venable",))
    records = [asked, trial("closed-book", "correct", case), trial("oracle", "correct", case)]
    assert causes(*asked_of(records))[asked.trial_id].kind == "misled by a distractor"
    assert known_without_context(*asked_of(records)) == ()


def test_counts_worked_by_hand() -> None:
    deeper = replace(PIZZA, depth=75)
    records = [
        trial("lc", "missing_and_wrong", missing=(FIGS, CHEESE), wrong=("anchovies",)),
        trial("oracle", "missing_only", missing=(FIGS,)),
        trial("lc", "correct", deeper),
        trial("oracle", "correct", deeper),
        trial(RAG, "missing_only", deeper, missing=(FIGS,), **NEEDLE["not retrieved"]),
        trial("closed-book", "correct", deeper),
        trial("closed-book", "correct", deeper, repeat=1, trial_id="again"),
        trial("closed-book", "other", deeper, repeat=2, trial_id="once more"),
        trial("lc", "other", outcome="refused", trial_id="refused"),
    ]
    lc, oracle, rag = cause_counts(*asked_of(records))
    assert [(row.strategy, row.n, row.errors) for row in (lc, oracle, rag)] == [
        ("lc", 2, 1),
        ("oracle", 2, 1),
        (RAG, 1, 1),
    ]
    assert tuple(lc.trials) == tuple(lc.elements) == CAUSES
    # Oracle misses the figs too and names the cheese.
    three = {"beyond the model": 1, "lost in context": 1, "misled by a distractor": 1}
    assert (some(lc.trials), some(lc.elements)) == ({"beyond the model": 1}, three)
    assert some(rag.trials) == {"known without context": 1}
    assert some(rag.elements) == {"not retrieved": 1}
    assert known_without_context(*asked_of(records)) == (KnownCase("simulated", deeper.case_id, 2, 3),)
    # lc, oracle and RAG: n, errors, then the causes in order, "empty" before "known without context".
    assert errors_by_cause(*asked_of(records)).rows == (
        ("simulated", "lc", 2, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
        ("simulated", "oracle", 2, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
        ("simulated", RAG, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    )
    assert known_cases(*asked_of(records)).rows == (("simulated", deeper.case_id, 2, 3),)
    expected = cause_counts(*asked_of(records)), causes(*asked_of(records))
    Random(1).shuffle(records)
    assert (cause_counts(*asked_of(records)), causes(*asked_of(records))) == expected


def some(counts: Mapping[CauseKind, int]) -> dict[CauseKind, int]:
    return {kind: count for kind, count in counts.items() if count}


# Needles: 4. With a rank: 1. Wholly inside by completeness: as the first number says.
@pytest.mark.parametrize(
    ("whole", "split", "expected"),
    [
        (1, (True, True, True, True), (True, False, False, False)),
        (2, (False, False, True, False), (True, False, True, False)),
        (2, (False, True, True, True), (True, None, None, None)),
        (2, (False, True, False, True), (True, None, False, None)),
        (3, (False, True, False, True), (True, True, False, True)),
        (2, None, (True, None, None, None)),
        (4, None, (True, True, True, True)),
    ],
)
def test_which_needles_are_wholly_retrieved(
    whole: int, split: tuple[bool, ...] | None, expected: tuple[bool | None, ...]
) -> None:
    assert wholly_retrieved((3, None, None, None), split, whole / 4) == expected


def seen(case: Case, ranks: tuple[int | None, ...]) -> dict[str, bool | None]:
    (sample,) = samples_of_cases([trial(RAG, case=case)]).values()
    return elements_seen(sample, [rank is not None for rank in ranks])


def test_a_chain_takes_every_link_up_to_the_element() -> None:
    bell = Case("school-bell", "essays", 1000, 50)
    assert seen(bell, (1, 2, 3, 4)) == {"Perpetua Grole": True}
    assert seen(bell, (1, None, 3, 4)) == {"Perpetua Grole": False}
    names = [element.name for element in load_needle_set("variables@3", 1).elements]
    assert len(names) == 4
    # link-1 gives names 1 and 2, link-2 names 2 and 3, link-3 names 3 and 4, link-4 name 4.
    told = seen(Case("variables@3", "essays", 2000, 50), (1, 2, None, 3))
    assert told == dict(zip(names, (True, True, True, False), strict=True))


def test_a_tally_takes_every_needle_and_other_sets_any_that_carries_the_element() -> None:
    assert set(seen(TALLY, (1, 2, 3, 4, 5, 6, None)).values()) == {False}
    assert set(seen(TALLY, (1, 2, 3, 4, 5, 6, 7)).values()) == {True}
    assert seen(PIZZA, (None, 1, None)) == {FIGS: False, PROSCIUTTO: True, CHEESE: False}


STRATEGIES = ("bm25/half/norm", "tfidf/top-2/document", "tfidf/top-4/norm@100", "bm25/half/norm@100")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "name", ["rainbow-potion", "starlight-long@5", "graduation-trials", "starlight-nested@5"]
)
def test_needles_said_to_be_retrieved_are(name: str, strategy: str) -> None:
    told = Counter[bool]()
    for depth in (0, 50):
        retrieval = retrieve(sample_of(Case(name, "essays", 6000, depth)), parse(strategy), lambda _: None)
        facts = retrieval.selection.facts
        assert facts is not None
        whole = wholly_retrieved(facts.needle_ranks or (), facts.needle_split, facts.completeness or 0)
        for needle, known in zip(retrieval.context.needles, whole, strict=True):
            assert known in (None, needle.id in retrieval.found.whole)
            told[known is not None] += 1
    assert told[True] >= 0.8 * told.total()
