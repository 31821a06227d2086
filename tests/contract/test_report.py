"""What a run leaves to look at: the export, tables, heatmaps, error patterns, and the page in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import niah
from tests.contract.conftest import LAMP, answering, read_closely, run_niah, write
from tests.loopback import Reply, completion

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

_RAG = "bm25/top-5/document@100"
_KEYS = """\
question: What are the codes of the boat house, the mill and the tower?
answer: The boat house has 51704, the mill 62915 and the tower 73826.
needles:
  - {text: The code of the boat house is 51704., elements: ["51704"]}
  - {text: The code of the mill is 62915., elements: ["62915"]}
  - {text: The code of the tower is 73826., elements: ["73826"]}
elements: [{name: "51704"}, {name: "62915"}, {name: "73826"}]
"""
_SUITE = """\
haystacks: [essays]
needle_sets: [needles/lamp.yaml, needles/keys.yaml]
lengths: [512, 1024, 1536]
depths: [0, 50, 100]
seeds: [1, 2, 3]
"""

# Of the export, as design 6 has them.
_COLUMNS = """
    trial_id, case_id, needle_set, haystack, context_length, depth, seed, strategy, reader, repeat, outcome,
    score, judge_scores, missing, wrong, error_type, answer, prompt_tokens, completion_tokens, cached_tokens,
    cost, latency_s, retrieval_completeness, noise_ratio, needle_ranks, context_tokens
"""


def _blind(prompt: str) -> str | Reply:
    """Reads all codes; in a long prompt none in its middle, and where they begin early the answer is cut."""
    found = re.finditer(r"The code of the [a-z ]+ is \d{5}", prompt)
    codes = [(match.start() / len(prompt), match[0]) for match in found]
    where = codes[0][0] if codes else 1.0
    if len(prompt.split()) < 950 or where > 0.7:
        return "; ".join(code for _, code in codes) or "I do not know."
    return "I do not know." if where > 0.3 else Reply(completion(codes[0][1], finish_reason="length"))


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run that is blind in the middle of 1,536 tokens, its export and its report."""
    folder = tmp_path_factory.mktemp("planted")
    write(folder / "needles" / "lamp.yaml", LAMP)
    write(folder / "needles" / "keys.yaml", _KEYS)
    write(folder / "cases" / "codes.yaml", _SUITE)
    with answering(m=_blind) as endpoint:
        readers = [{"model": "m", "api_base": endpoint.base}]
        config = {"suite": "cases/codes.yaml", "readers": readers, "strategies": ["lc", _RAG]}
        write(folder / "runs" / "planted.yaml", json.dumps(config))
        for command in ("run planted", "export planted --out trials.csv", "report planted --out page"):
            done = run_niah(*command.split(), cwd=folder)
            assert done.code == 0, done.err
    return folder


@pytest.fixture(scope="module")
def trials(work: Path) -> pd.DataFrame:
    """The run's export, as pandas reads it."""
    return pd.read_csv(work / "trials.csv", keep_default_na=False, na_values=[""])


def test_the_export_has_the_documented_columns_and_what_was_planted(work: Path, trials: pd.DataFrame) -> None:
    rows = run_niah("export", "planted", cwd=work).rows
    assert len(rows) == 2 * 3 * 3 * 3 * 2
    assert [row["trial_id"] for row in rows] == trials["trial_id"].tolist()
    assert trials["trial_id"].is_unique
    columns = set(_COLUMNS.replace(",", " ").split())
    assert columns <= set(trials.columns)
    for row in rows:
        assert columns <= set(row)
        whole = row["strategy"] == "lc" and row["context_length"] == 1536
        keys = ["48213"] if "lamp" in row["needle_set"] else ["51704", "62915", "73826"]
        if whole and row["depth"] == 0:
            assert (row["outcome"], row["score"]) == ("truncated", None)
        elif whole and row["depth"] == 50:
            assert (row["outcome"], row["score"], row["missing"]) == ("scored", 1, keys)
        else:
            assert row["outcome"] == "scored"
            assert row["score"] == 10 or row["strategy"] == _RAG


