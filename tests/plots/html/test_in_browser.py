"""The report in a real browser: what people click, press, read, print and save."""

from __future__ import annotations

import base64
import csv
import io
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from selenium.common.exceptions import WebDriverException

from niah.analysis.cells import Cell, Grid, cells
from niah.analysis.frame import trial_frame
from niah.plots.kit.labels import mean_label
from niah.runs.file.read_model import RunContents
from niah.runs.trial import TrialRecord
from tests.plots.html.conftest import TABLE, page_of
from tests.plots.html.hostile import HOSTILE, HOSTILE_NAME
from tests.plots.html.pages import Page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

READER = "simulated-a"


def grid_of(records: Sequence[TrialRecord], reader: str, strategy: str) -> Grid:
    return next(
        grid for grid in cells(trial_frame(records)) if (grid.reader, grid.strategy) == (reader, strategy)
    )


def scored(grid: Grid) -> Cell:
    return next(cell for cell in grid.cells if cell.mean is not None)


def says(cell: Cell) -> list[str]:
    """What a scored cell shows: its mean, and n (of all)."""
    assert cell.mean is not None
    return [mean_label(cell.mean), f"{cell.n}/{cell.trials}" if cell.partial else str(cell.n)]


def members(run: RunContents, cell: Cell, reader: str, strategy: str) -> list[TrialRecord]:
    return [
        record
        for record in run.records
        if (record.reader, record.strategy, record.context_length, record.depth)
        == (reader, strategy, cell.context_length, cell.depth)
    ]


def open_cell(page: Page, cell: Cell, reader: str = READER, strategy: str = "lc") -> None:
    page.click(page.cell(reader, strategy, cell.context_length, cell.depth))
    page.wait("document.querySelector('#drawer .trial')")


def test_every_cell_shows_its_mean_and_n(page: Page, run: RunContents) -> None:
    for grid in cells(trial_frame(run.records)):
        for cell in grid.cells:
            selector = page.cell(grid.reader, grid.strategy, cell.context_length, cell.depth)
            missing = page.run(f"return document.querySelector('{selector}').classList.contains('missing')")
            assert missing == (cell.mean is None)
            if cell.mean is not None:
                assert page.texts(f"{selector} > *") == says(cell)
    assert sum(len(grid.cells) for grid in cells(trial_frame(run.records))) == len(page.texts(".cell"))


def test_a_cell_without_any_score_is_hatched_and_has_no_colour(page: Page, run: RunContents) -> None:
    page.run("location.hash = 'set=ferry-lanterns'")
    page.wait("document.querySelector('.facet.chosen')")
    lone = [record for record in run.records if record.needle_set == "ferry-lanterns"]
    empty = [(grid, cell) for grid in cells(trial_frame(lone)) for cell in grid.cells if cell.mean is None]
    assert empty
    for grid, cell in empty:
        selector = page.cell(grid.reader, grid.strategy, cell.context_length, cell.depth)
        script = f"const style = getComputedStyle(document.querySelector('{selector}'));"
        assert "repeating-linear-gradient" in page.run(f"{script} return style.backgroundImage")
        assert page.run(f"return document.querySelector('{selector}').style.background") == ""


def test_a_click_on_a_cell_shows_its_trials(page: Page, run: RunContents) -> None:
    cell = scored(grid_of(run.records, READER, "topk"))
    open_cell(page, cell, strategy="topk")
    trials = members(run, cell, READER, "topk")
    assert len(page.texts("#drawer .list li")) == len(trials) == 2
    for place, record in enumerate(sorted(trials, key=lambda one: one.case_id)):
        page.click("#drawer .list button", place)
        page.wait_for_trial(record.trial_id)
        assert page.text("#drawer .answer") == record.answer
        assert [text[2:] for text in page.texts(".chips li")] == [
            f"{kind} {name}"
            for kind in ("found", "missing", "wrong")
            for name in getattr(record.verdicts[0], kind)
        ]
        assert record.verdicts[0].reason in page.texts("#drawer table td")
        assert "0.0012 USD" in page.text("dl.numbers")


def test_retrieved_chunks_come_with_their_needles_marked(page: Page, run: RunContents) -> None:
    record = next(
        record
        for record in run.records
        if record.needle_ranks and all(record.needle_ranks) and record.needle_set == "pizza-ingredients"
    )
    page.open_trial(record.trial_id)
    assert len(page.texts(".chunks li")) >= len(set(filter(None, record.needle_ranks or ())))
    marked = page.texts(".chunks mark.needle")
    assert any("figs" in text.lower() for text in marked)
    assert page.texts(".strip .needle") == [""] * len(record.needle_ranks or ())


