"""Where spans go: a collector of OpenTelemetry that is reached over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from niah.errors import ReaderConfigError, UserError
from niah.readers.preflight import checked_address, why_nothing_listens
from niah.readers.redaction import without_credentials
from niah.runs.telemetry.spans import own_tracer


@contextmanager
def spans_to(address: str | None, say: Callable[[str], None]) -> Iterator[None]:
    """The spans of trials go to that collector meanwhile; of None, wherever the program sends its own.

    Raises UserError where OpenTelemetry is not installed, or nobody listens at the address.

    Args:
        address: of the collector, up to its port; a path is taken as it is. Headers, time-out and
            certificates come from OpenTelemetry's own environment variables.
        say: is called with a line where spans could not be sent.
    """
    if address is None:
        yield
        return
    where = checked_address(address, "the collector's address", "http://localhost:4318")
    try:
        from niah.runs.telemetry.otlp import SpanSender
    except ImportError:
        problem = "--spans needs OpenTelemetry, which is not installed."
        raise UserError(
            problem, "Install niah with its extra otel: pip install '.[otel]' in its source."
        ) from None
    if why := why_nothing_listens(where):
        problem = f"no collector answers at {without_credentials(where)}: {why}."
        raise ReaderConfigError(problem, "Start it, correct the address, or leave out --spans.")
    sender = SpanSender(where)
    token = own_tracer.set(sender.tracer)
    try:
        yield
    finally:
        own_tracer.reset(token)
        if lost := sender.end():
            say(f"{lost} spans could not be sent to {without_credentials(where)}.")
