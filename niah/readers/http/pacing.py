"""How far apart requests are sent, where an endpoint allows so many in a time.

A limit of requests per second is not met by fewer at once: where replies are fast, a single lane passes it.
So a 429 widens the gap between two requests to that of the latest replies, which is what the endpoint allows,
and replies narrow it again: slowly while that limit is near, faster once it seems to be gone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

_FIRST_S, _LONGEST_S = 0.02, 2.0
_A_LITTLE_NARROWER, _NARROWER = 0.99, 0.95
_A_LITTLE_WIDER, _WIDER, _MOST_WIDER = 1.02, 1.25, 2.0
# With so few replies since the last 429, the gap was far too small.
_FEW = 1
# For so many replies after a 429 the limit is near.
_NEAR = 20
# So many of the latest replies say what is allowed; fewer than that say nothing.
_LATEST, _ENOUGH = 20, 5


@dataclass(frozen=True)
class Pace:
    """Pure: every event gives a new one.

    Attributes:
        gap_s: seconds from one request to the next, 0 for no pace at all.
        widened: how often it was; a request remembers the number that it was sent under.
        replies: since then.
        latest: when the latest of all replies came.
    """

    gap_s: float = 0.0
    widened: int = 0
    replies: int = 0
    latest: tuple[float, ...] = ()

    def replied(self, now: float) -> Pace:
        """After a reply."""
        gap_s = self.gap_s * (_A_LITTLE_NARROWER if self.replies < _NEAR else _NARROWER)
        latest = (*self.latest[1 - _LATEST :], now)
        kept_s = gap_s if gap_s >= _FIRST_S / 2 else 0.0
        return replace(self, gap_s=kept_s, replies=self.replies + 1, latest=latest)

    def limited(self, sent_under: int, now: float) -> Pace:
        """After a 429, unless it was sent at an older pace: a burst counts once."""
        if sent_under != self.widened:
            return self
        gap_s = self.gap_s * (_WIDER if self.replies <= _FEW else _A_LITTLE_WIDER)
        if len(self.latest) >= _ENOUGH:
            allowed_s = (now - self.latest[0]) / len(self.latest)
            gap_s = max(gap_s, min(allowed_s, self.gap_s * _MOST_WIDER))
        return replace(self, gap_s=min(_LONGEST_S, max(_FIRST_S, gap_s)), widened=self.widened + 1, replies=0)
