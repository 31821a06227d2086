"""A clock that stands still while the machine sleeps."""

from __future__ import annotations

from niah.readers.http.awake_clock import AwakeClock


def test_time_asleep_is_no_time() -> None:
    moments = iter([0.0, 1.0, 2.0, 3600.0, 3601.0, 3500.0, 3501.0])
    awake = AwakeClock(lambda: next(moments))
    assert [awake.now() for _ in range(6)] == [1.0, 2.0, 3.0, 4.0, 4.0, 5.0]
