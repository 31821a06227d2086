"""The verdicts of a run file: all of them, or each trial's latest score."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from decimal import Decimal
from math import isfinite
from typing import Any, get_type_hints

import orjson

from niah.judges.verdict import Unsure, Verdict
from niah.readers.reader import Usage
from niah.runs.file.contents.checked_rows import checked_rows

# Those of the judge whose score counts, then each judge's latest; in one millisecond, the later version.
_VERDICTS = """
SELECT trial_id, judge, version, score, body, prompt_tokens, completion_tokens, cost, latency_s, judged_at
FROM verdicts ORDER BY judge != ?, judge, judged_at DESC, CAST(version AS INTEGER) DESC
"""
_LATEST = """
SELECT trial_id, score, version FROM verdicts WHERE judge = ? ORDER BY judged_at, CAST(version AS INTEGER)
"""


def read_verdicts(db: sqlite3.Connection, primary: str) -> dict[str, list[Verdict]]:
    """By trial: those of the judge whose score counts, then each judge's latest."""
    verdicts: dict[str, list[Verdict]] = {}
    for trial_id, *row in checked_rows(db.execute(_VERDICTS, (primary,)), get_type_hints(_verdict)):
        verdicts.setdefault(trial_id, []).append(_verdict(*row))
    return verdicts


def latest_scores(db: sqlite3.Connection, judge: str) -> dict[str, list[Any]]:
    """Score and version of each trial's latest verdict by that judge."""
    latest = checked_rows(db.execute(_LATEST, (judge,)), get_type_hints(_verdict))
    return {trial_id: verdict for trial_id, *verdict in latest}


def _verdict(
    judge: str,
    version: str,
    score: float,
    body: str,
    prompt_tokens: int | None,
    completion_tokens: int | None,
    cost: float | None,
    latency_s: float,
    judged_at: str,
) -> Verdict:
    said = orjson.loads(body)
    if not isfinite(score):
        raise ValueError(f"a score of {score}")
    return Verdict(
        score,
        tuple(said["found"]),
        tuple(said["missing"]),
        tuple(said["wrong"]),
        said["self_doubt"],
        judge,
        version,
        said["reason"],
        said["value"],
        # Files of older versions do not say.
        Unsure(**unsure) if (unsure := said.get("unsure")) else None,
        Usage(prompt_tokens, completion_tokens),
        latency_s,
        None if cost is None else Decimal(str(cost)),
        datetime.fromisoformat(judged_at),
        said.get("own_score"),
        tuple(said.get("evidence", ())),
    )
