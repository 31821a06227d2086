"""How well strategies retrieve, without any reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path

import orjson

from niah.cases.sample import Sample
from niah.files import atomic_write
from niah.runs.retrieval import RetrievalRecord, check_retrieval, evaluate
from niah.runs.unread_scripts import unread_scripts
from niah.strategies.strategy import Strategy

Follow = Callable[[Iterable[RetrievalRecord], int], Iterable[RetrievalRecord]]
"""Passes on the records of a total number, and shows the progress meanwhile."""


def evaluate_retrieval(
    samples: Sequence[Sample],
    strategies: Sequence[Strategy],
    *,
    out: Path | None = None,
    follow: Follow = lambda records, total: records,
    say: Callable[[str], None] = lambda line: None,
) -> list[RetrievalRecord]:
    """How much of the needles each strategy retrieves for each sample.

    Args:
        samples: of a suite: its cases and questions.
        strategies: to compare.
        out: file for a JSON line per sample and strategy; it appears when all are done.
        follow: shows the progress.
        say: is called with a line where something is loaded or fetched first, and with warnings.

    Raises UserError for mistakes, before any work.
    """
    check_retrieval(strategies, say)
    for line in unread_scripts(samples, strategies):
        say(line)
    records = []
    with atomic_write(out) if out else nullcontext() as file:
        for record in follow(evaluate(samples, strategies, say), len(samples) * len(strategies)):
            if file is not None:
                file.write(orjson.dumps(record.as_json(), option=orjson.OPT_APPEND_NEWLINE))
            records.append(record)
    return records
