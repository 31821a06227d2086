"""Every request as a line of JSON, without prompts, answers and keys, to find out what an endpoint did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path

import orjson

from niah.errors import RunFileError
from niah.readers.outcomes import Fault
from niah.readers.reader import Answer, Response

asked_for: ContextVar[str] = ContextVar("asked_for", default="")
"""The id of the trial that requests of this task are for."""
_log: ContextVar[Path | None] = ContextVar("log", default=None)


@contextmanager
def logging_to(path: Path | None) -> Iterator[None]:
    """Requests are written to the end of that file meanwhile; with None, nowhere."""
    token = _log.set(path)
    try:
        yield
    finally:
        _log.reset(token)


def log_request(reader: str, result: Response | Fault, attempt: int, retry_in_s: float | None = None) -> None:
    """Write what became of one request; attempt 0 asks whether the endpoint is there."""
    if (path := _log.get()) is None:
        return
    line: dict[str, object] = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), "reader": reader}
    line |= {"trial_id": asked_for.get(), "attempt": attempt, "latency_s": round(result.latency_s, 3)}
    if isinstance(result, Fault):  # without halves of characters, which no file can hold
        reason = result.message.encode(errors="replace").decode()
        line |= {"outcome": "fault", "status": result.status, "reason": reason}
    else:
        outcome, reason = ("answer", "") if isinstance(result, Answer) else (result.outcome, result.reason)
        counts = {key: getattr(result.usage, key) for key in ("prompt_tokens", "completion_tokens")}
        line |= {"outcome": outcome, "reason": reason, **counts}
    line["retry_in_s"] = None if retry_in_s is None else round(retry_in_s, 3)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab", buffering=0) as file:  # each line is written at once, and whole
            file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    except OSError as error:
        problem = f"the log {path} cannot be written: {error.strerror}."
        raise RunFileError(problem, "Name another file, or leave out --log.") from None
