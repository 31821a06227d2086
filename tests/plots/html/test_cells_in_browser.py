"""The report in a real browser: cells, their trials, and what each trial shows."""

from __future__ import annotations

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from niah.analysis.cells import cells
from niah.analysis.frame import trial_frame
from niah.runs.file.read_model import RunContents
from tests.plots.html.browsing import READER, grid_of, members, open_cell, says, scored
from tests.plots.html.pages import Page


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


def test_what_the_rules_cannot_decide_is_said_of_the_trial(page: Page, run: RunContents) -> None:
    open_question = next(record for record in run.records if record.unsure)
    page.open_trial(open_question.trial_id)
    says = f"rubric is unsure: half of a name stands there ({open_question.score:g} to 10)."
    assert page.texts("#drawer .unsure") == [says]
    decided = next(record for record in run.records if record.outcome == "scored" and not record.unsure)
    page.open_trial(decided.trial_id)
    assert page.texts("#drawer .unsure") == []
