"""Coroutines run from plain code, also in notebooks; calls in threads; values of a context."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, TypeVar

_Result = TypeVar("_Result")


def run_to_end(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """What the coroutine returns or raises in an event loop and a thread of its own, while this one waits.
    A KeyboardInterrupt cancels it, never in the middle of its work, and is raised when it has cleaned up."""
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


@contextmanager
def within(variable: ContextVar[_Result], value: _Result) -> Iterator[_Result]:
    """The variable has that value meanwhile."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)


def in_thread(call: Callable[[], _Result], name: str) -> Future[_Result]:
    """What ``call`` returns or raises, in a thread of that name, which keeps no process from ending."""
    future: Future[_Result] = Future()
    future.set_running_or_notify_cancel()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as error:  # sys.exit() too is no more than its failure
            future.set_exception(error)

    threading.Thread(target=work, name=name, daemon=True).start()
    return future
