"""What a run file holds, read at one moment. Read-only, and all that it takes is the file.

Needle sets, haystacks, documents and suites may be gone: every sample is in the file.
"""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter

from niah.cases.case import Case
from niah.cases.context import Placed
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.errors import RunFileError
from niah.judges.error_types import error_type
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.file.database import at_rest, check_format, open_database
from niah.runs.provenance import Invocation
from niah.runs.trial import Outcome, TrialRecord

SAMPLE_COLUMNS = (
    *("sample_id", "origin", "prompt", "tokenizer", "tokens", "prompt_tokens", "sha256", "fingerprint"),
    *("question_set", "source_name", "licence"),
)
"""The fields of a sample that are columns as they stand."""

_KEY: TypeAdapter[AnswerKey] = TypeAdapter(AnswerKey)
_SOURCE: TypeAdapter[Case | GivenDocument] = TypeAdapter(Case | GivenDocument)


@dataclass(frozen=True)
class RunContents:
    """Everything that a run file holds.

    Attributes:
        path: of the file.
        judge: whose scores the records have; "" of a file that was never begun.
        config: what every invocation of the run has in common, as ``run_facts`` says it; empty of a file that
            was never begun.
        version: of niah, when the file was begun.
        readers, judges: how each was asked, by name.
        invocations: the earliest first.
        samples: by id.
        records: every trial, in the order planned.
    """

    path: Path
    judge: str
    config: Mapping[str, Any]
    version: str
    readers: Mapping[str, Mapping[str, str | int]]
    judges: Mapping[str, Mapping[str, str | int]]
    invocations: tuple[Invocation, ...]
    samples: Mapping[str, Sample]
    records: Sequence[TrialRecord]

    @property
    def name(self) -> str:
        """What a report calls the run: the file's name without ending."""
        return self.path.stem

    @property
    def whole(self) -> bool:
        """Whether every trial came to an outcome."""
        return all(record.outcome != "not_run" for record in self.records)

    @cached_property
    def latest_first(self) -> tuple[TrialRecord, ...]:
        """The trials that came to an outcome."""
        done = [record for record in self.records if record.outcome != "not_run"]
        return tuple(sorted(done, key=lambda record: record.finished_at, reverse=True))

    def finished(self, *, besides: Collection[Outcome] = ()) -> set[str]:
        """Ids of the trials that came to an outcome, ``besides`` those of some outcomes."""
        left = {"not_run", *besides}
        return {record.trial_id for record in self.records if record.outcome not in left}

    def check(self, facts: Mapping[str, object]) -> None:
        """Raise RunFileError where the file was begun with another config, and name what differs."""
        check_config(self.path, self.config, facts)


def read_run(path: Path) -> RunContents:
    """Everything that the run file at ``path`` holds, finished or not, in use or not. Raises RunFileError."""
    with _opened(path) as db, _without_collecting():
        db.execute("BEGIN")
        return _contents(path, db)


def is_begun(path: Path) -> bool:
    """Whether the run file at ``path`` holds a run. Raises RunFileError."""
    with _opened(path) as db:
        return "config" in read_meta(db)


def check_config(path: Path, config: Mapping[str, object], facts: Mapping[str, object]) -> None:
    """As ``RunContents.check``, of a file begun with ``config``."""
    differs = sorted(key for key in facts if config.get(key) != facts[key])
    if config and differs:
        raise RunFileError(
            f"{path} belongs to another config (it differs in: {', '.join(differs)}).",
            "Name another file with --out, or delete this one.",
        )


def read_meta(db: sqlite3.Connection, schema: str = "main") -> dict[str, Any]:
    """What a run file says of itself."""
    return {key: orjson.loads(value) for key, value in db.execute(f"SELECT key, value FROM {schema}.meta")}


def known_inserts(key: AnswerKey) -> dict[str, tuple[Any, ...]]:
    """Text, elements and hardness of everything that a key puts into contexts, by id."""
    return {
        **{passage.id: (passage.text, (), "") for passage in key.passages},
        **{needle.id: (needle.text, needle.elements, "") for needle in key.needles},
        **{
            each.id: (each.text, tuple(element.name for element in each.elements), each.hardness)
            for each in key.distractors
        },
    }


def placed_insert(known: Mapping[str, tuple[Any, ...]], row: Sequence[Any]) -> Placed:
    """Where a needle, distractor or passage stands: id, start, end, token_start, asked_token.

    The rest is the key's, or goes on in the row where it is another: text, elements, hardness.
    """
    id, start, end, token_start, asked_token, *own = row
    text, elements, hardness = own or known[id]
    return Placed(id, text, tuple(elements), start, end, token_start, asked_token, hardness)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise RunFileError(f"{path}: no such run file.", "niah run writes one; see runs/.")
    with open_database(path, immutable=at_rest(path)) as db:
        check_format(path, db)
        try:
            yield db
        except (ValueError, KeyError, TypeError) as error:
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


