"""Which needle sets a drop is said to sit in."""

from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np

from niah.analysis.compare.comparison import Comparison, compare_pairs
from niah.analysis.compare.naming.needle_sets import NeedleSets
from niah.analysis.compare.pairs import pair
from niah.plots.compare_junit import comparison_junit
from niah.plots.headlines.comparison.comparison_words import comparison_words
from niah.runs.trial import TrialRecord
from tests.analysis.simulated_nights import SeedWorld, night_of_seeds


def compared(world: SeedWorld, score: Callable[[TrialRecord], float]) -> Comparison:
    """Of a night in which all was right, and one of these scores."""
    before = [replace(one, score=10) for one in night_of_seeds(world, 0, 0)]
    tonight = [replace(one, score=score(one)) for one in before]
    return compare_pairs(pair(before, tonight), names=("a", "b"))


def fallen(*sets: str) -> Callable[[TrialRecord], float]:
    return lambda one: 2 + (one.seed or 0) // 2 % 2 if one.needle_set in sets else 10


def of_reader(comparison: Comparison) -> NeedleSets:
    (found,) = (each for each in comparison.sets if set(each.row.parts) <= {"reader", "strategy"})
    return found


def where(comparison: Comparison) -> list[str]:
    return [line for line in comparison_words(comparison) if line.startswith("  ")]


def test_the_needle_set_that_fell_is_named_with_what_the_others_did() -> None:
    """Two languages, each seed with one of them, as ``spread`` has it; one language is forgotten."""
    comparison = compared(SeedWorld(2, 6, 0, spread=True), fallen("set-1"))
    (worst,) = of_reader(comparison).worst
    assert (worst.name, worst.n, worst.baseline, worst.candidate) == ("set-1", 108, 10.0, 2.5)
    assert where(comparison) == [
        "  most in simulated · both strategies · needle set set-1: 10.00 -> 2.50, -7.50 (n = 108),"
        " elsewhere +0.00"
    ]


def test_a_ci_server_is_told_the_needle_set_too() -> None:
    suite = ET.fromstring(comparison_junit(compared(SeedWorld(2, 6, 0, spread=True), fallen("set-1"))))
    assert any("needle set set-1: 10.00 -> 2.50" in (each.text or "") for each in suite.iter("failure"))


def test_all_needle_sets_that_fell_are_named() -> None:
    comparison = compared(SeedWorld(4, 5, 0), fallen("set-1", "set-3"))
    assert {each.name for each in of_reader(comparison).worst} == {"set-1", "set-3"}
    assert of_reader(comparison).elsewhere.difference == 0


def test_with_too_few_clusters_needle_sets_are_not_called_alike() -> None:
    """Three seeds of each: one shuffle in ten of six clusters puts the worst together."""
    comparison = compared(SeedWorld(2, 3, 0), fallen("set-0", "set-1"))
    assert not of_reader(comparison).is_told
    assert not any("alike" in line for line in where(comparison))


def test_of_a_fall_that_is_alike_seldom_any_needle_set_is_named() -> None:
    """Half of the clusters lose all, whichever needle set they are of: 5 % of such nights may name one."""
    rng, named = np.random.default_rng(0), 0
    for _ in range(60):
        lost = rng.random((2, 100)) < 0.5
        comparison = compared(
            SeedWorld(2, 8, 0, spread=True),
            lambda one, lost=lost: 2.0 if lost[int(one.needle_set[-1]), one.seed or 0] else 9.0,  # type: ignore[misc]
        )
        named += bool(of_reader(comparison).worst)
    assert named <= 8


def test_a_night_of_one_needle_set_has_none_to_tell_apart() -> None:
    assert compared(SeedWorld(1, 12, 0), fallen("set-0")).sets == ()
