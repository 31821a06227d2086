"""Several run files of one config as one: the shards of a run, put together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from niah.errors import RunFileError
from niah.runs.file.read import RunContents, read_run
from niah.runs.file.store import at_rest, check_format, differing, new_run_file, patiently, read_meta

_LEARNT = "not_sent"  # what an endpoint does not take is learnt by asking, and not by every shard
_RANK = "CASE {}.outcome WHEN 'scored' THEN 0 WHEN 'not_run' THEN 2 ELSE 1 END"
# What is kept by now, and what the attached file has of the same trial.
_BOTH = "main.trials AS old JOIN shard.trials AS new USING (trial_id)"
_BETTER = f"({_RANK.format('new')}, new.finished_at) < ({_RANK.format('old')}, old.finished_at)"


class Merged(NamedTuple):
    """What a merged file holds."""

    files: int
    planned: int  # trials that the config asks for
    trials: int  # of them, those that are in a file
    finished: int  # of these, those that came to an outcome
    known: int  # of the others, those left out, since the reader knows the answer without a context
    dropped: int  # finished trials left out, since the same trial is finished in another file too
    differences: tuple[str, ...]  # lines that name what should be the same in all files and is not
    stopped: Mapping[str, str]  # why readers were asked no further, by name


class _Part(NamedTuple):
    path: Path
    meta: dict[str, Any]  # what the file says of itself
    finished: int
    built_otherwise: tuple[str, ...]  # its samples that have other contexts in the files before


def merge(paths: Sequence[Path], out: Path) -> Merged:
    """Write one run file that holds the trials of several, which may be in use and stay as they are. Of a
    trial that is finished in two files the scored one is kept; where both are or neither is, the earlier.
    Verdicts go with their answers. Raises RunFileError, where nothing is written."""
    for at, path in enumerate(paths):
        if not path.is_file():
            raise RunFileError(f"{path}: no such run file.", "niah run writes one; see runs/.")
        if any(path.samefile(other) for other in paths[:at]):
            raise RunFileError(f"{path} is named twice.", "Name each file once.")
    parts, drafted = list[_Part](), list[RunContents]()
    with new_run_file(out, check=lambda draft: drafted.append(_read_draft(draft, paths))) as db:
        for path in paths:
            with _attached(db, path):
                parts.append(part := _read_part(db, path))
                if differs := differing(parts[0].meta["config"], part.meta["config"]):
                    other = f"another config than {paths[0]} (it differs in: {', '.join(differs)})"
                    raise RunFileError(f"{path} belongs to {other}.", "Only parts of one run make one.")
                _copy(db)
        meta = _joined(parts)
        rows = [(key, orjson.dumps(each, option=orjson.OPT_SORT_KEYS).decode()) for key, each in meta.items()]
        db.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", rows)
    (run,) = drafted
    finished, config = len(run.latest_first), run.config
    known = run.closed_book.dropped["outcome"].eq("not_run").sum() if run.closed_book else 0
    cases, readers = set(config["cases"]), set(config["readers"])
    strategies = set(config["strategies"].values())  # two names of one strategy are the same trials
    planned = len(cases) * len(readers) * len(strategies) * int(config["repeats"])
    return Merged(
        files=len(parts),
        planned=planned + int(config.get("filter", {}).get("trials", 0)),
        trials=len(run.planned),
        finished=finished,
        known=int(known),
        dropped=sum(part.finished for part in parts) - finished,
        differences=tuple(_differences(parts)),
        stopped=run.stopped,
    )


@contextmanager
def _attached(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """The file as schema "shard", as it is at one moment; it is opened such that no log of ours stays."""
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=rw"
    mode = "immutable=1" if at_rest(path) else mode
    try:
        db.execute("ATTACH ? AS shard", (f"{path.resolve().as_uri()}?{mode}",))
        db.execute("BEGIN")
        patiently(path, lambda: db.execute("SELECT count(*) FROM shard.sqlite_master").fetchone())
        yield
        db.execute("COMMIT")
        db.execute("DETACH shard")
    except (sqlite3.Error, AttributeError, TypeError, ValueError, LookupError) as error:  # damage
        raise RunFileError(f"{path} cannot be merged: {error}.", "Name run files of niah.") from None


def _read_part(db: sqlite3.Connection, path: Path) -> _Part:
    check_format(path, db, "shard")
    # A file that was cut short may still give what its first pages hold.
    (found,) = db.execute("PRAGMA shard.quick_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError("database disk image is malformed")
    meta = read_meta(db, "shard")
    if "config" not in meta:
        raise RunFileError(f"{path} holds no run: it was never begun.", "Leave it out.")
    others = db.execute(
        "SELECT sample_id FROM main.samples AS old JOIN shard.samples AS new USING (sample_id)"
        " WHERE old.sha256 <> new.sha256"
    )
    (finished,) = db.execute("SELECT count(*) FROM shard.trials WHERE outcome <> 'not_run'").fetchone()
    return _Part(path, meta, finished, tuple(sample_id for (sample_id,) in others))


def _copy(db: sqlite3.Connection) -> None:
    """Add the attached file's rows to those before; each file counts its own places."""
    columns = [name for _, name, *_ in db.execute("PRAGMA main.table_info(trials)") if name != "place"]
    trials, theirs = ", ".join(columns), ", ".join(f"excluded.{name}" for name in columns)
    for statement in (
        "INSERT OR IGNORE INTO main.questions SELECT * FROM shard.questions",
        "INSERT OR IGNORE INTO main.samples SELECT * FROM shard.samples",
        "DELETE FROM main.verdicts WHERE trial_id IN"
        f" (SELECT trial_id FROM {_BOTH} WHERE {_BETTER} AND old.answer <> new.answer)",
        f"INSERT INTO main.trials AS old ({trials})"
        f" SELECT {trials} FROM shard.trials WHERE true ORDER BY place"
        f" ON CONFLICT (trial_id) DO UPDATE SET ({trials}) = ({theirs})"
        f" WHERE {_BETTER.replace('new.', 'excluded.')}",
        "INSERT OR IGNORE INTO main.verdicts SELECT * FROM shard.verdicts WHERE trial_id IN"
        f" (SELECT trial_id FROM {_BOTH} WHERE (old.outcome, old.answer) = (new.outcome, new.answer))",
        *(
            f"INSERT OR IGNORE INTO main.{name} SELECT * FROM shard.{name}"
            for name in ("preparations", "batches", "batch_requests")
        ),
        "INSERT INTO main.invocations SELECT * FROM shard.invocations EXCEPT SELECT * FROM main.invocations",
    ):
        db.execute(statement)


