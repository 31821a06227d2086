"""What a run file holds, read at one moment. Needle sets, documents and suites may be gone by then."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import TypeAdapter

from niah.cases.sample import AnswerKey, Sample
from niah.cases.samples import LeftOut
from niah.errors import RunFileError, UserError
from niah.judges.verdict import Unsure, Verdict
from niah.readers.reader import ReaderTraits, Usage
from niah.runs.closed_book import ClosedBookFilter, bare_question_of, counting, judge_of
from niah.runs.file.store import at_rest, check_format, is_empty, open_database, patiently, read_meta
from niah.runs.trial import TRIAL_COLUMNS, Outcome, PreparationCall, plain_depth, rows_of
from niah.strategies.facts import searches_for

if TYPE_CHECKING:
    from pandas import DataFrame

# Preparation for one question alone is summed.
_TRIALS = """
SELECT trials.*, coalesce(tokens_before, 0) AS first_tokens, coalesce(cost_before, 0.0) AS first_cost
FROM trials LEFT JOIN (
    SELECT trial_id, sum(prompt_tokens) AS tokens_before, sum(cost) AS cost_before FROM preparations
    WHERE trial_id <> '' GROUP BY trial_id
) USING (trial_id) ORDER BY place
"""
# The judge's whose score counts first, then each judge's latest; in one millisecond, the later version.
_VERDICTS = """
SELECT * FROM verdicts ORDER BY judge != ?, judge, judged_at DESC, CAST(version AS INTEGER) DESC
"""
_OF_SAMPLE = ("needle_set", "haystack", "context_length", "seed", "origin", "question_set", "document_id")
_OF_VERDICT = ("score", "missing", "wrong", "self_doubt", "unsure")
_KEY: TypeAdapter[AnswerKey] = TypeAdapter(AnswerKey)
_SAMPLE: TypeAdapter[Sample] = TypeAdapter(Sample)
_CALL: TypeAdapter[PreparationCall] = TypeAdapter(PreparationCall)


@dataclass(frozen=True)
class Invocation:
    """One ``niah run`` that wrote to a run file."""

    started_at: str  # UTC, as 2026-11-22T04:00:00.000Z
    settings: dict[str, dict[str, Any]]  # by name: value, and the source that gave it
    versions: dict[str, str]  # of Python and packages


@dataclass(frozen=True, eq=False)
class RunContents:
    """Everything that a run file holds; of a file that was never begun, ``config`` is empty."""

    path: Path
    run_id: str  # what tells this run from all others
    judge: str  # whose scores the trials have
    config: Mapping[str, Any]  # what every invocation of the run has in common, as ``run_facts`` says it
    version: str  # of niah, when the file was begun
    readers: Mapping[str, Mapping[str, str | int]]  # how each was asked, by name
    judges: Mapping[str, Mapping[str, str | int]]
    traits: Mapping[str, ReaderTraits]  # by reader, how the latest invocation's config says it is served
    invocations: tuple[Invocation, ...]  # the earliest first
    left_out: tuple[LeftOut, ...]  # cases of the suite that could not be built, and were skipped
    stopped: Mapping[str, str]  # by reader, why the latest invocation asked it no further
    spent: Mapping[str, str]  # by unit, what the latest invocation with a budget had counted
    samples: Mapping[str, Sample]  # by id
    planned: DataFrame  # ``TRIAL_COLUMNS`` of every trial, in the order planned; all hold Python's objects
    trials: DataFrame  # of these the trials that count
    # what came of asking without context first, where the config says so: its trials, and those of what a
    # reader knows, are not among those that count
    closed_book: ClosedBookFilter | None
    preparations: tuple[PreparationCall, ...] = ()  # calls of models that prepare

    @property
    def name(self) -> str:
        """What a report calls the run: the file's name without ending."""
        return self.path.stem

    @property
    def whole(self) -> bool:
        """Whether every trial came to an outcome."""
        return bool((self.trials["outcome"] != "not_run").all())

    @property
    def is_scored(self) -> bool:
        """Whether any trial has a score."""
        return bool((self.trials["outcome"] == "scored").any())

    @cached_property
    def latest_first(self) -> list[Any]:
        """The trials that came to an outcome one by one, also those that do not count: they were paid for."""
        done = self.planned[self.planned["outcome"] != "not_run"]
        return rows_of(done.sort_values("finished_at", ascending=False, kind="stable"))

    def finished(self, *, besides: Collection[Outcome] = ()) -> set[str]:
        """Ids of the trials that came to an outcome, ``besides`` those of some outcomes."""
        return {trial.trial_id for trial in self.latest_first if trial.outcome not in besides}

    def knows(self, reader: str, sample: Sample) -> bool:
        """Whether the filter leaves a sample out, since its reader knows the answer without a context."""
        return self.closed_book is not None and (reader, bare_question_of(sample)) in self.closed_book.known


