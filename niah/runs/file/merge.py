"""Several run files of one config as one: the shards of a run, put together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from niah.errors import RunFileError
from niah.runs.file.read import RunContents, read_run
from niah.runs.file.store import RunStore, at_rest, differing, new_run_file, patiently
from niah.runs.retrieval import knows_what_to_send
from niah.strategies.strategy import strategy_of

_RANK = "CASE {}.outcome WHEN 'scored' THEN 0 WHEN 'not_run' THEN 2 ELSE 1 END"
# What is kept by now, and what the attached file has of the same trial.
_BOTH = "main.trials AS old JOIN shard.trials AS new USING (trial_id)"
_BETTER = f"({_RANK.format('new')}, new.finished_at) < ({_RANK.format('old')}, old.finished_at)"
_FINISHED_TWICE = f"SELECT count(*) FROM {_BOTH} WHERE old.outcome <> 'not_run' AND new.outcome <> 'not_run'"


class Merged(NamedTuple):
    """What a merged file holds."""

    run: RunContents
    planned: int  # trials that the config asks for
    known: int  # of those not run, those left out, since the reader knows the answer without a context
    dropped: int  # finished trials left out, since the same trial is finished in another file too
    differences: tuple[str, ...]  # lines that name what should be the same in all files and is not


def merge(paths: Sequence[Path], out: Path) -> Merged:
    """Write one run file that holds the trials of several, which may be in use and stay as they are. Of a
    trial that is finished in two files the scored one is kept; where both are or neither is, the earlier.
    Verdicts go with their answers. Raises RunFileError, where nothing is written."""
    parts = [read_run(path) for path in paths]
    for at, part in enumerate(parts):
        if any(part.path.samefile(other) for other in paths[:at]):
            raise RunFileError(f"{part.path} is named twice.", "Name each file once.")
        if not part.config:
            raise RunFileError(f"{part.path} holds no run: it was never begun.", "Leave it out.")
        if differs := differing(parts[0].config, part.config):
            other = f"another config than {paths[0]} (it differs in: {', '.join(differs)})"
            raise RunFileError(f"{part.path} belongs to {other}.", "Only parts of one run make one.")
    dropped = 0
    with new_run_file(out) as db:
        for path in paths:  # each as it is at one moment, opened such that no log of ours stays
            mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=rw"
            mode = "immutable=1" if at_rest(path) else mode
            try:
                db.execute("ATTACH ? AS shard", (f"{path.resolve().as_uri()}?{mode}",))
                db.execute("BEGIN")
                patiently(path, lambda: db.execute("SELECT count(*) FROM shard.sqlite_master").fetchone())
                dropped += db.execute(_FINISHED_TWICE).fetchone()[0]
                _copy(db)
                db.execute("COMMIT")
                db.execute("DETACH shard")
            except sqlite3.Error as error:
                raise RunFileError(f"{path} cannot be merged: {error}.", "Name run files of niah.") from None
        # Of each thing what the first file says that knows of it.
        joined: dict[str, Any] = {"traits": {}, "readers": {}, "judges": {}, "stopped": {}}
        for part in reversed(parts):
            for kind, known in joined.items():
                known.update(getattr(part, kind))
        if len({part.judge for part in parts}) == 1:
            joined["primary"] = parts[0].judge
        joined |= {"config": parts[0].config, "left_out": parts[0].left_out}
        store = RunStore(out, db)
        for key, value in joined.items():
            store.note(key, value)
    run, config = read_run(out), parts[0].config
    known = run.closed_book.dropped["outcome"].eq("not_run").sum() if run.closed_book else 0
    cases, definitions = set(config["cases"]), set(config["strategies"].values())
    strategies = [strategy_of("", each) for each in definitions]  # two names of one are the same trials
    samples = [sample for id, sample in run.samples.items() if id in cases]
    unasked = sum(
        not knows_what_to_send(strategy, sample) for strategy, sample in product(strategies, samples)
    )
    planned = (len(cases) * len(strategies) - unasked) * len(set(config["readers"])) * int(config["repeats"])
    planned += int(config.get("filter", {}).get("trials", 0))
    return Merged(run, planned, int(known), dropped, tuple(_differences(parts)))


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


def _differences(parts: Sequence[RunContents]) -> Iterator[str]:
    """What should be the same in all files and is not: version, how a reader was asked."""
    first, asked = parts[0], dict[str, RunContents]()
    for part in parts:
        if first.version != part.version:
            yield f"{part.path} was begun by niah {part.version}, {first.path} by {first.version}."
        for name, settings in part.readers.items():
            base = asked.setdefault(name, part)
            # What an endpoint does not take is learnt by asking, and not by every shard.
            others = [key for key in differing(base.readers[name], settings) if key != "not_sent"]
            if others:
                other = f"other settings ({', '.join(others)}) in {part.path} than in {base.path}"
                yield f"{name} had {other}; the merged file names the latter."