def test_the_report_has_a_page_figures_and_tables(work: Path, trials: pd.DataFrame) -> None:
    assert (work / "page" / "index.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    figures, tables = work / "page" / "figures", work / "page" / "tables"
    assert (figures / "heatmaps.png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.parse(figures / "heatmaps.svg").getroot().tag.endswith("svg")
    drawn = [{path.stem for path in figures.glob(f"*.{ending}")} for ending in ("svg", "png", "csv")]
    assert drawn[0] == drawn[1] == drawn[2]
    assert {path.stem for path in tables.glob("*.md")} == {path.stem for path in tables.glob("*.csv")}
    for row in pd.read_csv(tables / "outcomes.csv").to_dict("records"):
        counts = trials[trials["strategy"] == row["strategy"]]["outcome"].value_counts().to_dict()
        assert {name: row[name] for name in ("trials", *counts)} == {"trials": 54, **counts}


@pytest.mark.parametrize(
    ("file", "keys", "counts"),
    [
        ("figures/heatmaps", ["strategy", "context_length", "depth"], ["n", "trials"]),
        ("tables/mean-scores", ["reader", "strategy"], ["n", "not_scored"]),
        ("tables/scores-by-length", ["reader", "strategy", "length"], ["n", "not_scored"]),
    ],
)
def test_a_file_has_the_numbers_of_the_export_and_a_gap_where_nothing_was_scored(
    work: Path, trials: pd.DataFrame, file: str, keys: list[str], counts: list[str]
) -> None:
    scores = trials.assign(length=trials["context_length"]).groupby(keys)["score"]
    wanted = pd.DataFrame({"mean": scores.mean(), "n": scores.count(), "trials": scores.size()})
    wanted["not_scored"] = wanted["trials"] - wanted["n"]
    got = pd.read_csv(work / "page" / f"{file}.csv").set_index(keys)
    assert (got["mean"].isna() == (got["n"] == 0)).all()
    columns = ["mean", *counts]
    pd.testing.assert_frame_equal(got.sort_index()[columns], wanted[columns].sort_index(), check_dtype=False)
    if "depth" in keys:
        (gap,) = got[got["mean"].isna()].reset_index()[keys].to_numpy().tolist()
        assert gap == ["lc", 1536, 0]
    if "low" in got:
        assert ((got["low"] <= got["mean"]) & (got["mean"] <= got["high"])).all()


def _short_sighted(prompt: str) -> str:
    """Reads to three quarters of the prompt."""
    return read_closely(prompt) if prompt.find("lamp room") < 0.75 * len(prompt) else "I do not know."


def _confused(prompt: str) -> str:
    """Reads three passages of 100 tokens, and not four: no more than 240 words."""
    return read_closely(prompt) if len(prompt.split()) < 240 else "It may be 11111 or 22222."


_NOISE = ["oracle+noise-0.3", "oracle+noise-0.5", "oracle+noise-0.75"]


@pytest.mark.parametrize(
    "planted",
    [
        (_short_sighted, [0, 50, 100], ["lc"], "position", 50, 100),
        (_confused, [50], _NOISE, "noise", 0.5, 0.75),
        (read_closely, [0, 50, 100], ["lc"], None, 0, 0),
        (read_closely, [50], _NOISE, None, 0, 0),
    ],
)
def test_a_planted_error_pattern_is_found_and_nothing_else(
    folder: Path, lamp: Path, monkeypatch: pytest.MonkeyPatch, planted: tuple[Any, ...]
) -> None:
    model, depths, strategies, pattern, least, most = planted
    monkeypatch.chdir(folder)
    with answering(m=model) as endpoint:
        readers = [{"model": "m", "api_base": endpoint.base}]
        grid: Any = {"lengths": [1536], "depths": depths, "seeds": range(1, 13), "strategies": strategies}
        run = niah.run("single", needle_sets=["needles/lamp.yaml"], readers=readers, out="x.sqlite", **grid)
    table = run.table("error-patterns")
    found = table[table.isin(["found"]).any(axis=1)]
    assert len(table)
    assert found.empty == (not pattern)
    if pattern:
        assert found["pattern"].str.contains(pattern).all()
        assert least < found.iloc[0]["threshold"] < most


# The page promises two hooks: a heatmap's cells are `.cell`, and a trial opens in `#drawer`.
_SAID = "parseFloat((cell.firstElementChild ?? cell).textContent)"
_CELLS = "[...document.querySelectorAll('.cell')]"

# Each table of cells: by depth what its cells say first, None where that is no number.
_HEATMAPS = f"""
    return [...new Set({_CELLS}.map((cell) => cell.closest("table")))].map((table) =>
      [...table.querySelectorAll("tr:has(.cell)")].map((row) => [
        parseFloat(row.firstElementChild.textContent),
        ...[...row.querySelectorAll(".cell")].map((cell) => Number.isNaN({_SAID}) ? null : {_SAID}),
      ]));
"""


@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_shows_the_export_and_opens_a_trial(
    work: Path, trials: pd.DataFrame, chrome: Chrome, width: int
) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    waiting = WebDriverWait(chrome, 60)
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    chrome.get("about:blank")
    chrome.get_log("browser")  # type: ignore[no-untyped-call]
    chrome.get((work / "page" / "index.html").as_uri())
    waiting.until(lambda page: page.execute_script(f"return {_CELLS}.length >= 18"))
    edges = f"[document.documentElement.scrollWidth, ...{_CELLS}.map((c) => c.getBoundingClientRect().right)]"
    assert max(chrome.execute_script(f"return {edges}")) <= width
    shown = chrome.execute_script(_HEATMAPS)
    for strategy in ("lc", _RAG):
        means = trials[trials["strategy"] == strategy].pivot_table(
            "score", "depth", "context_length", aggfunc="mean", dropna=False
        )
        assert (
            means.round(1).reset_index().astype(object).replace({np.nan: None}).to_numpy().tolist() in shown
        )
    # The only cells that say 1 are the planted ones.
    chrome.execute_script(f"{_CELLS}.find((cell) => {_SAID} === 1).scrollIntoView({{block: 'center'}})")
    chrome.execute_script(f"return {_CELLS}.find((cell) => {_SAID} === 1)").click()
    drawer = "return document.querySelector('#drawer')?.innerText ?? ''"
    waiting.until(lambda page: "I do not know." in page.execute_script(drawer))
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert chrome.get_log("browser") == []  # type: ignore[no-untyped-call]
