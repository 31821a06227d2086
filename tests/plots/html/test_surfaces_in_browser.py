"""The report in a real browser: in the dark, on a phone, on paper."""

from __future__ import annotations

import base64

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from niah.runs.file.read_model import RunContents
from tests.plots.html.browsing import READER, grid_of, open_cell, scored
from tests.plots.html.pages import Page


def background(page: Page) -> str:
    told: str = page.run("return getComputedStyle(document.body).backgroundColor")
    return told


def test_dark_and_light(page: Page) -> None:
    light = background(page)
    assert light == "rgb(255, 255, 255)"
    page.emulate(1400, 1000, dark=True)
    dark = background(page)
    assert dark != light
    page.click("#theme")
    assert background(page) == light
    page.open()
    assert background(page) == light
    page.press("t")
    assert background(page) == dark


def test_a_phone_scrolls_in_one_direction_only(page: Page, run: RunContents) -> None:
    page.emulate(360, 780)
    page.open()
    assert page.run("return document.documentElement.scrollWidth") == 360
    open_cell(page, scored(grid_of(run.records, READER, "topk")), strategy="topk")
    assert page.run("return document.documentElement.scrollWidth") == 360
    assert page.run("return document.getElementById('drawer').getBoundingClientRect().width") == 360
    inside = page.run(
        "const node = document.getElementById('drawer-inside'); return [node.scrollWidth, node.clientWidth]"
    )
    assert inside[0] == inside[1]


def test_paper_gets_everything_that_is_open(page: Page, run: RunContents) -> None:
    open_cell(page, scored(grid_of(run.records, READER, "topk")), strategy="topk")
    page.run(
        "document.querySelector('#method details').open = false; dispatchEvent(new Event('beforeprint'))"
    )
    assert page.run("return [...document.querySelectorAll('details:not(.facet)')].every((node) => node.open)")
    page.run("dispatchEvent(new Event('afterprint'))")
    assert not page.run("return document.querySelector('#method details').open")
    pdf = base64.b64decode(page.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") > 2
