"""Run files of nights that nobody ran, with scores as chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from niah.cases.case import Case
from niah.judges.verdict import Score, Verdict
from niah.readers.reader import Usage
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import parse
from tests.samples import unbuilt

READER = "simulated"


def write_night(folder: Path, day: date | str, scores: Sequence[Score | None], version: str = "3") -> Path:
    """Write nightly-DAY.sqlite, and return its path.

    Args:
        scores: of anchor cases, of seeds 1, 2, ...; None is a refusal.
        version: of the rubric.
    """
    path, lc = folder / f"nightly-{day}.sqlite", parse("lc")
    samples = [
        unbuilt(Case("ferry-lanterns", "essays", 1000, 50, seed)) for seed in range(1, len(scores) + 1)
    ]
    trials = [Trial(sample, lc, READER, 0, 64) for sample in samples]
    refusal = TrialResult("refused", "simulated", "", Usage(1000, 10, 0), 2.0, 900)
    results = [
        replace(
            refusal,
            outcome="scored",
            verdicts=(Verdict(score, (), (), (), False, "rubric", version, "as chosen"),),
        )
        if score
        else refusal
        for score in scores
    ]
    facts: dict[str, object] = {"suite": "simulated", "readers": [READER], "judge": "rubric"}
    with open_for_writing(path) as store:
        store.begin({**facts, "strategies": {"lc": lc.definition}}, trials)
        store.commit(list(zip(trials, results, strict=True)))
    return path
