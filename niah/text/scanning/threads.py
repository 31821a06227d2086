"""Long texts in parts, one a processor: compiled loops hold no lock, so threads share the work."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

Result = TypeVar("Result")

# Bytes that a thread must have to do, to be worth starting.
_WORTH_A_THREAD = 500_000
_MOST = 4


def processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parts_for(size: int) -> int:
    """Into how many parts to cut a text of so many bytes."""
    return max(1, min(processors(), _MOST, size // _WORTH_A_THREAD))


def together(tasks: Sequence[Callable[[], Result]]) -> list[Result]:
    """What the tasks give, each done by a thread; one alone by this one. No task may call it with more."""
    if len(tasks) == 1:
        return [tasks[0]()]
    others = [_helpers().submit(task) for task in tasks[1:]]
    return [tasks[0](), *(other.result() for other in others)]


@cache
def _helpers() -> ThreadPoolExecutor:
    """They stay: starting a thread takes a tenth of what a step of MixPR over a million tokens takes."""
    return ThreadPoolExecutor(_MOST - 1, "niah-loops")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_helpers.cache_clear)  # threads do not survive a fork