def test_found_elements_are_marked_in_the_answer_in_words_too(page: Page, run: RunContents) -> None:
    record = next(r for r in run.records if r.score == 10 and r.needle_set == "pizza-ingredients")
    page.open_trial(record.trial_id)
    marked = {text.lower() for text in page.texts(".answer mark.found")}
    assert {"figs", "prosciutto", "goat cheese"} <= marked
    assert page.run("return document.querySelector('.answer mark.found').title").startswith("found: ")


def test_a_needle_set_alone_has_its_own_means(page: Page, run: RunContents) -> None:
    page.click("[data-facet=set] summary")
    page.click("[data-facet=set] label", 1)
    page.wait("document.querySelector('[data-facet=set].chosen')")
    chosen = [record for record in run.records if record.needle_set == "pizza-ingredients"]
    assert page.text("#count") == f"{len(chosen)} of {len(run.records)} trials"
    for grid in cells(trial_frame(chosen)):
        for cell in grid.cells:
            if cell.mean is not None:
                selector = page.cell(grid.reader, grid.strategy, cell.context_length, cell.depth)
                assert page.texts(f"{selector} > *") == says(cell)


def test_an_error_type_shows_the_share_that_has_it(page: Page, run: RunContents) -> None:
    page.open(error="missing_only")
    grid = grid_of(run.records, READER, "bm25/top-5/norm")
    for cell in grid.cells:
        trials = members(run, cell, READER, grid.strategy)
        hits = sum(record.error_type == "missing_only" for record in trials)
        selector = page.cell(READER, grid.strategy, cell.context_length, cell.depth)
        assert page.texts(f"{selector} > *") == [f"{100 * hits / len(trials):.0f}", str(hits)]
    assert "0 %" in page.text("#legend")


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


def test_what_the_rules_cannot_decide_is_said_of_the_trial(page: Page, run: RunContents) -> None:
    open_question = next(record for record in run.records if record.unsure)
    page.open_trial(open_question.trial_id)
    says = f"rubric is unsure: half of a name stands there ({open_question.score:g} to 10)."
    assert page.texts("#drawer .unsure") == [says]
    decided = next(record for record in run.records if record.outcome == "scored" and not record.unsure)
    page.open_trial(decided.trial_id)
    assert page.texts("#drawer .unsure") == []


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


def test_a_figure_shows_its_numbers_and_grows(page: Page) -> None:
    page.click(".drawn .numbers")
    assert page.texts(".drawn .under tbody tr td:nth-child(3)") == ["4", "30", "7", "10"]
    page.click(".enlarge")
    assert page.texts(".drawn.large h3") == [f"Score by length {HOSTILE_NAME}"]


def test_figures_are_shown_by_chapter(page: Page) -> None:
    assert page.texts(".chapter h2") == ["Scores", "Errors"]
    page.wait("[...document.querySelectorAll('.drawn img')].every((image) => image.complete)")
    widths = page.run(
        "return [...document.querySelectorAll('.drawn img')].map((image) => image.naturalWidth)"
    )
    assert widths == [200] * 3


def test_a_table_is_sorted_by_its_columns(page: Page) -> None:
    page.click("#tables th button", 1)
    assert page.texts("#tables tbody tr td:nth-child(2)") == ["0.50", "0.25", "0.13", "–"]
    page.click("#tables th button", 1)
    assert page.texts("#tables tbody tr td:nth-child(2)") == ["0.13", "0.25", "0.50", "–"]
    assert (
        page.run("return document.querySelectorAll('#tables th')[1].getAttribute('aria-sort')") == "ascending"
    )


def saved(page: Page, chrome: Chrome, folder: Path, selector: str, name: str) -> list[dict[str, str]]:
    chrome.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    page.click(selector)
    path = folder / name
    end = time.monotonic() + 30
    while not (path.exists() and path.stat().st_size):
        assert time.monotonic() < end, f"{name} was never saved"
        time.sleep(0.02)
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode())))


def test_every_number_can_be_saved(page: Page, chrome: Chrome, run: RunContents, tmp_path: Path) -> None:
    rows = saved(page, chrome, tmp_path, "#heatmaps-csv", "heatmaps.csv")
    expected = [
        (
            grid.reader,
            grid.strategy,
            str(cell.context_length),
            cell.mean,
            str(cell.n),
            str(cell.outcomes["refused"]),
        )
        for grid in cells(trial_frame(run.records))
        for cell in grid.cells
    ]
    told = [
        (
            row["reader"],
            row["strategy"],
            row["context_length"],
            float(row["mean"]) if row["mean"] else None,
            row["n"],
            row["refused"],
        )
        for row in rows
    ]
    assert sorted(told, key=str) == sorted(expected, key=str)

    rows = saved(page, chrome, tmp_path, ".drawn .csv", "win-rates.csv")
    assert [row["n"] for row in rows] == [str(row[2]) for row in TABLE.rows]
    assert [row["win rate"] for row in rows] == ["0.25", "0.125", "", "0.5"]
    assert [row["strategy"] for row in rows] == [HOSTILE_NAME, "'=SUM(1)", "lc", 'a "b", c']

    rows = saved(page, chrome, tmp_path, "#trials-csv", "trials.csv")
    assert {row["trial_id"] for row in rows} == {record.trial_id for record in run.records}


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


