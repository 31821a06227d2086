"""How long an endpoint asks to wait, by the headers of its reply."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that an endpoint asks to wait; None when it does not say.

    Args:
        headers: of the reply; ``retry-after-ms``, then ``retry-after`` in seconds or as a date, which counts
            from the reply's own ``date``: this machine's clock may be another, or be set meanwhile.
        now: seconds since the epoch, for a reply without one.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    seconds = _number(asked)
    if seconds is not None:
        return seconds
    until, sent = _moment(asked), _moment(headers.get("date"))
    return None if until is None else max(0.0, until - (now if sent is None else sent))


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _moment(date: str | None) -> float | None:
    """Seconds since the epoch."""
    try:
        return parsedate_to_datetime(date or "").timestamp()
    except (ValueError, OverflowError):  # a year may have any number of digits
        return None
