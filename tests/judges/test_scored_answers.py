"""How many answers the rubric scores as people scored them, before any judge saw them.

tests/data/scored_answers.jsonl has 450 English answers, stratified over 31 classes, and 25 each in six
languages, written to be hard. tests/data/read_answers.jsonl has answers of SmolLM2-135M and
Qwen2.5-Coder-0.5B to shipped needle sets, with the prompts answer-line and u-niah.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from niah.cases.sample import AnswerKey, answer_key
from niah.cases.samples import key_of
from niah.judges.error_types import error_type
from niah.judges.rubric import judge_by_rubric
from niah.judges.verdict import Verdict
from niah.needles.load import needle_set_of
from niah.needles.needle_set import NeedleSet

PASSES = 7
DATA = Path(__file__).parents[1] / "data"
Judged = list[tuple[dict[str, Any], Verdict]]


def _key(row: dict[str, Any]) -> AnswerKey:
    if "set" in row:
        return key_of(row["set"], row.get("seed", 1))
    file = NeedleSet.model_validate_json(json.dumps({"description": "an answer", **row["key"]}))
    return answer_key(needle_set_of(DATA / "answers", file))


@cache
def judged(name: str) -> Judged:
    """Every row of a file with its verdict."""
    rows = map(json.loads, (DATA / name).read_text(encoding="utf-8").splitlines())
    return [(row, judge_by_rubric(row["answer"], _key(row))) for row in rows]


def _equal(rows: Judged) -> int:
    return sum(verdict.score == row["score"] for row, verdict in rows)


@pytest.mark.parametrize(("english", "equal", "undeserved"), [(True, 366, 19), (False, 91, 5)])
def test_hard_answers(english: bool, equal: int, undeserved: int) -> None:
    """Equal scores, and answers that pass undeservedly."""
    rows = [pair for pair in judged("scored_answers.jsonl") if (pair[0]["language"] == "en") == english]
    assert _equal(rows) >= equal
    assert sum(verdict.score >= PASSES > row["score"] for row, verdict in rows) <= undeserved


@pytest.mark.parametrize(
    ("name", "digest"),
    [("scored_answers.jsonl", "fe7842d1a45a36d2"), ("read_answers.jsonl", "127a3afda35a907c")],
)
def test_every_verdict_is_as_it_was(name: str, digest: str) -> None:
    """Where rules change on purpose, the other tests here say whether they are better."""
    told = repr([(each, error_type(each, row["answer"], _key(row))) for row, each in judged(name)])
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == digest


def test_what_it_scores_wrongly_it_is_mostly_unsure_of() -> None:
    """A model behind the rules would be asked about nearly all of their mistakes."""
    off = [verdict for row, verdict in judged("scored_answers.jsonl") if verdict.score != row["score"]]
    assert sum(verdict.unsure is not None for verdict in off) >= 0.9 * len(off)


def test_answers_of_small_models() -> None:
    """Of those that keep to the form asked for 98 % are equal: an answer line, or a few words."""
    rows = judged("read_answers.jsonl")
    assert len(rows) >= 400
    assert _equal(rows) >= 0.96 * len(rows)
    asked = [pair for pair in rows if pair[0]["prompt"] == "answer-line"]
    in_form = [pair for pair in asked if _keeps_to_the_form(pair[0]["answer"])]
    assert _equal(in_form) >= 0.98 * len(in_form)


def _keeps_to_the_form(answer: str) -> bool:
    last = answer.strip().splitlines()[-1:]
    return len(answer.split()) <= 6 or any(
        line.lower().startswith(("answer:", "the answer is")) for line in last
    )
