"""Needle sets that are asked at other lengths have heatmaps of their own on the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from niah.runs.file.read_model import RunContents
from tests.plots.html.conftest import page_of
from tests.plots.html.pages import Page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SHORT, LONG = "pizza-ingredients", "rainbow-potion"
LONGEST_OF_SHORT = 8192


@pytest.fixture(scope="module")
def uneven(planted: RunContents) -> RunContents:
    """One set up to 8k, the other at every length; of two strategies."""
    records = [
        record
        for record in planted.records
        if (record.needle_set == LONG or record.context_length <= LONGEST_OF_SHORT)
        and record.strategy in ("lc", "dos")
        and record.reader == "falls"
    ]
    return replace(planted, records=records)


@pytest.fixture(scope="module")
def address(uneven: RunContents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(tmp_path_factory.mktemp("uneven"), "uneven", [uneven])


@pytest.fixture
def page(chrome: Chrome, address: Path) -> Page:
    page = Page(chrome, address)
    page.emulate(1440, 900)
    page.open()
    return page


def heads(page: Page, place: int) -> list[str]:
    """The columns of a group's first heatmap."""
    found: list[str] = page.run(
        "return [...document.querySelectorAll('.alike')[arguments[0]].querySelector('thead')"
        ".querySelectorAll('th')].slice(1).map((node) => node.textContent)",
        place,
    )
    return found


def test_each_group_has_heatmaps_of_its_own_lengths(page: Page) -> None:
    assert page.texts(".reader h3") == ["falls"]
    assert page.texts(".alike > .sets") == [SHORT, LONG]
    assert heads(page, 0) == ["2k", "4k", "8k"]
    assert heads(page, 1) == ["2k", "4k", "8k", "16k", "32k"]
    assert page.texts(".alike h4") == ["full context", "dos"] * 2
    assert "stand apart" in page.text("#heatmaps-lead")


def test_a_cell_opens_the_trials_of_its_own_sets(page: Page, uneven: RunContents) -> None:
    page.click(".alike:last-child .cell")
    page.wait("document.querySelector('#drawer .trial')")
    own = [
        record
        for record in uneven.records
        if (record.needle_set, record.strategy, record.context_length, record.depth) == (LONG, "lc", 2048, 0)
    ]
    assert page.texts("#drawer .list .name") == [LONG] * len(own)
    shared = page.browser.current_url
    page.browser.get("about:blank")
    page.browser.get(shared)
    page.wait("document.querySelector('#drawer .trial')")
    assert page.texts("#drawer .list .name") == [LONG] * len(own)
    assert page.texts(".alike:last-child .cell.open")
    assert len(page.texts(".cell.open")) == 1


def test_an_address_without_sets_opens_the_trials_of_all(page: Page, uneven: RunContents) -> None:
    page.run("location.hash = 'cell=planted&cell=falls&cell=lc&cell=2048&cell=0'")
    page.wait("document.querySelector('#drawer .trial')")
    assert set(page.texts("#drawer .list .name")) == {SHORT, LONG}


def test_a_filter_leaves_the_maps_of_what_it_chooses(page: Page) -> None:
    page.open(set=SHORT)
    shown = "return [...document.querySelectorAll('.alike')].map((node) => node.hidden)"
    assert page.run(shown) == [False, True]
    page.open()
    assert page.run(shown) == [False, False]


def test_the_overview_counts_all_sets_together(page: Page, uneven: RunContents) -> None:
    scored = sum(record.strategy == "lc" and record.score is not None for record in uneven.records)
    assert page.texts("#matrix tbody th") == ["full context", "dos"]
    assert page.text("#matrix tbody i") == f"n {scored}"
    assert page.complaints() == []
