"""The window of a reader, where the user names none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from niah.readers.preflight import Served, ServedWindow
from niah.readers.reader import EMBEDDED_WINDOWS, Reader
from niah.runs.cost.prices import listed_window


def known_windows(readers: Iterable[Reader]) -> dict[str, ServedWindow]:
    """The windows that are known, by reader."""
    known = {reader.name: known_window(reader) for reader in readers}
    return {name: window for name, window in known.items() if window}


def known_window(reader: Reader) -> ServedWindow | None:
    """What its endpoint says, else litellm's table; None where neither does."""
    settings = reader.settings
    if settings.get("provider") == "embedded":
        own = EMBEDDED_WINDOWS.get(str(settings.get("model", reader.name)))
        return ServedWindow(own, "niah") if own else None
    if isinstance(reader, Served) and (told := reader.served_window()):
        return told
    tokens = listed_window(reader.name, settings)
    return ServedWindow(tokens, "litellm's table") if tokens else None


def windows_to_store(windows: Mapping[str, ServedWindow]) -> dict[str, dict[str, Any]]:
    """The setting "window" as a run file keeps it: of readers that say theirs, with where; {} without any."""
    told = {name: f"{window.tokens} ({window.source})" for name, window in windows.items()}
    return {"window": {"value": told, "source": "reader"}} if told else {}