def check_has_trials(run: RunContents, *, scored: bool = False) -> None:
    """Raise UserError where none of the run's trials counts, or none is ``scored`` where one has to be."""
    if run.trials.empty:
        remedy = "Run it first, or without filter: closed-book." if run.closed_book else "Run it first."
        raise UserError(f"{run.path} holds no trials.", remedy)
    if scored and not run.is_scored:
        raise UserError(f"{run.path} holds no scored trial.", "Run it first.")


def read_run(path: Path, score: str | None = None) -> RunContents:
    """Everything that the run file at ``path`` holds, finished or not, in use or not. Raises
    RunFileError. With ``score`` the trials have the scores of that judge, and answers that it has not
    judged are left out."""
    with _opened(path) as db:
        meta = read_meta(db)
        config = meta.get("config", {})
        judge = score or meta.get("primary") or config.get("judge", "")
        keys = {id: _KEY.validate_json(body) for id, body in db.execute("SELECT * FROM questions")}
        stored = db.execute("SELECT sample_id, question_id, body FROM samples")
        samples = {
            sample_id: _SAMPLE.validate_python({**orjson.loads(body), "key": keys[question_id]})
            for sample_id, question_id, body in stored
        }
        made = map(dict, db.execute("SELECT * FROM preparations ORDER BY turn"))
        calls = tuple(
            _CALL.validate_python(row | {"usage": row, "uses": orjson.loads(row["uses"])}) for row in made
        )
        planned = _read_trials(db, samples, judge, calls)
        if score:  # answers that it has not judged do not count
            if not (planned["outcome"] == "scored").any():
                known = sorted({name for scores in planned["judge_scores"] for name in scores or ()})
                held = f": it has those of {', '.join(known)}" if known else ""
                problem = f"{path} holds no verdict of {score}{held}."
                remedy = f"niah judge {quote(str(path))} --judge NAME adds another's."
                raise RunFileError(problem, remedy)
            planned = planned[(planned["outcome"] != "judge_error") | ~planned["verdicts"].map(bool)]
        trials, closed_book = counting(planned, samples)
        invocations = db.execute("SELECT * FROM invocations ORDER BY started_at, rowid")
        return RunContents(
            path=path,
            run_id=meta.get("id", ""),
            judge=judge,
            config=config,
            version=meta.get("niah", ""),
            **{name: meta.get(name, {}) for name in ("readers", "judges", "stopped", "spent")},
            traits={name: ReaderTraits(**each) for name, each in meta.get("traits", {}).items()},
            invocations=tuple(Invocation(at, *map(orjson.loads, texts)) for at, *texts in invocations),
            left_out=tuple(LeftOut(**each) for each in meta.get("left_out", ())),
            samples=samples,
            planned=planned,
            trials=trials,
            closed_book=closed_book,
            preparations=calls,
        )


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise RunFileError(f"{path}: no such run file.", "niah run writes one; see runs/.")
    with open_database(path, immutable=at_rest(path)) as db:
        patiently(path, lambda: check_format(path, db))
        db.execute("BEGIN")
        patiently(path, lambda: is_empty(db))  # from here on all is read as it is at this moment
        db.row_factory = sqlite3.Row
        try:
            yield db
        except (ValueError, LookupError, TypeError, AttributeError) as error:  # JSON of another shape, too
            reason = " ".join(str(error).split())
            raise RunFileError(f"{path} is damaged: {reason}.", "Restore it, or delete it.") from None


