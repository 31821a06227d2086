"""Trials for tables worked out by hand: a pizza question to a reader named ``simulated``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd

from niah.analysis.frame import trial_frame
from niah.cases.case import Case, parse_case_id
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.cases.samples import sample_of
from niah.runs.trial import TRIAL_COLUMNS

Row = SimpleNamespace
_UNKNOWN = dict.fromkeys(TRIAL_COLUMNS) | {
    **dict.fromkeys(("missing", "wrong", "verdicts", "search"), ()),
    **dict.fromkeys(("answer", "definition", "context_sha256", "judge_version"), ""),
    **{"origin": "generated", "from_cache": False, "first_tokens": 0, "first_cost": 0.0},
}


def row(**known: Any) -> Row:
    """A trial of a run file, of which the rest is not known."""
    return Row(**(_UNKNOWN | known))


def frame_of(rows: Sequence[Row], samples: Mapping[str, Sample] | None = None) -> pd.DataFrame:
    """The frame of these trials."""
    values = [[getattr(each, name) for name in TRIAL_COLUMNS] for each in rows]
    return trial_frame(pd.DataFrame(values, columns=list(TRIAL_COLUMNS), dtype=object), samples)


def trial(strategy: str, score: float | None, *, case: Case | None = None, **changed: Any) -> Row:
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
    return row(**(fields | changed))


def at(length: int, seed: int = 1, needle_set: str = "pizza-ingredients") -> Case:
    """A case of that length."""
    return Case(needle_set, "essays", length, 50, seed)


def samples_of_cases(records: Iterable[Row]) -> dict[str, Sample]:
    """The samples of the records by case id, each made once in a session."""
    return {record.case_id: _sample(record.case_id) for record in records}


@cache
def _sample(case_id: str) -> Sample:
    return sample_of(parse_case_id(case_id))


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


def given_trial(sample: Sample, strategy: str, score: float | None, **changed: Any) -> Row:
    """A trial of it, judged by a metric."""
    facets: dict[str, Any] = dict.fromkeys(("needle_set", "haystack", "depth", "seed", "kind"))
    facets |= {
        name: getattr(sample, name) for name in ("origin", "question_set", "document_id", "context_length")
    }
    facets |= {"case_id": sample.sample_id, "source": sample.source_name}
    facets |= {"trial_id": f"{sample.sample_id}|{strategy}|{changed}"}
    return trial(strategy, score, **(facets | changed))
