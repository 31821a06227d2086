"""What a run file holds beyond its trial records: what people look at one trial at a time. Read-only."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from niah.cases.case import Case
from niah.judges.verdict import Verdict
from niah.runs.file.queries import read_only
from niah.runs.file.rows import case_of, facts_of
from niah.runs.provenance import Invocation
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from niah.runs.file.store import RunStore

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TrialDetails:
    """What is told of a trial beside its record.

    Attributes:
        reason: why it came to its outcome, for people; "" where there is nothing to say.
        verdicts: of every judge, those of the run's own judge first; each judge's latest first.
        best: (start, end) in the context's text of the chunks retrieved, best first; None where the run file
            does not say, as for strategies that retrieve nothing.
        retrieved: how many chunks were retrieved; None where none could be.
    """

    reason: str
    verdicts: tuple[Verdict, ...]
    best: tuple[Span, ...] | None
    retrieved: int | None


@dataclass(frozen=True)
class RunData:
    """A whole run for reports.

    Attributes:
        name: what a report calls it: the file's name without ending.
        judge: whose scores the records have; "" where the file does not say.
        records: every trial, in the order planned.
        details: by trial id.
        cases: recipe and digest of the context ("" for one that was never built), by case id.
        invocations: the earliest first.
    """

    name: str
    judge: str
    records: Sequence[TrialRecord]
    details: dict[str, TrialDetails]
    cases: dict[str, tuple[Case, str]]
    invocations: Sequence[Invocation]


def read_run(store: RunStore, records: Sequence[TrialRecord]) -> RunData:
    """Everything of a run; ``records`` are the store's own."""
    judge = store.primary or ""
    with read_only(store.path) as db:
        return RunData(
            name=store.path.stem,
            judge=judge,
            records=records,
            details=dict(_details(db, store.verdicts(), judge)),
            cases=dict(_cases(db)),
            invocations=store.invocations(),
        )


def _cases(db: sqlite3.Connection) -> Iterator[tuple[str, tuple[Case, str]]]:
    for case_id, recipe, sha256 in db.execute("SELECT case_id, recipe, sha256 FROM cases"):
        yield case_id, (case_of(recipe), sha256 or "")


def _details(
    db: sqlite3.Connection, verdicts: Mapping[str, Sequence[Verdict]], judge: str
) -> Iterator[tuple[str, TrialDetails]]:
    for trial_id, reason, retrieval in db.execute("SELECT trial_id, reason, retrieval FROM trials"):
        facts = facts_of(retrieval)
        yield (
            trial_id,
            TrialDetails(
                reason=reason,
                verdicts=_ordered(verdicts.get(trial_id, ()), judge),
                best=(facts.best or None) if facts else None,
                retrieved=facts.retrieved if facts else None,
            ),
        )


def _ordered(verdicts: Sequence[Verdict], judge: str) -> tuple[Verdict, ...]:
    """The run's own judge's first, then the others' by name; each judge's latest first."""
    latest_first = list(reversed(verdicts))
    return tuple(sorted(latest_first, key=lambda one: (one.judge != judge, one.judge)))
