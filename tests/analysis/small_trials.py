"""Trials for tables worked out by hand: a pizza question to a reader named ``simulated``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from niah.cases.case import Case, parse_case_id
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.cases.samples import sample_of
from niah.runs.trial import TrialRecord


def trial(strategy: str, score: float | None, *, case: Case | None = None, **changed: Any) -> TrialRecord:
    """One trial, scored unless ``score`` is None; without a case, pizza at 1,000 tokens."""
    case = case or Case("pizza-ingredients", "essays", 1000, 50)
    fields: dict[str, Any] = {
        "trial_id": f"{case.case_id}|{strategy}|{changed}",
        "case_id": case.case_id,
        "needle_set": case.needle_set,
        "haystack": case.haystack,
        "context_length": case.context_length,
        "depth": case.depth,
        "seed": case.seed,
        "strategy": strategy,
        "reader": "simulated",
        "repeat": 0,
        "outcome": "refused" if score is None else "scored",
        "score": score,
        "kind": "multi-needle",
    }
    return TrialRecord(**(fields | changed))


def at(length: int, seed: int = 1, needle_set: str = "pizza-ingredients") -> Case:
    """A case of that length."""
    return Case(needle_set, "essays", length, 50, seed)


def samples_of_cases(records: Iterable[TrialRecord]) -> dict[str, Sample]:
    """The samples of the records by case id, each made once in a session."""
    return {record.case_id: _sample(record.case_id) for record in records}


@cache
def _sample(case_id: str) -> Sample:
    return sample_of(parse_case_id(case_id))


def near(value: float | tuple[float, ...]) -> Any:
    """Equal to ``value`` but for rounding."""
    return pytest.approx(value)


def given_sample(name: str, document: str) -> Sample:
    """A question over a given document, of which only the answer is known."""
    return Sample(
        sample_id=name,
        origin="given",
        key=AnswerKey(name, "Who?", references=("Nobody",)),
        source=GivenDocument(Path("documents.jsonl"), document, sha256=""),
        prompt="u-niah",
        tokenizer="o200k",
        tokens=900,
        prompt_tokens=100,
        sha256="",
        fingerprint="",
        question_set="mine",
        source_name="novels",
    )


def given_trial(sample: Sample, strategy: str, score: float | None, **changed: Any) -> TrialRecord:
    """A trial of it, judged by a metric."""
    facets = {
        **dict.fromkeys(("needle_set", "haystack", "depth", "seed", "kind")),
        **{name: getattr(sample, name) for name in ("origin", "question_set", "document_id")},
    }
    asked = {
        "case_id": sample.sample_id,
        "source": sample.source_name,
        "trial_id": f"{sample.sample_id}|{strategy}|{changed}",
    }
    return trial(strategy, score, **(facets | asked | {"context_length": sample.context_length} | changed))
