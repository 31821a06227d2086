"""What is asked in which look."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.analysis.compare.pairs import pair
from niah.analysis.sequential.adaptive import design_of
from niah.analysis.sequential.design import Arm, DesignUnit, SequentialDesign, deal
from tests.analysis.simulated_nights import SeedWorld, night_of_seeds
from tests.examples import of_all

ARM = Arm("simulated", "lc")
OTHER = Arm("simulated", "topk")
SIX = tuple(DesignUnit(f"{cluster}-{place}", cluster) for cluster in range(6) for place in range(10))


def test_dealing_spreads_clusters_and_strata() -> None:
    units = [DesignUnit(f"{c}-{s}-{i}", c, s) for c in range(3) for s in range(4) for i in range(5)]
    for look in deal(units, 5, seed=1):
        for cluster in range(3):
            strata = [unit.stratum for unit in look if unit.cluster == cluster]
            assert len(strata) == len(set(strata)) == 4


def test_clusters_of_one_unit_are_spread_over_looks() -> None:
    looks = deal([DesignUnit(str(number), number) for number in range(10)], 5, seed=1)
    assert [len(look) for look in looks] == [2, 2, 2, 2, 2]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=40), st.integers(1, 7))
@settings(max_examples=of_all(50))
def test_every_unit_is_dealt_once(places: list[tuple[int, int]], looks: int) -> None:
    units = [DesignUnit(str(key), cluster, stratum) for key, (cluster, stratum) in enumerate(places)]
    dealt = deal(units, looks, seed=3)
    assert len(dealt) == looks
    assert sorted(unit.key for look in dealt for unit in look) == sorted(unit.key for unit in units)


def test_dealing_knows_names_and_the_seed_alone() -> None:
    assert deal(SIX, 5, 1) == deal(tuple(SIX), 5, 1) != deal(SIX, 5, 2)
    backwards = deal(SIX[::-1], 5, 1)
    assert [set(look) for look in backwards] == [set(look) for look in deal(SIX, 5, 1)]


@pytest.mark.parametrize("wrong", [{"looks": 0}, {"alpha": 0.0}, {"doubt": 0.7}])
def test_a_design_out_of_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong)).rstrip("s")):
        SequentialDesign({ARM: SIX}, **wrong)  # type: ignore[arg-type]


def test_a_unit_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="same key"):
        SequentialDesign({ARM: (SIX[0], SIX[0])})


def test_records_become_units() -> None:
    world = SeedWorld(2, 2, 1)
    baseline, tonight = night_of_seeds(world, 0, 0), night_of_seeds(world, 1, 0, change=-1.0)
    baseline[0] = replace(baseline[0], outcome="refused", score=None)
    tonight[2] = replace(tonight[2], outcome="not_run", score=None)
    baseline[4] = replace(baseline[4], outcome="not_run", score=None)
    design = design_of(pair(baseline, tonight), 0.05, 0)
    # Fresh seeds have no partner: 36 anchors' trials a strategy; record 4 was not run.
    assert {arm: len(own) for arm, own in design.arms.items()} == {ARM: 35, OTHER: 36}
    key = f"set-0 essays {tonight[0].case_id}#0"
    assert design.arms[ARM][0] == DesignUnit(key, ("set-0", 1), baseline[0].context_length)
    assert 1 <= design.look_of[ARM][key] <= design.looks


def test_given_questions_are_in_clusters_of_their_document_and_strata_of_length_bands() -> None:
    record = night_of_seeds(SeedWorld(1, 1, 0), 0, 0)[0]
    given = [
        replace(
            record, case_id=f"{document}/{length}", needle_set=None, haystack=None, seed=None, depth=None,
            document_id=document, context_length=length, origin="given",
        )
        for document, length in (("a", 1001), ("a", 1002), ("b", 40_000))
    ]  # fmt: skip
    (units,) = design_of(pair(given, given), 0.05, 0).arms.values()
    assert [(unit.cluster, unit.stratum) for unit in units] == [("a", 0), ("a", 0), ("b", 2)]
