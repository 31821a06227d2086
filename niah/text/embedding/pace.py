"""How fast this machine embeds, as it was the last time; a help for plans, kept in the cache folder."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from niah import paths
from niah.errors import UserError
from niah.files import atomic_write

_ENOUGH_BYTES = 20_000
"""Less does not tell."""
_FASTEST = 2_000_000
"""Bytes a second, twenty times what the packaged model does on a fast machine: more it cannot have done."""


def note_pace(embedder: str, size: int, seconds: float) -> None:
    """An embedder took so many seconds for texts of so many bytes. Nothing here raises."""
    if size < _ENOUGH_BYTES or seconds <= 0:
        return
    with suppress(OSError, UserError), atomic_write(_file()) as file:
        file.write(json.dumps({**_paces(), embedder: round(size / seconds)}).encode())


def pace_of(embedder: str) -> float | None:
    """Bytes of text a second; None where it has embedded too little here."""
    pace = _paces().get(embedder)
    return float(pace) if isinstance(pace, int | float) and 0 < pace <= _FASTEST else None


def _paces() -> dict[str, object]:
    with suppress(OSError, UserError, ValueError):
        paces = json.loads(_file().read_bytes())
        if isinstance(paces, dict):
            return paces
    return {}


def _file() -> Path:
    return paths.cache() / "embedding-pace.json"
