from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.runs.execution.ask import Lanes
from niah.runs.trial import Trial
from niah.strategies.strategy import parse

LC = parse("lc")


def trial(case: Case, repeat: int = 0) -> Trial:
    return Trial(sample_of(case), LC, "simulated", repeat, 64)


def group(seed: int, size: int) -> list[Trial]:
    """Trials that begin alike."""
    return [trial(Case("ferry-lanterns", "essays", 1000, 50, seed), repeat) for repeat in range(size)]


def places(lanes: Lanes, lane: int, takes: int) -> list[tuple[int, int] | None]:
    """Seed and repeat of what a lane takes."""
    taken = (lanes.take(lane) for _ in range(takes))
    return [None if each is None else (each.sample.seed or 0, each.repeat) for each in taken]


def test_one_lane_keeps_the_order() -> None:
    planned = [*group(1, 3), *group(2, 2), *group(1, 1)]
    lanes = Lanes(planned, 1)
    assert [lanes.take(0) for _ in range(7)] == [*planned, None]


def test_a_lane_stays_with_its_group() -> None:
    lanes = Lanes([*group(1, 3), *group(2, 3), *group(3, 1)], 2)
    assert places(lanes, 1, 1) == [(1, 0)]
    assert places(lanes, 0, 4) == [(2, 0), (2, 1), (2, 2), (3, 0)]
    assert places(lanes, 1, 1) == [(1, 1)]


def test_a_lane_without_work_takes_the_later_half_of_the_longest() -> None:
    lanes = Lanes([*group(1, 3), *group(2, 6)], 3)
    assert places(lanes, 0, 1) == [(1, 0)]  # before it are 1 and 2
    assert places(lanes, 1, 1) == [(2, 0)]  # before it are 1, 2, 3, 4 and 5
    assert places(lanes, 2, 4) == [(2, 3), (2, 4), (2, 5), (1, 2)]  # both others had two then
    assert places(lanes, 1, 4) == [(2, 1), (2, 2), (1, 1), None]


@given(st.data(), st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(1, 6))
def test_every_trial_is_run_once_and_no_lane_idles(data: st.DataObject, sizes: list[int], count: int) -> None:
    planned = [each for seed, size in enumerate(sizes) for each in group(seed, size)]
    lanes, done = Lanes(planned, count), list[Trial]()
    while len(done) < len(planned):
        lane = data.draw(st.integers(0, lanes.count - 1))
        taken = lanes.take(lane)
        assert taken is not None
        done.append(taken)
    assert set(done) == set(planned)
    assert all(lanes.take(lane) is None for lane in range(lanes.count))
