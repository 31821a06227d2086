"""Every request over HTTP as a line of JSON, for whoever has to find out what an endpoint did.

Neither prompts nor answers stand in it, and no keys: what endpoints say has had its secrets taken out before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import orjson

from niah.errors import RunFileError
from niah.readers.http.outcomes import Fault
from niah.readers.reader import Answer, Response

asked_for: ContextVar[str] = ContextVar("asked_for", default="")
"""The id of the trial that requests of this task are for."""


class RequestLog:
    """Lines at the end of a file, which is opened with the first of them.

    Args:
        path: of the file; its folder is made if need be.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def write(self, line: bytes) -> None:
        """At once, and whole. Raises RunFileError."""
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("ab", buffering=0)
            self._file.write(line)
        except OSError as error:
            problem = f"the log {self._path} cannot be written: {error.strerror}."
            raise RunFileError(problem, "Name another file, or leave out --log.") from None

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()


_log: ContextVar[RequestLog | None] = ContextVar("log", default=None)


@contextmanager
def logging_to(path: Path | None) -> Iterator[None]:
    """Requests are written to the end of that file meanwhile; of None, nowhere."""
    log = path and RequestLog(path)
    token = _log.set(log or None)
    try:
        yield
    finally:
        _log.reset(token)
        if log:
            log.close()


def log_request(reader: str, result: Response | Fault, attempt: int, retry_in_s: float | None = None) -> None:
    """Write what became of one request.

    Args:
        reader: its name.
        result: the reply, or what came in its place.
        attempt: of the reading, from 1; 0 is a short question that asks whether the endpoint is there.
        retry_in_s: until the next one; None where there is none.
    """
    log = _log.get()
    if log is None:
        return
    if isinstance(result, Fault):
        said = {"outcome": "fault", "status": result.status, "reason": result.message}
    else:
        usage = result.usage
        said = {
            "outcome": "answer" if isinstance(result, Answer) else result.outcome,
            "reason": "" if isinstance(result, Answer) else result.reason,
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
        }
    line = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "reader": reader,
        "trial_id": asked_for.get(),
        "attempt": attempt,
        "latency_s": round(result.latency_s, 3),
        **said,
        "retry_in_s": None if retry_in_s is None else round(retry_in_s, 3),
    }
    log.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
