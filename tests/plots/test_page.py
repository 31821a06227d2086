"""The page in a real browser: its measures, and what a model wrote is text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.support.ui import WebDriverWait

from niah.plots.report import report_frame
from niah.runs.file.read import read_run
from tests.contract.conftest import LAMP, answering, run_niah, write
from tests.contract.conftest import chrome as chrome
from tests.plots.simulated_run import Size, write_run

_OPEN = """
    const done = arguments[1];
    location.hash = "trial=" + arguments[0];
    setTimeout(() => done(document.querySelector(".answer")?.textContent), 400);
"""
_MEASURES = """
    const count = (selector) => document.querySelectorAll(selector).length;
    return {
      height: document.documentElement.scrollHeight, words: document.body.innerText.split(/\\s+/).length,
      figures: count("#figures .drawn"), first: count("#overview .drawn"), tables: count("#tables table"),
    };
"""
# Texts with a digit whose box reaches beyond the window, on the first three screens.
_CUT_NUMBERS = """
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cut = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const parent = text.parentElement;
      const hidden = !parent.checkVisibility() || parent.closest("script, style, .sr");
      if (hidden || !/\\d/.test(text.data)) continue;
      const range = document.createRange();
      range.selectNode(text);
      const { left, right, top, width } = range.getBoundingClientRect();
      if (width && top < 3 * 844 && (left < 0 || right > 390)) cut.push(text.data);
    }
    return cut;
"""
# The first column of a table of these texts, sorted by its head.
_SORTED = """
    const table = document.body.appendChild(document.createElement("table"));
    table.className = "sortable";
    table.createTHead().insertRow().append(document.createElement("th"));
    const body = table.createTBody();
    for (const text of arguments[0]) body.insertRow().insertCell().textContent = text;
    table.querySelector("th").click();
    return [...body.rows].map((row) => row.textContent);
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of 300 trials over five strategies."""
    folder = tmp_path_factory.mktemp("measures")
    strategies = ("lc", "oracle", "minilm/budget-1000/document", "bm25/top-5/norm", "mixpr")
    lengths, depths = (1000, 2000, 3000, 4000, 6000, 8000), (0, 25, 50, 75, 100)
    size = Size(lengths, depths, strategies=strategies, readers=("simulated",))
    assert write_run(folder / "nine.sqlite", size) == 300
    done = run_niah("report", "nine.sqlite", "--out", "page", cwd=folder)
    assert (done.code, done.out.splitlines()[-1]) == (0, "report   page/index.html")
    assert "not scored" in done.out.splitlines()[0]
    return folder / "page" / "index.html"


def _opened(chrome: Any, page: Path, width: int, height: int) -> None:
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    chrome.get(page.as_uri())
    complete = "return document.documentElement.dataset.complete === ''"
    WebDriverWait(chrome, 60).until(lambda browser: browser.execute_script(complete))


def test_the_page_is_as_long_as_a_person_reads(page: Path, chrome: Any) -> None:
    _opened(chrome, page, 1440, 900)
    measures = chrome.execute_script(_MEASURES)
    most = {"height": 9_000, "words": 2_200, "figures": 6, "first": 2, "tables": 8}
    assert {name: measures[name] for name in most if measures[name] > most[name]} == {}
    assert measures["first"]


def test_no_number_is_beside_a_narrow_window(page: Path, chrome: Any) -> None:
    _opened(chrome, page, 390, 844)
    assert chrome.execute_script("return document.documentElement.scrollWidth") == 390
    assert chrome.execute_script(_CUT_NUMBERS) == []
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize(
    "texts",
    [
        ("2026-11-09", "2026-11-10", "2026-12-01"),
        ("keys@2", "keys@10"),
        ("−1.5", "0", "2", "1,000"),
        ("9 %", "10 %"),
    ],
)
def test_tables_are_sorted_by_what_their_cells_are(page: Path, chrome: Any, texts: tuple[str, ...]) -> None:
    _opened(chrome, page, 1440, 900)
    assert chrome.execute_script(_SORTED, texts[::-1]) == [*texts]


def test_an_answer_without_a_score_is_listed_before_the_right_ones(page: Path, chrome: Any) -> None:
    _opened(chrome, page, 1440, 900)
    chrome.execute_script("for (let i = 0; i < 5; i++) document.getElementById('trials-more').click()")
    badges = "return [...document.querySelectorAll('#trial-rows .badge')].map((badge) => badge.textContent)"
    listed = chrome.execute_script(badges)
    missing = [at for at, text in enumerate(listed) if not text[0].isdigit()]
    assert missing
    assert listed.index("10") > missing[0] > listed.index("1")


def test_what_a_paper_has_comes_first_and_what_is_left_out_is_linked(page: Path) -> None:
    folder = page.parents[1]
    assert run_niah("report", "nine.sqlite", "--reference", "u-niah", "--out", "paper", cwd=folder).code == 0
    text = (folder / "paper" / "index.html").read_text()
    for part, heading in (("figures", 'h3 class="sr"'), ("tables", "summary")):
        named = re.findall(f"<{heading}>(.*?)<", text.partition(f'<section id="{part}">')[2])
        assert named[0].startswith(("u-niah", "Next to published"))
        linked = re.findall(f'<a href="({part}/[^"]*)"', text)
        assert linked
        assert all((folder / "paper" / each).exists() for each in linked)


def test_runs_of_one_name_in_two_folders_are_told_apart(page: Path) -> None:
    run = read_run(page.parents[1] / "nine.sqlite")
    frame = report_frame([run, replace(run, path=Path("old/nine.sqlite"))])
    assert frame["reader"].iloc[-1] == "simulated (old/nine)"
    assert frame["reader"].value_counts().tolist() == [300, 300]


def test_nothing_that_a_model_wrote_is_run(tmp_path: Path, chrome: Any) -> None:
    """Answers that try to become more than text. Each would set ``window.pwned``, were it ever run."""
    answers = cycle((Path(__file__).parents[1] / "data" / "hostile.txt").read_text().splitlines())
    write(tmp_path / "needles" / "lamp.yaml", LAMP)
    with answering(m=lambda prompt: next(answers)) as endpoint:
        readers = [{"model": "m", "api_base": endpoint.base}]
        grid = {"haystacks": ["essays"], "lengths": [512], "depths": [0, 50], "seeds": list(range(1, 14))}
        config = {**grid, "needle_sets": ["needles/lamp.yaml"], "readers": readers, "strategies": ["lc"]}
        write(tmp_path / "runs" / "h.yaml", json.dumps(config))
        done = run_niah("run", "h", cwd=tmp_path)
    assert (done.code, (tmp_path / "plots" / "h" / "tables").exists()) == (0, False), done.err
    chrome.get((tmp_path / "plots" / "h" / "index.html").as_uri())
    chrome.set_script_timeout(20)
    for row in run_niah("export", "h", cwd=tmp_path).rows[:8]:
        assert chrome.execute_async_script(_OPEN, row["trial_id"]) == row["answer"]
    foreign = "return document.querySelectorAll('#drawer :is(script, img, svg, iframe, a, style)').length"
    assert chrome.execute_script(foreign) == 0
    assert chrome.execute_script("return window.pwned === undefined")
    asked = "return performance.getEntriesByType('resource').map((each) => each.name)"
    assert [name for name in chrome.execute_script(asked) if name.startswith("http")] == []
