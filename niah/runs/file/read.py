"""What a run file holds, read at one moment. Read-only, and all that it takes is the file.

Needle sets, haystacks, documents and suites may be gone: every sample is in the file.
"""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from math import isfinite
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import orjson
from pydantic import TypeAdapter

from niah.cases.case import Case
from niah.cases.context import Placed
from niah.cases.left_out import LeftOut
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.errors import RunFileError, UnknownName, UserError
from niah.judges.error_types import ErrorReading, error_type, paper_error_type
from niah.judges.registry import resolve_judge
from niah.judges.verdict import Unsure, Verdict
from niah.readers.reader import ReaderTraits, Usage
from niah.runs.closed_book import ClosedBookFilter, CountingJudges, bare_question_of
from niah.runs.file.database import at_rest, check_format, is_empty, open_database, patiently, read_meta
from niah.runs.provenance import Invocation
from niah.runs.trial import Outcome, PreparationCall, TrialRecord, plain_depth

if TYPE_CHECKING:
    from pandas import DataFrame

_OUTCOMES = frozenset(get_args(Outcome))
_RECORD = tuple(field.name for field in fields(TrialRecord))

# What a record has as the file has it; preparation for one question alone is summed.
_STORED = (
    *("trial_id", "strategy", "definition", "reader", "repeat", "answer", "reason", "prompt_tokens"),
    *("completion_tokens", "cached_tokens", "thinking_tokens", "own_prompt_tokens", "context_tokens"),
    *("cost", "thinking_cost", "latency_s", "from_cache", "reused_from"),
)
_TRIALS = f"""
SELECT sample_id, outcome, retrieval, coalesce(finished_at, '') AS finished_at, {", ".join(_STORED)},
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
_HINTS = get_type_hints(TrialRecord) | dict.fromkeys(("outcome", "sample_id"), str)
_HINTS |= {"from_cache": int, "retrieval": str | None}

SAMPLE_COLUMNS = (
    *("sample_id", "origin", "prompt", "tokenizer", "tokens", "prompt_tokens", "sha256", "fingerprint"),
    *("question_set", "source_name", "licence"),
)
"""The fields of a sample that are columns of the file."""
AVOIDED = "avoided"
"""The field of a sample that is stored with the places of its needles, passages and distractors."""

_KEY: TypeAdapter[AnswerKey] = TypeAdapter(AnswerKey)
_SOURCE: TypeAdapter[Case | GivenDocument] = TypeAdapter(Case | GivenDocument)


@dataclass(frozen=True)
class RunContents:
    """Everything that a run file holds.

    Attributes:
        path: of the file.
        run_id: what tells this run from all others.
        judge: whose scores the trials have; "" of a file that was never begun.
        config: what every invocation of the run has in common, as ``run_facts`` says it; empty of a file that
            was never begun.
        version: of niah, when the file was begun.
        readers, judges: how each was asked, by name.
        traits: by reader, what the latest invocation's config says of the model.
        invocations: the earliest first.
        left_out: cases of the suite that could not be built, and were skipped.
        stopped: why the latest invocation asked readers no further, by reader.
        samples: by id.
        columns: of every trial in the order planned: by field of ``TrialRecord`` its values.
        preparations: calls of models that prepare.
        scored_by: the judge whose scores were asked for, in place of those that count; "" without one.
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
    left_out: tuple[LeftOut, ...]
    stopped: Mapping[str, str]
    samples: Mapping[str, Sample]
    columns: Mapping[str, Sequence[Any]]
    preparations: tuple[PreparationCall, ...] = ()
    scored_by: str = ""

    @property
    def name(self) -> str:
        """What a report calls the run: the file's name without ending."""
        return self.path.stem

    @cached_property
    def _split(self) -> tuple[tuple[TrialRecord, ...], ClosedBookFilter | None]:
        every = map(TrialRecord, *(self.columns[name] for name in _RECORD))
        return CountingJudges(self.judge, self.config).split(every, self.samples)

    @property
    def records(self) -> tuple[TrialRecord, ...]:
        """The trials that count, in the order planned."""
        return self._split[0]

    @property
    def closed_book(self) -> ClosedBookFilter | None:
        """What came of asking without context first, where the config says so.

        Its trials, and those of what a reader knows, are not among those that count.
        """
        return self._split[1] if "filter" in self.config else None

    @cached_property
    def trials(self) -> DataFrame:
        """The trials that count, one row each; columns are the fields of ``TrialRecord``."""
        import pandas as pd

        frame = pd.DataFrame(dict(self.columns))
        if self.closed_book is None:
            return frame
        counting = {record.trial_id for record in self.records}
        return frame[frame["trial_id"].isin(counting)].reset_index(drop=True)

    @property
    def whole(self) -> bool:
        """Whether every trial came to an outcome."""
        return all(record.outcome != "not_run" for record in self.records)

    @cached_property
    def planned(self) -> tuple[TrialRecord, ...]:
        """All trials of the file: those that count, the filter's and those that it leaves out."""
        more = (*self.closed_book.trials, *self.closed_book.dropped) if self.closed_book else ()
        return (*self.records, *more)

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

    def among(self, kept: Sequence[bool]) -> RunContents:
        """The same run with some of its trials; ``kept`` says of every planned trial whether it is left."""
        own = {
            name: [value for value, keep in zip(values, kept, strict=True) if keep]
            for name, values in self.columns.items()
        }
        return replace(self, columns=own)

    def of_reader(self, reader: str) -> RunContents:
        """The same run with the trials of one reader."""
        return self.among([each == reader for each in self.columns["reader"]])

    def check(self, facts: Mapping[str, object]) -> None:
        """Raise RunFileError where the file was begun with another config, and name what differs."""
        check_config(self.path, self.config, facts)


