"""From the history to the trial behind a regression, as a person clicks: in a real browser."""

from __future__ import annotations

import shutil
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from niah.cli.main import main
from tests.api.month import ask_both, day_of, write_night_of
from tests.api.nights import Nights
from tests.conftest import simulating
from tests.plots.html.pages import Page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a good night, a bad one, and another."""
    folder = tmp_path_factory.mktemp("nights")
    with simulating() as server, chdir(folder):
        nights = Nights(server)
        good, bad = ask_both(nights)
        for day, source in ((18, good), (19, bad), (20, bad)):
            write_night_of(source, nights.path(day_of(day)), day)
            assert main(["nightly", "night.yaml", "--date", day_of(day)]) == int(source == bad)
        assert main(["history"]) == 0
    return folder / "plots" / "history" / "index.html"


@pytest.fixture
def page(chrome: Chrome, history: Path) -> Page:
    """The history, freshly opened."""
    opened = Page(chrome, history)
    opened.emulate(1200, 900)
    chrome.get("about:blank")
    chrome.get(opened.address)
    return opened


def arrived(page: Page, day: int) -> dict[str, list[str]]:
    """Wait for the page of a night; returns what its address says."""
    page.wait("'complete' in document.documentElement.dataset")
    parts = urlsplit(page.browser.current_url)
    assert parts.path.endswith(f"/plots/night-{day_of(day)}/index.html")
    return parse_qs(parts.fragment)


def test_one_click_leads_to_the_trial_that_fell_most(page: Page) -> None:
    hits = page.browser.find_elements("css selector", ".chart:first-of-type .hit")
    page.run("arguments[0].scrollIntoView({block: 'center'})", hits[1])
    assert page.run("return document.querySelectorAll('.chart .red').length") == 2  # of full context alone
    hits[1].click()
    said = arrived(page, 19)
    assert said["strategy"] == ["lc"]
    page.wait("document.querySelector('#drawer:not([hidden]) .trial')")
    assert page.run("return document.getElementById('drawer').dataset.trial") == said["trial"][0]
    assert page.text("#drawer-title").startswith("full context")
    assert page.text("#banner h2") == "2026-11-19: regression"


def test_the_first_thing_said_is_since_when(page: Page) -> None:
    assert page.text(".alarm h2") == "night: regression since 2026-11-19"
    assert not page.texts(".calm")
    page.click(".alarm h2 a")
    assert "trial" in arrived(page, 19)


def test_a_later_night_names_the_first_and_its_own_culprit(page: Page) -> None:
    page.run("document.querySelector('.hit[tabindex=\"0\"]').focus()")
    page.press("\ue007")  # Enter, on the last night
    assert "trial" in arrived(page, 20)
    assert page.text("#banner h2") == "2026-11-20: regression since 2026-11-19"
    page.press("\ue00c")  # Escape closes the drawer
    page.wait("document.getElementById('drawer').hidden")
    page.click("#banner .culprit")
    page.wait("document.querySelector('#drawer:not([hidden]) .trial')")


def test_a_finger_sees_a_night_before_it_opens_it(page: Page) -> None:
    tap = (
        "const hit = document.querySelectorAll('.hit')[1];"
        "const tap = new PointerEvent('click', {bubbles: true, cancelable: true, pointerType: 'touch'});"
        "hit.querySelector('rect').dispatchEvent(tap);"
        "return tap.defaultPrevented"
    )
    assert page.run(tap)
    assert page.text(".says").startswith("2026-11-19")
    assert not page.run(tap)


def test_a_run_that_stands_well_says_so(chrome: Chrome, history: Path, tmp_path: Path) -> None:
    folder = tmp_path / "nights"
    shutil.copytree(history.parents[2], folder)
    with simulating() as server, chdir(folder):
        nights = Nights(server)
        write_night_of(nights.path(day_of(18)), nights.path(day_of(21)), 21)
        assert main(["nightly", "night.yaml", "--date", day_of(21)]) == 0
        assert main(["history"]) == 0
    opened = Page(chrome, folder / "plots" / "history" / "index.html")
    chrome.get(opened.address)
    assert opened.texts(".calm") == ["night: last night, 2026-11-21, no regression."]
    assert not opened.texts(".alarm")
