"""The calls of models that prepare, as a run file has them."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from niah.readers.reader import Usage
from niah.runs.preparation.preparer import PreparationCall
from niah.runs.trial import TrialRecord


def read_preparations(db: sqlite3.Connection) -> Iterator[PreparationCall]:
    """All of them."""
    rows = db.execute(
        "SELECT definition, document, trial_id, key, step, model, prompt_tokens, completion_tokens, cost,"
        " reused_from, from_cache, is_understood, is_cut FROM preparations"
    )
    for definition, document, trial_id, key, step, model, prompt, completion, cost, reused, *marks in rows:
        usage, usd = Usage(prompt, completion), None if cost is None else Decimal(str(cost))
        from_cache, is_understood, is_cut = map(bool, marks)
        yield PreparationCall(
            *(definition, document, trial_id, key, step, model),
            *(usage, usd, from_cache, is_understood, is_cut, reused),
        )


def with_first_calls(records: Iterable[TrialRecord], calls: Sequence[PreparationCall]) -> list[TrialRecord]:
    """The records with ``first_tokens`` and ``first_cost`` of the calls for their question alone."""
    tokens, cost = defaultdict[str, int](int), defaultdict[str, float](float)
    for call in calls:
        tokens[call.trial_id] += call.usage.prompt_tokens or 0
        cost[call.trial_id] += float(call.cost or 0)
    return [
        replace(record, first_tokens=tokens[record.trial_id], first_cost=cost[record.trial_id])
        if record.trial_id in tokens
        else record
        for record in records
    ]
