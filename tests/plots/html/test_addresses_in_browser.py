"""The report in a real browser: filters, and addresses that bring them back."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from niah.runs.file.read_model import RunContents
from tests.plots.html.browsing import READER, grid_of, members, open_cell, scored
from tests.plots.html.pages import Page


@pytest.mark.parametrize(
    ("fragment", "keeps"),
    [
        ({"reader": READER}, lambda r: r.reader == READER),
        ({"strategy": "topk"}, lambda r: r.strategy == "topk"),
        ({"outcome": "refused"}, lambda r: r.outcome == "refused"),
        ({"q": "pizza topk"}, lambda r: r.needle_set.startswith("pizza") and r.strategy == "topk"),
        (
            {"reader": READER, "set": "ferry-lanterns"},
            lambda r: r.reader == READER and "ferry" in r.needle_set,
        ),
    ],
)
def test_filters_leave_what_they_say(page: Page, run: RunContents, fragment, keeps) -> None:  # type: ignore[no-untyped-def]
    page.open(**fragment)
    left = sum(map(keeps, run.records))
    assert 0 < left < len(run.records)
    assert page.text("#count") == f"{left} of {len(run.records)} trials"


def test_an_address_brings_back_filters_cell_and_trial(page: Page, run: RunContents) -> None:
    cell = scored(grid_of(run.records, READER, "topk"))
    page.click("[data-facet=strategy] summary")
    page.click("[data-facet=strategy] label", 2)
    page.wait("document.querySelector('[data-facet=strategy].chosen')")
    open_cell(page, cell, strategy="topk")
    page.click("#drawer .list button", 1)
    wanted = sorted(members(run, cell, READER, "topk"), key=lambda one: one.case_id)[1]
    page.wait_for_trial(wanted.trial_id)
    address, title = page.browser.current_url, page.text("#drawer-title")
    page.browser.get("about:blank")
    page.browser.get(address)
    page.wait_for_trial(wanted.trial_id)
    assert page.text("#drawer-title") == title
    assert page.text("[data-facet=strategy] .says") == "topk"
    assert len(page.texts(".cell.open")) == 1


def test_back_and_forward(page: Page, run: RunContents) -> None:
    cell = scored(grid_of(run.records, READER, "lc"))
    open_cell(page, cell)
    page.click("#drawer-close")
    page.wait("document.getElementById('drawer').hidden")
    page.browser.back()
    page.wait("document.querySelector('#drawer:not([hidden]) .trial')")
    page.browser.back()
    page.wait("document.getElementById('drawer').hidden && !document.querySelector('.cell.open')")
    page.browser.forward()
    page.wait("document.querySelector('#drawer:not([hidden]) .trial')")


def test_an_address_that_names_nothing_shows_the_whole(page: Page, run: RunContents) -> None:
    page.open(reader="nobody", trial="none", cell="x")
    assert page.text("#count") == f"{len(run.records)} trials"
    assert page.complaints() == []
