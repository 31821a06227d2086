"""Rows whose columns hold what they should: SQLite takes any value."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any, get_args


def checked_rows(rows: sqlite3.Cursor, hints: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The rows. Raises ValueError where a column holds what its hint does not say."""
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
