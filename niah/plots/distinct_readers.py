"""Several runs side by side: readers that are in more than one of them are told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from niah.runs.file.read_model import RunScores

_Run = TypeVar("_Run", bound=RunScores)


def with_distinct_readers(runs: Sequence[_Run]) -> list[_Run]:
    """The runs, readers that are in several of them called "READER (RUN)"."""
    known = Counter(reader for run in runs for reader in {record.reader for record in run.records})

    def told_apart(reader: str, run: _Run) -> str:
        return f"{reader} ({run.name})" if known[reader] > 1 else reader

    return [
        replace(
            run,
            records=[
                replace(record, reader=told_apart(record.reader, run)) if known[record.reader] > 1 else record
                for record in run.records
            ],
            traits={told_apart(reader, run): each for reader, each in run.traits.items()},
        )
        for run in runs
    ]
