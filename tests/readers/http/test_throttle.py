"""The rule of the window, and the gate that follows it."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.readers.http.throttle import Throttle, Window

windows = st.builds(
    lambda most, size: Window(most, min(most, size)), st.integers(1, 300), st.integers(1, 300)
)
# What a request comes back with, and how many cuts ago it was sent.
events = st.lists(st.tuples(st.booleans(), st.integers(0, 2)), max_size=400)


def after(window: Window, event: tuple[bool, int]) -> Window:
    fine, cuts_ago = event
    sent_under = window.cuts - cuts_ago
    return window.succeeded(sent_under) if fine else window.limited(sent_under)


@given(windows, events)
def test_the_size_stays_within_its_bounds(window: Window, happens: list[tuple[bool, int]]) -> None:
    for event in happens:
        window = after(window, event)
        assert 1 <= window.size <= window.most


@given(windows, events)
def test_a_step_is_one_up_or_half_down(window: Window, happens: list[tuple[bool, int]]) -> None:
    for event in happens:
        next_window = after(window, event)
        if event[0]:
            assert next_window.size in (window.size, window.size + 1)
            assert next_window.cuts == window.cuts
        else:
            assert next_window.size in (window.size, max(1, window.size // 2))
        window = next_window


@given(windows, st.integers(1, 300))
def test_a_burst_of_limits_halves_once(window: Window, burst: int) -> None:
    limited = window
    for _ in range(burst):
        limited = limited.limited(sent_under=window.cuts)
    assert limited.size == max(1, window.size // 2)


@given(windows)
def test_successes_bring_back_the_most(before: Window) -> None:
    window = before.limited(before.cuts)
    # A full window of successes for each step: size + (size + 1) + ... + (most - 1) of them.
    needed = sum(range(window.size, window.most))
    for _ in range(needed):
        assert window.size < window.most
        window = window.succeeded(window.cuts)
    assert window.size == window.most


@given(st.integers(1, 64), st.integers(1, 64))
def test_until_the_first_overload_every_success_adds_one(size: int, more: int) -> None:
    window = Window(size + more, size)
    for _ in range(more):
        window = window.succeeded(0)
    assert window.size == size + more


@given(windows, st.integers(1, 300))
def test_successes_from_before_a_cut_widen_nothing(window: Window, late: int) -> None:
    cut = window.limited(window.cuts)
    for _ in range(late):
        assert cut.succeeded(window.cuts) == cut


def test_half_of_nine_and_a_step_by_hand() -> None:
    window = Window(9, 9).limited(0)
    assert (window.size, window.cuts) == (4, 1)
    assert [(window := window.succeeded(1)).size for _ in range(9)] == [4, 4, 4, 5, 5, 5, 5, 5, 6]


@given(st.integers(1, 6), st.lists(st.sampled_from(["fine", "limited", "broken"]), max_size=40))
def test_never_more_under_way_than_the_window(most: int, ends: list[str]) -> None:
    async def main() -> None:
        throttle = Throttle(most)

        async def one(end: str) -> None:
            sent_under = await throttle.take()
            assert throttle.under_way <= most
            await asyncio.sleep(0)
            if end == "fine":
                throttle.succeeded(sent_under)
            elif end == "limited":
                throttle.limited(sent_under)
            throttle.give_back()

        await asyncio.wait_for(asyncio.gather(*map(one, ends)), 120)
        assert throttle.under_way == 0

    asyncio.run(main())


def test_turns_come_in_order() -> None:
    async def main() -> None:
        throttle = Throttle(1)
        order: list[int] = []

        async def one(number: int) -> None:
            await throttle.take()
            order.append(number)
            await asyncio.sleep(0)
            throttle.give_back()

        await asyncio.gather(*(one(number) for number in range(5)))
        assert order == [0, 1, 2, 3, 4]

    asyncio.run(main())


@pytest.mark.parametrize("given_before", [False, True])
def test_a_turn_that_is_not_waited_for_any_more_goes_to_the_next(given_before: bool) -> None:
    async def main() -> None:
        throttle = Throttle(1)
        await throttle.take()
        gone = asyncio.ensure_future(throttle.take())
        following = asyncio.ensure_future(throttle.take())
        await asyncio.sleep(0)
        if given_before:
            throttle.give_back()
        gone.cancel()
        await asyncio.sleep(0)
        if not given_before:
            throttle.give_back()
        await asyncio.wait_for(following, 120)
        throttle.give_back()
        assert throttle.under_way == 0

    asyncio.run(main())
