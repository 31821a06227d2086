"""The report in a real browser, by the keyboard alone."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from tests.plots.html.pages import Page


def test_keys(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.press("/")
    assert page.focused("id") == "query"
    page.press(*"topk")
    page.wait("document.querySelectorAll('.panel:not([hidden])').length && location.hash === '#q=topk'")
    page.press(Keys.ESCAPE)
    assert page.focused("id") != "query"
    page.press("?")
    assert page.run("return document.getElementById('help').open")
    page.press(Keys.ESCAPE)
    page.wait("!document.getElementById('help').open")

    page.run("document.querySelector('.cell').focus()")
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert page.focused("cell")["length"] == 1
    assert page.focused("cell")["depth"] == 1
    page.press(Keys.ARROW_RIGHT)  # there is nothing further right
    assert page.focused("cell")["length"] == 1
    assert page.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.press(Keys.ENTER)
    page.wait("document.querySelector('#drawer .trial')")
    assert page.focused("id") == "drawer-title"
    first = page.run("return document.querySelector('.trial').dataset.trial")
    page.press("j")
    page.wait("document.querySelector('.trial').dataset.trial !== arguments[0]", first)
    page.press("k")
    page.wait_for_trial(first)
    page.press(Keys.ESCAPE)
    page.wait("document.getElementById('drawer').hidden")
    assert page.focused("cell")["length"] == 1


def test_one_cell_of_each_grid_is_in_the_tab_order(page: Page) -> None:
    grids = "[...document.querySelectorAll('.grid')]"
    assert (
        page.run(f"return {grids}.map((one) => one.querySelectorAll('[tabindex=\"0\"]').length)") == [1] * 6
    )
    assert page.run("return document.querySelectorAll('.grid:not([role=grid])').length") == 0
    assert page.run("return document.querySelectorAll('.cell:not([aria-label])').length") == 0
