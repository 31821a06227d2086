"""Seconds that this process was awake: what a laptop slept, or a stopped process missed, is no time-out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

# Who waits looks at the clock so often.
TICK_S = 1.0
# A machine under load may be this late, and was awake all the same.
_LATE_S = 4.0


class AwakeClock:
    """Stands still while the process does. Somebody has to look at it all the while: see ``sleep``.

    Time in which nobody looked for longer than a machine can be late does not count.

    Args:
        monotonic: seconds of a clock that only goes forward; a wall clock may be set meanwhile.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._seen = monotonic()
        self._now = 0.0

    def now(self) -> float:
        """Seconds awake since the clock was made."""
        seen = self._monotonic()
        passed = seen - self._seen
        self._seen = seen
        self._now += max(0.0, passed) if passed <= TICK_S + _LATE_S else TICK_S
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Wait for so many seconds awake."""
        until = self.now() + seconds
        while (left := until - self.now()) > 0:
            await asyncio.sleep(min(left, TICK_S))
