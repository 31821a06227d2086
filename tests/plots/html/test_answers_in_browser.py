"""What a page answers at first sight, and how one gets from there to the trial that shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("selenium", reason="selenium is not installed: the report is not tested in a browser")

from niah.analysis.causes.causes import causes
from niah.analysis.frame import trial_frame
from niah.analysis.tables.registry import report_tables
from niah.plots.html import page_figure, page_parts, write_report_page
from niah.plots.kit.labels import mean_label
from niah.plots.kit.saved_figure import SavedFigure
from niah.plots.verdicts import Banner
from niah.runs.file.night_record import NightEntry, record_night
from niah.runs.file.read_model import RunContents
from tests.plots.html.conftest import TABLE, page_of
from tests.plots.html.pages import Page
from tests.plots.html.planted_run import CROSSOVER, LENGTHS, STRATEGIES

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100">
<rect width="200" height="100" style="fill: #ffffff"/><text style="fill: #1f2328">n</text>
<text style="fill: #1f2329">on a bright cell</text></svg>"""


@pytest.fixture(scope="module")
def answers(planted: RunContents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the planted run, with one figure."""
    folder = tmp_path_factory.mktemp("answers")
    svg = folder / "figure.svg"
    svg.write_text(SVG)
    figure = SavedFigure(
        "error-types", "Error types", "Shares.", "Errors", svg, svg, replace(TABLE, name="error-types")
    )
    frame = trial_frame(planted.records, planted.samples)
    tables = report_tables(frame, planted.samples)
    return write_report_page(
        folder / "plots", "planted", page_parts([planted], frame, tables=tables), [page_figure(figure)]
    )


def test_a_red_night_says_since_when_and_a_whole_run_that_all_is_scored(
    planted: RunContents, tmp_path: Path
) -> None:
    before = "nightly-2026-11-17"
    for day, entry in (
        (18, NightEntry(verdict="no regression", compared_with=before, accepted="by itself")),
        (19, NightEntry(verdict="regression", compared_with=before)),
    ):
        record_night(tmp_path, "nightly", date(2026, 11, day), entry)
    scored = [each for each in planted.records if each.outcome == "scored"]
    run = replace(planted, path=tmp_path / "nightly-2026-11-19.sqlite", records=scored)
    parts = page_parts([run], trial_frame(run.records, run.samples))
    banner = Banner("regression", "2026-11-19: regression", (), ())
    said = write_report_page(tmp_path / "plots", "nightly", parts, [], banner).read_text()
    assert f"worse than {before} since 2026-11-19; niah history --name nightly" in said
    assert said.count("<dt>Not scored</dt><dd>none.</dd>") == 2


@pytest.fixture
def page(chrome: Chrome, answers: Path) -> Iterator[Page]:
    page = Page(chrome, answers)
    page.emulate(1440, 900)
    page.open()
    yield page
    page.run("localStorage.clear()")


def card(page: Page, reader: int, selector: str) -> list[str]:
    return page.texts(f".verdict:nth-of-type({reader + 1}) {selector}")


def rectangle(page: Page, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.run(
        "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector
    )
    return found


def test_the_first_screen_answers_for_every_reader(page: Page) -> None:
    (finding,) = card(page, 0, ".finding")
    assert finding.startswith("Full context falls behind dos from 16k tokens on, by 4.4 (95 %: ")
    (advice,) = card(page, 0, ".advice")
    assert "Send everything up to 8k and what dos retrieves from 16k on: mean " in advice
    assert " USD) a question" in advice
    assert card(page, 0, ".sides tbody th") == ["2k", "4k", "8k", "16k", "32k"]
    assert card(page, 0, ".sides tbody .send") == ["everything"] * 3 + ["retrieval"] * 2
    assert card(page, 0, ".sides tbody td:nth-child(6)")[-1] == "32.8k · 0.082"
    assert card(page, 0, ".facts dt") == [
        *("Best overall", "Blind spots", "Why", "Ceiling"),
        *("Too uncertain to say", "Not scored", "It took"),
    ]
    (readers,) = page.texts("#overview .readers")
    assert readers.startswith("steady is not clearly ahead of falls: +0.4 (95 %: ")
    assert "each with its best strategy: steady 9." in readers
    assert " prompt tokens" in page.text(".top .quiet")
    assert card(page, 1, ".finding")[0].startswith(
        "Full context is ahead of dos, the best retrieval, over all lengths up to 32k"
    )
    assert "Send everything up to 32k" in card(page, 1, ".advice")[0]
    for place in (1, 2):
        assert rectangle(page, f".verdict:nth-of-type({place})")["bottom"] < 900
    assert page.run("return document.querySelectorAll('.verdicts .more-right').length") == 0


def test_the_weakest_cell_is_one_click_away(page: Page, planted: RunContents) -> None:
    link = page.texts(".verdict:first-of-type .facts a").index(
        next(text for text in card(page, 0, ".facts a") if "16k, depth 50 %" in text and ": 1." in text)
    )
    page.click(".verdict:first-of-type .facts a", link)
    page.wait("document.querySelector('#drawer .trial')")
    assert page.text("#drawer-title") == "full context · 16k · 50 %"
    assert page.text("#drawer-inside [role=status]") == "falls · 10 trials"


@pytest.mark.parametrize(("strategy", "length"), [("lc", LENGTHS[0]), ("dos", LENGTHS[-1])])
def test_the_drawer_lies_over_the_page_and_not_over_the_cell(page: Page, strategy: str, length: int) -> None:
    selector = page.cell("falls", strategy, length, 50)
    page.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
    before = rectangle(page, selector)
    page.click(selector)
    page.wait("document.querySelector('#drawer .trial')")
    cell, drawer = rectangle(page, selector), rectangle(page, "#drawer")
    assert cell == before
    assert cell["right"] <= drawer["left"] or drawer["right"] <= cell["left"]


def test_a_trial_tells_its_cause_and_how_the_case_went_otherwise(page: Page, planted: RunContents) -> None:
    why = causes(trial_frame(planted.records, planted.samples), planted.samples)
    lost = next(
        record
        for record in planted.records
        if record.strategy == "lc"
        and record.trial_id in why
        and why[record.trial_id].kind == "lost in context"
    )
    page.open_trial(lost.trial_id)
    assert page.text(".trial .cause").startswith(
        "lost in context: the reader names it from the needles alone"
    )
    twins = {
        record.strategy: record
        for record in planted.records
        if (record.case_id, record.reader) == (lost.case_id, lost.reader)
    }
    told = dict(zip(page.texts(".twins .name"), page.texts(".twins .badge"), strict=True))
    assert told == {
        "full context" if name == "lc" else name: f"{record.score:g}" if record.score else record.outcome
        for name, record in twins.items()
    }
    assert len(told) == len(STRATEGIES)
    page.click(".twins button", list(told).index("oracle"))
    page.wait_for_trial(twins["oracle"].trial_id)
    assert page.text("#drawer-title").startswith("oracle · ")
    assert page.text(".twins [aria-current] .name") == "oracle"


def test_causes_can_be_looked_for(page: Page, planted: RunContents) -> None:
    why = causes(trial_frame(planted.records, planted.samples), planted.samples)
    lost = {trial_id for trial_id, cause in why.items() if cause.kind == "lost in context"}
    page.open(cause="lost in context")
    assert page.text("#count") == f"{len(lost)} of {len(planted.records):,} trials"
    longest = page.run("return document.querySelector('#trial-rows tbody tr').textContent")
    assert "full context" in longest
    assert {r.context_length >= CROSSOVER for r in planted.records if r.trial_id in lost} >= {True}


def picture(page: Page) -> list[Any]:
    """Of the pictures that are seen: their class and what they are drawn with."""
    seen: list[Any] = page.run(
        """return [...document.querySelectorAll('.drawn img')]
          .filter((one) => getComputedStyle(one).display !== 'none')
          .map((one) => [one.className, atob(one.src.split(',')[1])])"""
    )
    return seen


def test_figures_follow_the_theme_and_paper_stays_light(page: Page) -> None:
    ((kind, svg),) = picture(page)
    assert (kind, svg) == ("light", SVG)
    page.press("t")
    page.wait("document.querySelector('img.dark')?.complete")
    ((kind, svg),) = picture(page)
    assert kind == "dark"
    assert "#ffffff" not in svg
    assert "#1f2328" not in svg
    assert "#1f2329" in svg  # ink on a colour that stays
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    ((kind, _),) = picture(page)
    assert kind == "light"
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_long_name_leaves_room_for_the_answers(
    chrome: Chrome, planted: RunContents, tmp_path: Path
) -> None:
    name = "bm25/budget-250/document@100"
    records = [
        replace(each, strategy=name if each.strategy == "dos" else each.strategy) for each in planted.records
    ]
    page = Page(chrome, page_of(tmp_path, "long", [replace(planted, records=records)]))
    page.emulate(1440, 900)
    page.open()
    assert page.run("return document.querySelectorAll('.verdicts .more-right').length") == 0
    assert card(page, 0, ".sides thead th") == [
        *("length", "mean score", "lead of retrieval (95 %)", "send", "prompt tokens · USD a question"),
        *("full context", "retrieval") * 2,
    ]
    page.emulate(390, 844)
    page.open()
    assert rectangle(page, ".sides tbody td.send")["left"] < 390
    assert (
        max(
            rectangle(page, f".sides tbody {row} td:nth-child(4)")["right"] for row in ("tr", "tr:last-child")
        )
        < 390
    )


def test_a_phone_hints_at_what_stands_further_right(page: Page) -> None:
    page.emulate(390, 844)
    page.open()
    page.wait("document.querySelector('.sides').parentNode.classList.contains('more-right')")
    before = page.run(
        "return getComputedStyle(document.querySelector('.scroll.more-right'), '::before').content"
    )
    assert before.startswith('"more to the right')
    page.run("const node = document.querySelector('.sides').parentNode; node.scrollLeft = node.scrollWidth")
    page.wait("!document.querySelector('.sides').parentNode.classList.contains('more-right')")
    page.wait("document.querySelector('.drawn .enlarge').classList.contains('more-right')")
    assert page.run("return document.documentElement.scrollWidth") == 390


def test_the_first_screen_says_since_when(page: Page) -> None:
    page.emulate(1440, 900)
    page.open()
    assert page.text(".since").startswith("Since when one run, no history; niah nightly asks")
    bottom = "return document.querySelector('.since').getBoundingClientRect().bottom"
    assert page.run(bottom) < page.run(
        "return document.querySelector('.finding').getBoundingClientRect().top"
    )


@pytest.mark.parametrize(
    ("size", "tallest"),
    [
        ((600, 450), "370px"),  # a little over half a page: two of them shall share one
        ((1380, 900), "370px"),  # as tall, once it is as narrow as the page
        ((600, 900), ""),  # nearly a page: half of it could not be read
    ],
)
def test_two_figures_share_a_page_of_paper(page: Page, size: tuple[int, int], tallest: str) -> None:
    image = "document.querySelector('.drawn img.light')"
    page.run(f"{image}.setAttribute('width', {size[0]}); {image}.setAttribute('height', {size[1]})")
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert page.run(f"return {image}.style.getPropertyValue('--tallest')") == tallest
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.run(f"return {image}.style.getPropertyValue('--tallest')") == ""


def test_paper_gets_whole_tables_and_every_column(page: Page) -> None:
    rows = "[...document.querySelectorAll('#tables tbody tr')].length"
    short = page.run(f"return {rows}")
    page.emulate(703, 1000)  # what of A4 is between the margins
    page.run("dispatchEvent(new Event('beforeprint'))")
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    whole = page.run(f"return {rows}")
    clipped = page.run(
        """return [...document.querySelectorAll('.scroll > table')].filter((table) =>
             table.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
             .map((table) => [table.className, table.getBoundingClientRect().right])"""
    )
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    page.run("dispatchEvent(new Event('afterprint'))")
    assert clipped == []
    assert whole > short
    assert page.run(f"return {rows}") == short
    assert page.run("return document.querySelectorAll('#tables .more').length") > 0


def test_figures_follow_the_filters_where_they_can_and_say_where_they_cannot(
    page: Page, planted: RunContents
) -> None:
    page.open(set="pizza-ingredients", reader="falls")
    assert page.run("return document.querySelectorAll('.drawn.follows .live').length") == 1
    assert page.run("return document.querySelector('.drawn.follows .enlarge').checkVisibility()") is False
    own = [
        record
        for record in planted.records
        if (record.needle_set, record.reader, record.strategy) == ("pizza-ingredients", "falls", "lc")
        and record.error_type
    ]
    count = sum(record.error_type == "missing_only" for record in own)
    titles = page.run(
        """const row = [...document.querySelectorAll('.bar-row')]
             .find((one) => one.querySelector('.name').textContent === 'full context');
           return [...row.querySelectorAll('.piece')].map((one) => one.title)"""
    )
    assert f"missing only: {round(100 * count / len(own))} % ({count} of {len(own)})" in titles
    assert page.texts(".live h4") == ["falls"]
    page.click("#clear")
    page.wait("document.querySelector('.drawn .enlarge').checkVisibility()")
    assert page.run("return document.querySelectorAll('.drawn.follows, .drawn.of-whole').length") == 0


def test_lines_follow_the_filters_and_are_as_wide_as_the_page(
    chrome: Chrome, planted: RunContents, tmp_path: Path
) -> None:
    svg = tmp_path / "figure.svg"
    svg.write_text(SVG)
    figures = [
        SavedFigure(name, name, "", "Scores", svg, svg, replace(TABLE, name=name))
        for name in ("score-by-length", "score-by-depth--falls", "effective-length", "outcomes")
    ]
    frame = trial_frame(planted.records, planted.samples)
    page = Page(
        chrome,
        write_report_page(
            tmp_path / "plots", "lines", page_parts([planted], frame), list(map(page_figure, figures))
        ),
    )
    for width in (1440, 390):
        page.emulate(width, 900)
        page.open(set="rainbow-potion", strategy="lc")
        scores = [
            fmean(
                record.score
                for record in planted.records
                if (record.needle_set, record.strategy, record.reader, record.context_length)
                == ("rainbow-potion", "lc", "falls", length)
                and record.score
            )
            for length in LENGTHS
        ]
        says = page.run("return document.querySelector('.chart').getAttribute('aria-label')")
        means = ", ".join(mean_label(score) for score in scores)
        assert says == f"mean score over context length (tokens): full context {means}"
        assert page.texts(".drawn:nth-of-type(2) .live h4") == ["falls"]
        assert page.texts(".drawn.of-whole h3") == ["effective-length"]
        shares = page.texts(".outcome-map td.piece")
        lacking = Counter(
            (record.reader, record.context_length)
            for record in planted.records
            if (record.needle_set, record.strategy) == ("rainbow-potion", "lc") and record.outcome != "scored"
        )
        assert sorted(map(int, shares)) == sorted(round(100 * n / 15) for n in lacking.values())
        inside = "[...document.querySelectorAll('.chart')].every((one) => one.getBoundingClientRect().right"
        assert page.run(f"return {inside} <= innerWidth)")
        assert page.run("return document.documentElement.scrollWidth") <= width
    assert page.complaints() == []
