"""Coroutines run to their end from plain code, also where an event loop is running, as in notebooks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

_Result = TypeVar("_Result")


def run_to_end(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """What the coroutine returns or raises; it has an event loop and a thread of its own, and this one waits.

    A KeyboardInterrupt meanwhile, which never comes in the middle of the coroutine's work, cancels it, and is
    raised when it has cleaned up.
    """
    loop, done = asyncio.new_event_loop(), threading.Event()
    task = loop.create_task(coroutine)  # with this thread's context variables

    def work() -> None:
        try:
            with suppress(KeyboardInterrupt, SystemExit), asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(asyncio.wait([task]))
        finally:
            done.set()

    def wait() -> None:
        while not done.wait(0.25):  # an interrupt just before a wait without end would not end it
            pass

    try:
        threading.Thread(target=work, name="niah", daemon=True).start()
        wait()
    except KeyboardInterrupt:
        with suppress(RuntimeError):  # it has ended
            loop.call_soon_threadsafe(task.cancel)
        wait()
        raise
    return task.result()
