from __future__ import annotations

from dataclasses import replace

import pytest

from niah.analysis.nights.contamination import contamination
from niah.runs.trial import Outcome, TrialRecord
from tests.analysis.simulated_nights import SHARED, SeedWorld, night_of_seeds

SEEDS = ((1, 10), (900, 5), (901, 3))


def trial(seed: int, score: int | None, needle_set: str = "lamps", length: int = 1000) -> TrialRecord:
    case = f"{needle_set}_{length}_s{seed}"
    outcome: Outcome = "refused" if score is None else "scored"
    return TrialRecord(
        case, case, needle_set, "essays", length, 0.0, seed, "lc", "simulated", 0, outcome, score=score
    )


def test_difference_and_p_by_hand() -> None:
    # Anchors 10, 10 and fresh 5, 3: of the six choices of two anchors none is better. 10 - 4 = 6.
    (found,) = contamination([trial(1, 10), trial(2, 10), trial(900, 5), trial(901, 3)], [1, 2])
    assert found.difference == 6
    assert found.p == found.least_p == pytest.approx(1 / 6)
    assert (found.anchors, found.fresh, found.n) == (2, 2, 4)
    assert not found.flagged
    # Squares about the sides' means are 2, with 2 degrees of freedom; w = 1: 6 +- 4.303 * 1.
    assert (found.low, found.high) == pytest.approx((6 - 4.3027, 6 + 4.3027), abs=1e-3)


def test_needle_sets_are_weighed_by_what_they_tell() -> None:
    # lamps: w = 2 * 1 / 3, difference 4; keys: w = 1 * 1 / 2, difference -2.
    records = [trial(1, 9), trial(2, 7), trial(900, 4), trial(1, 5, "keys"), trial(900, 7, "keys")]
    (found,) = contamination(records, [1, 2])
    assert found.difference == pytest.approx((2 / 3 * 4 + 1 / 2 * -2) / (2 / 3 + 1 / 2))
    # Seed 2 was not asked of keys: of seeds 1 and 900 either could have been the anchor.
    assert found.least_p == pytest.approx(1 / 2)
    assert found.suspicion == "too few to tell"


def test_only_what_both_sides_were_asked_counts() -> None:
    records = [
        trial(1, 10),
        trial(900, 10),
        trial(1, 1, length=2000),
        trial(901, 1, "keys"),
        trial(901, None),
    ]
    (found,) = contamination(records, [1])
    assert (found.difference, found.n) == (0, 2)


def test_without_fresh_seeds_nothing_is_said() -> None:
    (found,) = contamination([trial(1, 10)], [1])
    assert (found.difference, found.low, found.p, found.flagged) == (None, None, 1, False)


def test_a_reader_that_has_seen_the_anchors_is_flagged_and_the_other_is_not() -> None:
    world = SeedWorld(6, 5, 3)
    honest = night_of_seeds(world, 0, 3)
    seen = [replace(record, reader="simulated-seen") for record in night_of_seeds(world, 0, 3, seen=1.5)]
    rows = {row.reader: row for row in contamination([*honest, *seen], world.anchor_seeds)}
    assert rows["simulated-seen"].flagged
    assert not rows["simulated"].flagged
    assert rows["simulated-seen"].p_adjusted == pytest.approx(2 * rows["simulated-seen"].p)


def test_better_at_fresh_seeds_is_not_flagged() -> None:
    world = SeedWorld(6, 3, 2)
    (found,) = contamination(night_of_seeds(world, 0, 1, seen=-1.5), world.anchor_seeds)
    assert found.p > 0.9


def test_a_seed_changes_sides_with_all_its_needle_sets() -> None:
    # Of the three choices of one anchor none is better; by needle sets it would have been one of nine.
    records = [trial(seed, score, name) for name in ("lamps", "keys") for seed, score in SEEDS]
    (found,) = contamination(records, [1])
    assert found.p == found.least_p == pytest.approx(1 / 3)
    assert (found.anchors, found.fresh, found.suspicion) == (1, 2, "too few to tell")
    # The seeds' means are 10, 5 and 3: 6 +- 12.706 * root(2 * (1 + 1 / 2)).
    assert (found.low, found.high) == pytest.approx((6 - 22.0075, 6 + 22.0075), abs=1e-3)


def test_seeds_of_one_needle_set_change_sides_within_it() -> None:
    records = [trial(seed, score) for seed, score in SEEDS]
    records += [trial(seed + 10, score, "keys") for seed, score in SEEDS]
    (found,) = contamination(records, [1, 11])
    assert found.p == found.least_p == pytest.approx(1 / 9)
    assert (found.anchors, found.fresh) == (2, 4)


def test_what_two_readers_cannot_show_one_can() -> None:
    records = [trial(seed, 5) for seed in (1, 2, 3, 4, 900, 901, 902)]
    others = [replace(record, reader="simulated-other") for record in records]
    (alone,) = contamination(records, [1, 2, 3, 4])
    assert alone.least_p == pytest.approx(1 / 35)
    assert alone.suspicion == "not found"
    assert {row.suspicion for row in contamination([*records, *others], [1, 2, 3, 4])} == {"too few to tell"}


@pytest.mark.parametrize(
    "world",
    [SeedWorld(4, 4, 3), SeedWorld(4, 4, 3, seed_luck=SHARED), SeedWorld(3, 4, 2, spread=True)],
    ids=["own luck", "shared luck", "spread"],
)
def test_the_level_holds(world: SeedWorld) -> None:
    # 200 nights at 5 %: more than 18 have a chance of 0.6 %.
    rows = [contamination(night_of_seeds(world, 0, seed), world.anchor_seeds)[0] for seed in range(200)]
    assert {row.least_p <= 0.05 for row in rows} == {True}
    assert sum(row.flagged for row in rows) <= 18
