"""Of three readers and more the first screen has a row each, and their cards follow."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from niah.runs.file.read_model import RunContents
from tests.plots.html.conftest import page_of
from tests.plots.html.pages import Page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

WINDOW = 8192


@pytest.fixture(scope="module")
def page(chrome: Chrome, planted: RunContents, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The two planted readers, one with too small a window, and one of which the oracle alone was asked."""
    falls = [record for record in planted.records if record.reader == "falls"]
    small = [
        replace(record, outcome="overflow", score=None)
        if record.strategy == "lc" and record.context_length > WINDOW
        else record
        for record in falls
    ]
    small = [replace(each, reader="small-window", trial_id=f"small-{each.trial_id}") for each in small]
    level = [
        replace(each, reader="with-all", trial_id=f"all-{each.trial_id}", outcome="scored", score=7)
        for each in falls
        if each.strategy == "oracle"
    ]
    run = replace(planted, records=[*planted.records, *small, *level])
    page = Page(chrome, page_of(tmp_path_factory.mktemp("many"), "many", [run]))
    page.emulate(1440, 900)
    page.open()
    return page


def cells(page: Page, reader: int) -> list[str]:
    return page.texts(f".every-reader tbody tr:nth-of-type({reader + 1}) > *")


def test_every_reader_has_a_row_with_the_answer(page: Page) -> None:
    name, behind, lead, send, takes = cells(page, 0)
    assert (name, behind, send) == ("falls", "from 16k on", "everything up to 8k, dos from 16k on")
    assert lead.startswith("dos +4.4 (")
    assert takes == "4.0k · 0.01"
    assert cells(page, 1)[1] == "nowhere up to 8k"
    assert cells(page, 1)[3].endswith("; dos at 16k, 32k")
    name, behind, lead, send, _ = cells(page, 2)
    assert (name, behind, send) == ("steady", "nowhere up to 32k", "everything")
    assert cells(page, 3) == ["with-all", *["–"] * 4]
    assert page.run("return document.querySelector('.every-reader').getBoundingClientRect().bottom") < 450


def test_a_row_leads_to_the_card(page: Page) -> None:
    page.click(".every-reader button", 2)
    page.wait("document.activeElement.id === 'reader-1-3'")
    assert page.text(":focus h3") == "steady"


def test_a_count_that_all_cells_have_is_said_once(page: Page) -> None:
    assert page.texts("#panels .reader:last-of-type .says") == ["mean 7.0 · n = 150, 10 a cell"]
    shown = "return getComputedStyle(document.querySelector(arguments[0] + ' .cell i')).display"
    assert page.run(shown, "#panels .reader:last-of-type") == "none"
    assert page.run(shown, "#panels .reader:first-of-type") == "block"


@pytest.mark.parametrize("width", [1280, 1440, 1920])
def test_cards_show_prices_on_every_screen(page: Page, width: int) -> None:
    page.emulate(width, 900)
    page.open()
    assert page.run("return document.querySelectorAll('.verdicts .more-right').length") == 0
    assert page.complaints() == []


def test_rows_are_a_line_each_on_a_phone(page: Page) -> None:
    page.emulate(390, 844)
    page.open()
    heights = page.run(
        "return [...document.querySelectorAll('.every-reader tr')].map((row) => row.offsetHeight)"
    )
    assert max(heights) < 40
    assert page.run("return document.documentElement.scrollWidth") == 390
