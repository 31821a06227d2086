"""That answers are empty, in words."""

from __future__ import annotations

from niah.analysis.causes.empty_answers import EmptyAnswers


def empty_words(found: EmptyAnswers) -> str:
    """Such as "9 of 9 answers are empty, which the endpoint calls complete"."""
    are = "is" if found.empty == 1 else "are"
    answers = "answer" if found.scored == 1 else "answers"
    came = "as the application gave" if found.is_application else "which the endpoint calls complete"
    came += "" if not found.is_application else " it" if found.empty == 1 else " them"
    return f"{found.empty:,} of {found.scored:,} {answers} {are} empty, {came}"


def empty_line(found: EmptyAnswers, anew: str) -> str:
    """The same with its name and what to do about it: ``anew`` is what asks once more, "another --out"."""
    sends = "returns" if found.is_application else "sends"
    return (
        f"{found.answers}: {empty_words(found)}: they are scored as they came. See what it {sends}; once it "
        f"is mended, {anew} asks again."
    )
