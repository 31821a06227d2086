"""What a run leaves to look at: the export, tables, heatmaps, error patterns, and the page in a browser."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
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
_CODE = re.compile(r"The code of the [a-z ]+ is \d{5}")

# Of the export, as design 6 has them.
_COLUMNS = """
    trial_id, case_id, needle_set, haystack, context_length, depth, seed, strategy, reader, repeat, outcome,
    score, judge_scores, missing, wrong, error_type, answer, prompt_tokens, completion_tokens, cached_tokens,
    cost, latency_s, retrieval_completeness, noise_ratio, needle_ranks, context_tokens
"""


def blind(prompt: str) -> str | Reply:
    """Reads all codes; in a long prompt none in its middle, and where they begin early the answer is cut."""
    codes = [(match.start() / len(prompt), match[0]) for match in _CODE.finditer(prompt)]
    where = codes[0][0] if codes else 1.0
    if len(prompt.split()) < 950 or where > 0.7:
        return "; ".join(code for _, code in codes) or "I do not know."
    if where > 0.3:
        return "I do not know."
    return Reply(completion(codes[0][1], finish_reason="length"))


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run that is blind in the middle of 1,536 tokens, its export and its report."""
    folder = tmp_path_factory.mktemp("planted")
    write(folder / "needles" / "lamp.yaml", LAMP)
    write(folder / "needles" / "keys.yaml", _KEYS)
    write(folder / "cases" / "codes.yaml", _SUITE)
    with answering(m=blind) as endpoint:
        config = {
            "suite": "cases/codes.yaml",
            "readers": [{"model": "m", "api_base": endpoint.base}],
            "strategies": ["lc", _RAG],
        }
        write(folder / "runs" / "planted.yaml", json.dumps(config))
        for command in ("run planted", "export planted --out trials.csv", "report planted --out page"):
            done = run_niah(*command.split(), cwd=folder)
            assert done.code == 0, done.err
    return folder


@pytest.fixture(scope="module")
def trials(work: Path) -> pd.DataFrame:
    """The run's export, as pandas reads it."""
    return pd.read_csv(work / "trials.csv", keep_default_na=False, na_values=[""])


def test_the_export_has_the_documented_columns(work: Path, trials: pd.DataFrame) -> None:
    columns = set(_COLUMNS.replace(",", " ").split())
    rows = run_niah("export", "planted", cwd=work).rows
    assert len(rows) == len(trials) == 2 * 3 * 3 * 3 * 2
    for row in rows:
        assert columns <= set(row)
    assert columns <= set(trials.columns)
    assert [row["trial_id"] for row in rows] == trials["trial_id"].tolist()
    assert trials["trial_id"].is_unique


def test_the_export_says_what_was_planted(work: Path, trials: pd.DataFrame) -> None:
    rows = pd.DataFrame(run_niah("export", "planted", cwd=work).rows)
    long = rows[(rows["strategy"] == "lc") & (rows["context_length"] == 1536)]
    assert set(long[long["depth"] == 50]["score"]) == {1}
    assert set(long[long["depth"] == 100]["score"]) == {10}
    cut = long[long["depth"] == 0]
    assert set(cut["outcome"]) == {"truncated"}
    assert cut["score"].isna().all()
    rest = rows.drop(long.index)
    assert set(rest["outcome"]) == {"scored"}
    assert set(rest[rest["strategy"] == "lc"]["score"]) == {10}
    wrong = long[long["depth"] == 50].iloc[0]
    assert wrong["missing"] == (["48213"] if "lamp" in wrong["needle_set"] else ["51704", "62915", "73826"])
    assert trials["score"].isna().sum() == len(cut) == 6


def test_the_report_has_a_page_figures_and_tables(work: Path) -> None:
    page = (work / "page" / "index.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    drawn = work / "page" / "figures" / "heatmaps.csv"
    assert drawn.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.parse(drawn.with_suffix(".svg")).getroot().tag.endswith("svg")
    pictures = {path.stem for path in drawn.parent.glob("*.svg")}
    for ending in ("png", "csv"):
        assert {path.stem for path in drawn.parent.glob(f"*.{ending}")} == pictures
    tables = work / "page" / "tables"
    assert {path.stem for path in tables.glob("*.md")} == {path.stem for path in tables.glob("*.csv")}


def test_a_heatmap_draws_the_export_and_leaves_a_gap_where_nothing_was_scored(
    work: Path, trials: pd.DataFrame
) -> None:
    drawn = pd.read_csv(work / "page" / "figures" / "heatmaps.csv")
    cell = ["strategy", "context_length", "depth"]
    wanted = trials.groupby(cell)["score"].agg(["mean", "count", "size"])
    wanted.columns = pd.Index(["mean", "n", "trials"])
    got = drawn.set_index(cell)[["mean", "n", "trials"]]
    pd.testing.assert_frame_equal(got.sort_index(), wanted.sort_index(), check_dtype=False)
    (gap,) = got[got["mean"].isna()].reset_index().to_dict("records")
    assert (gap["strategy"], gap["context_length"], gap["depth"]) == ("lc", 1536, 0)
    assert (gap["n"], gap["trials"]) == (0, 6)
    assert got["mean"].min() == 1


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        ("mean-scores", ["reader", "strategy"]),
        ("scores-by-length", ["reader", "strategy", "length"]),
    ],
)
def test_a_table_has_the_numbers_of_the_export(
    work: Path, trials: pd.DataFrame, table: str, keys: list[str]
) -> None:
    given = trials.rename(columns={"context_length": "length"})
    scores = given.groupby(keys)["score"].agg(["mean", "count", "size"])
    wanted = pd.DataFrame(
        {"mean": scores["mean"], "n": scores["count"], "not_scored": scores["size"] - scores["count"]}
    )
    got = pd.read_csv(work / "page" / "tables" / f"{table}.csv").set_index(keys)
    pd.testing.assert_frame_equal(
        got[["mean", "n", "not_scored"]].sort_index(), wanted.sort_index(), check_dtype=False
    )
    if "low" in got:
        assert ((got["low"] <= got["mean"]) & (got["mean"] <= got["high"])).all()


