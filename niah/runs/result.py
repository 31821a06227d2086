"""What became of one trial."""

from __future__ import annotations

from dataclasses import dataclass

from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.trial import Outcome
from niah.strategies.select import RetrievalFacts


@dataclass(frozen=True)
class Result:
    """One finished trial. A verdict is there exactly when the outcome is "scored"."""

    outcome: Outcome
    verdict: Verdict | None
    error_type: str | None
    answer: str
    reason: str
    usage: Usage
    latency_s: float
    context_tokens: int
    context_sha256: str
    retrieval: RetrievalFacts | None