def read_run(path: Path, errors: ErrorReading = "niah", judge: str = "") -> RunContents:
    """Everything that the run file at ``path`` holds, finished or not, in use or not. Raises RunFileError.

    Args:
        path: the run file.
        errors: whose error types the trials have.
        judge: whose scores they have; without it, those of the judge whose score counts.
    """
    with _opened(path) as db, _without_collecting():
        facts, samples = _read_facts(path, db), _read_samples(db)
        facts["judge"] = judge or facts["judge"]
        counting = CountingJudges(facts["judge"], facts["config"])
        columns = _read_trials(db, samples, counting, errors)
        return RunContents(
            **facts, samples=samples, columns=columns, preparations=tuple(_read_preparations(db))
        )


def read_scored_by(path: Path, judge: str, errors: ErrorReading = "niah") -> RunContents:
    """As ``read_run``, the scores being those of ``judge``; answers that it has not judged are left out.

    Raises RunFileError, also where it judged none.
    """
    run = read_run(path, errors, judge)
    columns = run.columns
    if judge and "scored" in columns["outcome"]:
        pairs = zip(columns["outcome"], columns["verdicts"], strict=True)
        judged = [outcome != "judge_error" or not verdicts for outcome, verdicts in pairs]
        return replace(run.among(judged), scored_by=judge)
    held = sorted({name for scores in columns["judge_scores"] for name in scores or ()})
    problem = f"{path} holds no verdict of {judge or repr(judge)}" + (
        f": it has those of {', '.join(held)}." if held else "."
    )
    try:
        resolve_judge(judge)
    except UnknownName as unknown:
        raise RunFileError(problem, unknown.remedy) from None
    except UserError:
        pass  # It is a judge: the command that asks it says what it lacks, such as a key.
    raise RunFileError(
        problem, f"niah judge {quote(str(path))} --judge {judge} adds them, and asks no model."
    )


def is_begun(path: Path) -> bool:
    """Whether the run file at ``path`` holds a run. Raises RunFileError."""
    with _opened(path) as db:
        return "config" in read_meta(db)


def check_config(path: Path, config: Mapping[str, object], facts: Mapping[str, object]) -> None:
    """Raise RunFileError where ``facts`` are another config than ``config``, and name what differs.

    Args:
        path: of the run file.
        config: that it was begun with; empty of one that was never begun.
        facts: those of the config that would go on with it.
    """
    differs = sorted(key for key in facts.keys() | config.keys() if config.get(key) != facts.get(key))
    if not config or not differs:
        return
    if differs == ["judge"]:
        raise RunFileError(
            f"{path} was begun with the judge {config.get('judge')}, not {facts['judge']}.",
            f"niah judge {quote(str(path))} --judge {facts['judge']} --primary puts its answers before that"
            " one and asks no reader; or name another file with --out.",
        )
    if differs == ["packages"]:
        then, now = (", ".join(map(str, each.get("packages") or ["none"])) for each in (config, facts))  # type: ignore[call-overload]
        raise RunFileError(
            f"{path} was begun with other versions: {then}, not {now}.",
            "They may answer otherwise: name another file with --out, or install what it was begun with.",
        )
    raise RunFileError(
        f"{path} belongs to another config (it differs in: {', '.join(differs)}).",
        "Name another file with --out; a night takes another --date.",
    )


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


