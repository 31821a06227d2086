"""What lies in the page, read without a browser."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from niah.analysis.frame import trial_frame
from niah.analysis.tables.table import Table
from niah.cases.case import Case
from niah.cases.sample import Sample
from niah.plots.html import page_parts, write_report_page
from niah.plots.html.blocks import BLOCK_TRIALS, answer_limit, blocks, excerpt_limits
from niah.plots.html.index import PageTrial, page_trials
from niah.plots.html.page import javascript
from niah.plots.html.trial_details import EXCERPT_LIMITS
from niah.plots.kit.theme import score_colour
from niah.plots.verdicts import Banner, Culprit
from niah.runs.file.read_model import RunContents
from tests.plots.html.conftest import drawn, page_of
from tests.plots.html.hostile import HOSTILE, HOSTILE_NAME
from tests.plots.html.unpacking import blocks_of, index_of, inflated, unpacked


def test_the_policy_names_the_one_style_and_the_one_script(report: Path) -> None:
    page = report.read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    told = policy[1].replace("&#39;", "'")
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    for name, text in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in told
    assert told.startswith("default-src 'none'; ")
    assert "unsafe" not in told
    assert "http" not in told


class Tags(HTMLParser):
    """Every tag and attribute of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]


def test_a_nights_verdict_stands_first(run: RunContents, tmp_path: Path) -> None:
    culprit = Culprit(
        f"worse: {HOSTILE_NAME} · lc: 9.00 -> 4.00", "#reader=simulated-a&strategy=lc", "#trial=1"
    )
    told = Banner(
        "regression", "2026-11-22: regression", (culprit,), ("12 of 12 trials scored", "  a detail")
    )
    frame = trial_frame(run.records, run.samples)
    page = write_report_page(tmp_path, "night", page_parts([run], frame), [], told).read_text()
    assert page.index("<h2>2026-11-22: regression</h2>") < page.index('class="verdicts"')
    assert '<a href="#reader=simulated-a&amp;strategy=lc">worse: ' in page
    assert '<a class="culprit" href="#trial=1">' in page
    assert HOSTILE_NAME not in page
    assert "lc: 9.00\N{NO-BREAK SPACE}→ 4.00</a>" in page
    assert '<p class="quiet">a detail</p>' in page


def test_names_are_escaped(report: Path) -> None:
    page = report.read_text()
    assert HOSTILE_NAME not in page
    assert "&lt;img src=x onerror=window.pwned=1&gt;" in page
    told = Tags(page)
    assert told.tags["img"] == 3  # the figures
    assert not told.tags.keys() & {"link", "iframe", "object", "base"}
    assert told.links
    assert all(link.startswith(("#cell=", "#run=")) and "<" not in link for link in told.links)
    assert not any(name.startswith("on") or name in ("src", "style") for name in told.attributes)


def test_the_script_parses_no_text_as_markup() -> None:
    script = javascript()
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "DOMParser"):
        assert forbidden not in script


def test_columns_say_what_records_say(report: Path, run: RunContents) -> None:
    index = index_of(report)
    records = {record.trial_id: record for record in run.records}
    assert sorted(index["ids"]) == sorted(records)
    values = {
        name: np.frombuffer(base64.b64decode(told["data"]), dtype=f"u{int(told['type'][4:-5]) // 8}").tolist()
        for name, told in index["columns"].items()
    }
    names = index["names"]
    for at, trial_id in enumerate(index["ids"]):
        record = records[trial_id]
        assert names["reader"][values["reader"][at]] == record.reader
        assert names["strategy"][values["strategy"][at]] == record.strategy
        assert names["set"][values["set"][at]] == record.needle_set
        assert names["outcome"][values["outcome"][at]] == record.outcome
        assert names["length"][values["length"][at]] == record.context_length
        assert names["depth"][values["depth"][at]] == record.depth
        assert names["case"][values["case"][at]] == record.case_id
        assert values["score"][at] == (record.score or 0)
        assert (names["kind"][values["kind"][at] - 1] if values["kind"][at] else None) == record.kind
        error = values["error"][at]
        assert (names["error"][error - 1] if error else None) == record.error_type


