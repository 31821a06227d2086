"""Run files of nights with scores that a test chooses; nothing is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

from niah.cases.case import Case
from niah.judges.verdict import Score, Verdict
from niah.readers.reader import Usage
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import parse
from tests.samples import unbuilt

Scores = Sequence[Score | None]
READER = "simulated"


def write_night(
    folder: Path,
    day: date | str,
    scores: Scores | Mapping[str, Scores],
    *,
    name: str = "nightly",
    fresh: Scores = (),
    reader: str = READER,
    version: str = "3",
    text: str = "f" * 20,
    unfinished: int = 0,
    adaptive: bool = False,
) -> Path:
    """Write NAME-DAY.sqlite; returns its path.

    Args:
        scores: of anchor cases, of seeds 1, 2, ..., by strategy, or of lc alone; None is a refusal.
        fresh: likewise, of rotating seeds.
        version: of the rubric.
        text: fingerprint of the texts.
        unfinished: how many of the last anchor cases of each strategy are not run.
        adaptive: whether that is on purpose.
    """
    path = folder / f"{name}-{day}.sqlite"
    by_strategy = scores if isinstance(scores, Mapping) else {"lc": scores}
    first_fresh = int(str(day).replace("-", "")) * 100
    trials, results = [], []
    for strategy, anchors in by_strategy.items():
        seeds = [*range(1, len(anchors) + 1), *(first_fresh + k for k in range(1, len(fresh) + 1))]
        own = [
            Trial(sample, parse(strategy), reader, 0, 64)
            for sample in (unbuilt(Case("ferry-lanterns", "essays", 1000, 50, seed), text) for seed in seeds)
        ]
        finished = [*zip(own, anchors, strict=False)][: len(anchors) - unfinished]
        finished += [*zip(own[len(anchors) :], fresh, strict=True)]
        trials += own
        results += [(trial, _result(score, version)) for trial, score in finished]
    facts: dict[str, object] = {
        "suite": "simulated",
        "readers": [reader],
        "strategies": {strategy: parse(strategy).definition for strategy in by_strategy},
        "judge": "rubric",
    }
    with open_for_writing(path) as store:
        store.begin(facts, trials)
        if adaptive:
            store.record_invocation({"adaptive": {"value": True, "source": "flag"}}, {})
        store.commit(results)
    return path


def _result(score: Score | None, version: str) -> TrialResult:
    verdict = None if score is None else Verdict(score, (), (), (), False, "rubric", version, "as chosen")
    return TrialResult(
        outcome="refused" if verdict is None else "scored",
        verdicts=(verdict,) if verdict else (),
        answer="simulated",
        reason="",
        usage=Usage(1000, 10, 0),
        latency_s=2.0,
        context_tokens=900,
        retrieval=None,
        cost=Decimal("0.25"),
    )
