"""That answers are empty, in words."""

from __future__ import annotations

from niah.analysis.causes.empty_answers import EmptyAnswers


def empty_words(found: EmptyAnswers) -> str:
    """Such as "9 of 9 answers are empty, which the endpoint calls complete"."""
    are = "is" if found.empty == 1 else "are"
    answers = "answer" if found.scored == 1 else "answers"
    return f"{found.empty:,} of {found.scored:,} {answers} {are} empty, which the endpoint calls complete"


def empty_line(found: EmptyAnswers, anew: str) -> str:
    """The same of a reader, with what to do about it: ``anew`` is what asks once more, "--no-cache"."""
    return (
        f"{found.reader}: {empty_words(found)}: they are scored as they came. See what it sends; once it is "
        f"mended, {anew} ask anew."
    )
