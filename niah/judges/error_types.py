"""Error types of scored answers (u-niah paper, section 5.2.2; design section 5)."""

from __future__ import annotations

import re

from niah.cases.sample import AnswerKey
from niah.judges.normalise import plain, strip_reasoning, words, words_of
from niah.judges.rubric import wrong_elements
from niah.judges.verdict import HIGHEST, LOWEST, Verdict

_SHARED = ("correct", "missing_only", "wrong_only", "missing_and_wrong", "self_doubt_complete")
ERROR_TYPES = (*_SHARED, "self_doubt_incomplete", "taken_back", "wrong_answer", "nonsense", "empty")
PAPER_ERROR_TYPES = (*_SHARED, "self_doubt_incomplete", "other")  # "correct" and the paper's six


def error_type(verdict: Verdict, answer: str, key: AnswerKey) -> str | None:
    """The one error type of an answer; None where a metric knows no elements and finds anything amiss.

    As the paper's, and four that it does not tell apart ("taken_back" to "empty": docs/judges.md).
    """
    kind = paper_error_type(verdict)
    if kind != "correct" and not strip_reasoning(answer).strip():
        return "empty"
    if kind == "self_doubt_complete":
        return kind if verdict.score == HIGHEST else "taken_back"
    if kind == "other":
        return "wrong_answer" if _names_something(answer, key.question) else "nonsense"
    if verdict.wrong and not verdict.found and verdict.score == LOWEST:
        # Whether anything wrong is in the text or among the options; "17685 (copper gate)" has its key.
        planted = {name.casefold() for each in (*wrong_elements(key), *key.elements) for name in each.names}
        planted |= {option.casefold() for option in key.options}
        named = [wrong.casefold() for wrong in verdict.wrong]
        if not any(wrong in planted or wrong.rpartition(" (")[0] in planted for wrong in named):
            return "wrong_answer"
    return kind


def paper_error_type(verdict: Verdict) -> str | None:
    """The one error type of a verdict by the paper; None where a metric knows no elements and errs.

    Wrong elements outweigh doubt. A refusal is "self_doubt_incomplete"; "other" names no element and does
    not refuse. Where the text does not tell, to say so is "correct".
    """
    if verdict.wrong:
        return "missing_and_wrong" if verdict.missing else "wrong_only"
    if not (verdict.found or verdict.missing):
        if verdict.value is not None and verdict.value < 1:
            return None
        return "correct" if verdict.score == HIGHEST else "other"
    if verdict.self_doubt:
        return "self_doubt_incomplete" if verdict.missing else "self_doubt_complete"
    if not verdict.missing:
        return "correct"
    return "missing_only" if verdict.found else "other"


def _names_something(answer: str, question: str) -> bool:
    """Whether an answer is no loop, and is short or has a number or a name that the question has not."""
    # Without questions; a single expression for these would take time that grows with the square.
    sentences = re.findall(r"[^.!?\n]*[.!?\n]?", strip_reasoning(answer))
    said = words(plain("".join(each for each in sentences if not each.endswith("?"))))
    asked = {word.text for word in words_of(question)}
    if len(said) > 5 and len({word.text for word in said}) <= 0.4 * len(said):
        return False
    shares = len(said) <= 5 or any(len(word.text) > 4 and word.text in asked for word in said)
    return any(
        shares or word.text[0].isdigit() or (at and word.border < 2 and word.raw[0].isupper())
        for at, word in enumerate(said)
        if word.text not in asked
    )
