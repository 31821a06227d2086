"""What a judge says of one answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Score = Literal[1, 3, 5, 7, 10]
SCORES: tuple[Score, ...] = get_args(Score)
LOWEST, HIGHEST = SCORES[0], SCORES[-1]
"""Of the scale: nothing right, everything right."""


@dataclass(frozen=True)
class Verdict:
    """A judge's word on one answer (rubric of the u-niah paper, section 3.1.3).

    Attributes:
        score: 1 unrelated or wrong; 3 minor relevance; 5 moderate, with inaccuracies;
            7 aligned with minor omissions; 10 aligned.
        found: names of the elements the answer holds, in the needle set's order.
        missing: names of the elements it lacks, in the needle set's order.
        wrong: wrong elements it names.
        self_doubt: whether it hedges or doubts its own answer.
        judge: who judged ("rubric").
        version: version of the judge's rules or prompt.
        reason: one line for people.
    """

    score: Score
    found: tuple[str, ...]
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    self_doubt: bool
    judge: str
    version: str
    reason: str
