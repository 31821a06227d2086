"""From what a page says got worse to the trials behind it: in a real browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from niah.analysis.compare.comparison import Comparison, compare_pairs
from niah.analysis.compare.pairs import Pairs, pair
from niah.analysis.frame import trial_frame
from niah.analysis.nights.culprits import worst_trials
from niah.analysis.nights.night_verdict import assess_night
from niah.plots.headlines.comparison.comparison_banner import comparison_banner
from niah.plots.headlines.night_words import Banner, night_banner
from niah.plots.html import page_parts, write_report_page
from niah.runs.file.read_model import RunContents, read_run
from tests.plots.html.pages import Page
from tests.plots.html.simulated_run import Size, write_run

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

Nights = tuple[RunContents, RunContents]
Compared = tuple[Comparison, Pairs]
SETS = ("ferry-lanterns", "pizza-ingredients", "three-gates")
LOST = "pizza-ingredients"
SIZE = Size(
    lengths=(512, 1024),
    depths=(0, 100),
    sets=SETS,
    seeds=range(1, 9),
    strategies=("lc",),
    readers=("simulated-a",),
)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Nights:
    """Two nights, on the second of which one needle set is found no more."""
    folder = tmp_path_factory.mktemp("nights")
    total = len(SETS) * 8 * 2 * 2
    write_run(folder / "night.sqlite", SIZE, dict.fromkeys(range(total), "an answer"))
    read = read_run(folder / "night.sqlite")
    before = replace(
        read, path=Path("before.sqlite"), records=[replace(each, score=10) for each in read.records]
    )
    after = [replace(each, score=1 if each.needle_set == LOST else 10) for each in before.records]
    return before, replace(read, path=Path("tonight.sqlite"), records=after)


@pytest.fixture(scope="module")
def compared(nights: Nights) -> Compared:
    before, after = nights
    pairs = pair(before.records, after.records)
    comparison = compare_pairs(pairs, names=("before", "tonight"))
    (row, *_) = comparison.verdict.regressions
    assert comparison.worst_sets(row) == (LOST,)
    return comparison, pairs


def opened(chrome: Chrome, folder: Path, runs: list[RunContents], banner: Banner) -> Page:
    records = [record for run in runs for record in run.records]
    parts = page_parts(runs, trial_frame(records, runs[0].samples))
    page = Page(chrome, write_report_page(folder, "night", parts, [], banner))
    page.emulate(1400, 1000)
    page.open()
    return page


def sets_left(page: Page) -> set[str]:
    """The needle sets of all trials that the filters leave."""
    while not page.run("return document.getElementById('trials-more').hidden"):
        page.click("#trials-more")
    heads = [head.rstrip(" ↑↓") for head in page.texts("#trial-rows thead th")]
    return set(page.texts(f"#trial-rows tbody td:nth-child({heads.index('needle set') + 1})"))


def test_a_red_line_leads_to_the_needle_set_that_the_drop_is_in(
    chrome: Chrome,
    nights: Nights,
    compared: Compared,
    tmp_path: Path,
) -> None:
    comparison, pairs = compared
    night = assess_night("2026-11-22", nights[1].records, {}, range(1, 9), {"last night": comparison}, {})
    fell = worst_trials(comparison, pairs)
    banner = night_banner(replace(night, worst_trials={"last night": fell}))
    page = opened(chrome, tmp_path, [nights[1]], banner)
    assert sets_left(page) == set(SETS)
    page.click("#banner li a")
    page.wait("location.hash.includes('set=')")
    assert sets_left(page) == {LOST}
    page.click("#banner .culprit")
    page.wait("document.querySelector('#drawer:not([hidden]) .trial')")
    assert LOST in page.text("#drawer")
    assert not page.complaints()


def test_so_does_one_of_two_runs_side_by_side(
    chrome: Chrome,
    nights: Nights,
    compared: Compared,
    tmp_path: Path,
) -> None:
    page = opened(chrome, tmp_path, list(nights), comparison_banner(compared[0], "before", "tonight"))
    assert sets_left(page) == set(SETS)
    page.click("#banner li a")
    page.wait("location.hash.includes('set=')")
    assert sets_left(page) == {LOST}
    assert page.run("return new URLSearchParams(location.hash.slice(1)).get('run')") == "tonight"
