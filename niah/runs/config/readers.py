"""The readers of a run config: how each is asked, and what it takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from niah.errors import ConfigError, UserError
from niah.readers.options import ReaderOptions
from niah.readers.patience import Transport
from niah.readers.reader import EMBEDDED_WINDOWS, Reader
from niah.readers.resolve import ReaderSpec, check_mode, is_embedded, resolve_reader
from niah.runs.config.file import (
    ReaderFile,
    RunFile,
)
from niah.runs.config.run_config import Instead, ReaderWindow
from niah.runs.reader_options import options_of

# What a missing key or a misspelt strategy need not wait for is imported where it is used.
if TYPE_CHECKING:
    from niah.readers.preflight import ServedWindow


def configured_readers(path: Path, file: RunFile, instead: Instead) -> tuple[Reader, ...]:
    """All readers, or the command line's alone. Raises ConfigError."""
    at_once = instead.concurrency or file.concurrency
    transport = configured_transport(file, instead)
    if instead.model is not None:
        at_once = None if is_embedded(instead.model, instead.api_base) else at_once
        spec = ReaderSpec(
            instead.model, instead.api_base, concurrency=at_once, transport=transport, by_hand=True
        )
        return (resolve_reader(spec),)
    return tuple(
        _reader(path, i, spec, instead.concurrency, at_once, transport) for i, spec in enumerate(file.readers)
    )


def _reader(
    path: Path,
    position: int,
    spec: ReaderFile,
    flag: int | None,
    all_over_http: int | None,
    transport: Transport,
) -> Reader:
    at_once = spec.concurrency
    if not is_embedded(spec.model, spec.api_base):
        at_once = flag or spec.concurrency or all_over_http
    try:
        asked = ReaderSpec(
            spec.model,
            spec.api_base,
            name=spec.name or "",
            concurrency=at_once,
            key_variable=spec.key_variable,
            transport=transport,
        )
        return resolve_reader(asked)
    except UserError as error:
        raise ConfigError(path, f"readers.{position}", error.message, error.remedy) from None


def configured_transport(file: RunFile, instead: Instead) -> Transport:
    """How patiently all is asked: as the command line says, else as the file does."""
    return instead.transport.over(Transport(file.wait, file.timeout, file.attempts))


def configured_options(path: Path, file: RunFile, instead: Instead) -> dict[str, ReaderOptions]:
    """How each reader is asked."""
    options: dict[str, ReaderOptions] = {}
    for key, reader in _asked_readers(file, instead):
        try:
            own = options_of(reader, reader.model, instead.options)
            check_mode(reader.model, reader.api_base, own.mode)
        except UserError as error:
            raise ConfigError(path, key.rstrip("."), error.message, error.remedy) from None
        options[reader.called] = own
    return options


def _asked_readers(file: RunFile, instead: Instead) -> list[tuple[str, ReaderFile]]:
    """The readers that are asked, each with what begins its keys in the file."""
    if instead.model:
        return [("", ReaderFile(model=instead.model, api_base=instead.api_base))]
    return [(f"readers.{position}.", reader) for position, reader in enumerate(file.readers)]


def told_windows(file: RunFile, instead: Instead, readers: Iterable[Reader]) -> dict[str, ServedWindow]:
    """The windows of readers for which contexts are to be cut, and which no user names."""
    from niah.runs.windows.known import known_windows

    asked = [each for _, each in _asked_readers(file, instead) if each.truncate or file.truncate]
    unnamed = {each.called for each in asked if not (each.window or is_embedded(each.model, each.api_base))}
    return known_windows(reader for reader in readers if reader.name in unnamed)


def configured_windows(
    path: Path, file: RunFile, instead: Instead, told: Mapping[str, ServedWindow]
) -> dict[str, ReaderWindow]:
    """The windows of readers for which contexts are to be cut."""
    windows: dict[str, ReaderWindow] = {}
    for key, reader in _asked_readers(file, instead):
        side = reader.truncate or file.truncate
        embedded = reader.model if reader.api_base is None else ""
        tokens = reader.window or EMBEDDED_WINDOWS.get(embedded)
        if reader.called in told:
            tokens = told[reader.called].tokens
        if side is None:
            if reader.window:
                problem = "is of use only where contexts are cut."
                raise ConfigError(
                    path, f"{key}window", problem, "Write truncate: back or middle, or take it out."
                )
            continue
        if tokens is None:
            where = f"{key}truncate" if reader.truncate else "truncate"
            problem = f"cuts what is longer than the window of {reader.called}, which nobody knows."
            raise ConfigError(path, where, problem, "Write window: and its tokens for that reader.")
        tokenizer = reader.model if is_embedded(reader.model, reader.api_base) else None
        windows[reader.called] = ReaderWindow(tokens, side, tokenizer)
    return windows
