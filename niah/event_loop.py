"""Coroutines run to their end from plain code, also where an event loop is running, as in notebooks."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import Future, wait
from typing import Any, TypeVar

_Result = TypeVar("_Result")

_running: list[asyncio.Task[Any]] = []
"""What is run to its end now, the outermost first: a run may have a worker thread embed."""


def interrupt_current() -> bool:
    """Cancel what is run to its end, as asyncio does on Ctrl-C; whether there was anything.

    For a signal handler in the place of Python's own, which asyncio would replace.
    """
    for task in _running[:1]:
        task.get_loop().call_soon_threadsafe(task.cancel)
    return bool(_running)


def run_to_end(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """What the coroutine returns or raises, as ``asyncio.run`` does.

    Where this thread's event loop is running, the coroutine gets a loop and a thread of its own, and this
    thread waits; a KeyboardInterrupt meanwhile cancels it, and is raised when it has cleaned up.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(coroutine)
    outcome: Future[_Result] = Future()

    def work() -> None:
        try:
            outcome.set_result(_run(coroutine))
        except BaseException as error:
            outcome.set_exception(error)

    thread = threading.Thread(target=work, name="niah", daemon=True)
    try:
        thread.start()
        while not outcome.done():
            wait([outcome], timeout=0.25)  # an interrupt just before a wait without end would not end it
        return outcome.result()
    except KeyboardInterrupt:
        for _ in range(1000):  # the thread may not have begun yet
            if outcome.done() or interrupt_current():
                break
            time.sleep(0.01)
        raise
    finally:
        if thread.ident is not None:
            thread.join()


def _run(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    async def whole() -> _Result:
        task = asyncio.current_task()
        assert task is not None
        _running.append(task)
        try:
            return await coroutine
        finally:
            _running.remove(task)

    try:
        return asyncio.run(whole())
    except asyncio.CancelledError:
        if _running:  # of a thread within a run
            raise
        raise KeyboardInterrupt from None
