"""What became of one trial."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.trial import Outcome
from niah.strategies.facts import RetrievalFacts


@dataclass(frozen=True)
class Judging:
    """What one judge took for one answer, all its attempts together.

    Attributes:
        judge: its name.
        cost: US dollars; None where usage or price is unknown.
    """

    judge: str
    usage: Usage
    latency_s: float
    cost: Decimal | None = None


@dataclass(frozen=True)
class Result:
    """One finished trial. A verdict is there exactly when the outcome is "scored".

    Attributes:
        verdict: of the judge whose score counts.
        cost: US dollars, by the reported usage and the price of the day; None where either is unknown.
        own_prompt_tokens: our own count of the prompt, beside the reported one in ``usage``.
        from_cache: whether the answer was kept from an earlier run, so that nothing was paid for it now.
        others: verdicts of other judges.
        judging: of judges that had to be asked.
        answered_before: whether the run file had the answer, and only the judge was asked again.
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
    others: tuple[Verdict, ...] = ()
    judging: tuple[Judging, ...] = ()
    answered_before: bool = False

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Of all judges, the one that counts first."""
        return (*([self.verdict] if self.verdict else []), *self.others)
