"""What reading takes, and what it takes with the preparation that many questions on a document share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import row_groups
from niah.analysis.table import Table, TableValue
from niah.runs.preparation.preparer import PreparationCall
from niah.strategies.strategy import strategy_of

if TYPE_CHECKING:
    from pandas import DataFrame

QUESTIONS = (1, 10, 100)
"""On one document."""

_NOTE = (
    "Mean score over scored trials; tokens are those of prompts and replies together, means over trials and "
    "documents. Reading is the reader's own call, choosing what a model is asked for one question before it, "
    "and a document's preparation is shared by all questions on it. Replies that were kept from earlier runs "
    "count as if they had been asked for now. Embedding is left out."
)


def preparation_table(frame: DataFrame, calls: Sequence[PreparationCall]) -> Table:
    """Score against tokens of reading and of preparation, at 1, 10 and 100 questions on a document."""
    at = tuple(f"tokens_at_{questions}_questions" for questions in QUESTIONS)
    columns = (
        "reader",
        "strategy",
        "score",
        "n",
        "reading_tokens",
        "choosing_tokens",
        "document_tokens",
        *at,
    )
    rows = tuple(_rows(frame, calls)) if calls else ()
    return Table("preparation", "Score against tokens of reading and preparation", columns, rows, _NOTE)


def _rows(frame: DataFrame, calls: Sequence[PreparationCall]) -> Iterator[tuple[TableValue, ...]]:
    for (reader, strategy), rows in row_groups(frame, "reader", "strategy"):
        scores = frame["score"].to_numpy()[rows]
        read = (frame["prompt_tokens"] + frame["completion_tokens"]).to_numpy()[rows]
        scores, read = scores[~np.isnan(scores)], read[~np.isnan(read)]
        choosing, document = _prepared(calls, reader, strategy_of(strategy).definition)
        reading = float(read.mean()) if len(read) else None
        whole = [None if reading is None else reading + choosing + document / each for each in QUESTIONS]
        score = float(scores.mean()) if len(scores) else None
        yield reader, strategy, score, len(scores), reading, choosing, document, *whole


def _prepared(calls: Sequence[PreparationCall], reader: str, definition: str) -> tuple[float, float]:
    """Tokens that are asked for one question, and for one document."""
    own = [call for call in calls if call.definition == definition]
    own = [call for call in own if call.model == reader] or own
    of_questions, of_documents = defaultdict[str, int](int), defaultdict[str, int](int)
    for call in own:
        tokens = (call.usage.prompt_tokens or 0) + (call.usage.completion_tokens or 0)
        if call.trial_id:
            of_questions[call.trial_id] += tokens
        else:
            of_documents[call.document] += tokens
    return (
        fmean(of_questions.values()) if of_questions else 0.0,
        fmean(of_documents.values()) if of_documents else 0.0,
    )
