"""Which readers and strategies a run file has trials of, and nothing else of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from niah.runs.file.database import at_rest, check_format, open_database


@dataclass(frozen=True)
class AskedNames:
    """Names in a run's trials, in the order planned."""

    readers: tuple[str, ...]
    strategies: tuple[str, ...]


def asked_names(path: Path) -> AskedNames:
    """The readers and strategies of the run file at ``path``. Raises RunFileError."""
    with open_database(path, immutable=at_rest(path)) as db:
        check_format(path, db)
        rows = db.execute("SELECT reader, strategy FROM trials GROUP BY reader, strategy ORDER BY min(place)")
        pairs = rows.fetchall()
    readers, strategies = (
        (tuple(dict.fromkeys(column)) for column in zip(*pairs, strict=True)) if pairs else ((), ())
    )
    return AskedNames(readers, strategies)
