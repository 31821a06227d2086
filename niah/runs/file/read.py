"""What a run file holds, read at one moment. Needle sets, documents and suites may be gone by then."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import TypeAdapter

from niah.cases.context import Placed
from niah.cases.sample import AnswerKey, Sample
from niah.cases.samples import LeftOut
from niah.errors import RunFileError
from niah.judges.error_types import ErrorReading, error_type, paper_error_type
from niah.judges.verdict import Unsure, Verdict
from niah.readers.reader import ReaderTraits, Usage
from niah.runs.closed_book import ClosedBookFilter, CountingJudges, bare_question_of
from niah.runs.file.store import (
    INSERTS,
    at_rest,
    check_config,
    check_format,
    is_empty,
    open_database,
    patiently,
    read_meta,
    texts_of,
)
from niah.runs.provenance import Invocation
from niah.runs.trial import Outcome, PreparationCall, TrialRecord, plain_depth

if TYPE_CHECKING:
    from pandas import DataFrame

# Preparation for one question alone is summed.
_TRIALS = """
SELECT sample_id, trial_id, strategy, definition, reader, repeat, outcome, answer, reason, prompt_tokens,
    completion_tokens, cached_tokens, thinking_tokens, own_prompt_tokens, context_tokens, cost, thinking_cost,
    latency_s, from_cache, reused_from, finished_at, retrieval,
    coalesce(tokens_before, 0) AS first_tokens, coalesce(cost_before, 0.0) AS first_cost
FROM trials LEFT JOIN (
    SELECT trial_id, sum(prompt_tokens) AS tokens_before, sum(cost) AS cost_before FROM preparations
    WHERE trial_id <> '' GROUP BY trial_id
) USING (trial_id) ORDER BY place
"""
# The judge's whose score counts first, then each judge's latest; in one millisecond, the later version.
_VERDICTS = """
SELECT trial_id, judge, version, score, body, prompt_tokens, completion_tokens, cost, latency_s, judged_at
FROM verdicts ORDER BY judge != ?, judge, judged_at DESC, CAST(version AS INTEGER) DESC
"""
_OF_SAMPLE = ["needle_set", "haystack", "context_length", "seed", "origin", "question_set", "document_id"]
_KEY: TypeAdapter[AnswerKey] = TypeAdapter(AnswerKey)
_SAMPLE: TypeAdapter[Sample] = TypeAdapter(Sample)


@dataclass(frozen=True)
class RunContents:
    """Everything that a run file holds; of a file that was never begun, ``config`` is empty."""

    path: Path
    run_id: str  # what tells this run from all others
    judge: str  # whose scores the trials have
    config: Mapping[str, Any]  # what every invocation of the run has in common, as ``run_facts`` says it
    version: str  # of niah, when the file was begun
    readers: Mapping[str, Mapping[str, str | int]]  # how each was asked, by name
    judges: Mapping[str, Mapping[str, str | int]]
    traits: Mapping[str, ReaderTraits]  # by reader, what the latest invocation's config says of the model
    invocations: tuple[Invocation, ...]  # the earliest first
    left_out: tuple[LeftOut, ...]  # cases of the suite that could not be built, and were skipped
    stopped: Mapping[str, str]  # by reader, why the latest invocation asked it no further
    samples: Mapping[str, Sample]  # by id
    planned: tuple[TrialRecord, ...]  # every trial, in the order planned, also those that do not count
    preparations: tuple[PreparationCall, ...] = ()  # calls of models that prepare
    scored_by: str = ""  # the judge whose scores were asked for, in place of those that count

    @property
    def name(self) -> str:
        """What a report calls the run: the file's name without ending."""
        return self.path.stem

    @cached_property
    def _split(self) -> tuple[tuple[TrialRecord, ...], ClosedBookFilter | None]:
        return CountingJudges(self.judge, self.config).split(self.planned, self.samples)

    @property
    def records(self) -> tuple[TrialRecord, ...]:
        """The trials that count, in the order planned."""
        return self._split[0]

    @property
    def closed_book(self) -> ClosedBookFilter | None:
        """What came of asking without context first, where the config says so.

        Its trials, and those of what a reader knows, are not among those that count.
        """
        return self._split[1]

    @cached_property
    def trials(self) -> DataFrame:
        """The trials that count, one row each; columns are the fields of ``TrialRecord``."""
        import pandas as pd

        names = [field.name for field in fields(TrialRecord)]
        return pd.DataFrame({name: list(map(attrgetter(name), self.records)) for name in names})

    @property
    def whole(self) -> bool:
        """Whether every trial came to an outcome."""
        return all(record.outcome != "not_run" for record in self.records)

    @cached_property
    def latest_first(self) -> tuple[TrialRecord, ...]:
        """The trials that came to an outcome, also those that do not count: they were paid for."""
        done = [record for record in self.planned if record.outcome != "not_run"]
        return tuple(sorted(done, key=lambda record: record.finished_at, reverse=True))

    def finished(self, *, besides: Collection[Outcome] = ()) -> set[str]:
        """Ids of the trials that came to an outcome, ``besides`` those of some outcomes."""
        return {record.trial_id for record in self.latest_first if record.outcome not in besides}

    def knows(self, reader: str, sample: Sample) -> bool:
        """Whether the filter leaves a sample out, since its reader knows the answer without a context."""
        return self.closed_book is not None and (reader, bare_question_of(sample)) in self.closed_book.known

    def check(self, facts: Mapping[str, object]) -> None:
        """Raise RunFileError where the file was begun with another config, and name what differs."""
        check_config(self.path, self.config, facts)

    def of_reader(self, reader: str) -> RunContents:
        """The same run with the trials of one reader."""
        return replace(self, planned=tuple(each for each in self.planned if each.reader == reader))