def test_outcomes_are_counted_and_no_failure_is_a_zero(work: Path, trials: pd.DataFrame) -> None:
    for row in pd.read_csv(work / "page" / "tables" / "outcomes.csv").to_dict("records"):
        counts = trials[trials["strategy"] == row["strategy"]]["outcome"].value_counts().to_dict()
        assert {name: row[name] for name in counts} == counts
        assert row["trials"] == sum(counts.values()) == 54
        assert row["truncated"] == (6 if row["strategy"] == "lc" else 0)


def _short_sighted(prompt: str) -> str:
    """Reads to three quarters of the prompt."""
    return read_closely(prompt) if prompt.find("lamp room") < 0.75 * len(prompt) else "I do not know."


def _confused(prompt: str) -> str:
    """Reads three passages of 100 tokens, and not four: no more than 240 words."""
    return read_closely(prompt) if len(prompt.split()) < 240 else "It may be 11111 or 22222."


_NOISE = ["oracle+noise-0.3", "oracle+noise-0.5", "oracle+noise-0.75"]


@pytest.mark.parametrize(
    ("model", "depths", "strategies", "pattern", "between"),
    [
        (_short_sighted, [0, 50, 100], ["lc"], "position", (50, 100)),
        (_confused, [50], _NOISE, "noise", (0.5, 0.75)),
        (read_closely, [0, 50, 100], ["lc"], "", (0, 0)),
        (read_closely, [50], _NOISE, "", (0, 0)),
    ],
)
def test_a_planted_error_pattern_is_found_and_nothing_else(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    model: Callable[[str], str],
    depths: list[int],
    strategies: list[str],
    pattern: str,
    between: tuple[float, float],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "needles" / "lamp.yaml", LAMP)
    with answering(m=model) as endpoint:
        run = niah.run(
            "single",
            needle_sets=["needles/lamp.yaml"],
            lengths=[1536],
            depths=depths,
            seeds=range(1, 13),
            readers=[{"model": "m", "api_base": endpoint.base}],
            strategies=strategies,
            out="x.sqlite",
            progress=False,
        )
    table = run.table("error-patterns")
    found = table[table.isin(["found"]).any(axis=1)]
    assert len(table)
    if not pattern:
        assert found.empty
    else:
        assert found["pattern"].str.contains(pattern).tolist() == [True] * max(1, len(found))
        assert between[0] < found.iloc[0]["threshold"] < between[1]


# The page in a browser. It promises two hooks: a heatmap's cells are `.cell`, a trial opens in `#drawer`.


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Headless Chromium; the tests that ask for it are skipped where there is none."""
    pytest.importorskip("selenium", reason="selenium is not installed")
    binary = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("no chromium with chromedriver is installed")
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options=options, service=Service(driver))
    yield browser
    browser.quit()


_SAID = "parseFloat((cell.firstElementChild ?? cell).textContent)"

# Each table of cells: by depth what its cells say first, None where that is no number.
_HEATMAPS = f"""
    const cells = [...document.querySelectorAll(".cell")];
    return [...new Set(cells.map((cell) => cell.closest("table")))].map((table) =>
      [...table.querySelectorAll("tr:has(.cell)")].map((row) => [
        parseFloat(row.firstElementChild.textContent),
        ...[...row.querySelectorAll(".cell")].map((cell) => Number.isNaN({_SAID}) ? null : {_SAID}),
      ]));
"""


def _until(browser: Chrome, script: str) -> Any:
    end = time.monotonic() + 60
    while not (value := browser.execute_script(f"return {script}")):
        assert time.monotonic() < end, f"never came true: {script}"
        time.sleep(0.05)
    return value


@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_shows_the_export_and_opens_a_trial(
    work: Path, trials: pd.DataFrame, chrome: Chrome, width: int
) -> None:
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    chrome.get("about:blank")
    chrome.get((work / "page" / "index.html").as_uri())
    _until(chrome, "document.querySelectorAll('.cell').length >= 18")
    assert chrome.execute_script("return document.documentElement.scrollWidth") <= width
    edges = "[...document.querySelectorAll('.cell')].map((cell) => cell.getBoundingClientRect().right)"
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
    cell = f"[...document.querySelectorAll('.cell')].find((cell) => {_SAID} === 1)"
    chrome.execute_script(f"{cell}.scrollIntoView({{block: 'center'}})")
    chrome.execute_script(f"return {cell}").click()
    said = _until(chrome, "document.querySelector('#drawer')?.innerText")
    assert "I do not know." in said
    assert chrome.get_log("browser") == []  # type: ignore[no-untyped-call]
