"""How far apart requests are sent, where an endpoint allows so many in a time.

A limit of requests per second is not met by fewer at once: where replies are fast, a single lane passes it.
So each 429 widens the gap between two requests, and each reply narrows it: increase and decrease by factors,
as a rate. The factors let about one request in five meet the limit, which is how its place is known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

_FIRST_S, _LONGEST_S = 0.02, 2.0
_NARROWER, _WIDER, _MUCH_WIDER = 0.95, 1.25, 2.0
# After so few replies since the last 429, the gap was far too small.
_FEW = 3


@dataclass(frozen=True)
class Pace:
    """Pure: every event gives a new one.

    Attributes:
        gap_s: seconds from one request to the next, 0 for no pace at all.
        widened: how often it was; a request remembers the number that it was sent under.
        replies: since then.
    """

    gap_s: float = 0.0
    widened: int = 0
    replies: int = 0

    def replied(self) -> Pace:
        """After a reply."""
        gap_s = self.gap_s * _NARROWER
        return replace(self, gap_s=gap_s if gap_s >= _FIRST_S / 2 else 0.0, replies=self.replies + 1)

    def limited(self, sent_under: int) -> Pace:
        """After a 429, unless it was sent at an older pace: a burst counts once."""
        if sent_under != self.widened:
            return self
        factor = _MUCH_WIDER if self.replies <= _FEW else _WIDER
        return Pace(min(_LONGEST_S, max(_FIRST_S, self.gap_s * factor)), self.widened + 1)