def read_run(path: Path, errors: ErrorReading = "niah", judge: str = "") -> RunContents:
    """Everything that the run file at ``path`` holds, finished or not, in use or not. Raises RunFileError.

    Args:
        path: the run file.
        errors: whose error types the trials have.
        judge: whose scores they have; without it, those of the judge whose score counts.
    """
    with _opened(path) as db:
        meta, samples = read_meta(db), _read_samples(db)
        config = meta.get("config", {})
        judge = judge or meta.get("primary") or config.get("judge", "")
        return RunContents(
            path=path,
            run_id=meta.get("id", ""),
            judge=judge,
            config=config,
            version=meta.get("niah", ""),
            readers=meta.get("readers", {}),
            judges=meta.get("judges", {}),
            traits={name: ReaderTraits(**each) for name, each in meta.get("traits", {}).items()},
            invocations=tuple(
                Invocation(started, orjson.loads(settings), orjson.loads(versions))
                for started, settings, versions in db.execute(
                    "SELECT * FROM invocations ORDER BY started_at, rowid"
                )
            ),
            left_out=tuple(LeftOut(**each) for each in meta.get("left_out", ())),
            stopped=meta.get("stopped", {}),
            samples=samples,
            planned=tuple(_read_trials(db, samples, CountingJudges(judge, config), errors)),
            preparations=tuple(_read_preparations(db)),
        )


def read_scored_by(path: Path, judge: str, errors: ErrorReading = "niah") -> RunContents:
    """As ``read_run``, the scores being those of ``judge``; answers that it has not judged are left out.

    Raises RunFileError, also where it judged none.
    """
    run = read_run(path, errors, judge)
    if judge and any(record.outcome == "scored" for record in run.planned):
        judged = [each for each in run.planned if each.outcome != "judge_error" or not each.verdicts]
        return replace(run, planned=tuple(judged), scored_by=judge)
    held = ", ".join(sorted({name for record in run.planned for name in record.judge_scores or ()}))
    has = f": it has those of {held}" if held else ""
    raise RunFileError(
        f"{path} holds no verdict of {judge or repr(judge)}{has}.",
        f"niah judge {quote(str(path))} --judge {judge or 'NAME'} adds them, and asks no model.",
    )


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
        except (ValueError, LookupError, TypeError, AttributeError) as error:  # JSON of another shape, too
            reason = " ".join(str(error).split())[:300]
            raise RunFileError(f"{path} is damaged: {reason}.", "Restore it, or delete it.") from None


def _read_samples(db: sqlite3.Connection) -> dict[str, Sample]:
    """By id."""
    rows = db.execute("SELECT question_id, body FROM questions")
    keys = {question_id: _KEY.validate_json(body) for question_id, body in rows}
    texts = {question_id: texts_of(key) for question_id, key in keys.items()}
    samples = {}
    for sample_id, question_id, body in db.execute("SELECT sample_id, question_id, body FROM samples"):
        sample = _SAMPLE.validate_python({**orjson.loads(body), "key": keys[question_id]})
        inserts = {
            name: tuple(_with_text(placed, texts[question_id]) for placed in getattr(sample, name))
            for name in INSERTS
        }
        samples[sample_id] = replace(sample, **inserts)  # type: ignore[arg-type]
    return samples


def _with_text(placed: Placed, texts: Mapping[str, str]) -> Placed:
    return placed if placed.text else placed._replace(text=texts[placed.id])


