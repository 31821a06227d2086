"""How often and how long a reader tries, and the waits of one reading."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from niah.readers.http.lasting import lasting_fault
from niah.readers.http.outcomes import Fault, failure
from niah.readers.reader import Failure

_LONGEST_UNASKED_S = 30.0


@dataclass(frozen=True)
class Patience:
    """How often and how long a reader tries.

    Attributes:
        attempts: requests at most per reading, those not counted that met a limit.
        timeout_s: total limit of one attempt, from sending to the last byte.
        first_wait_s: wait before the second attempt; it doubles from there, plus up to a half at random.
        longest_wait_s: no wait is longer. Where an endpoint asks for more, the reading fails at once.
        total_s: limit of one reading, all its attempts and waits together. Only the wait for a turn does
            not count, which is others' doing.
        gone_s: how long an endpoint is waited for that answers nothing; 0 leaves it to the attempts.
        limited_s: how long a reading waits for an endpoint that asks for patience.
    """

    attempts: int = 4
    timeout_s: float = 600.0
    first_wait_s: float = 2.0
    longest_wait_s: float = 120.0
    total_s: float = 3600.0
    gone_s: float = 15.0
    limited_s: float = 120.0

    def wait_s(self, fault: Fault, tried: int) -> float | None:
        """Seconds from the attempt number ``tried``, from 1, to the next one; None when there is none."""
        if not fault.transient or tried >= self.attempts:
            return None
        asked = fault.retry_after_s or 0.0
        if asked > self.longest_wait_s:
            return None
        growing = self.first_wait_s * 2.0 ** (tried - 1)
        return max(asked, min(growing * random.uniform(1, 1.5), self.longest_wait_s))

    def limit_wait_s(self, fault: Fault, met: int) -> float:
        """Seconds to wait out a limit that a reading meets for the ``met``-th time, from 1: as asked.

        An endpoint that asks for no wait ("Retry-After: 0", a date that has passed) is waited for longer and
        longer all the same.
        """
        if fault.retry_after_s is not None:
            least = min(self.first_wait_s / 40 * 2.0 ** min(met - 1, 10), self.first_wait_s)
            return max(fault.retry_after_s, least) * random.uniform(1, 1.1)
        growing = self.first_wait_s / 2 * 2.0 ** min(met - 1, 10)
        return min(growing, _LONGEST_UNASKED_S) * random.uniform(1, 1.5)


class Waits:
    """The waits of one reading, from fault to fault.

    Attributes:
        tried: attempts so far, those not counted that met a limit.
        limits: limits met.
        limited_s: spent on them since the first, waits and attempts.
    """

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self.tried = self.limits = 0
        self.limited_s = 0.0

    def after(self, fault: Fault) -> float | None:
        """Seconds from an attempt that met this fault to the next one; None when there is none."""
        if not fault.limited:
            self.tried += 1
            return self._patience.wait_s(fault, self.tried)
        if self.limits:
            self.limited_s += fault.latency_s
        self.limits += 1
        wait = self._patience.limit_wait_s(fault, self.limits)
        if self.limited_s + wait > self._patience.limited_s:
            return None
        self.limited_s += wait
        return wait

    def failure(self, fault: Fault) -> Failure:
        """The failure of a fault that is not tried again, and what it says of other requests."""
        failed = failure(fault, self.tried + fault.limited)
        waited = f"limited for {self.limited_s:.0f} s: " if fault.limited and self.limited_s else ""
        return replace(failed, reason=waited + failed.reason, lasting=lasting_fault(fault))
