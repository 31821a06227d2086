"""How many answers the rubric scores as people scored them, before any judge saw them.

tests/data/scored_answers.jsonl has 450 English answers, stratified over 31 classes, and 25 each in six
languages. They were written to be hard; docs/judges.md says what the rubric reaches on answers of models.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from niah.cases.sample import AnswerKey, answer_key
from niah.cases.samples import key_of
from niah.judges.rubric import judge_by_rubric
from niah.judges.verdict import Verdict
from niah.needles.load import needle_set_of
from niah.needles.needle_set import NeedleSet

PASSES = 7
FILE = Path(__file__).parents[1] / "data" / "scored_answers.jsonl"


def _key(row: dict[str, Any]) -> AnswerKey:
    if "set" in row:
        return key_of(row["set"], row.get("seed", 1))
    file = NeedleSet.model_validate_json(json.dumps({"description": "an answer", **row["key"]}))
    return answer_key(needle_set_of(FILE, file))


@cache
def judged() -> list[tuple[dict[str, Any], Verdict]]:
    """Every row with its verdict."""
    rows = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    return [(row, judge_by_rubric(row["answer"], _key(row))) for row in rows]


def _of(english: bool) -> Iterator[tuple[dict[str, Any], Verdict]]:
    return ((row, verdict) for row, verdict in judged() if (row["language"] == "en") == english)


@pytest.mark.parametrize(("english", "equal", "undeserved"), [(True, 366, 19), (False, 90, 5)])
def test_no_fewer_scores_are_right_than_were(english: bool, equal: int, undeserved: int) -> None:
    """Equal scores, and answers that pass undeservedly."""
    rows = list(_of(english))
    assert sum(verdict.score == row["score"] for row, verdict in rows) >= equal
    assert sum(verdict.score >= PASSES > row["score"] for row, verdict in rows) <= undeserved


def test_what_it_scores_wrongly_it_is_mostly_unsure_of() -> None:
    """A model behind the rules would be asked about nearly all of their mistakes."""
    off = [verdict for row, verdict in judged() if verdict.score != row["score"]]
    assert sum(verdict.unsure is not None for verdict in off) >= 0.9 * len(off)
