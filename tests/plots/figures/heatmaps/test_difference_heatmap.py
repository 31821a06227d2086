"""What changed between two runs, by length and depth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.text import Text

from niah.analysis.compare.comparison import Comparison, compare_pairs
from niah.analysis.compare.pairs import Pairs, pair
from niah.plots.figures.heatmaps.difference_heatmap import difference_maps, draw_difference
from niah.plots.kit.theme import themed
from niah.runs.trial import TrialRecord
from tests.plots.figures.layout import faults
from tests.plots.figures.simulated_records import World, simulate

WORLD = World(
    readers=("simulated-a", "simulated-b"),
    strategies=("lc", "topk"),
    lengths=(4000, 16000, 32000, 64000),
    depths=(0, 50, 100),
    sets=("pizza-ingredients", "rainbow-potion", "three-gates"),
    seeds=(1, 2, 3, 4, 5),
)
HARMED = {32000, 64000}


def harmed(record: TrialRecord) -> bool:
    return (
        record.reader == "simulated-a"
        and record.strategy == "lc"
        and record.context_length in HARMED
        and record.score is not None
    )


@pytest.fixture(scope="module")
def compared() -> tuple[Pairs, Comparison]:
    """The reader simulated-a got worse with full context beyond 16k, and nothing else changed."""
    earlier, _ = simulate(WORLD)
    later = [replace(record, score=1) if harmed(record) else record for record in earlier]
    pairs = pair(earlier, later)
    return pairs, compare_pairs(pairs, names=("runs/monday.sqlite", "runs/tuesday.sqlite"))


def test_each_cell_is_the_mean_of_its_pairs(compared: tuple[Pairs, Comparison]) -> None:
    pairs, comparison = compared
    maps = {(each.reader, each.strategy): each for each in difference_maps(pairs, comparison)}
    assert set(maps) == {(reader, strategy) for reader in WORLD.readers for strategy in WORLD.strategies}
    for key, each in maps.items():
        for (row, column), value in np.ndenumerate(each.difference):
            leads = [
                later.score - earlier.score
                for earlier, later in zip(pairs.baseline, pairs.candidate, strict=True)
                if (later.reader, later.strategy) == key
                and (later.context_length, later.depth) == (each.lengths[column], each.depths[row])
                and earlier.score is not None
                and later.score is not None
            ]
            assert each.n[row, column] == len(leads)
            assert value == pytest.approx(np.mean(leads))


def test_frames_are_where_the_verdict_is(compared: tuple[Pairs, Comparison]) -> None:
    """Neither other strategies nor shorter contexts, although rows over both of them got worse too."""
    assert compared[1].verdict.kind == "regression"
    for each in difference_maps(*compared):
        if (each.reader, each.strategy) == ("simulated-a", "lc"):
            assert [set(each.worse[:, at]) for at in range(4)] == [{False}, {False}, {True}, {True}]
        else:
            assert not each.worse.any()
            assert not each.all_worse


def test_a_whole_strategy_is_said_above_its_panel() -> None:
    earlier, _ = simulate(WORLD)
    later = [
        replace(record, score=1)
        if (record.reader, record.strategy) == ("simulated-b", "topk") and record.score is not None
        else record
        for record in earlier
    ]
    pairs = pair(earlier, later)
    maps = difference_maps(pairs, compare_pairs(pairs))
    assert [(each.reader, each.strategy) for each in maps if each.all_worse] == [("simulated-b", "topk")]
    assert not any(each.worse.any() for each in maps)


def test_the_figure(compared: tuple[Pairs, Comparison]) -> None:
    with themed():
        drawn = draw_difference(*compared)
        assert drawn is not None
        assert faults(drawn.figure) == []
    words = [one.get_text() for one in drawn.figure.findobj(Text) if isinstance(one, Text)]
    assert "simulated-a · full context" in words
    assert any("framed" in word for word in words)
    columns = drawn.columns
    marked = {row[columns.index("context_length")] for row in drawn.rows if row[-1]}
    assert marked == HARMED
    assert any("a cell" in word for word in words)
    assert {row[columns.index("needle_sets")] for row in drawn.rows} == {", ".join(sorted(WORLD.sets))}


def test_cells_of_few_pairs_say_so_and_those_of_other_needle_sets(
    compared: tuple[Pairs, Comparison],
) -> None:
    kept = [r for r in compared[0].baseline if r.context_length != 64000 or r.needle_set == WORLD.sets[0]]
    pairs = pair(kept, kept)
    with themed():
        drawn = draw_difference(pairs, compare_pairs(pairs))
    assert drawn is not None
    words = [one.get_text() for one in drawn.figure.findobj(Text) if isinstance(one, Text)]
    assert any(word in words for word in ("n 3", "n 4", "n 5"))
    assert any("Needle sets differ from cell to cell" in word for word in words)


def test_questions_without_a_depth_have_none(compared: tuple[Pairs, Comparison]) -> None:
    bare = [replace(record, depth=None) for record in compared[0].baseline]
    pairs = pair(bare, bare)
    with themed():
        assert draw_difference(pairs, compare_pairs(pairs)) is None


def test_both_axes_have_names(compared: tuple[Pairs, Comparison]) -> None:
    with themed():
        rendered = draw_difference(*compared)
        assert rendered is not None
        assert faults(rendered.figure) == []
    # Three panels a row: the first of each names the depths.
    panels = [axes for axes in rendered.figure.axes if axes.get_gid() == "panel"]
    assert [axes.get_ylabel() for axes in panels] == ["depth", "", "", "depth"]
    assert "context length (tokens)" in [text.get_text() for text in rendered.figure.texts]


def test_the_needle_set_that_a_drop_sits_in_is_named_below() -> None:
    earlier, _ = simulate(WORLD)
    later = [
        replace(record, score=1) if harmed(record) and record.needle_set == "three-gates" else record
        for record in earlier
    ]
    pairs = pair(earlier, later)
    comparison = compare_pairs(pairs, names=("monday", "tuesday"))
    (row, *_) = comparison.verdict.regressions
    assert comparison.worst_sets(row) == ("three-gates",)
    with themed():
        drawn = draw_difference(pairs, comparison)
        alike = draw_difference(pair(earlier, earlier), compare_pairs(pair(earlier, earlier)))
        assert drawn is not None
        assert alike is not None
        assert not faults(drawn.figure)
    words = " ".join(text.get_text() for text in drawn.figure.findobj(Text))
    assert "most in needle set three-gates, −" in words
    assert "most in needle set" not in " ".join(text.get_text() for text in alike.figure.findobj(Text))
