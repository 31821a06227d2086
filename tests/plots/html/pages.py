"""What a person does with the report, for tests: open, click, press keys, read."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_PATIENCE_S = 120


class Page:
    """One report in one browser."""

    def __init__(self, browser: Chrome, path: Path) -> None:
        self.browser = browser
        self.address = path.as_uri()

    def emulate(self, width: int, height: int, *, dark: bool = False) -> None:
        """A screen of that size, whose owner likes it dark or light."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def open(self, **fragment: str) -> None:
        """Load the report anew, at a fragment, and wait until all of it is there."""
        self.browser.get("about:blank")
        self._log("browser")
        self._log("performance")
        self.browser.get(f"{self.address}#{urlencode(fragment)}")
        self.wait("'complete' in document.documentElement.dataset")

    def _log(self, kind: str) -> list[dict[str, Any]]:
        page_trials: list[dict[str, Any]] = self.browser.get_log(kind)  # type: ignore[no-untyped-call]
        return page_trials

    def run(self, script: str, *arguments: Any) -> Any:
        """JavaScript in the page."""
        return self.browser.execute_script(script, *arguments)

    def wait(self, condition: str, *arguments: Any) -> None:
        """Until a JavaScript expression holds."""
        end = time.monotonic() + _PATIENCE_S
        while not self.run(f"return Boolean({condition})", *arguments):
            assert time.monotonic() < end, f"never came true: {condition}"
            time.sleep(0.02)

    def texts(self, selector: str) -> list[str]:
        """The text of everything that the selector finds; spaces at which no line breaks are spaces."""
        found: list[str] = self.run(
            "return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)", selector
        )
        return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]

    def text(self, selector: str) -> str:
        """The text of what the selector finds first."""
        return self.texts(selector)[0]

    def click(self, selector: str, place: int = 0) -> None:
        """With the mouse, where it is."""
        node = self.run("return document.querySelectorAll(arguments[0])[arguments[1]]", selector, place)
        self.run("arguments[0].scrollIntoView({block: 'center'})", node)
        node.click()

    def press(self, *keys: str) -> None:
        """Keys, one after the other, wherever the focus is."""
        from selenium.webdriver import ActionChains

        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()

    def focused(self, what: str) -> Any:
        """A property of the focused element."""
        return self.run("return document.activeElement[arguments[0]]", what)

    def cell(self, reader: str, strategy: str, length: int, depth: float) -> str:
        """A selector of one heatmap cell."""
        found: bool = self.run(
            """
            const [reader, strategy, length, depth] = arguments;
            document.querySelector(".marked-by-test")?.classList.remove("marked-by-test");
            for (const section of document.querySelectorAll(".reader")) {
              if (section.querySelector("h3").textContent !== reader) continue;
              for (const panel of section.querySelectorAll(".panel")) {
                if (panel.querySelector("h4").textContent !== strategy) continue;
                const columns = [...panel.querySelectorAll("thead th")].map((node) => node.textContent);
                for (const row of panel.querySelectorAll("tbody tr")) {
                  if (row.firstChild.textContent === `${depth} %`) {
                    row.children[columns.indexOf(length)].classList.add("marked-by-test");
                    return true;
                  }
                }
              }
            }
            return false;
            """,
            reader,
            spoken(strategy),
            f"{length // 1024}k" if length >= 1024 else str(length),
            depth,
        )
        assert found
        return ".marked-by-test"

    def open_trial(self, trial_id: str) -> None:
        """By its address, and wait for it."""
        self.run("location.hash = arguments[0]", urlencode({"trial": trial_id}))
        self.wait_for_trial(trial_id)

    def wait_for_trial(self, trial_id: str) -> None:
        self.wait("document.querySelector('.trial')?.dataset.trial === arguments[0]", trial_id)

    def complaints(self) -> list[str]:
        """What the browser logged since the page was opened."""
        return [entry["message"] for entry in self._log("browser")]

    def requests(self) -> list[str]:
        """Addresses that the page asked for since it was opened."""
        events = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]
