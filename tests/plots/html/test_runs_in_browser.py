"""The report in a real browser: of two runs, and of questions over given documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from niah.analysis.cells import cells
from niah.analysis.frame import trial_frame
from niah.runs.file.read_model import RunContents
from tests.plots.html.browsing import saved
from tests.plots.html.conftest import page_of
from tests.plots.html.pages import Page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


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
    # Documents have no depth: no room is kept for one, and cells begin where their title does.
    assert page.texts(".grid tbody th[scope=row]") == []
    apart = page.run(
        "return [...document.querySelectorAll('.panel')].map((panel) =>"
        " Math.abs(panel.querySelector('h4').getBoundingClientRect().left"
        " - panel.querySelector('.cell').getBoundingClientRect().left))"
    )
    assert len(apart) > 1
    assert max(apart) <= 3
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
