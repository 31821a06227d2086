from hypothesis import given
from hypothesis import strategies as st

from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.placement import needle_positions, stops_of


def test_the_papers_own_example() -> None:
    # u-niah 3.1.1: k = 3, alpha = 10 % gives 10 %, 40 % and 70 % of H.
    assert needle_positions(1000, 3, 10) == [100, 400, 700]


def test_floor_is_taken_of_each_step() -> None:
    # H = 101, d_1 = floor(25.25) = 25, H - d_1 = 76; 76 / 3 = 25.3, 152 / 3 = 50.7.
    assert needle_positions(101, 3, 25) == [25, 50, 75]


def test_at_full_depth_all_needles_stand_at_the_end() -> None:
    assert needle_positions(777, 15, 100) == [777] * 15


def test_depth_is_decimal_not_binary() -> None:
    # 0.07 * 100 is 7.000000000000001 in floating point, and 0.29 * 100 is 28.999999999999996.
    assert needle_positions(10_000, 1, 0.29) == [29]
    assert needle_positions(1000, 1, 12.3) == [123]


@given(st.integers(0, 10**7), st.integers(1, 60), st.integers(0, 1000).map(lambda tenths: tenths / 10))
def test_positions_ascend_within_the_haystack(haystack: int, needles: int, depth: float) -> None:
    positions = needle_positions(haystack, needles, depth)
    assert len(positions) == needles
    assert positions == sorted(positions)
    assert positions[0] >= 0
    assert positions[-1] <= haystack


def test_distractors_are_spread() -> None:
    one = Insert("x", "Rain.", (), "distractor", 3, 3)
    spread = stops_of([], [], [one] * 2, "spread", 100)
    after = stops_of([one], [40], [one] * 3, "after", 100)
    assert [stop.position for stop in spread] == [25, 75]
    assert [stop.position for stop in after if stop.unit is None] == [50, 70, 90]
