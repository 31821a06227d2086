"""What a judge says of one answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal, get_args

from niah.readers.reader import Usage

Score = Literal[1, 3, 5, 7, 10]
"""Of the rubric and of LLM judges; a metric's lie between them."""
SCORES: tuple[Score, ...] = get_args(Score)
LOWEST, HIGHEST = SCORES[0], SCORES[-1]
"""Of the scale: nothing right, everything right."""


@dataclass(frozen=True)
class Unsure:
    """Why rules cannot decide about an answer, and what its readings would score.

    Attributes:
        reason: one line for people.
        lowest, highest: scores of the worst and the best reading that the rules allow.
    """

    reason: str
    lowest: float
    highest: float


@dataclass(frozen=True)
class Verdict:
    """A judge's word on one answer (rubric of the u-niah paper, section 3.1.3).

    Two verdicts are equal where they say the same, whatever they took.

    Attributes:
        score: 1 unrelated or wrong; 3 minor relevance; 5 moderate, with inaccuracies;
            7 aligned with minor omissions; 10 aligned. Of a metric: 1 + 9 times its value.
        found: names of the elements the answer holds, in the answer key's order; empty where a metric knows
            none.
        missing: names of the elements it lacks, in the answer key's order.
        wrong: wrong elements it names.
        self_doubt: whether it hedges or doubts its own answer.
        judge: who judged ("rubric").
        version: version of the judge's rules or prompt.
        reason: one line for people.
        value: of a metric, 0 to 1; None of other judges.
        unsure: what rules could not decide; None where they could, and of judges that do not go by rules.
        usage: tokens of all attempts together, in the judge's own tokens; a count that an endpoint kept to
            itself is None.
        latency_s: wall seconds that the requests took, waits between them not included.
        cost: US dollars; None where usage or price is unknown.
        judged_at: when the run file got it; None before.
    """

    score: float
    found: tuple[str, ...]
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    self_doubt: bool
    judge: str
    version: str
    reason: str
    value: float | None = None
    unsure: Unsure | None = None
    usage: Usage = field(default=Usage(), compare=False)
    latency_s: float = field(default=0.0, compare=False)
    cost: Decimal | None = field(default=None, compare=False)
    judged_at: datetime | None = field(default=None, compare=False)
