"""The rule of how far apart requests are sent."""

from __future__ import annotations

import pytest

from niah.readers.http.pacing import Pace


def sent_at_its_pace(per_second: float, requests: int, pace: Pace) -> tuple[float, int, Pace]:
    """Seconds that so many took that were allowed, how many were not, and the pace at the end.

    So many are allowed in any second; each is sent as soon as the pace allows, and its reply comes at once.
    """
    now, refused, allowed = 0.0, 0, [-1.0]
    while len(allowed) <= requests:
        if sum(now - then < 1 for then in allowed) < per_second:
            allowed.append(now)
            pace = pace.replied(now)
        else:
            refused += 1
            pace = pace.limited(pace.widened, now)
        now += max(pace.gap_s, 0.001)
    return now, refused, pace


@pytest.mark.parametrize("per_second", [2, 5, 30])
def test_a_rate_is_found_and_few_requests_are_refused(per_second: int) -> None:
    seconds, refused, pace = sent_at_its_pace(per_second, 60 * per_second, Pace())
    assert seconds < 1.2 * 60
    assert refused < 60 * per_second / 4
    assert 0.9 / per_second < pace.gap_s < 1.2 / per_second


def test_a_limit_that_falls_or_rises_is_followed() -> None:
    _, _, fast = sent_at_its_pace(30, 600, Pace())
    seconds, refused, slow = sent_at_its_pace(3, 60, fast)
    assert seconds < 1.5 * 20
    assert refused < 40
    seconds, _, _ = sent_at_its_pace(30, 600, slow)
    assert seconds < 1.8 * 20


def test_a_burst_counts_once_and_a_limit_that_is_gone_is_forgotten() -> None:
    widened = Pace(gap_s=0.2).limited(0, now=5.0)
    assert widened.limited(0, now=5.0) == widened
    for at in range(200):
        widened = widened.replied(float(at))
    assert widened.gap_s == 0
