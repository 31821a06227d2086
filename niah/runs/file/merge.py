"""Several run files of one config as one: the shards of a run, put together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from niah.errors import RunFileError
from niah.runs.file.read import read_run
from niah.runs.file.store import at_rest, check_format, new_run_file, patiently, read_meta

_LEARNT = "not_sent"  # what an endpoint does not take is learnt by asking, and not by every shard
_RANK = "CASE {}.outcome WHEN 'scored' THEN 0 WHEN 'not_run' THEN 2 ELSE 1 END"
_FINISHED = "SELECT count(*) FROM {}.trials WHERE outcome <> 'not_run'"


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
    """Write one run file that holds the trials of several, which may be in use and stay as they are.

    Trials come in the order of the files, and of each file in its own. Of a trial that is finished in two
    files the scored one is kept; where both are or neither is, the earlier. Verdicts go with the answers
    that they judge. Where the files do not agree on the judge whose score counts, it is the config's.

    Args:
        paths: run files of one config.
        out: the file to be; it appears whole or not at all.

    Raises RunFileError where a file is none of niah's, belongs to another config or is named twice, and
    where ``out`` is there already. Nothing is written then.
    """
    seen: set[Path] = set()
    for path in paths:
        if not path.is_file():
            raise RunFileError(f"{path}: no such run file.", "niah run writes one; see runs/.")
        if path.resolve() in seen:
            raise RunFileError(f"{path} is named twice.", "Name each file once.")
        seen.add(path.resolve())
    parts, known = list[_Part](), list[int]()
    with new_run_file(out, check=lambda draft: known.append(_known(draft, paths))) as db:
        for path in paths:
            with _attached(db, path):
                parts.append(part := _read_part(db, path))
                _check_same_config(parts[0], part)
                _copy(db)
        meta = _joined(parts)
        for key, value in meta.items():
            text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
            db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, text))
        (finished,), (trials,) = (
            db.execute(query).fetchone()
            for query in (_FINISHED.format("main"), "SELECT count(*) FROM main.trials")
        )
    return Merged(
        files=len(parts),
        planned=_planned(meta["config"]),
        trials=trials,
        finished=finished,
        known=sum(known),
        dropped=sum(part.finished for part in parts) - finished,
        differences=tuple(_differences(parts)),
        stopped=meta.get("stopped", {}),
    )


@contextmanager
def _attached(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """The file as schema "shard", as it is at one moment, in a transaction of its own.

    Whoever closes a database last moves what its log holds into the file, unless he may only read. But he
    who may only read leaves behind the log that he needs, even where there was none.
    """
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
    (finished,) = db.execute(_FINISHED.format("shard")).fetchone()
    return _Part(path, meta, finished, tuple(sample_id for (sample_id,) in others))


def _check_same_config(first: _Part, part: _Part) -> None:
    ours, theirs = first.meta["config"], part.meta["config"]
    if differs := sorted(key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)):
        raise RunFileError(
            f"{part.path} belongs to another config than {first.path} (it differs in: {', '.join(differs)}).",
            "Only parts of one run make one.",
        )


def _copy(db: sqlite3.Connection) -> None:
    """Add the attached file's rows to those before."""
    # In the order of the joins: what is kept by now, and what the attached file has of the same trial.
    both = "main.trials AS old JOIN shard.trials AS new USING (trial_id)"
    better = f"({_RANK.format('new')}, new.finished_at) < ({_RANK.format('old')}, old.finished_at)"
    # Each file counts its own places.
    columns = [name for _, name, *_ in db.execute("PRAGMA main.table_info(trials)") if name != "place"]
    trials, theirs = ", ".join(columns), ", ".join(f"excluded.{name}" for name in columns)
    for statement in (
        "INSERT OR IGNORE INTO main.questions SELECT * FROM shard.questions",
        "INSERT OR IGNORE INTO main.samples SELECT * FROM shard.samples",
        "DELETE FROM main.verdicts WHERE trial_id IN"
        f" (SELECT trial_id FROM {both} WHERE {better} AND old.answer <> new.answer)",
        f"INSERT INTO main.trials AS old ({trials})"
        f" SELECT {trials} FROM shard.trials WHERE true ORDER BY place"
        f" ON CONFLICT (trial_id) DO UPDATE SET ({trials}) = ({theirs})"
        f" WHERE {better.replace('new.', 'excluded.')}",
        "INSERT OR IGNORE INTO main.verdicts SELECT * FROM shard.verdicts WHERE trial_id IN"
        f" (SELECT trial_id FROM {both} WHERE (old.outcome, old.answer) = (new.outcome, new.answer))",
        "INSERT OR IGNORE INTO main.preparations SELECT * FROM shard.preparations",
        "INSERT INTO main.invocations SELECT * FROM shard.invocations EXCEPT SELECT * FROM main.invocations",
    ):
        db.execute(statement)


