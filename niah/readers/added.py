"""Readers by the first part of their model's name, ours and those of other packages.

A package adds one with an entry point of the group ``niah.readers``, called NAME, that names a function of a
``WantedReader``; it is asked for the models NAME and NAME/MODEL. What the function returns has
``async def read(request)``, as ``niah.readers.reader.Reader`` has; all else that a reader has it may have.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Self

from niah.plugins.registry import Registry, naming_package
from niah.readers.reader import Answer, Failure, Reader, Request, Response, Traffic
from niah.readers.transport import Transport


@dataclass(frozen=True)
class WantedReader:
    """What a reader is made by.

    Attributes:
        model: as the user wrote it.
        name: what the reader is called in place of that; "" for the model's name.
        concurrency: how many requests may be under way at once; None where nobody said.
        without_key: what else to do where a key is missing.
        transport: how long an endpoint is waited for.
    """

    model: str
    name: str = ""
    concurrency: int | None = None
    without_key: str = ""
    transport: Transport = field(default_factory=Transport)


MakeReader = Callable[[WantedReader], Reader]


def _make(name: str, made: object) -> MakeReader:
    if not callable(made):
        raise TypeError("it is no function of a WantedReader that makes a reader")
    return made


READERS: Registry[MakeReader] = Registry(
    "readers",
    {
        "smollm2": "niah.readers.resolve:embedded_reader",
        "openai": "niah.readers.resolve:openai_reader",
    },
    _make,
)


def added_reader(wanted: WantedReader) -> Reader | None:
    """The reader of a package that has the first part of the model's name; None where none has.

    Raises UserError where that package fails.
    """
    provider = wanted.model.partition("/")[0]
    if provider not in READERS.added:
        if failure := READERS.failure(provider, "reader"):
            raise failure
        return None
    with naming_package(f"reader {wanted.model}"):
        reader = READERS[provider](wanted)
    return AddedReader(wanted, reader)


class AddedReader:
    """A reader of another package: what it leaves out is filled in, and what it raises becomes a failure.

    Args:
        wanted: what it was made by.
        reader: what its package made.
    """

    def __init__(self, wanted: WantedReader, reader: Any) -> None:
        self.name = wanted.name or wanted.model
        self._model = wanted.model
        self._reader = reader
        self._default = wanted.concurrency

    @property
    def concurrency(self) -> int:
        """Its own, or what the user said, or 1."""
        return int(getattr(self._reader, "concurrency", self._default or 1))

    @property
    def traffic(self) -> Traffic:
        """Nothing, where it does not say."""
        traffic: Traffic = getattr(self._reader, "traffic", Traffic())
        return traffic

    @property
    def settings(self) -> dict[str, str | int]:
        """What it says, its model's name, and the package that has it."""
        package = READERS.package(self._model.partition("/")[0])
        own: dict[str, str | int] = {"provider": "added", "model": self._model, "package": package}
        return own | getattr(self._reader, "settings", {})

    def check(self) -> None:
        """Its own check, if it has one. Raises UserError."""
        if hasattr(self._reader, "check"):
            self._reader.check()

    async def __aenter__(self) -> Self:
        if isinstance(self._reader, AbstractAsyncContextManager):
            await self._reader.__aenter__()
        return self

    async def __aexit__(self, *exc: Any) -> None:
        if isinstance(self._reader, AbstractAsyncContextManager):
            await self._reader.__aexit__(*exc)

    async def read(self, request: Request) -> Response:
        """Ask; whatever it raises, or returns that is no response, is a failure."""
        try:
            response: object = await self._reader.read(request)
        except Exception as error:
            line = " ".join(str(error).split())
            return Failure("reader_error", f"{self.name} raised {type(error).__name__}: {line}")
        if isinstance(response, Answer | Failure):
            return response
        return Failure("reader_error", f"{self.name} gave a {type(response).__name__}, not an Answer")
