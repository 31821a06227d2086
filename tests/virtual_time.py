"""Time that passes only while everybody waits: tests of patience are exact and take none."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

# Of a turn of the loop: without it, a rounding error that is left of a sleep would be slept for ever.
_TURN_S = 1e-8


class VirtualTime:
    """A clock that goes forward where an event loop would sleep, and by as much.

    A machine that is busy elsewhere, which makes every sleep longer, changes nothing.
    """

    def __init__(self) -> None:
        self.seconds = 0.0

    def time(self) -> float:
        """Seconds slept so far."""
        return self.seconds

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """What a coroutine returns, in an event loop of this time.

        Raises:
            AssertionError: everybody waits for something that no time brings.
        """
        with asyncio.Runner(loop_factory=lambda: _Loop(self)) as runner:
            return runner.run(main)


class _Selector(selectors.DefaultSelector):
    """Moves the clock on in place of sleeping."""

    def __init__(self, clock: VirtualTime) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "nobody will ever wake up"
        self._clock.seconds += max(_TURN_S, timeout)
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, clock: VirtualTime) -> None:
        super().__init__(_Selector(clock))
        self._virtual = clock

    def time(self) -> float:
        return self._virtual.seconds