def test_every_answer_is_in_the_blocks(report: Path, run: RunContents) -> None:
    ids = index_of(report)["ids"]
    told = [trial for block in blocks_of(report) for trial in block["trials"]]
    answers = {record.trial_id: record.answer for record in run.records}
    assert [trial["answer"] for trial in told] == [answers[trial_id] for trial_id in ids]
    assert set(HOSTILE) <= {trial["answer"] for trial in told}


def test_blocks_end_with_a_case(run: RunContents) -> None:
    # 300 trials of a case: a block holds two cases, 600 trials.
    (first, *_), cases = page_trials([run]), sorted(run.samples)[:5]
    many = [
        replace(first, record=replace(first.record, case_id=case_id)) for case_id in cases for _ in range(300)
    ]
    assert BLOCK_TRIALS == 400
    told = [(start, unpacked(text)) for start, text in blocks([run], many)]
    assert [start for start, _ in told] == [0, 600, 1200]
    assert [len(block["trials"]) for _, block in told] == [600, 600, 300]
    assert [len(block["samples"]) for _, block in told] == [2, 2, 1]


def with_answers(run: RunContents, lengths: list[int]) -> list[PageTrial]:
    (first, *_) = page_trials([run])
    return [replace(first, record=replace(first.record, answer="x" * length)) for length in lengths]


@pytest.mark.parametrize(
    ("lengths", "room"),
    [
        ([1_000_000] * 10, None),  # 10 MB
        ([1_000_000] * 100, 100_000),  # 100 MB; cut to 100,000 each, 10 MB
        ([5_000] * 5_000 + [1_000_000] * 40, 20_000),  # 25 MB and 40 MB; 29 MB cut to 100,000, 25.8 to 20,000
    ],
)
def test_long_answers_are_cut_where_all_of_them_are_too_much(
    run: RunContents, lengths: list[int], room: int | None
) -> None:
    assert answer_limit(with_answers(run, lengths)) == room


def test_the_number_of_chunks_says_how_much_of_each_is_kept(run: RunContents) -> None:
    (first, *_) = page_trials([run])
    spans = tuple((at, at + 10) for at in range(8))

    def cases(count: int) -> list[PageTrial]:
        record = replace(first.record, needle_ranks=(1,), best=spans)
        return [PageTrial(0, replace(record, case_id=str(at))) for at in range(count)]

    # A case has 8 chunks and 1 needle: 8 x 600 + 2 x 200 = 5,200 characters; 2,200 and so on with less room.
    assert excerpt_limits(cases(100)) == EXCERPT_LIMITS[0]
    assert excerpt_limits(cases(1_900)) == EXCERPT_LIMITS[0]  # 9.9 million
    assert excerpt_limits(cases(2_000)) == EXCERPT_LIMITS[1]  # 10.4 million
    assert excerpt_limits(cases(18_000)) == EXCERPT_LIMITS[-1]  # 10.1 million with 40 and 60


def test_the_palette_is_that_of_the_figures(report: Path) -> None:
    palette = index_of(report)["palette"]
    for shade, score in ((0, 1), (40, 5), (60, 7), (90, 10)):
        red, green, blue, _ = (round(255 * part) for part in score_colour(score))
        assert palette[shade] == f"#{red:02x}{green:02x}{blue:02x}"


def without(trial: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in trial.items() if name not in names}


@pytest.mark.parametrize("made", ["generated", "given"])
def test_a_run_whose_sources_are_gone_has_the_same_page_but_for_contexts(
    made: str, run: RunContents, given: RunContents, tmp_path: Path
) -> None:
    whole = run if made == "generated" else given
    lost = {sample_id: gone(sample, tmp_path) for sample_id, sample in whole.samples.items()}
    before = page_of(tmp_path / "before", "one", [whole])
    after = page_of(tmp_path / "after", "one", [replace(whole, samples=lost)])
    assert index_of(before) == index_of(after)
    for here, there in zip(blocks_of(before), blocks_of(after), strict=True):
        assert here["keys"] == there["keys"]
        assert [without(each, "chunks") for each in here["trials"]] == [
            without(each, "chunks") for each in there["trials"]
        ]
        texts = ("missing", "chars", "around", "chunks")
        assert [without(each, *texts) for each in here["samples"]] == [
            without(each, *texts) for each in there["samples"]
        ]
        assert not any(each["missing"] for each in here["samples"])
        assert all("gone" in each["missing"] for each in there["samples"])
        assert all(trial["chunks"] is None for trial in there["trials"])