def _read_trials(
    db: sqlite3.Connection, samples: Mapping[str, Sample], judges: CountingJudges, errors: ErrorReading
) -> Iterator[TrialRecord]:
    """Every trial, in the order planned."""
    every = _read_verdicts(db, judges.primary)
    facets = {id: _facets(sample) for id, sample in samples.items()}
    judge_of = {id: judges.of(sample) for id, sample in samples.items()}
    cursor = db.execute(_TRIALS)
    names = [name for name, *_ in cursor.description]
    for row in cursor:
        stored = dict(zip(names, row, strict=True))
        sample_id, found = stored.pop("sample_id"), orjson.loads(stored.pop("retrieval"))
        verdicts = every.get(stored["trial_id"], ())
        chosen = next((each for each in verdicts if each.judge == judge_of[sample_id]), None)
        if stored["outcome"] in ("scored", "judge_error"):  # the judge may be another than when it finished
            stored["outcome"] = "scored" if chosen else "judge_error"
        stored["from_cache"] = bool(stored["from_cache"])
        judged = _judged(samples[sample_id], stored["answer"], verdicts, chosen, errors)
        yield TrialRecord(**facets[sample_id], **stored, **judged, **_retrieved(found))


def _facets(sample: Sample) -> dict[str, Any]:
    """What a sample says of its trials."""
    return {name: getattr(sample, name) for name in _OF_SAMPLE} | {
        "case_id": sample.sample_id,
        "depth": None if sample.depth is None else plain_depth(sample.depth),
        "kind": sample.key.kind,
        "source": sample.source_name,
        "context_sha256": sample.sha256,
    }


def _judged(
    sample: Sample, answer: str, verdicts: Sequence[Verdict], chosen: Verdict | None, errors: ErrorReading
) -> dict[str, Any]:
    """What was said of an answer; ``chosen`` gives the score."""
    scores = {verdict.judge: verdict.score for verdict in reversed(verdicts)}
    told = {"judge_scores": dict(sorted(scores.items())) or None, "verdicts": tuple(verdicts)}
    if chosen is None:
        return {**told, "unsure": next((each.unsure for each in verdicts if each.unsure), None)}
    by_paper = errors == "paper"
    return told | {
        **{name: getattr(chosen, name) for name in ("score", "missing", "wrong", "self_doubt", "unsure")},
        "error_type": paper_error_type(chosen) if by_paper else error_type(chosen, answer, sample.key),
        "judge_version": chosen.version,
    }


def _retrieved(found: Mapping[str, Any]) -> dict[str, Any]:
    """What retrieval found, as the file has it."""
    ranks, split, best = (found.get(name) for name in ("needle_ranks", "needle_split", "best"))
    return {
        "retrieval_completeness": found.get("completeness"),
        "needle_ranks": None if ranks is None else tuple(ranks),
        "needle_split": None if split is None else tuple(split),
        "best": tuple(map(tuple, best)) if best else None,
        **{name: found.get(name) for name in ("noise_ratio", "retrieved", "foreign")},
    }


def _read_verdicts(db: sqlite3.Connection, primary: str) -> dict[str, list[Verdict]]:
    """By trial: those of the judge whose score counts, then each judge's latest."""
    verdicts: dict[str, list[Verdict]] = {}
    for trial_id, judge, version, score, body, prompt, completion, cost, latency_s, at in db.execute(
        _VERDICTS, (primary,)
    ):
        said: dict[str, Any] = orjson.loads(body)
        said |= {name: tuple(value) for name, value in said.items() if isinstance(value, list)}
        said["unsure"] = Unsure(**said["unsure"]) if said["unsure"] else None
        verdict = Verdict(
            **said,
            score=plain_depth(score),
            judge=judge,
            version=version,
            usage=Usage(prompt, completion),
            latency_s=latency_s,
            cost=_decimal(cost),
            judged_at=datetime.fromisoformat(at),
        )
        verdicts.setdefault(trial_id, []).append(verdict)
    return verdicts


def _read_preparations(db: sqlite3.Connection) -> Iterator[PreparationCall]:
    """The calls of models that prepare."""
    for *whose, prompt, completion, cost, cached, reused, understood, cut in db.execute(
        "SELECT * FROM preparations"
    ):
        definition, document, trial_id, key, step, model = whose
        asked = definition, document, trial_id, key, step, model
        paid = Usage(prompt, completion), _decimal(cost)
        yield PreparationCall(*asked, *paid, bool(cached), bool(understood), bool(cut), reused)


def _decimal(cost: float | None) -> Decimal | None:
    return None if cost is None else Decimal(str(cost))
