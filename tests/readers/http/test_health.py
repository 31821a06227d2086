"""When an endpoint is taken to be silent, or to be loading its model."""

from __future__ import annotations

from niah.readers.http.health import EndpointHealth


def test_a_longer_prompt_may_take_longer_before_anything_is_known() -> None:
    health = EndpointHealth()
    assert health.is_silent(20.0, 0.0, 2_000)
    assert not health.is_silent(20.0, 0.0, 40_000)  # 10,000 tokens may take 100 s
    assert not health.is_silent(99.0, 0.0, 40_000)
    assert health.is_silent(101.0, 0.0, 40_000)
    assert health.may_be_starting(101.0, 40_000, 30.0)
    assert not health.may_be_starting(401.0, 40_000, 30.0)
    health.replied(102.0, 102.0, 40_000)
    assert not health.may_be_starting(103.0, 40_000, 30.0), "it has replied, so nothing is loading"


def test_a_few_slow_replies_put_off_no_end() -> None:
    """Of the first requests, say, while this machine was busy with something else."""
    health = EndpointHealth()
    for number in range(50):
        health.replied(0.0, 30.0 if number < 4 else 0.1, 2_000)
    assert not health.is_silent(9.0, 0.0, 2_000)
    assert health.is_silent(10.0, 0.0, 2_000)
    for _ in range(50):
        health.replied(0.0, 4.0, 40_000)
    assert not health.is_silent(39.0, 0.0, 40_000), "ten times what it takes of late"
    assert health.is_silent(40.0, 0.0, 40_000)
    for _ in range(100):
        health.replied(0.0, 50.0, 40_000)
    assert not health.is_silent(149.0, 0.0, 40_000), "slower than endpoints are: three times as long"
    assert health.is_silent(150.0, 0.0, 40_000)
