"""The embedded server as its parent sees it: started, listening, ended."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self

from niah.errors import ReaderConfigError
from niah.readers.embedded import embedded_server

# A large model on a slow disk takes minutes to load.
_START_LIMIT_S = 600.0
_END_LIMIT_S = 5.0
_DYING_S = 0.5
_ERROR_LINE = re.compile(r"^[\d.]+ E (?P<said>.*)$", re.MULTILINE)


@dataclass(frozen=True)
class ServerProcess:
    """A running child that serves one model.

    Attributes:
        base_url: where it serves, up to and with ``/v1``.
        api_key: what it asks of its clients.
        context: its window in tokens.
    """

    base_url: str
    api_key: str
    context: int
    _process: Process
    _stderr: IO[bytes]

    @classmethod
    async def start(cls, model: Path, alias: str, context: int | None) -> Self:
        """Start a child and wait until the model is loaded.

        Raises:
            ReaderConfigError: the model cannot be loaded.
        """
        # A file, since nobody would empty a pipe and a full one stops the child.
        stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop()
        process = await asyncio.create_subprocess_exec(
            *_command(model, alias, context),
            stdin=PIPE,
            stdout=PIPE,
            stderr=stderr,
            start_new_session=True,  # Ctrl-C is the parent's to handle: the trial under way may finish
        )
        try:
            ready = await _ready(process, stderr, model)
        except BaseException:
            await _end(process, stderr)
            raise
        return cls(ready["base_url"], ready["api_key"], ready["context"], process, stderr)

    @property
    def alive(self) -> bool:
        """Whether the child still runs."""
        return self._process.returncode is None

    async def cause_of_death(self) -> str:
        """Why the child ended; empty if it runs on."""
        try:
            # A dying child drops its connections a moment before it is gone.
            code = await asyncio.wait_for(self._process.wait(), _DYING_S)
        except TimeoutError:
            return ""
        return f"the embedded server ended with code {code}: {_said(self._stderr)}"

    async def stop(self) -> None:
        """End the child."""
        await _end(self._process, self._stderr)


def _command(model: Path, alias: str, context: int | None) -> list[str]:
    window = [] if context is None else ["--ctx", str(context)]
    served = ["--model", str(model), "--alias", alias, *window]
    # By its path, and -P: then it starts from any working folder, installed or not.
    return [sys.executable, "-P", embedded_server.__file__, *served]


async def _ready(process: Process, stderr: IO[bytes], model: Path) -> dict[str, Any]:
    """The child's line that says it is ready."""
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), _START_LIMIT_S)
    except TimeoutError:
        raise ReaderConfigError(f"{model} did not load within {_START_LIMIT_S:g} s.") from None
    if not line:
        raise ReaderConfigError(
            f"{model} cannot be loaded: {_said(stderr).removesuffix('.')}.",
            "Give a GGUF file of an instruction-tuned model that fits into memory.",
        )
    ready: dict[str, Any] = json.loads(line)
    return ready


async def _end(process: Process, stderr: IO[bytes]) -> None:
    """Close the child's stdin, which ends it, and insist."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), _END_LIMIT_S)
    except TimeoutError:
        process.kill()
        await process.wait()
    finally:
        stderr.close()


def _said(stderr: IO[bytes]) -> str:
    """The first error that llama.cpp logged, which is the cause; or else the last line."""
    stderr.seek(0)
    text = stderr.read().decode(errors="replace")
    error = _ERROR_LINE.search(text)
    return error["said"] if error else (text.strip().splitlines() or ["it said nothing"])[-1]
