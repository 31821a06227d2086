"""What an audit puts to a judge: an answer whose verdict is known beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from niah.cases.sample import AnswerKey
from niah.judges.verdict import Verdict

ProbeType = Literal[
    "complete",
    "missing",
    "wrong",
    "missing and wrong",
    "swapped keys",
    "paraphrased",
    "reordered",
    "verbose",
    "set aside",
    "doubt, complete",
    "doubt, incomplete",
    "taken back",
    "refusal",
    "unrelated",
    "format",
    "hostile",
]
PROBE_TYPES: tuple[ProbeType, ...] = get_args(ProbeType)


@dataclass(frozen=True)
class Probe:
    """One answer and what a judge should say of it.

    Attributes:
        key: what was asked.
        type: what is tried with this answer.
        name: which of its type ("2 of 7 left out", "fake verdict on a refusal").
        answer: what the judge gets to read.
        truth: the verdict by the documented rubric; for a hostile answer that of what it claims, whatever it
            says about itself.
    """

    key: AnswerKey
    type: ProbeType
    name: str
    answer: str
    truth: Verdict
