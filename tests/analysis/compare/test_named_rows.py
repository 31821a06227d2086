"""Which rows and which part of a row are named."""

from dataclasses import replace

from niah.analysis.compare.comparison import Comparison, compare_pairs
from niah.analysis.compare.naming.named_rows import named_rows, parts_within, worst_part
from niah.analysis.compare.pairs import pair
from tests.analysis.simulated_nights import SeedWorld, night_of_seeds


def compared() -> Comparison:
    """Of a night in which one strategy lost all at one depth."""
    before = [replace(one, score=10) for one in night_of_seeds(SeedWorld(2, 12, 0), 0, 0)]
    tonight = [
        replace(one, score=1 + (one.seed or 0) % 2) if (one.strategy, one.depth) == ("lc", 50) else one
        for one in before
    ]
    return compare_pairs(pair(before, tonight))


def test_the_row_that_explains_most_is_named() -> None:
    found = compared()
    worse = [row for row in found.rows if row.adjusted is not None and row.adjusted <= found.limits.alpha]
    (named,) = named_rows(worse, found.rows)
    assert len(worse) > 1
    assert named.parts == {"reader": "simulated", "strategy": "lc", "depth": "middle"}


def test_the_part_of_a_row_that_is_clearly_worse_than_its_rest() -> None:
    found = compared()
    (whole,) = (
        row
        for row in found.rows
        if row.measure == "score" and row.parts.keys() == {"reader", "strategy"}
        if row.parts["strategy"] == "lc"
    )
    inside = parts_within(whole, found.rows)
    assert all(whole.parts.items() < row.parts.items() for row in inside)
    worst = worst_part(whole, inside, found.limits.alpha)
    assert worst
    assert worst.row.parts == {**whole.parts, "depth": "middle"}
    assert worst.elsewhere == 0
