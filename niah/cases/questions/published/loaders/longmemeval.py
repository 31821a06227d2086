"""LongMemEval: questions of an assistant's user about months of chats between them.

The rows are as the README of github.com/xiaowu0162/LongMemEval tells them: ``question``, ``question_date``,
and the sessions as three lists of one length, ids, dates and turns. Turns with ``has_answer`` are evidence.
Questions whose id ends in ``_abs`` ask what was never said; their answer says so. The file is a JSON list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    RowMistake,
    document_line,
)
from niah.files import NonEmptyText

_CITATION = (
    "Wu et al. (2024), LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory. "
    "arXiv:2410.10813"
)
_LICENCE = "MIT"


class _Turn(PublishedRow):
    role: NonEmptyText
    content: str
    has_answer: bool | None = None


class _Row(PublishedRow):
    question_id: NonEmptyText
    question_type: NonEmptyText
    question: NonEmptyText
    question_date: NonEmptyText
    answer: NonEmptyText | int
    haystack_dates: tuple[str, ...]
    haystack_sessions: tuple[tuple[_Turn, ...], ...]


def load_longmemeval(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row, over all of its sessions by date. Raises RowMistake."""
    for row in rows:
        value: _Row = row.value
        if len(value.haystack_dates) != len(value.haystack_sessions):
            problem = f"has {len(value.haystack_dates)} dates for {len(value.haystack_sessions)} sessions."
            raise RowMistake(row.where, "haystack_dates", problem, "Write one for each.")
        # By date alone: sessions of one minute stay in their order.
        sessions = sorted(
            zip(value.haystack_dates, value.haystack_sessions, strict=True), key=lambda one: one[0]
        )
        text = "\n\n".join(_session(date, turns) for date, turns in sessions)
        if not text:
            raise RowMistake(row.where, "haystack_sessions", "is empty.", "Take the row out.")
        document = document_line(text)
        evidence = (turn.content for _, turns in sessions for turn in turns if turn.has_answer)
        yield row.ask(
            document,
            id=value.question_id,
            question=f"{value.question} (Asked on {value.question_date}.)",
            answers=(str(value.answer),),
            kind="abstention" if value.question_id.endswith("_abs") else value.question_type,
            source="chats",
            evidence=tuple(dict.fromkeys(quote for quote in evidence if quote.strip())),
        )


def _session(date: str, turns: Iterable[_Turn]) -> str:
    return "\n".join([f"Session of {date}", *(f"{turn.role}: {turn.content}" for turn in turns)])


LONGMEMEVAL = PublishedDataset(
    "longmemeval",
    "LongMemEval: longmemeval_s.json, _m, _oracle",
    _LICENCE,
    _CITATION,
    _Row,
    load_longmemeval,
)
