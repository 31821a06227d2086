"""Which earlier run answers were taken from, in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime


def earlier_run(times: Iterable[str]) -> str:
    """Such as "an earlier run (28 Nov 09:05)" or "... (27 Nov 22:10 to 28 Nov 09:05)"; "" of no times.

    Args:
        times: ``reused_from`` of trials or calls, UTC; "" of those that no earlier run answered.
    """
    told = sorted({datetime.fromisoformat(each) for each in times if each})
    labels = list(dict.fromkeys(f"{each.day} {each:%b %H:%M}" for each in told))
    if not labels:
        return ""
    return f"an earlier run ({labels[0]}{f' to {labels[-1]}' if len(labels) > 1 else ''})"
