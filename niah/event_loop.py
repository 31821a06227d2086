"""Coroutines run to their end from plain code, also where an event loop is running, as in notebooks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future, wait
from typing import Any, TypeVar

_Result = TypeVar("_Result")

_SLICE_S = 0.25


class _Current:
    """What runs in the main thread now."""

    task: asyncio.Task[Any] | None = None
    interrupted = False


def interrupt_current() -> bool:
    """Cancel what the main thread runs to its end, as asyncio does on Ctrl-C; whether there was anything.

    For a signal handler in the place of Python's own, which asyncio would replace.
    """
    task = _Current.task
    if task is not None:
        _Current.interrupted = True
        task.get_loop().call_soon_threadsafe(task.cancel)
    return task is not None


def run_to_end(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """What the coroutine returns or raises, as ``asyncio.run`` does.

    Where this thread's event loop is running, the coroutine gets a loop and a thread of its own, and this
    thread waits; a KeyboardInterrupt meanwhile cancels it, and is raised when it has cleaned up.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _in_this_thread(coroutine)
    outcome: Future[_Result] = Future()
    begun: Future[asyncio.Task[_Result]] = Future()

    async def whole() -> None:
        task = asyncio.ensure_future(coroutine)
        begun.set_result(task)
        try:
            outcome.set_result(await task)
        except asyncio.CancelledError:
            outcome.set_exception(KeyboardInterrupt())
        except BaseException as error:
            outcome.set_exception(error)

    thread = threading.Thread(target=lambda: asyncio.run(whole()), name="niah", daemon=True)
    try:
        thread.start()
        while not outcome.done():
            wait([outcome], timeout=_SLICE_S)  # an interrupt just before a wait without end would not end it
        return outcome.result()
    except KeyboardInterrupt:
        if not outcome.done():
            task = begun.result(timeout=10)
            task.get_loop().call_soon_threadsafe(task.cancel)
        raise
    finally:
        if thread.ident is not None:
            thread.join()


def _in_this_thread(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    async def whole() -> _Result:
        if threading.current_thread() is threading.main_thread():
            _Current.task, _Current.interrupted = asyncio.current_task(), False
        try:
            return await coroutine
        finally:
            _Current.task = None

    try:
        return asyncio.run(whole())
    except asyncio.CancelledError:
        if _Current.interrupted:
            raise KeyboardInterrupt from None
        raise
