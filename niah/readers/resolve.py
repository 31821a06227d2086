"""From a model's name, as a user writes it, to its reader. Cheap; no network.

A package adds a reader with an entry point of the group ``niah.readers``, called NAME, that names a function
of a ``ReaderSpec``; it is asked for the models NAME and NAME/MODEL. What the function returns has
``async def read(request)``, as ``niah.readers.reader.Reader`` has, and may have all else that a reader has.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from niah.errors import ReaderConfigError, UnknownName
from niah.plugins.registry import Registry, described, naming_package
from niah.readers.credentials import (
    check_key_variable,
    lacks_key,
    load_dotenv_here,
    may_have_key,
    missing_key,
)
from niah.readers.options import PromptMode
from niah.readers.patience import Transport
from niah.readers.reader import EMBEDDED_WINDOWS, Answer, Failure, Reader, Request, Response, Traffic

CONCURRENCY = 8
"""Requests under way at once by default."""
_KEY = "OPENAI_API_KEY"
_FORMS = (
    ("smollm2", "SmolLM2-135M-Instruct, embedded: runs on this CPU, needs no key"),
    ("qwen", "Qwen2.5-Coder-0.5B-Instruct, embedded: slower, and reads 4k reliably"),
    ("PATH.gguf", "a GGUF model of your own, embedded"),
    ("openai/NAME", f"OpenAI; key from {_KEY}"),
    ("PROVIDER/NAME", "any provider of litellm's (anthropic, gemini, mistral, ...); key from its variable"),
    ("NAME --api-base URL", "any OpenAI-compatible endpoint (vLLM, llama.cpp, Ollama, ...)"),
)


@dataclass(frozen=True)
class ReaderSpec:
    """What a reader is made by.

    Attributes:
        model: as the user wrote it: one of ``reader_forms``.
        api_base: an OpenAI-compatible endpoint, which knows the model by exactly this name.
        name: what the reader is called in place of the model's name.
        key_variable: the environment variable that holds the key for ``api_base``; without it
            OPENAI_API_KEY, if it is set and for that host.
        without_key: what else to do where a key is missing.
        by_hand: whether the user gave ``api_base`` on the command line, and so trusts it with a key.
    """

    model: str
    api_base: str | None = None
    name: str = ""
    concurrency: int | None = None
    key_variable: str | None = None
    without_key: str = "read with smollm2"
    transport: Transport = field(default_factory=Transport)
    by_hand: bool = False


MakeReader = Callable[[ReaderSpec], Reader]


def _make(name: str, made: object) -> MakeReader:
    if not callable(made):
        raise TypeError("it is no function of a ReaderSpec that makes a reader")
    return made


READERS: Registry[MakeReader] = Registry(
    "readers",
    {
        **dict.fromkeys(EMBEDDED_WINDOWS, "niah.readers.resolve:_embedded"),
        "openai": "niah.readers.resolve:_of_openai",
    },
    _make,
)


def reader_forms() -> list[tuple[str, str]]:
    """The forms a model's name can have, each with one line, for ``niah list``."""
    return [*_FORMS, *((f"{name}/NAME", described(make)) for name, make in READERS.added.items())]


def resolve_reader(spec: ReaderSpec) -> Reader:
    """The reader for a model's name. Keys come from the environment, or from a ``.env`` file here.

    Raises UnknownName for a name of none of the forms, ReaderConfigError for a key that is missing and such.
    """
    model, (provider, _, rest) = spec.model, spec.model.partition("/")
    if spec.key_variable and spec.api_base is None:
        problem = f"{model} has no API base, so that {spec.key_variable} is nobody's key."
        raise ReaderConfigError(problem, "Name the endpoint, or leave the variable out.")
    if is_embedded(model, spec.api_base):
        return _embedded(spec)
    if spec.api_base is not None:
        return _at_address(spec, spec.api_base)
    if rest and provider in READERS.own:
        return READERS[provider](spec)
    if provider in READERS.added:
        with naming_package(f"reader {model}"):
            return AddedReader(spec, READERS[provider](spec))
    if failure := READERS.failure(provider, "reader"):
        raise failure
    if not (provider and rest):
        error = UnknownName("reader", model, [*EMBEDDED_WINDOWS, *READERS.added])
        forms = "; ".join(f"{form} ({line})" for form, line in reader_forms())
        error.remedy = f"{error.remedy} A reader is one of: {forms}."
        raise error
    load_dotenv_here()
    lacks_key(model)
    from niah.readers.litellm_reader import LiteLLMReader

    concurrency = spec.concurrency or CONCURRENCY
    return LiteLLMReader(model, name=spec.name, concurrency=concurrency, patience=spec.transport.patience)


