"""How many requests may be under way at once: as many as the endpoint bears.

Additive increase, multiplicative decrease, as TCP does it. Chiu and Jain, "Analysis of the increase and
decrease algorithms for congestion avoidance" (1989), show that this rule, of the linear ones, comes to a fair
share where several clients meet at one limit and none knows of the others. RFC 5681, section 3.1, is the rule
with the numbers used here (plus one per window, half per loss); RFC 6582, section 3.2, is why a burst of
losses counts once: what was sent before the cut says nothing of the window after it. Section 3.1 of RFC 5681
also says how to begin: with a few, and one more for every reply ("slow start"), so that a key that is refused
is not sent sixty-four times. A limit of requests per second is another thing: ``pacing``.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

_FIRST = 4


@dataclass(frozen=True)
class Window:
    """The state of the rule. Pure: every event gives a new window.

    Attributes:
        most: the size that is never passed, 1 or more.
        size: requests that may be under way now, from 1 to ``most``.
        cuts: how often it was halved; a request remembers the number that it was sent under.
        successes: replies since it last changed.
    """

    most: int
    size: int
    cuts: int = 0
    successes: int = 0

    def succeeded(self, sent_under: int) -> Window:
        """After a reply: one larger, and once it was halved for every full window of replies alone."""
        if sent_under != self.cuts or self.size == self.most:
            return self
        if self.cuts and self.successes + 1 < self.size:
            return replace(self, successes=self.successes + 1)
        return replace(self, size=self.size + 1, successes=0)

    def limited(self, sent_under: int) -> Window:
        """After an overload: half, unless the request was sent before the last cut."""
        if sent_under != self.cuts:
            return self
        return replace(self, size=max(1, self.size // 2), cuts=self.cuts + 1, successes=0)


class Throttle:
    """Gives turns, first come first served, as many at once as the window allows.

    Args:
        most: turns at once, at most.
    """

    def __init__(self, most: int) -> None:
        self._window = Window(most, min(most, _FIRST))
        self._queue: deque[asyncio.Future[None]] = deque()
        self._under_way = 0

    @property
    def window(self) -> Window:
        """How wide it is now."""
        return self._window

    @property
    def under_way(self) -> int:
        """Turns taken and not given back."""
        return self._under_way

    async def take(self) -> int:
        """Wait for a turn; the number to hand to ``succeeded`` or ``limited``."""
        if self._queue or self._under_way >= self._window.size:
            await self._queued()
        else:
            self._under_way += 1
        return self._window.cuts

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A turn for as long as the block takes. Of a throttle of 1, a lock that any event loop may use."""
        await self.take()
        try:
            yield
        finally:
            self.give_back()

    def give_back(self) -> None:
        """End a turn."""
        self._under_way -= 1
        self._admit()

    def succeeded(self, sent_under: int) -> None:
        """The endpoint bore it."""
        self._window = self._window.succeeded(sent_under)
        self._admit()

    def limited(self, sent_under: int) -> None:
        """The endpoint asked for less."""
        self._window = self._window.limited(sent_under)

    async def _queued(self) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given and will not be used
                self.give_back()
            raise

    def _admit(self) -> None:
        while self._queue and self._under_way < self._window.size:
            turn = self._queue.popleft()
            if not turn.done():
                self._under_way += 1
                turn.set_result(None)
