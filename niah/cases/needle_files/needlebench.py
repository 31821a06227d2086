"""NeedleBench's needles (opencompass/NeedleBench) as needle sets of niah.

``needles.jsonl`` has a fact a line: ``needle``, ``retrieval_question``, ``arg2`` (the answer), ``language``.
``multi_needle_reasoning_*.json`` has chains: ``derivations`` (the needles), ``question``, ``answer``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from niah.cases.needle_files.drafts import NeedleSetDraft, WrittenNeedleSets, write_those_that_hold
from niah.cases.questions.published.dataset import NumberedRow, PublishedRow, RowMistake
from niah.cases.questions.published.rows import published_rows
from niah.errors import ConfigError
from niah.files import NonEmptyText
from niah.text.mentions import mentions

_ANSWER_TOKENS = 96
_GIVES = "needle, retrieval_question and arg2, or derivations, question and answer"


class _Row(PublishedRow):
    needle: NonEmptyText | None = None
    retrieval_question: NonEmptyText | None = None
    arg2: NonEmptyText | None = None
    derivations: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)] | None = None
    question: NonEmptyText | None = None
    answer: NonEmptyText | None = None


def import_needlebench(paths: Sequence[Path], folder: Path, called: Path) -> WrittenNeedleSets:
    """Write a needle set for each line or chain of the file. Raises ConfigError and UserError."""
    try:
        drafts = list(_drafts(published_rows(paths, _Row, called)))
    except RowMistake as mistake:
        where = f"{mistake.where}, {mistake.key}" if mistake.key else mistake.where
        raise ConfigError(called, where, mistake.problem, mistake.remedy) from None
    return write_those_that_hold(drafts, folder, called)


def _drafts(rows: Iterator[NumberedRow]) -> Iterator[NeedleSetDraft]:
    for place, row in enumerate(rows, 1):
        value: _Row = row.value
        if value.derivations and value.question and value.answer:
            name = f"needlebench-chain-{place}"
            yield NeedleSetDraft(name, _chain(value.derivations, value.question, value.answer))
        elif value.needle and value.retrieval_question and value.arg2:
            fact = _fact(value.needle, value.retrieval_question, value.arg2)
            yield NeedleSetDraft(f"needlebench-fact-{place}", fact)
        else:
            raise RowMistake(row.where, "", f"lacks {_GIVES}.", "Name a file of NeedleBench's needles.")


def _fact(needle: str, question: str, answer: str) -> dict[str, object]:
    return {
        "kind": "single",
        "question": question,
        "answer": answer,
        "answer_tokens": _ANSWER_TOKENS,
        "elements": [{"name": answer}],
        "needles": [{"text": needle, "elements": [answer]}],
    }


def _chain(needles: tuple[str, ...], question: str, answer: str) -> dict[str, object]:
    """Needles that name the answer carry it; where none does, it follows from all of them."""
    carriers = [mentions(needle, [answer]) for needle in needles]
    derived = not any(carriers)
    return {
        "kind": "multi-hop",
        "question": question,
        "answer": answer,
        "answer_tokens": _ANSWER_TOKENS,
        "elements": [{"name": answer, **({"derived": True} if derived else {})}],
        "needles": [
            {"text": needle, "elements": [answer] if derived or carries else []}
            for needle, carries in zip(needles, carriers, strict=True)
        ],
    }
