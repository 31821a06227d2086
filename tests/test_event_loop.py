"""Coroutines run to their end with and without a running event loop."""

from __future__ import annotations

import asyncio
import os
import signal
import threading

import pytest

from niah.event_loop import run_to_end


async def _share(number: int) -> int:
    await asyncio.sleep(0)
    return 8 // number


def _both() -> None:
    assert run_to_end(_share(2)) == 4
    with pytest.raises(ZeroDivisionError):
        run_to_end(_share(0))


def test_without_a_loop_and_within_a_running_one() -> None:
    async def cell() -> None:
        _both()

    _both()
    asyncio.run(cell())


def test_an_interrupt_within_a_running_loop_cancels_and_waits() -> None:
    told: list[str] = []
    begun = threading.Event()

    async def long() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)
            told.append("cleaned up")
            raise

    async def cell() -> None:
        with pytest.raises(KeyboardInterrupt):
            run_to_end(long())
        assert told == ["cleaned up"]

    def interrupt() -> None:
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    # Who starts tests in the background may have it ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    # As notebooks do: asyncio.run would take the signal for itself.
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(cell())
    finally:
        loop.close()
        signal.signal(signal.SIGINT, before)