def is_embedded(model: str, api_base: str | None = None) -> bool:
    """Whether the model runs on this machine's CPU, one prompt at a time."""
    return api_base is None and (model in EMBEDDED_WINDOWS or model.endswith(".gguf"))


def check_mode(model: str, api_base: str | None, mode: PromptMode) -> None:
    """Raise ReaderConfigError where a model cannot be asked in that mode."""
    reached = is_embedded(model, api_base) or api_base is not None or model.startswith("openai/")
    if mode == "completion" and not reached:
        raise ReaderConfigError(
            f"{model} cannot be asked for a plain completion.",
            "Leave mode out, or give the api_base of an OpenAI-compatible endpoint that has the model.",
        )


def reader_name(model: str, api_base: str | None = None) -> str:
    """What ``resolve_reader`` calls the reader of a model that is given no name of its own."""
    return Path(model).name if is_embedded(model, api_base) else model


def find_key(variable: str) -> str:
    """The key that the environment, or the working folder's ``.env``, has under that name; "" for none."""
    load_dotenv_here()
    return os.environ.get(variable, "").strip()


def _embedded(spec: ReaderSpec) -> Reader:
    from niah.readers.embedded import EmbeddedReader

    if spec.concurrency not in (None, 1):
        problem = f"{spec.model} is embedded and reads one prompt at a time: concurrency must be 1"
        raise ReaderConfigError(f"{problem}, not {spec.concurrency}.", "Leave it out.")
    return EmbeddedReader(spec.model, name=spec.name)


def _of_openai(spec: ReaderSpec) -> Reader:
    """OpenAI's own endpoint, or the one that OPENAI_BASE_URL names."""
    from niah.readers.openai_compatible import OPENAI_BASE

    key = find_key(_KEY)
    if not key:
        remedy = f"Set {_KEY} in the environment or in a .env file here, or {spec.without_key}, "
        missing_key(spec.model, _KEY, f"{remedy}which needs no key.")
    base = os.environ.get("OPENAI_BASE_URL") or OPENAI_BASE
    return _compatible(spec, spec.model.removeprefix("openai/"), base, key, (_KEY,))


def _at_address(spec: ReaderSpec, api_base: str) -> Reader:
    """A reader of an endpoint, with the key that may go there. Raises ReaderConfigError."""
    variable = spec.key_variable or _KEY
    if spec.key_variable:
        check_key_variable(variable, api_base, by_hand=spec.by_hand)
    may_go = spec.key_variable or may_have_key(variable, api_base, by_hand=spec.by_hand)
    key = find_key(variable) if may_go else ""
    if spec.key_variable and not key:
        missing_key(spec.model, variable, "Set it in the environment or in a .env file here.")
    return _compatible(spec, spec.model, api_base, key, (variable,) if key or spec.key_variable else ())


def _compatible(
    spec: ReaderSpec, model: str, api_base: str, key: str, key_variables: tuple[str, ...]
) -> Reader:
    from niah.readers.openai_compatible import OpenAICompatibleReader

    return OpenAICompatibleReader(
        model,
        api_base,
        key or "none",
        name=spec.name or spec.model,
        concurrency=spec.concurrency or CONCURRENCY,
        patience=spec.transport.patience,
        key_variables=key_variables,
    )


class AddedReader:
    """A reader of another package: what it leaves out is filled in, and what it raises becomes a failure."""

    def __init__(self, spec: ReaderSpec, reader: Any) -> None:
        self.name, self._reader = spec.name or spec.model, reader
        self.concurrency = int(getattr(reader, "concurrency", spec.concurrency or 1))
        own = isinstance(reader, AbstractAsyncContextManager)
        self._context: AbstractAsyncContextManager[Any] = reader if own else nullcontext()
        package = READERS.package(spec.model.partition("/")[0])
        self._facts: dict[str, str | int] = {"provider": "added", "model": spec.model, "package": package}

    @property
    def traffic(self) -> Traffic:
        """Its own; empty where it has none."""
        return getattr(self._reader, "traffic", None) or Traffic()

    @property
    def settings(self) -> dict[str, str | int]:
        """Its own, its model's name, and the package that has it."""
        return self._facts | getattr(self._reader, "settings", {})

    def check(self) -> None:
        """Its own check, if it has one. Raises UserError."""
        getattr(self._reader, "check", lambda: None)()

    async def __aenter__(self) -> Self:
        await self._context.__aenter__()
        return self

    async def __aexit__(self, *exc: Any) -> None:
        await self._context.__aexit__(*exc)

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
