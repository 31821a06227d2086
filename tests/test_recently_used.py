from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from niah.cache import RecentlyUsed


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 8))))
def test_no_more_is_kept_than_there_is_room_for_and_nothing_goes_that_would_fit(
    puts: list[tuple[int, int]],
) -> None:
    kept = RecentlyUsed[int, bytes](room=20, size=len)
    for key, size in puts:
        kept.put(key, bytes(size))
    latest = dict(puts)
    order = list(dict.fromkeys(key for key, _ in reversed(puts)))
    held = [key for key in order if kept.get(key) is not None]
    assert held == order[: len(held)]
    assert sum(latest[key] for key in held) <= 20
    if len(held) < len(order):  # in the order of use, the next had to go at some time
        assert sum(size for _, size in puts) > 20


def test_threads_may_share_it() -> None:
    kept = RecentlyUsed[int, bytes](room=1000, size=len)

    def use(number: int) -> None:
        for turn in range(300):
            kept.put((number * turn) % 37, bytes(turn % 90))
            kept.get(turn % 37)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(8)))
    assert sum(len(kept.get(key) or b"") for key in range(37)) <= 1000