def test_two_runs_stay_apart(chrome: Chrome, run: RunContents, tmp_path: Path) -> None:
    from dataclasses import replace

    again = [replace(record, reason=f"last night {record.reason}") for record in run.records]
    other = replace(run, path=Path("last night.sqlite"), records=again)
    page = Page(chrome, page_of(tmp_path, "two nights", [other, run]))
    page.emulate(1400, 1000)
    page.open()
    assert page.texts("[data-facet=run] .name") == ["last night", "simulated"]
    assert page.texts(".reader h3")[0].endswith("· last night")
    assert len(page.texts(".cell")) == 2 * sum(len(grid.cells) for grid in cells(trial_frame(run.records)))
    # Both nights have the same trials; an address means one of them.
    for place, reason in ((0, ["last night "]), (-1, [])):
        page.run(f"[...document.querySelectorAll('.panel')].at({place}).querySelectorAll('.cell')[0].click()")
        page.wait("document.querySelector('.trial')?.isConnected")
        page.click("#drawer .list button", 1)
        page.wait("location.hash.includes('trial=')")
        address = page.browser.current_url
        page.browser.get("about:blank")
        page.browser.get(address)
        page.wait("document.querySelector('.trial')")
        assert [text[:11] for text in page.texts(".trial .reason")] == reason


def test_a_row_of_a_given_question_says_what_was_asked(
    chrome: Chrome, given: RunContents, run: RunContents, tmp_path: Path
) -> None:
    page = Page(chrome, page_of(tmp_path, "given", [given]))
    page.emulate(1400, 1000)
    page.open()
    heads = [head.rstrip(" ↑↓") for head in page.texts("#trial-rows thead th")]
    place = heads.index("question") + 1
    page.click(f"#trial-rows th:nth-child({place}) button")
    asked = page.texts(f"#trial-rows td:nth-child({place})")
    assert asked[0] == "q0: Which word is number 0?"
    assert asked == sorted(asked)
    page.run(
        "const box = document.getElementById('query'); box.value = 'number 5?';"
        " box.dispatchEvent(new Event('input'))"
    )
    page.wait("document.querySelectorAll('#trial-rows tbody tr').length === 3")
    assert set(page.texts(f"#trial-rows td:nth-child({place})")) == {"q5: Which word is number 5?"}
    rows = saved(page, chrome, tmp_path, "#trials-csv", "trials.csv")
    assert {row["question"] for row in rows} == {"q5: Which word is number 5?"}
    assert page.complaints() == []

    page = Page(chrome, page_of(tmp_path, "planted", [run]))
    page.open()
    assert "question" not in [head.rstrip(" ↑↓") for head in page.texts("#trial-rows thead th")]


def test_a_given_question_shows_its_options_answers_and_document(
    chrome: Chrome, given: RunContents, tmp_path: Path
) -> None:
    page = Page(chrome, page_of(tmp_path, "given", [given]))
    page.emulate(1400, 1000)
    page.open()
    assert page.texts("[data-facet] summary .title") == [
        "Strategy ", "Kind ", "Source ", "Document ", "Outcome ", "Cause "
    ]  # fmt: skip
    # A metric says how far an answer is from right, not what is wrong with it: no types to choose among.
    assert page.texts(".grid tbody th[scope=row]") == ["–"] * len(page.texts(".panel"))
    choice = next(r for r in given.records if r.outcome == "scored" and given.samples[r.case_id].key.options)
    page.open_trial(choice.trial_id)
    assert page.texts(".options li") == ["stone", f"{choice.answer.partition(',')[0]} ✓ right", "river"]
    told = dict(zip(page.texts("#drawer .numbers dt"), page.texts("#drawer .numbers dd"), strict=True))
    assert told["question set"] == "mine"
    assert told["licence"] == "CC0-1.0"
    assert "seed" not in page.text(".trial .head")
    free = next(r for r in given.records if r.score == 7.75 and not given.samples[r.case_id].key.options)
    page.open_trial(free.trial_id)
    assert page.text(".trial .badge") == "7.8"
    assert len(page.texts(".reference .said")) == 2
    assert page.complaints() == []
