"""What a run file holds, read at one moment. Read-only, and all that it takes is the file.

Needle sets, haystacks, documents and suites may be gone: every sample is in the file.
"""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from niah.cases.left_out import LeftOut
from niah.cases.sample import Sample
from niah.errors import RunFileError
from niah.judges.error_types import ErrorReading
from niah.readers.reader import ReaderTraits
from niah.runs.closed_book.asking import bare_question_of
from niah.runs.closed_book.known import ClosedBookFilter, CountingJudges
from niah.runs.file.contents.file_facts import read_facts, read_meta
from niah.runs.file.contents.preparation_rows import read_preparations, with_first_calls
from niah.runs.file.contents.same_config import check_config
from niah.runs.file.contents.sample_rows import read_samples
from niah.runs.file.contents.trial_rows import read_records, read_scored
from niah.runs.file.database import at_rest, check_format, is_empty, open_database, patiently
from niah.runs.preparation.preparer import PreparationCall
from niah.runs.provenance import Invocation
from niah.runs.trial import Outcome, TrialRecord


@dataclass(frozen=True)
class RunScores:
    """What trends and comparisons of nights need of a run file.

    Attributes:
        path: of the file.
        run_id: what tells this run from all others.
        judge: whose scores the records have; "" of a file that was never begun.
        config: what every invocation of the run has in common, as ``run_facts`` says it; empty of a file that
            was never begun.
        version: of niah, when the file was begun.
        readers, judges: how each was asked, by name.
        traits: by reader, what the latest invocation's config says of the model.
        invocations: the earliest first.
        records: every trial, in the order planned. Read by ``read_scores``, they know nothing of answers,
            retrieval and what a verdict says beside its score.
        left_out: cases of the suite that could not be built, and were skipped.
        stopped: why the latest invocation asked readers no further, by reader.
        closed_book: what came of asking without context first, where the config says so; of that, and of what
            a reader knows, ``records`` hold nothing.
    """

    path: Path
    run_id: str
    judge: str
    config: Mapping[str, Any]
    version: str
    readers: Mapping[str, Mapping[str, str | int]]
    judges: Mapping[str, Mapping[str, str | int]]
    traits: Mapping[str, ReaderTraits]
    invocations: tuple[Invocation, ...]
    records: Sequence[TrialRecord]
    left_out: tuple[LeftOut, ...]
    stopped: Mapping[str, str]
    closed_book: ClosedBookFilter | None

    @property
    def name(self) -> str:
        """What a report calls the run: the file's name without ending."""
        return self.path.stem

    @property
    def whole(self) -> bool:
        """Whether every trial came to an outcome."""
        return all(record.outcome != "not_run" for record in self.records)


@dataclass(frozen=True)
class RunContents(RunScores):
    """Everything that a run file holds.

    Attributes:
        samples: by id.
        preparations: calls of models that prepare.
        scored_by: the judge whose scores were asked for, in place of those that count; "" without one.
    """

    samples: Mapping[str, Sample]
    preparations: tuple[PreparationCall, ...] = ()
    scored_by: str = ""

    @cached_property
    def planned(self) -> tuple[TrialRecord, ...]:
        """All trials of the file: those that count, the filter's and those that it leaves out."""
        beside = (*self.closed_book.trials, *self.closed_book.dropped) if self.closed_book else ()
        return (*self.records, *beside)

    @cached_property
    def latest_first(self) -> tuple[TrialRecord, ...]:
        """The trials that came to an outcome, also those that do not count: they were paid for."""
        done = [record for record in self.planned if record.outcome != "not_run"]
        return tuple(sorted(done, key=lambda record: record.finished_at, reverse=True))

    def finished(self, *, besides: Collection[Outcome] = ()) -> set[str]:
        """Ids of the trials that came to an outcome, ``besides`` those of some outcomes."""
        left = {"not_run", *besides}
        return {record.trial_id for record in self.planned if record.outcome not in left}

    def knows(self, reader: str, sample: Sample) -> bool:
        """Whether the filter leaves a sample out, since its reader knows the answer without a context."""
        return self.closed_book is not None and (reader, bare_question_of(sample)) in self.closed_book.known

    def check(self, facts: Mapping[str, object]) -> None:
        """Raise RunFileError where the file was begun with another config, and name what differs."""
        check_config(self.path, self.config, facts)


def read_run(path: Path, errors: ErrorReading = "niah", judge: str = "") -> RunContents:
    """Everything that the run file at ``path`` holds, finished or not, in use or not. Raises RunFileError.

    Args:
        path: the run file.
        errors: whose error types the records have.
        judge: whose scores they have; without it, those of the judge whose score counts.
    """
    with _opened(path) as db, _without_collecting():
        facts, samples = read_facts(path, db), read_samples(db, placed=True)
        facts["judge"] = judge or facts["judge"]
        judges = CountingJudges(facts["judge"], facts["config"])
        calls = tuple(read_preparations(db))
        records = list(with_first_calls(read_records(db, samples, judges, errors), calls))
        split = judges.split(records, samples)
        return RunContents(**facts, samples=samples, **split, preparations=calls)


def read_scores(path: Path) -> RunScores:
    """As ``read_run``, in a third of the time: for many nights at once. Raises RunFileError."""
    with _opened(path) as db, _without_collecting():
        facts, samples = read_facts(path, db), read_samples(db, placed=False)
        judges = CountingJudges(facts["judge"], facts["config"])
        records = list(read_scored(db, samples, judges))
        return RunScores(**facts, **judges.split(records, samples))


def is_begun(path: Path) -> bool:
    """Whether the run file at ``path`` holds a run. Raises RunFileError."""
    with _opened(path) as db:
        return "config" in read_meta(db)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise RunFileError(f"{path}: no such run file.", "niah run writes one; see runs/.")
    with open_database(path, immutable=at_rest(path)) as db:
        patiently(path, lambda: check_format(path, db))
        db.execute("BEGIN")
        patiently(path, lambda: is_empty(db))  # from here on all is read as it is at this moment
        try:
            yield db
        except (ValueError, KeyError, TypeError, AttributeError) as error:  # JSON of another shape, too
            reason = str(error).splitlines()[0]
            raise RunFileError(f"{path} is damaged: {reason}.", "Restore it, or delete it.") from None


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Everything that is read stays: looking for garbage in it would take a quarter of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
