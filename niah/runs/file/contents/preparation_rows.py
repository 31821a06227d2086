"""The calls of models that prepare, as a run file has them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from decimal import Decimal

from niah.readers.reader import Usage
from niah.runs.file.database import has_preparations
from niah.runs.preparation.preparer import PreparationCall


def read_preparations(db: sqlite3.Connection) -> Iterator[PreparationCall]:
    """All of them; none of a file from before there were any."""
    if not has_preparations(db):
        return
    rows = db.execute(
        "SELECT definition, document, trial_id, key, step, model, prompt_tokens, completion_tokens, cost,"
        " from_cache, is_understood, is_cut FROM preparations"
    )
    for definition, document, trial_id, key, step, model, prompt, completion, cost, *marks in rows:
        usage, usd = Usage(prompt, completion), None if cost is None else Decimal(str(cost))
        from_cache, is_understood, is_cut = map(bool, marks)
        yield PreparationCall(
            *(definition, document, trial_id, key, step, model),
            *(usage, usd, from_cache, is_understood, is_cut),
        )