def _read_trials(
    db: sqlite3.Connection, samples: Mapping[str, Sample], judge: str, calls: Sequence[PreparationCall]
) -> DataFrame:
    """Every trial, in the order planned."""
    import pandas as pd

    turns = defaultdict[str, list[PreparationCall]](list)
    for call in (each for each in calls if each.turn):
        turns[call.trial_id].append(call)
    every = _read_verdicts(db, judge)
    # What a sample says of its trials, and what these have without a verdict and a search.
    unknown: dict[str, Any] = dict.fromkeys(
        (*_OF_VERDICT, "error_type", "turns", "searches", "needle_search")
    )
    facets = {
        id: unknown
        | {"missing": (), "wrong": (), "search": (), "judge_version": "", "case_id": id}
        | {name: getattr(sample, name) for name in _OF_SAMPLE}
        | {"depth": None if sample.depth is None else plain_depth(sample.depth)}
        | {"kind": sample.key.kind, "source": sample.source_name, "floor": sample.key.floor}
        | {"context_sha256": sample.sha256}
        for id, sample in samples.items()
    }
    deciding = {id: judge_of(sample, judge) for id, sample in samples.items()}
    rows = []
    for stored in db.execute(_TRIALS):
        sample_id, found = stored["sample_id"], orjson.loads(stored["retrieval"])
        row = facets[sample_id] | dict(zip(stored.keys(), stored, strict=True))  # faster than dict(stored)
        ranks, split, best = (found.get(name) for name in ("needle_ranks", "needle_split", "best"))
        row["retrieval_completeness"] = found.get("completeness")
        row["needle_ranks"] = None if ranks is None else tuple(ranks)
        row["needle_split"] = None if split is None else tuple(split)
        row["best"] = tuple(map(tuple, best)) if best else None
        row |= {name: found.get(name) for name in ("noise_ratio", "retrieved", "foreign")}
        own_judge, judged = deciding[sample_id], every.get(row["trial_id"], ())
        chosen, error_type = next((each for each in judged if each[0].judge == own_judge), (None, None))
        if row["outcome"] in ("scored", "judge_error"):  # the judge may be another than when it finished
            row["outcome"] = "scored" if chosen else "judge_error"
        verdicts = tuple(verdict for verdict, _ in judged)
        row["from_cache"], row["verdicts"] = bool(row["from_cache"]), verdicts
        scores = {verdict.judge: verdict.score for verdict in reversed(verdicts)}
        row["judge_scores"] = dict(sorted(scores.items())) or None
        if chosen:
            row |= {name: getattr(chosen, name) for name in _OF_VERDICT}
            row["error_type"] = error_type
            row["judge_version"] = chosen.version
        else:
            row["unsure"] = next((each.unsure for each in verdicts if each.unsure), None)
        if own := turns.get(row["trial_id"]):  # of a search by a model
            needles = samples[sample_id].needles if samples[sample_id].evidence_is_known else None
            uses = [use for turn in own for use in turn.uses]
            row["search"], row["turns"] = tuple(own), len(own)
            row["searches"] = sum(use.matches is not None for use in uses)
            row["needle_search"] = None if needles is None else searches_for(needles, uses)
        rows.append([row[name] for name in TRIAL_COLUMNS])
    return pd.DataFrame(rows, columns=list(TRIAL_COLUMNS), dtype=object)


def _read_verdicts(db: sqlite3.Connection, primary: str) -> dict[str, list[tuple[Verdict, str | None]]]:
    """By trial, with their error types: of the judge whose score counts, then each judge's latest."""
    verdicts = dict[str, list[tuple[Verdict, str | None]]]()
    for row in db.execute(_VERDICTS, (primary,)):
        said: dict[str, Any] = orjson.loads(row["body"])
        said |= {name: tuple(value) for name, value in said.items() if isinstance(value, list)}
        said["unsure"] = Unsure(**said["unsure"]) if said["unsure"] else None
        verdict = Verdict(
            **said,
            score=plain_depth(row["score"]),
            judge=row["judge"],
            version=row["version"],
            usage=Usage(row["prompt_tokens"], row["completion_tokens"]),
            latency_s=row["latency_s"],
            cost=None if row["cost"] is None else Decimal(str(row["cost"])),
            judged_at=datetime.fromisoformat(row["judged_at"]),
        )
        verdicts.setdefault(row["trial_id"], []).append((verdict, row["error_type"]))
    return verdicts
