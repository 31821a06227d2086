"""Lines that hold a document, a list of questions about it, and a list of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from niah.cases.questions.published.dataset import NumberedRow, RowMistake


def questions_of(
    row: NumberedRow, asked: tuple[str, Sequence[str]], answered: tuple[str, Sequence[str]]
) -> Iterator[tuple[int, str, str]]:
    """Each question's number in the line, from 1, its text and its answer.

    Args:
        row: the line.
        asked: the key of the questions, and these.
        answered: the key of the answers, and these.

    Raises RowMistake where there are not as many of either.
    """
    (_, questions), (key, answers) = asked, answered
    if len(questions) != len(answers):
        problem = f"has {len(answers)} answers to {len(questions)} {asked[0]}."
        raise RowMistake(row.where, key, problem, "Name the file as it was published.")
    for number, (question, answer) in enumerate(zip(questions, answers, strict=True), start=1):
        yield number, question, answer
