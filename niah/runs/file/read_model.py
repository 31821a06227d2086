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
from math import isfinite
from pathlib import Path
from typing import Any, get_args, get_type_hints

import orjson
from pydantic import TypeAdapter

from niah.cases.case import Case
from niah.cases.context import Placed
from niah.cases.left_out import LeftOut
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.errors import RunFileError
from niah.judges.error_types import ErrorReading, ErrorType, error_type, paper_error_type
from niah.judges.verdict import Unsure, Verdict
from niah.readers.reader import ReaderTraits, Usage
from niah.runs.closed_book.asking import bare_question_of
from niah.runs.closed_book.known import ClosedBookFilter, CountingJudges
from niah.runs.cost.kept_answers import price_kept
from niah.runs.file.database import (
    LATER_COLUMNS,
    at_rest,
    check_format,
    has_preparations,
    later_columns,
    open_database,
)
from niah.runs.preparation.preparer import PreparationCall
from niah.runs.provenance import Invocation
from niah.runs.trial import Outcome, TrialRecord, plain_depth

SAMPLE_COLUMNS = (
    *("sample_id", "origin", "prompt", "tokenizer", "tokens", "prompt_tokens", "sha256", "fingerprint"),
    *("question_set", "source_name", "licence"),
)
"""The fields of a sample that are columns as they stand."""

AVOIDED = "avoided"
"""The field of a sample that stands beside the places of its needles, passages and distractors."""

_KEY: TypeAdapter[AnswerKey] = TypeAdapter(AnswerKey)
_SOURCE: TypeAdapter[Case | GivenDocument] = TypeAdapter(Case | GivenDocument)


