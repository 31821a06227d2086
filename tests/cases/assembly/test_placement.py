from niah.cases.assembly.placement import needle_positions


def test_the_papers_own_example() -> None:
    # u-niah 3.1.1: k = 3, alpha = 10 % gives 10 %, 40 % and 70 % of H.
    assert needle_positions(1000, 3, 10) == [100, 400, 700]


def test_depth_is_decimal_not_binary() -> None:
    # 0.07 * 100 is 7.000000000000001 in floating point, and 0.29 * 100 is 28.999999999999996.
    assert needle_positions(10_000, 1, 0.29) == [29]
    assert needle_positions(1000, 1, 12.3) == [123]
