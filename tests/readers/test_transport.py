"""How patiently endpoints are asked."""

from __future__ import annotations

import pytest

from niah.errors import UserError
from niah.readers.transport import Transport, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"), [("45", 45), ("30s", 30), ("10m", 600), ("1.5 h", 5400), ("5min", 300)]
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "0", "ten minutes", "-3s", "10d", "1e3", "9999h", "nan"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(UserError, match="Write 30s"):
        parse_duration(text)


def test_what_is_set_comes_before_what_another_sets() -> None:
    both = Transport(wait_s=5.0).over(Transport(wait_s=9.0, attempts=2))
    assert both == Transport(wait_s=5.0, attempts=2)
    patience = both.patience
    assert (patience.gone_s, patience.limited_s, patience.attempts) == (5.0, 5.0, 2)
    assert patience.timeout_s == Transport().patience.timeout_s


def test_a_long_time_out_fits_into_the_total() -> None:
    patience = Transport(timeout_s=7200.0).patience
    assert patience.total_s >= patience.attempts * 7200.0
