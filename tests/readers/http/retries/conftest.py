from __future__ import annotations

import pytest

from niah.readers.http.awake_clock import AwakeClock
from niah.readers.http.retries import retrier as attempts
from tests.readers.http.retries.scripted import clock


@pytest.fixture(autouse=True)
def virtual_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "AwakeClock", lambda: AwakeClock(clock.time))
