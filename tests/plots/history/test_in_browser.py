"""The page in a real browser: pointing, keys, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from niah.analysis.nights.trends import Trend
from niah.plots.history.page import write_history_page

pytest.importorskip("selenium", reason="selenium is not installed: the page is not tested in a browser")

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="module")
def address(eventful: list[Trend], tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_history_page(tmp_path_factory.mktemp("page"), "nightly", eventful, []).as_uri()


@pytest.fixture
def page(chrome: Chrome, address: str) -> Chrome:
    """The page, freshly opened on a desktop in the light."""
    emulate(chrome, 1200, 900)
    opened(chrome, address)
    return chrome


def emulate(chrome: Chrome, width: int, height: int) -> None:
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    light = {"features": [{"name": "prefers-color-scheme", "value": "light"}]}
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", light)


def opened(chrome: Chrome, address: str) -> None:
    chrome.get("about:blank")
    chrome.get_log("browser")  # type: ignore[no-untyped-call]
    chrome.get(address)


def js(chrome: Chrome, expression: str) -> Any:
    return chrome.execute_script(f"return {expression}")


def press(chrome: Chrome, *keys: str) -> None:
    ActionChains(chrome).send_keys(*keys).perform()


def focused(chrome: Chrome) -> str:
    return str(js(chrome, "document.activeElement.getAttribute('aria-label')"))


def says(chrome: Chrome, place: int) -> str:
    return str(js(chrome, f"document.querySelectorAll('.says')[{place}].textContent"))


def test_pointing_says_the_numbers(page: Chrome) -> None:
    hit = page.execute_script("return document.querySelectorAll('.chart')[1].querySelectorAll('.hit')[0]")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", hit)
    ActionChains(page).move_to_element(hit).perform()
    assert says(page, 1).startswith("2026-11-01 · 7.80 (")
    assert says(page, 0).startswith("2026-11-22 ")


def test_keys_go_from_night_to_night_and_chart_to_chart(page: Chrome) -> None:
    page.execute_script("document.querySelector('.hit[tabindex=\"0\"]').focus()")
    press(page, Keys.ARROW_LEFT)
    assert focused(page).startswith("2026-11-21 · ")
    press(page, Keys.HOME)
    press(page, Keys.ARROW_LEFT)
    assert focused(page).startswith("2026-11-01 · ")
    press(page, Keys.ARROW_DOWN)
    assert says(page, 1).startswith("2026-11-01 · ")
    press(page, Keys.END)
    assert focused(page).startswith("2026-11-22 · ")
    # One stop of Tab in each chart, wherever the arrows went.
    assert js(page, "document.querySelectorAll('.hit[tabindex=\"0\"]').length") == 2


def test_light_and_dark(page: Chrome) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    line = "getComputedStyle(document.querySelector('.chart .line')).stroke"
    assert (js(page, paper), js(page, line)) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
    press(page, "t")
    assert (js(page, paper), js(page, line)) == ("rgb(20, 23, 26)", "rgb(228, 231, 234)")
    assert js(page, "document.getElementById('theme').getAttribute('aria-pressed')") == "true"


def test_a_phone_shows_the_last_nights_and_does_not_scroll_sideways(page: Chrome, address: str) -> None:
    emulate(page, 390, 800)
    opened(page, address)
    assert js(page, "document.documentElement.scrollWidth") == 390
    assert js(page, "document.querySelector('.pan').scrollLeft") > 0


def hinted(chrome: Chrome) -> list[bool]:
    """Of every table and chart that scrolls, whether it says so."""
    found: list[bool] = chrome.execute_script(
        "return [...document.querySelectorAll('.scroll, .pan')]"
        ".filter((node) => node.scrollWidth > node.clientWidth + 2)"
        ".map((node) => getComputedStyle(node, '::before').content !== 'none')"
    )
    return found


def test_what_is_wider_than_the_screen_says_so(page: Chrome, address: str) -> None:
    for width in (720, 390):
        emulate(page, width, 800)
        opened(page, address)
        assert js(page, "document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert hinted(page)
        assert all(hinted(page))


def test_paper_gets_whole_tables(page: Chrome) -> None:
    page.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert js(page, "[...document.querySelectorAll('details')].every((node) => node.open)")
    fit = "one.scrollWidth * one.style.getPropertyValue('--fit')"
    assert max(js(page, f"[...document.querySelectorAll('.scroll > table')].map((one) => {fit})")) <= 691
    page.execute_script("dispatchEvent(new Event('afterprint'))")
    assert not js(page, "document.querySelector('details').open")


def test_the_browser_has_nothing_to_complain_of(page: Chrome) -> None:
    assert page.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_hostile_names_do_not_run(chrome: Chrome, hostile: Path) -> None:
    emulate(chrome, 1200, 900)
    opened(chrome, hostile.as_uri())
    assert js(chrome, "window.pwned") is None
    assert js(chrome, "document.querySelectorAll('img, b > b').length") == 0
    assert chrome.get_log("browser") == []  # type: ignore[no-untyped-call]