def gone(sample: Sample, folder: Path) -> Sample:
    """The sample with a source that is not there."""
    if isinstance(sample.source, Case):
        return replace(sample, source=replace(sample.source, needle_set="gone"))
    return replace(sample, source=replace(sample.source, path=folder / "gone.jsonl"))


def test_given_questions_have_bands_of_length_and_facets_of_their_own(
    given: RunContents, tmp_path: Path
) -> None:
    page = page_of(tmp_path, "given", [given])
    names = index_of(page)["names"]
    assert names["depth"] == [None]
    # Documents of 700, 1,400 and 2,100 sentences, 7 or 8 tokens each.
    assert names["length"] == ["4k–8k", "8k–16k", "16k–32k"] or all("–" in name for name in names["length"])
    assert names["kind"] == ["fact", "reason"]
    assert names["source"] == ["my mail", "my notes"]
    assert names["document"] == ["d0", "d1", "d2"]
    assert index_of(page)["titles"] == {"set": "Question set"}
    assert sorted(index_of(page)["questions"])[0] == "q0: Which word is number 0?"


def test_long_questions_are_cut_to_a_line_and_needles_have_none(
    run: RunContents, given: RunContents, tmp_path: Path
) -> None:
    assert index_of(page_of(tmp_path / "needles", "x", [run]))["questions"] == []
    name, sample = next(iter(given.samples.items()))
    long = replace(sample, key=replace(sample.key, question="Why\n so " + "word " * 40))
    changed = replace(given, samples={**given.samples, name: long})
    questions = index_of(page_of(tmp_path / "both", "x", [run, changed]))["questions"]
    (cut,) = (each for each in questions if "Why" in each)
    assert cut.startswith(f"{sample.key.name}: Why so word word")
    assert cut.endswith("…")
    assert len(cut) < 100
    assert "" in questions


def test_the_same_run_gives_the_same_page(run: RunContents, tmp_path: Path) -> None:
    first, second = (page_of(tmp_path / name, "x", [run]) for name in "ab")
    assert first.read_bytes() == second.read_bytes()


def test_the_overview_says_of_each_run_what_its_own_page_says(run: RunContents, tmp_path: Path) -> None:
    worse = [replace(one, score=1.0 if one.outcome == "scored" else None) for one in run.records]
    nights = [run, replace(run, path=Path("tuesday.sqlite"), records=worse)]
    alone = [overview_of(page_of(tmp_path / night.name, "x", [night])) for night in nights]
    together = overview_of(page_of(tmp_path / "both", "x", nights))
    assert alone[0] != alone[1]
    assert together == alone[0] + alone[1]


def overview_of(page: Path) -> list[str]:
    """What the page says of each reader, one after the other."""
    return re.findall(r'<article class="verdict"[^>]*>(.*?)</article>', page.read_text(), re.DOTALL)


def test_notes_call_columns_as_heads_do_and_wide_figures_stand_across_the_page(
    run: RunContents, tmp_path: Path
) -> None:
    note = Table("means", "Means", ("mean", "low_other_sets"), ((1.0, 2.0),), "low_other_sets: of others.")
    figures = [drawn(tmp_path, "Scores", name) for name in ("narrow", "wide")]
    figures[1].svg.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 300"/>')
    page = page_of(tmp_path / "page", "one", [run], figures, [note]).read_text()
    assert "low other sets: of others." in page
    assert re.findall(r'<figure class="([^"]*)"', page) == ["drawn", "drawn wide"]
    assert 'width="1200" height="400"' in page  # pixels, of points


def test_a_title_that_the_page_says_is_cut_off_the_drawing(run: RunContents, tmp_path: Path) -> None:
    figure = drawn(tmp_path, "Scores", "narrow")
    figure.svg.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300pt" height="150pt" viewBox="0 0 300 150"/>'
    )
    page = page_of(tmp_path / "page", "one", [run], [replace(figure, title_points=30.0)]).read_text()
    assert 'width="400" height="160"' in page
    (svg,) = re.findall(r'<script type="application/octet-stream">([^<]*)</script>\s*</figure>', page)
    assert b'width="300pt" height="120pt" viewBox="0 30 300 120"' in inflated(svg)