def _contents(path: Path, db: sqlite3.Connection) -> RunContents:
    meta = read_meta(db)
    config = meta.get("config", {})
    judge = meta.get("primary") or config.get("judge", "")
    samples = {sample.sample_id: sample for sample in _samples(db)}
    return RunContents(
        path=path,
        judge=judge,
        config=config,
        version=meta.get("niah", ""),
        readers=meta.get("readers", {}),
        judges=meta.get("judges", {}),
        invocations=tuple(
            Invocation(started, orjson.loads(settings), orjson.loads(versions))
            for started, settings, versions in db.execute(
                "SELECT * FROM invocations ORDER BY started_at, rowid"
            )
        ),
        samples=samples,
        records=tuple(_records(db, samples, judge)),
    )


def _samples(db: sqlite3.Connection) -> Iterator[Sample]:
    keys = {question_id: _key(body) for question_id, body in db.execute("SELECT * FROM questions")}
    known = {question_id: known_inserts(key) for question_id, key in keys.items()}
    rows = db.execute(f"SELECT question_id, source, spans, {', '.join(SAMPLE_COLUMNS)} FROM samples")
    for question_id, source, spans, *values in rows:
        facts: dict[str, Any] = dict(zip(SAMPLE_COLUMNS, values, strict=True))
        for kind, inserts in orjson.loads(spans).items():
            facts[kind] = tuple(placed_insert(known[question_id], insert) for insert in inserts)
        yield Sample(key=keys[question_id], source=_SOURCE.validate_json(source), **facts)


@lru_cache(maxsize=4096)
def _key(body: str) -> AnswerKey:
    return _KEY.validate_json(body)


def _records(db: sqlite3.Connection, samples: Mapping[str, Sample], judge: str) -> Iterator[TrialRecord]:
    verdicts: dict[str, list[Verdict]] = {}
    for row in db.execute("SELECT * FROM verdicts ORDER BY judge, judged_at DESC"):
        verdicts.setdefault(row["trial_id"], []).append(_verdict(row))
    facets = {sample_id: _facets(sample) for sample_id, sample in samples.items()}
    for row in db.execute("SELECT * FROM trials ORDER BY place"):
        yield _record(row, facets[row["sample_id"]], verdicts.get(row["trial_id"], []), judge)


def _facets(sample: Sample) -> dict[str, Any]:
    return {
        "case_id": sample.sample_id,
        "needle_set": sample.needle_set,
        "haystack": sample.haystack,
        "context_length": sample.context_length,
        "depth": sample.depth,
        "seed": sample.seed,
        "origin": sample.origin,
        "question_set": sample.question_set,
        "document_id": sample.document_id,
        "kind": sample.key.kind,
        "source": sample.source_name,
    }


def _record(
    row: sqlite3.Row, facets: Mapping[str, Any], verdicts: Sequence[Verdict], judge: str
) -> TrialRecord:
    """The trial of a row; ``verdicts`` are sorted by judge, a judge's latest first."""
    latest: dict[str, Verdict] = {}
    for verdict in verdicts:
        latest.setdefault(verdict.judge, verdict)
    chosen = latest.get(judge)
    facts = orjson.loads(row["retrieval"]) if row["retrieval"] else {}
    ranks, split = facts.get("needle_ranks"), facts.get("needle_split")
    outcome = row["outcome"]
    # The judge whose score counts may be another than when the trial was finished.
    if outcome in ("scored", "judge_error"):
        outcome = "scored" if chosen else "judge_error"
    return TrialRecord(
        trial_id=row["trial_id"],
        **facets,
        strategy=row["strategy"],
        reader=row["reader"],
        repeat=row["repeat"],
        outcome=outcome,
        score=chosen.score if chosen else None,
        judge_scores={name: verdict.score for name, verdict in latest.items()} or None,
        missing=chosen.missing if chosen else (),
        wrong=chosen.wrong if chosen else (),
        self_doubt=chosen.self_doubt if chosen else None,
        error_type=error_type(chosen) if chosen else None,
        answer=row["answer"],
        prompt_tokens=row["prompt_tokens"],
        completion_tokens=row["completion_tokens"],
        cached_tokens=row["cached_tokens"],
        cost=row["cost"],
        latency_s=row["latency_s"],
        retrieval_completeness=facts.get("completeness"),
        noise_ratio=facts.get("noise_ratio"),
        needle_ranks=None if ranks is None else tuple(ranks),
        context_tokens=row["context_tokens"],
        needle_split=None if split is None else tuple(split),
        definition=row["definition"],
        reason=row["reason"],
        verdicts=tuple(sorted(verdicts, key=lambda verdict: verdict.judge != judge)),
        best=tuple((start, end) for start, end in facts.get("best", ())) or None,
        retrieved=facts.get("retrieved"),
        own_prompt_tokens=row["own_prompt_tokens"],
        from_cache=bool(row["from_cache"]),
        finished_at=row["finished_at"] or "",
    )


def _verdict(row: sqlite3.Row) -> Verdict:
    body = orjson.loads(row["body"])
    return Verdict(
        **body | {name: tuple(body[name]) for name in ("found", "missing", "wrong")},
        judge=row["judge"],
        version=row["version"],
        score=row["score"],
        usage=Usage(row["prompt_tokens"], row["completion_tokens"]),
        latency_s=row["latency_s"],
        cost=None if row["cost"] is None else Decimal(str(row["cost"])),
        judged_at=datetime.fromisoformat(row["judged_at"]),
    )
