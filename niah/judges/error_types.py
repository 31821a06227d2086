"""Error types of scored answers (u-niah paper, section 5.2.2; design section 7)."""

from __future__ import annotations

from typing import Literal, get_args

from niah.judges.verdict import Verdict

ErrorType = Literal[
    "correct",
    "missing_only",
    "wrong_only",
    "missing_and_wrong",
    "self_doubt_complete",
    "self_doubt_incomplete",
    "other",
]
ERROR_TYPES: tuple[ErrorType, ...] = get_args(ErrorType)


def error_type(verdict: Verdict) -> ErrorType | None:
    """The one error type of a verdict; None where a metric knows no elements and finds anything amiss.

    How far an answer is from the reference is all that such a metric can say, not what is wrong with it.

    Wrong elements outweigh doubt: who invents and doubts has invented, and the doubt was due. A refusal
    doubts, so it is "self_doubt_incomplete". "other" is an answer that names no element, right or wrong, and
    does not say that it cannot: the paper's nonsensical responses. Where the text does not tell, nothing is
    found or missing, and to say so is "correct".
    """
    if verdict.wrong:
        return "missing_and_wrong" if verdict.missing else "wrong_only"
    if not (verdict.found or verdict.missing):
        if verdict.value is not None and verdict.value < 1:
            return None
        return "correct" if verdict.score == 10 else "other"
    if verdict.self_doubt:
        return "self_doubt_incomplete" if verdict.missing else "self_doubt_complete"
    if not verdict.missing:
        return "correct"
    return "missing_only" if verdict.found else "other"