@dataclass(frozen=True)
class RunScores:
    """What trends and comparisons of nights need of a run file.

    Attributes:
        path: of the file.
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
        facts, samples = _facts(path, db), _samples(db, placed=True)
        facts["judge"] = judge or facts["judge"]
        judges = CountingJudges(facts["judge"], facts["config"])
        records = price_kept(_records(db, samples, judges, errors), facts["invocations"], facts["readers"])
        split, calls = judges.split(records, samples), tuple(_preparations(db))
        return RunContents(**facts, samples=samples, **split, preparations=calls)


def read_scores(path: Path) -> RunScores:
    """As ``read_run``, in a third of the time: for many nights at once. Raises RunFileError."""
    with _opened(path) as db, _without_collecting():
        facts, samples = _facts(path, db), _samples(db, placed=False)
        judges = CountingJudges(facts["judge"], facts["config"])
        records = price_kept(_scored(db, samples, judges), facts["invocations"], facts["readers"])
        return RunScores(**facts, **judges.split(records, samples))


def is_begun(path: Path) -> bool:
    """Whether the run file at ``path`` holds a run. Raises RunFileError."""
    with _opened(path) as db:
        return "config" in read_meta(db)


def check_config(path: Path, config: Mapping[str, object], facts: Mapping[str, object]) -> None:
    """As ``RunContents.check``, of a file begun with ``config``."""
    differs = sorted(key for key in facts.keys() | config.keys() if config.get(key) != facts.get(key))
    if config and differs == ["judge"]:
        raise RunFileError(
            f"{path} was begun with the judge {config.get('judge')}, not {facts['judge']}.",
            f"niah judge {path} --judge {facts['judge']} --primary puts its answers before that one and asks "
            "no reader; to go on, leave the judge as it was; a new run takes another file with --out.",
        )
    if config and differs == ["packages"]:
        then, now = (_joined(each.get("packages")) for each in (config, facts))
        raise RunFileError(
            f"{path} was begun with other versions: {then}, not {now}.",
            "They may answer otherwise: name another file with --out, or install what it was begun with.",
        )
    if config and differs:
        raise RunFileError(
            f"{path} belongs to another config (it differs in: {', '.join(differs)}).",
            "Name another file with --out (a night: another --date), or delete this one.",
        )


def _joined(packages: object) -> str:
    return ", ".join(map(str, packages)) if isinstance(packages, list) else "none"


def read_meta(db: sqlite3.Connection, schema: str = "main") -> dict[str, Any]:
    """What a run file says of itself. Raises sqlite3.DatabaseError where it is damaged."""
    rows = db.execute(f"SELECT key, value FROM {schema}.meta")
    try:
        return {key: orjson.loads(value) for key, value in rows}
    except orjson.JSONDecodeError as error:
        damage = sqlite3.DatabaseError(f"what it says of itself is no JSON: {error}")
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage from None


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
        db.execute("BEGIN")
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


def _facts(path: Path, db: sqlite3.Connection) -> dict[str, Any]:
    """All that the file says of itself."""
    meta = read_meta(db)
    config = meta.get("config", {})
    invocations = db.execute("SELECT * FROM invocations ORDER BY started_at, rowid")
    return {
        "path": path,
        "judge": meta.get("primary") or config.get("judge", ""),
        "config": config,
        "version": meta.get("niah", ""),
        "readers": meta.get("readers", {}),
        "judges": meta.get("judges", {}),
        "traits": {name: ReaderTraits(**each) for name, each in meta.get("traits", {}).items()},
        "invocations": tuple(
            Invocation(started, orjson.loads(settings), orjson.loads(versions))
            for started, settings, versions in invocations
        ),
        "left_out": tuple(LeftOut(**each) for each in meta.get("left_out", ())),
        "stopped": meta.get("stopped", {}),
    }


def _samples(db: sqlite3.Connection, *, placed: bool) -> dict[str, Sample]:
    """By id; unless ``placed``, nobody has looked where their needles, distractors and passages stand."""
    keys = {question_id: _key(body) for question_id, body in db.execute("SELECT * FROM questions")}
    known = {question_id: known_inserts(key) for question_id, key in keys.items()} if placed else {}
    rows = db.execute(f"SELECT question_id, source, spans, {', '.join(SAMPLE_COLUMNS)} FROM samples")
    samples = {}
    for question_id, source, spans, *values in rows:
        facts: dict[str, Any] = dict(zip(SAMPLE_COLUMNS, values, strict=True))
        if placed:
            by_kind = orjson.loads(spans)
            facts[AVOIDED] = tuple(by_kind.pop(AVOIDED, ()))
            for kind, inserts in by_kind.items():
                facts[kind] = tuple(placed_insert(known[question_id], insert) for insert in inserts)
        samples[values[0]] = Sample(key=keys[question_id], source=_source(source), **facts)
    return samples


@lru_cache(maxsize=4096)
def _key(body: str) -> AnswerKey:
    return _KEY.validate_json(body)


@lru_cache(maxsize=16384)
def _source(body: str) -> Case | GivenDocument:
    """Night after night asks the same cases."""
    return _SOURCE.validate_json(body)


def _preparations(db: sqlite3.Connection) -> Iterator[PreparationCall]:
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


# Those of the judge whose score counts, then each judge's latest; in one millisecond, the later version.
_VERDICTS = """
SELECT trial_id, judge, version, score, body, prompt_tokens, completion_tokens, cost, latency_s, judged_at
FROM verdicts ORDER BY judge != ?, judge, judged_at DESC, CAST(version AS INTEGER) DESC
"""
# Columns of a trial that its record has as they stand: those that every reading wants, and the others.
_OF_SCORES = (
    *("trial_id", "strategy", "definition", "reader", "repeat"),
    *("prompt_tokens", "completion_tokens", "cached_tokens", "cost", "latency_s", "from_cache"),
)
_AS_STORED = (*_OF_SCORES, "answer", "reason", "context_tokens", "own_prompt_tokens")
_ALL_STORED = (*_AS_STORED, *LATER_COLUMNS)
_HINTS = {name: hint for name, hint in get_type_hints(TrialRecord).items() if name in _ALL_STORED}
_HINTS["from_cache"] = int  # SQLite has no other
_SCORES = f"SELECT sample_id, outcome, {', '.join(_OF_SCORES)} FROM trials ORDER BY place"
_TRIALS = f"""
SELECT sample_id, outcome, retrieval, finished_at, {", ".join(_AS_STORED)}, {{}}
FROM trials ORDER BY place
"""
_LATEST = """
SELECT trial_id, score, version FROM verdicts WHERE judge = ? ORDER BY judged_at, CAST(version AS INTEGER)
"""


_OUTCOMES = frozenset(get_args(Outcome))


def _checked(rows: sqlite3.Cursor, hints: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The rows. Raises ValueError where a column holds what its hint does not say: SQLite takes any value."""
    columns = [(name, _types(hints[name]) if name in hints else ()) for name, *_ in rows.description]
    sound = set[tuple[type, ...]]()
    for row in rows:
        types = tuple(map(type, row))
        if types not in sound:
            for (name, allowed), own in zip(columns, types, strict=True):
                if allowed and own not in allowed:
                    raise ValueError(f"{name} is of the type {own.__name__}")
            sound.add(types)
        yield row


def _types(hint: Any) -> tuple[type, ...]:
    """Those of values that a column may hold; a whole number is one of any kind."""
    allowed = get_args(hint) or (hint,)
    return (*allowed, int) if float in allowed else allowed


