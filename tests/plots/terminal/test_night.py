"""The verdict's files, read as those would who get them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from niah.analysis.compare.pairs import pair
from niah.analysis.compare.verdict import Limits
from niah.analysis.nights.night_verdict import LengthChange, NightVerdict, assess_night
from niah.analysis.sequential.adaptive import adaptive_comparison, design_of
from niah.analysis.stats.effective_length import EffectiveLength
from niah.plots.table_words import note_of, shown_row
from niah.plots.terminal.night import effective_table, write_verdict
from tests.analysis.simulated_nights import SeedWorld, night_of_seeds

READER = "a|b[c]<d>*漢"
PLANNED, ASKED, SCORED = 288, 280, 200


@pytest.fixture
def night() -> NightVerdict:
    """An adaptive one: of 288 trials 8 were not needed, and 80 failed."""
    before = [replace(one, reader=READER) for one in night_of_seeds(SeedWorld(4, 4, 0), 0, 0)]
    tonight = [
        *(replace(one, outcome="not_run", score=None) for one in before[SCORED:-80]),
        *(replace(one, outcome="refused", score=None) for one in before[-80:]),
    ]
    tonight = [*before[:SCORED], *tonight]
    pairs = pair(before, tonight)
    comparison, told = adaptive_comparison(
        design_of(pairs, 0.04, 1), pairs, names=("a", "b"), limits=Limits()
    )
    return assess_night(
        "2026-11-22", tonight, {"last night": before}, range(1, 5), {"last night": comparison}, {}, told
    )


def test_what_failed_is_not_called_spared(night: NightVerdict, tmp_path: Path) -> None:
    write_verdict(night, tmp_path)
    assert f"* {SCORED} of {ASKED} trials scored; 8 not needed\n" in (tmp_path / "verdict.md").read_text()
    found = json.loads((tmp_path / "verdict.json").read_bytes())
    assert (found["trials"], found["asked"], found["scored"]) == (PLANNED, ASKED, SCORED)


def test_junit_counts_are_those_of_its_tests(night: NightVerdict, tmp_path: Path) -> None:
    write_verdict(night, tmp_path)
    (suite,) = ET.parse(tmp_path / "verdict.xml").getroot()
    cases = suite.findall("testcase")
    for count, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert suite.get(count) == str(sum(case.find(kind) is not None for case in cases))
    assert suite.get("tests") == str(len(cases))


def test_names_break_no_table(night: NightVerdict, tmp_path: Path) -> None:
    write_verdict(night, tmp_path)
    lines = (tmp_path / "verdict.md").read_text(encoding="utf-8").splitlines()
    header = lines.index("| reader | strategy | measure | asked | of | look | chance | p | decision |")
    rows = [line for line in lines[header + 2 : header + 6] if READER.split("|")[0] in line]
    assert len(rows) == 4
    assert {line.replace("\\|", "").count("|") for line in rows} == {10}


def test_nothing_is_said_twice(night: NightVerdict, tmp_path: Path) -> None:
    write_verdict(night, tmp_path)
    said = [line for line in (tmp_path / "verdict.md").read_text().splitlines() if line.startswith("* ")]
    assert len(said) == len(set(said)) > 3
    assert "## Against last night, `a`" in (tmp_path / "verdict.md").read_text()


def test_an_effective_length_that_could_be_any_is_no_number_with_bounds() -> None:
    """As its figure has it: hollow, and "too few"."""
    one = EffectiveLength("prod", "lc", 10.0, 16384, None, 16384, 1024, 16384, 108, 12, "fitted")
    assert not one.is_told
    assert not replace(one, low=16384, clusters=4, method="counted").is_told
    assert replace(one, low=16384, clusters=4).is_told
    assert replace(one, high=4096).is_told
    found = assess_night("2026-11-22", night_of_seeds(SeedWorld(3, 4, 2), 0, 0), {}, (), {}, {})
    lengths = tuple(LengthChange(each, None) for each in (one, replace(one, length=4096, high=4096)))
    table = effective_table(replace(found, lengths=lengths))
    bounds = [shown_row(table, row)[2:5] for row in table.rows]
    assert bounds == [["16,384", "too few", "too few"], ["4,096", "–", "4,096"]]
    assert "where only low is –, perhaps not even the shortest length holds" in note_of(table)


def test_effective_lengths_differ_where_their_intervals_do_not_overlap() -> None:
    one = EffectiveLength("prod", "lc", 10.0, 4096, 2048, 8192, 1024, 16384, 108, 12, "fitted")
    none = replace(one, length=None, low=None, high=None)
    pairs = (
        (replace(one, length=2048, low=1024, high=2048), one),
        (replace(one, length=1024, low=None, high=1024), one),
        (none, one),
        (one, one),
        (none, none),
    )
    found = assess_night("2026-11-22", night_of_seeds(SeedWorld(3, 4, 2), 0, 0), {}, (), {}, {})
    table = effective_table(replace(found, lengths=tuple(LengthChange(*pair) for pair in pairs)))
    assert [row[-1] for row in table.rows] == [None, -3072, None, 0, None]


def test_a_fall_at_every_length_is_one_of_the_effective_length_too() -> None:
    """It is held against the base of before: its own fell with it."""
    before = [replace(one, score=10) for one in night_of_seeds(SeedWorld(3, 6, 0), 0, 0)]
    tonight = [replace(one, score=5) if one.strategy == "lc" else one for one in before]
    found = assess_night("2026-11-22", tonight, {"last night": before}, range(1, 7), {}, {})
    table = effective_table(found)
    assert {row[1]: row[2:] for row in table.rows} == {
        "lc": ("under 1,000", None, None, 4000, None),
        "topk": (4000, 4000, 4000, 4000, 0),
    }
    assert "both are held against its base" in note_of(table)


def test_an_effective_length_below_all_that_was_asked_is_told_without_a_change() -> None:
    """Nobody knows how far below the shortest length it lies: no number says by how much it fell."""
    held = EffectiveLength("prod", "lc", 10.0, 2048, 2048, 2048, 1024, 16384, 108, 12, "counted")
    none = replace(held, length=None, low=None, high=None)
    found = assess_night("2026-11-22", night_of_seeds(SeedWorld(3, 4, 2), 0, 0), {}, (), {}, {})
    lengths = (
        LengthChange(none, held),
        LengthChange(held, none),
        LengthChange(held, replace(held, length=4096, low=4096, high=4096)),
        LengthChange(held, None),
    )
    table = effective_table(replace(found, lengths=lengths))
    shown = [shown_row(table, row) for row in table.rows]
    assert [(row[2], row[5], row[6]) for row in shown] == [
        ("under 1,024", "2,048", "–"),
        ("2,048", "under 1,024", "–"),
        ("2,048", "4,096", "-2,048"),
        ("2,048", "–", "–"),
    ]


def test_headings_of_a_verdict_go_down_a_level_at_a_time(night: NightVerdict, tmp_path: Path) -> None:
    write_verdict(night, tmp_path)
    text = (tmp_path / "verdict.md").read_text()
    levels = [len(sign) for sign in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    # What a comparison comes to is part of it: none of its tables stands beside its heading.
    _, _, comparison = text.partition("\n## Against last night")
    assert set(re.findall(r"^(#+) ", comparison, re.MULTILINE)) == {"###"}


def test_too_few_seeds_to_tell_are_said(tmp_path: Path) -> None:
    world = SeedWorld(3, 4, 2)
    found = assess_night("2026-11-22", night_of_seeds(world, 0, 0), {}, world.anchor_seeds, {}, {})
    write_verdict(found, tmp_path)
    assert (
        "* too few seeds to tell whether simulated has seen the anchors: with 4 of them and 2 of tonight's"
        " own, p is 0.067 at best\n"
    ) in (tmp_path / "verdict.md").read_text()