def _read_facts(path: Path, db: sqlite3.Connection) -> dict[str, Any]:
    """All that the file says of itself."""
    meta = read_meta(db)
    config = meta.get("config", {})
    invocations = db.execute("SELECT * FROM invocations ORDER BY started_at, rowid")
    return {
        "path": path,
        "run_id": meta.get("id", ""),
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


def _read_samples(db: sqlite3.Connection) -> dict[str, Sample]:
    """By id."""
    keys = {
        id: _KEY.validate_json(body) for id, body in db.execute("SELECT question_id, body FROM questions")
    }
    known = {question_id: known_inserts(key) for question_id, key in keys.items()}
    samples = {}
    rows = db.execute(f"SELECT question_id, source, spans, {', '.join(SAMPLE_COLUMNS)} FROM samples")
    for question_id, source, spans, *values in rows:
        facts: dict[str, Any] = dict(zip(SAMPLE_COLUMNS, values, strict=True))
        facts |= {column: int(facts[column]) for column in ("tokens", "prompt_tokens")}
        by_kind = orjson.loads(spans)
        facts[AVOIDED] = tuple(by_kind.pop(AVOIDED, ()))
        for kind, inserts in by_kind.items():
            facts[kind] = tuple(placed_insert(known[question_id], insert) for insert in inserts)
        samples[values[0]] = Sample(key=keys[question_id], source=_SOURCE.validate_json(source), **facts)
    return samples


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
    """A needle, distractor or passage of a row: id, start, end, token_start, asked_token.

    Where text, elements and hardness are not the key's, they follow in the row.
    """
    id, start, end, token_start, asked_token, *own = row
    text, elements, hardness = own or known[id]
    return Placed(id, text, tuple(elements), start, end, token_start, asked_token, hardness)


def _read_trials(
    db: sqlite3.Connection, samples: Mapping[str, Sample], judges: CountingJudges, errors: ErrorReading
) -> dict[str, Sequence[Any]]:
    """Every trial in the order planned: by field of ``TrialRecord`` its values."""
    cursor = db.execute(_TRIALS)
    names = [name for name, *_ in cursor.description]
    rows = list(_checked(cursor, _HINTS))
    stored: dict[str, Sequence[Any]] = dict.fromkeys(names, ())
    stored |= dict(zip(names, zip(*rows, strict=True), strict=False))
    ids, own = stored["trial_id"], [samples[id] for id in stored.pop("sample_id")]
    if unknown := set(stored["outcome"]) - _OUTCOMES:
        raise ValueError(f"outcome is {unknown.pop()!r}")
    every = _read_verdicts(db, judges.primary)
    verdicts = [tuple(every.get(id, ())) for id in ids]
    judge_of = {id: judges.of(sample) for id, sample in samples.items()}
    chosen = [
        next((verdict for verdict in told if verdict.judge == judge_of[sample.sample_id]), None)
        for told, sample in zip(verdicts, own, strict=True)
    ]
    of_sample = {id: _facets(sample) for id, sample in samples.items()}
    of_judging = zip(*map(_judged, own, stored["answer"], verdicts, chosen, [errors] * len(own)), strict=True)
    found = [orjson.loads(each) if each else {} for each in stored.pop("retrieval")]
    return {
        **{name: [of_sample[one.sample_id][at] for one in own] for at, name in enumerate(_FACETS)},
        **stored,
        **dict(zip(_JUDGED, of_judging if own else [()] * len(_JUDGED), strict=True)),
        "from_cache": list(map(bool, stored["from_cache"])),
        # By the judge whose score counts, which may be another than when the trial was finished.
        "outcome": [
            ("scored" if verdict else "judge_error") if outcome in ("scored", "judge_error") else outcome
            for outcome, verdict in zip(stored["outcome"], chosen, strict=True)
        ],
        "retrieval_completeness": [each.get("completeness") for each in found],
        **{name: [each.get(name) for each in found] for name in ("noise_ratio", "retrieved", "foreign")},
        **{name: [_tuple(each.get(name)) for each in found] for name in ("needle_ranks", "needle_split")},
        "best": [tuple(map(tuple, each["best"])) if each.get("best") else None for each in found],
    }


_FACETS = (
    *("case_id", "needle_set", "haystack", "context_length", "depth", "seed", "origin", "question_set"),
    *("document_id", "kind", "source", "context_sha256"),
)


def _facets(sample: Sample) -> tuple[Any, ...]:
    """What a sample says of its trials, in the order of ``_FACETS``."""
    return (
        *(sample.sample_id, sample.needle_set, sample.haystack, sample.context_length),
        None if sample.depth is None else plain_depth(sample.depth),
        *(sample.seed, sample.origin, sample.question_set, sample.document_id),
        *(sample.key.kind, sample.source_name, sample.sha256),
    )


_JUDGED = (
    *("score", "missing", "wrong", "self_doubt", "error_type", "judge_version"),
    *("judge_scores", "unsure", "verdicts"),
)


def _judged(
    sample: Sample, answer: str, verdicts: Sequence[Verdict], chosen: Verdict | None, errors: ErrorReading
) -> tuple[Any, ...]:
    """What was said of an answer, in the order of ``_JUDGED``; ``chosen`` gives the score."""
    scores = {verdict.judge: verdict.score for verdict in reversed(verdicts)}
    said = (dict(sorted(scores.items())) or None, verdicts)
    if chosen is None:
        open_to = next((verdict.unsure for verdict in verdicts if verdict.unsure), None)
        return None, (), (), None, None, "", said[0], open_to, said[1]
    kind = paper_error_type(chosen) if errors == "paper" else error_type(chosen, answer, sample.key)
    told = (chosen.score, chosen.missing, chosen.wrong, chosen.self_doubt, kind, chosen.version)
    return *told, said[0], chosen.unsure, said[1]


def _tuple(values: Sequence[Any] | None) -> tuple[Any, ...] | None:
    return None if values is None else tuple(values)


def _read_verdicts(db: sqlite3.Connection, primary: str) -> dict[str, list[Verdict]]:
    """By trial: those of the judge whose score counts, then each judge's latest."""
    verdicts: dict[str, list[Verdict]] = {}
    hints = {"judge": str, "version": str, "score": float, "body": str, "judged_at": str}
    for trial_id, judge, version, score, body, prompt, completion, cost, latency_s, judged_at in _checked(
        db.execute(_VERDICTS, (primary,)), hints
    ):
        said = orjson.loads(body)
        if not isfinite(score):
            raise ValueError(f"a score of {score}")
        found, missing, wrong, evidence = (
            tuple(said[name]) for name in ("found", "missing", "wrong", "evidence")
        )
        unsure = Unsure(**said["unsure"]) if said["unsure"] else None
        usage, usd = Usage(prompt, completion), None if cost is None else Decimal(str(cost))
        words = said["self_doubt"], judge, version, said["reason"], said["value"], unsure
        at = datetime.fromisoformat(judged_at)
        verdict = Verdict(
            score, found, missing, wrong, *words, usage, latency_s, usd, at, said["own_score"], evidence
        )
        verdicts.setdefault(trial_id, []).append(verdict)
    return verdicts


def _read_preparations(db: sqlite3.Connection) -> Iterator[PreparationCall]:
    """The calls of models that prepare."""
    rows = db.execute(
        "SELECT definition, document, trial_id, key, step, model, prompt_tokens, completion_tokens, cost,"
        " reused_from, from_cache, is_understood, is_cut FROM preparations"
    )
    for *names, prompt, completion, cost, reused, from_cache, understood, cut in rows:
        definition, document, trial_id, key, step, model = names
        usage, usd = Usage(prompt, completion), None if cost is None else Decimal(str(cost))
        whose = definition, document, trial_id, key, step, model
        yield PreparationCall(*whose, usage, usd, bool(from_cache), bool(understood), bool(cut), reused)


def _checked(rows: sqlite3.Cursor, hints: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The rows. Raises ValueError where a column holds what its hint does not say: SQLite takes any value."""
    columns = [(name, hints.get(name)) for name, *_ in rows.description]
    sound = set[tuple[type, ...]]()
    for row in rows:
        types = tuple(map(type, row))
        if types not in sound:
            for (name, hint), own in zip(columns, types, strict=True):
                allowed = get_args(hint) or (hint,)
                if hint and own not in allowed and not (own is int and float in allowed):
                    raise ValueError(f"{name} is of the type {own.__name__}")
            sound.add(types)
        yield row