def _joined(parts: Sequence[_Part]) -> dict[str, Any]:
    """What the merged file says of itself: of each thing what the first file says that knows of it."""
    first, last_to_first = parts[0].meta, parts[::-1]
    joined: dict[str, Any] = {key: {} for key in ("traits", "stopped", "readers", "judges")}
    for part in last_to_first:
        joined["traits"] |= part.meta.get("traits", {})
        for name, reason in part.meta.get("stopped", {}).items():
            joined["stopped"][name] = f"{reason} ({part.path.name})"
        for kind in ("readers", "judges"):
            for name, settings in part.meta.get(kind, {}).items():
                learnt = {key: each for key, each in joined[kind].get(name, {}).items() if key == _LEARNT}
                joined[kind][name] = learnt | settings
    if len({part.meta.get("primary") for part in parts}) == 1:
        joined["primary"] = first.get("primary")
    return {"config": first.get("config", {}), "left_out": first.get("left_out", []), **joined}


def _read_draft(draft: Path, paths: Sequence[Path]) -> RunContents:
    """What the merged file holds. Raises RunFileError where that is no run."""
    try:
        return read_run(draft)
    except RunFileError as error:
        names = ", ".join(map(str, paths))
        problem = error.message.removeprefix(f"{draft} ")
        raise RunFileError(f"{names} cannot be merged; what they hold {problem}", error.remedy) from None


def _differences(parts: Sequence[_Part]) -> Iterator[str]:
    """What should be the same in all files and is not: version, contexts, how a reader was asked."""
    first, asked = parts[0], dict[str, _Part]()
    for part in parts:
        ours, theirs = first.meta.get("niah", ""), part.meta.get("niah", "")
        if ours != theirs:
            yield f"{part.path} was begun by niah {theirs}, {first.path} by {ours}."
        if other := part.built_otherwise:
            problem = f"has other contexts than the files before for {len(other)} samples"
            yield f"{part.path} {problem}, such as {other[0]}."
        for name, settings in part.meta.get("readers", {}).items():
            base = asked.setdefault(name, part)
            others = [key for key in differing(base.meta["readers"][name], settings) if key != _LEARNT]
            if others:
                yield (
                    f"{name} had other settings ({', '.join(others)}) in {part.path} than in {base.path}; "
                    "the merged file names the latter."
                )
