"""How well strategies retrieve, with no model asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path

import orjson

from niah.cases.sample import Sample
from niah.files import atomic_write
from niah.runs.retrieval import (
    RetrievalRecord,
    check_evidence,
    check_retrieval,
    evaluate,
    evidence_lines,
    knows_what_to_send,
)
from niah.strategies.strategy import Strategy


def evaluate_retrieval(
    samples: Sequence[Sample],
    strategies: Sequence[Strategy],
    out: Path | None,
    follow: Callable[[Iterable[RetrievalRecord], int], Iterable[RetrievalRecord]],
    say: Callable[[str], None],
) -> list[RetrievalRecord]:
    """How much of the needles each strategy retrieves for each sample. Raises UserError before any work.

    Args:
        samples: cases and questions of a suite.
        strategies: to compare.
        out: file for a JSON line per sample and strategy; it appears when all are done.
        follow: passes on the records of a total number, and shows the progress.
        say: is called with a line where something is loaded or fetched first, and with warnings.
    """
    check_retrieval(strategies, say)
    for strategy in strategies:
        check_evidence(strategy, samples)
    for line in evidence_lines(strategies, samples):
        say(line)
    total = sum(knows_what_to_send(strategy, sample) for strategy in strategies for sample in samples)
    records = []
    with atomic_write(out) if out else nullcontext() as file:
        for record in follow(evaluate(samples, strategies, say), total):
            if file is not None:
                file.write(orjson.dumps(record.as_json(), option=orjson.OPT_APPEND_NEWLINE))
            records.append(record)
    return records
