"""Error types of scored answers (u-niah paper, section 5.2.2; design section 7)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

from niah.cases.sample import AnswerKey
from niah.judges.nonsense import names_something
from niah.judges.rubric.normalise import strip_reasoning
from niah.judges.verdict import HIGHEST, LOWEST, Verdict

ErrorReading = Literal["niah", "paper"]
"""Which types errors are counted by: ours, or the paper's six."""

ErrorType = Literal[
    "correct",
    "missing_only",
    "wrong_only",
    "missing_and_wrong",
    "self_doubt_complete",
    "self_doubt_incomplete",
    "taken_back",
    "wrong_answer",
    "nonsense",
    "empty",
    "other",
]
ERROR_TYPE_NAMES: tuple[ErrorType, ...] = get_args(ErrorType)
"""Of both readings."""
ERROR_TYPES: tuple[ErrorType, ...] = ERROR_TYPE_NAMES[:-1]
PAPER_ERROR_TYPES: tuple[ErrorType, ...] = (*ERROR_TYPE_NAMES[:6], "other")
"""What is correct, and the six."""


def error_types_among(names: Collection[str | None]) -> tuple[ErrorType, ...]:
    """The types of the reading that ``names`` are of."""
    return PAPER_ERROR_TYPES if "other" in names else ERROR_TYPES


def error_type(verdict: Verdict, answer: str, key: AnswerKey) -> ErrorType | None:
    """The one error type of an answer; None where a metric knows no elements and finds anything amiss.

    As the paper's, but for four that it does not tell apart. "taken_back" is a complete answer withdrawn, in
    the end or for good, where "self_doubt_complete" only hedges: it costs points. "wrong_answer" names
    something, and nothing of it is right or planted; "nonsense" names nothing, and "empty" says nothing.

    Args:
        verdict: on the answer.
        answer: the reader's.
        key: what was asked.
    """
    kind = paper_error_type(verdict)
    if kind != "correct" and says_nothing(answer):
        return "empty"
    if kind == "self_doubt_complete":
        return kind if verdict.score == HIGHEST else "taken_back"
    if kind == "other":
        return "wrong_answer" if names_something(answer, key.question) else "nonsense"
    if verdict.wrong and not verdict.found and verdict.score == LOWEST and not _names_planted(verdict, key):
        return "wrong_answer"
    return kind


def says_nothing(answer: str) -> bool:
    """Whether an answer says nothing at all, or nothing after its thoughts."""
    said = answer.strip()
    return not said or (said[0] in "<[" and not strip_reasoning(said).strip())


def paper_error_type(verdict: Verdict) -> ErrorType | None:
    """The one error type of a verdict by the paper; None where a metric knows no elements and errs.

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


def _names_planted(verdict: Verdict, key: AnswerKey) -> bool:
    """Whether anything wrong stands in the text or among the options; "17685 (copper gate)" has its key."""
    # Most that imports this module reads no answer, and the rules take half a second to import.
    from niah.judges.rubric.elements.answer_names import wrong_elements

    named = [wrong.casefold() for wrong in verdict.wrong]
    planted = {name.casefold() for each in (*wrong_elements(key), *key.elements) for name in each.names}
    planted |= {option.casefold() for option in key.options}
    return any(wrong in planted or wrong.rpartition(" (")[0] in planted for wrong in named)
