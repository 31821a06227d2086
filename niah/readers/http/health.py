"""Whether an endpoint as a whole is in trouble, or only some requests to it are."""

from __future__ import annotations

from collections import deque

# A request that takes so many times what slow ones took, by its size, may never be answered. Not the slowest:
# what is slow because this machine is, or because it was the first, would put off the end of a dead endpoint.
_FAR_TOO_SLOW = 10.0
_SLOW_QUANTILE = 0.9
_LATEST = 100
# The same where it is more than any endpoint needs for such a size.
_TOO_SLOW = 3.0
_LEAST_SILENCE_S = 10.0
_ENOUGH_REPLIES = 3
# What any endpoint does: a hundred tokens a second read, ten written. Until there are so many, this counts.
_SLOW_PER_S = 400.0
# A quarter of that, for an endpoint that is known to be there.
_SLOWEST_PER_S = _SLOW_PER_S / 4
# Faults of so many readings with no reply between them are no accident.
_SEVERAL = 3


class EndpointHealth:
    """What one reader's requests have shown, in seconds of an ``AwakeClock``.

    Attributes:
        down: whether the endpoint did not answer a short question either, and nothing came since.
        since: when the oldest request was sent that met a fault with no reply after it; None in good health.
    """

    def __init__(self) -> None:
        self.down = False
        self.since: float | None = None
        self._met: set[int] = set()
        self._last_reply = 0.0
        self._has_replied = False
        self._latest: deque[float] = deque(maxlen=_LATEST)
        """Seconds by size of the latest replies."""

    def replied(self, now: float, took_s: float = 0.0, size: int = 0) -> None:
        """The endpoint said something that is no fault of its own."""
        self.down, self.since, self._last_reply, self._has_replied = False, None, now, True
        self._met.clear()
        if size:
            self._latest.append(took_s / size)

    def faulted(self, reading: int, sent_at: float) -> None:
        """A request of that reading met a fault that may pass."""
        self._met.add(reading)
        if self.since is None or sent_at < self.since:
            self.since = sent_at

    @property
    def suspicious(self) -> bool:
        """Whether several readings met faults, and none a reply meanwhile."""
        return len(self._met) >= _SEVERAL

    def is_silent(self, now: float, sent_at: float, size: int) -> bool:
        """Whether a request waits far longer than those before it, and no other gets a reply either.

        The first requests wait longer than is thought of a slow endpoint.
        """
        if not size:
            return False
        silent_s = now - max(self._last_reply, sent_at)
        if silent_s < _LEAST_SILENCE_S:
            return False
        any_s = size / _SLOW_PER_S
        slow_s = size * (sorted(self._latest)[int(_SLOW_QUANTILE * len(self._latest))] if self._latest else 0)
        if len(self._latest) < _ENOUGH_REPLIES:
            return silent_s >= max(_FAR_TOO_SLOW * slow_s, any_s)
        return silent_s >= min(_FAR_TOO_SLOW * slow_s, max(_TOO_SLOW * slow_s, any_s))

    def may_be_starting(self, waited_s: float, size: int, patience_s: float) -> bool:
        """Whether an endpoint that is there, and has not replied yet, may be loading its model."""
        return not self._has_replied and waited_s < max(patience_s, size / _SLOWEST_PER_S)
