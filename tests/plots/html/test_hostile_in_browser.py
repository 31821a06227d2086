"""The report in a real browser: nothing that a model wrote is run, and nothing leaves the page."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from selenium.common.exceptions import WebDriverException

from niah.runs.file.read_model import RunContents
from tests.plots.html.browsing import READER, grid_of, open_cell, scored
from tests.plots.html.hostile import HOSTILE, HOSTILE_NAME
from tests.plots.html.pages import Page


def test_nothing_hostile_is_run_and_all_of_it_is_shown(page: Page, run: RunContents) -> None:
    assert len(HOSTILE) >= 30
    by_answer = {record.answer: record for record in run.records}
    for answer in HOSTILE:
        page.open_trial(by_answer[answer].trial_id)
        assert page.run("return document.querySelector('.answer').textContent === arguments[0]", answer)
    assert (
        page.run(
            "return document.querySelectorAll('#drawer :is(script, img, svg, iframe, a, style, link)').length"
        )
        == 0
    )
    assert HOSTILE_NAME in page.texts(".reader h3")
    assert HOSTILE_NAME in page.texts("#tables td")
    assert page.text("h1") == f"nightly {HOSTILE_NAME}"
    assert page.browser.title == f"nightly {HOSTILE_NAME}"
    assert page.run("return window.pwned") is None
    assert page.complaints() == []


@pytest.mark.parametrize(
    "script",
    [
        "document.body.innerHTML = '<b>x</b>'",
        "document.body.setAttribute('onclick', 'window.pwned = 1')",
        "document.createElement('script').text = 'window.pwned = 1'",
    ],
)
def test_the_policy_refuses_markup_and_code_from_strings(page: Page, script: str) -> None:
    with pytest.raises(WebDriverException, match=r"Trusted|Content Security Policy"):
        page.run(script)
    assert page.run("return window.pwned") is None


def test_nothing_leaves_the_page(page: Page, run: RunContents) -> None:
    open_cell(page, scored(grid_of(run.records, READER, "topk")), strategy="topk")
    page.click(".numbers")
    addresses = page.requests()
    assert [one for one in addresses if not one.startswith(("file:", "data:", "blob:"))] == []
    assert sum(one.startswith("file:") for one in addresses) == 1
    assert page.complaints() == []