def _joined(parts: Sequence[_Part]) -> dict[str, Any]:
    """What the merged file says of itself: of each thing what the first file says that knows of it."""
    metas = [part.meta for part in parts]
    joined = {key: metas[0].get(key, empty) for key, empty in (("config", {}), ("left_out", []))}
    joined["traits"] = {name: one for meta in metas[::-1] for name, one in meta.get("traits", {}).items()}
    joined["stopped"] = {
        name: f"{reason} ({part.path.name})"
        for part in parts[::-1]
        for name, reason in part.meta.get("stopped", {}).items()
    }
    for kind in ("readers", "judges"):
        of_all: dict[str, Any] = {}
        for meta in metas:
            for name, settings in meta.get(kind, {}).items():
                learnt = {key: value for key, value in settings.items() if key == _LEARNT}
                of_all[name] = {**learnt, **of_all[name]} if name in of_all else settings
        joined[kind] = of_all
    if len({meta.get("primary") for meta in metas}) == 1:
        joined["primary"] = metas[0].get("primary")
    return {key: value for key, value in joined.items() if value or key in ("left_out", "readers")}


def _planned(config: Mapping[str, Any]) -> int:
    """Trials of a config. Two names of one strategy are the same trials."""
    axes = (config["cases"], config["readers"], config["strategies"].values())
    cases, readers, strategies = (len(set(axis)) for axis in axes)
    first = config["filter"]["trials"] if "filter" in config else 0
    return cases * readers * strategies * int(config["repeats"]) + int(first)


def _known(draft: Path, paths: Sequence[Path]) -> int:
    """Trials that nobody will run, since their reader knows the answer without a context.

    Raises RunFileError where what was put together from ``paths`` cannot be read.
    """
    try:
        closed_book = read_run(draft).closed_book
    except RunFileError as error:
        names = ", ".join(map(str, paths))
        problem = error.message.removeprefix(f"{draft} ")
        raise RunFileError(f"{names} cannot be merged; what they hold {problem}", error.remedy) from None
    return int((closed_book.dropped["outcome"] == "not_run").sum()) if closed_book else 0


def _differences(parts: Sequence[_Part]) -> Iterator[str]:
    """What should be the same in all files and is not: version, contexts, how a reader was asked."""
    first = parts[0]
    for part in parts:
        ours, theirs = first.meta.get("niah", ""), part.meta.get("niah", "")
        if ours != theirs:
            yield f"{part.path} was begun by niah {theirs}, {first.path} by {ours}."
        if other := part.built_otherwise:
            problem = f"has other contexts than the files before for {len(other)} samples"
            yield f"{part.path} {problem}, such as {other[0]}."
    asked: dict[str, _Part] = {}
    for part in parts:
        for name, theirs in part.meta.get("readers", {}).items():
            base = asked.setdefault(name, part)
            ours = base.meta["readers"][name]
            keys = (ours.keys() | theirs.keys()) - {_LEARNT}
            if differing := sorted(key for key in keys if ours.get(key) != theirs.get(key)):
                yield (
                    f"{name} had other settings ({', '.join(differing)}) in {part.path} than in {base.path}; "
                    "the merged file names the latter."
                )
