"""What became of one trial."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.trial import Outcome
from niah.strategies.select import RetrievalFacts


@dataclass(frozen=True)
class Result:
    """One finished trial. A verdict is there exactly when the outcome is "scored".

    Attributes:
        cost: US dollars, by the reported usage and the price of the day; None where either is unknown.
        own_prompt_tokens: our own count of the prompt, beside the reported one in ``usage``.
        from_cache: whether the answer was kept from an earlier run, so that nothing was paid for it now.
    """

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
    cost: Decimal | None = None
    own_prompt_tokens: int | None = None
    from_cache: bool = False