def _records(
    db: sqlite3.Connection, samples: Mapping[str, Sample], judges: CountingJudges, errors: ErrorReading
) -> Iterator[TrialRecord]:
    verdicts: dict[str, list[Verdict]] = {}
    for trial_id, *row in _checked(db.execute(_VERDICTS, (judges.primary,)), get_type_hints(_verdict)):
        verdicts.setdefault(trial_id, []).append(_verdict(*row))
    facets = {sample_id: _facets(sample) for sample_id, sample in samples.items()}
    later = ", ".join(later_columns(db))
    for sample_id, *row in _checked(db.execute(_TRIALS.format(later)), _HINTS):
        sample = samples[sample_id]
        yield _record(row, facets[sample_id], verdicts, judges.of(sample), sample.key, errors)


def _scored(
    db: sqlite3.Connection, samples: Mapping[str, Sample], judges: CountingJudges
) -> Iterator[TrialRecord]:
    """The trials as far as ``_SCORES`` and ``_LATEST`` say."""
    by_judge = {judge: _latest(db, judge) for judge in {judges.of(sample) for sample in samples.values()}}
    facets = {sample_id: _facets(sample) for sample_id, sample in samples.items()}
    for sample_id, outcome, *stored in _checked(db.execute(_SCORES), _HINTS):
        verdict = by_judge[judges.of(samples[sample_id])].get(stored[0])
        score, version = verdict or (None, "")
        *values, from_cache = stored
        yield TrialRecord(
            **facets[sample_id],
            **dict(zip(_OF_SCORES, (*values, bool(from_cache)), strict=True)),
            outcome=_outcome(outcome, verdict is not None),
            score=score,
            judge_version=version,
        )


def _latest(db: sqlite3.Connection, judge: str) -> dict[str, list[Any]]:
    """Score and version of each trial's latest verdict by that judge."""
    latest = _checked(db.execute(_LATEST, (judge,)), get_type_hints(_verdict))
    return {trial_id: verdict for trial_id, *verdict in latest}


def _facets(sample: Sample) -> dict[str, Any]:
    return {
        "case_id": sample.sample_id,
        "needle_set": sample.needle_set,
        "haystack": sample.haystack,
        "context_length": sample.context_length,
        "depth": None if sample.depth is None else plain_depth(sample.depth),
        "seed": sample.seed,
        "origin": sample.origin,
        "question_set": sample.question_set,
        "document_id": sample.document_id,
        "kind": sample.key.kind,
        "source": sample.source_name,
        "context_sha256": sample.sha256,
    }


def _record(
    row: Sequence[Any],
    facets: Mapping[str, Any],
    every_verdict: Mapping[str, Sequence[Verdict]],
    judge: str,
    key: AnswerKey,
    errors: ErrorReading,
) -> TrialRecord:
    """The trial of a row of ``_TRIALS`` but for its sample; verdicts by trial, as ``_VERDICTS`` sorts."""
    outcome, retrieval, finished_at, *values = row
    stored = dict(zip(_ALL_STORED, values, strict=True))
    stored["from_cache"] = bool(stored["from_cache"])
    verdicts = every_verdict.get(stored["trial_id"], ())
    scores: dict[str, float] = {}
    for verdict in verdicts:
        scores.setdefault(verdict.judge, verdict.score)
    chosen = next((verdict for verdict in verdicts if verdict.judge == judge), None)
    open_to = (verdict.unsure for verdict in ((chosen,) if chosen else verdicts))
    kind: ErrorType | None = None
    if chosen:
        kind = paper_error_type(chosen) if errors == "paper" else error_type(chosen, stored["answer"], key)
    facts = orjson.loads(retrieval) if retrieval else {}
    ranks, split = facts.get("needle_ranks"), facts.get("needle_split")
    return TrialRecord(
        **facets,
        **stored,
        outcome=_outcome(outcome, chosen is not None),
        score=chosen.score if chosen else None,
        judge_scores=dict(sorted(scores.items())) or None,
        missing=chosen.missing if chosen else (),
        wrong=chosen.wrong if chosen else (),
        self_doubt=chosen.self_doubt if chosen else None,
        error_type=kind,
        unsure=next(filter(None, open_to), None),
        retrieval_completeness=facts.get("completeness"),
        noise_ratio=facts.get("noise_ratio"),
        needle_ranks=None if ranks is None else tuple(ranks),
        needle_split=None if split is None else tuple(split),
        judge_version=chosen.version if chosen else "",
        verdicts=tuple(verdicts),
        best=tuple(map(tuple, facts.get("best", ()))) or None,
        retrieved=facts.get("retrieved"),
        foreign=facts.get("foreign"),
        finished_at=finished_at or "",
    )


def _outcome(stored: Outcome, is_judged: bool) -> Outcome:
    """By the judge whose score counts, which may be another than when the trial was finished."""
    if stored in ("scored", "judge_error"):
        return "scored" if is_judged else "judge_error"
    if stored not in _OUTCOMES:
        raise ValueError(f"outcome is {stored!r}")
    return stored


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
    )
