"""The page of a run under way in a real browser."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Thread
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the pages are not tested in a browser")

from niah.api.viewing.server import view_server
from niah.runs.file.store import open_for_writing
from tests.plots.html.conftest import chrome as chrome
from tests.plots.html.pages import Page
from tests.plots.html.planted_run import begin, planted_result, planted_trials

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def test_a_page_follows_its_run_and_a_folder_puts_two_side_by_side(chrome: Chrome, tmp_path: Path) -> None:
    trials, rng = planted_trials((2048, 4096))[:48], Random(1)
    other = tmp_path / "other.sqlite"
    with open_for_writing(other) as store:
        begin(store, trials)
        store.commit([(trial, planted_result(rng, trial)) for trial in trials])
    with open_for_writing(tmp_path / "now.sqlite") as store, ExitStack() as serving:
        begin(store, trials)
        store.commit([(trial, planted_result(rng, trial)) for trial in trials[:10]])
        server = serving.enter_context(view_server(tmp_path, 0))
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        page = Page(chrome, other)
        page.address = f"http://127.0.0.1:{server.server_port}/runs/now"
        page.emulate(1440, 900)
        page.open(strategy="oracle")
        assert page.text(".top .quiet").startswith("10 of 48 trials")
        store.commit([(trial, planted_result(rng, trial)) for trial in trials[10:30]])
        page.wait("document.querySelector('.top .quiet')?.textContent.startsWith('30 of 48 trials')")
        page.wait("document.querySelector('[data-facet=strategy].chosen')")  # filters outlive it
        # Who reads a trial is not disturbed.
        page.click("#trial-rows tbody button")
        page.wait("document.querySelector('#drawer .trial')")
        store.commit([(trial, planted_result(rng, trial)) for trial in trials[30:]])
        page.wait("document.querySelector('#live button')")
        page.click("#live button")
        page.wait("document.querySelector('.top .quiet')?.textContent.startsWith('48 trials')")
        page.wait("document.querySelector('#drawer .trial')")
        assert page.complaints() == []

        page.browser.get(f"http://127.0.0.1:{server.server_port}/")
        assert sorted(page.texts("tbody th")) == ["now", "other"]
        for place in (0, 1):
            page.click("input[type=checkbox]", place)
        page.click("form button")
        page.wait("document.documentElement.dataset.complete !== undefined")
        assert page.texts("#overview .run") == ["other", "now"]
        assert page.text("#banner h2").startswith("now against other: ")
        assert page.complaints() == []
        server.shutdown()
        serving.close()
        page.wait("document.getElementById('live').textContent.startsWith('niah view has ended')")
