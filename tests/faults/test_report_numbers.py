"""Numbers that a report says: the same everywhere, no winner among ties, every token counted."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import LAMP, Endpoint, Niah, read_closely, write

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.usefixtures("without_figures")  # but those of ``niah report``

_PASSAGE = "Filler about the harbour wall, the tide tables and the winter paint goes on here for a while. "
_DOCUMENT = f"{_PASSAGE * 20}The keeper of gate {{0}} is called Brannoch{{0}}. {_PASSAGE * 20}"


def _questions(folder: Path, n: int) -> None:
    """A question set of ``n`` documents with a question each, and a suite of it."""
    rows = (
        {
            "id": f"q{at}",
            "document": _DOCUMENT.format(at),
            "question": f"What is the keeper of gate {at} called?",
            "answers": [f"Brannoch{at}"],
            "evidence": [f"The keeper of gate {at} is called Brannoch{at}."],
        }
        for at in range(n)
    )
    write(folder / "gates.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    write(folder / "gates.yaml", "questions: [./gates.jsonl]\n")


def _config(folder: Path, endpoint: Endpoint, strategies: list[str]) -> Path:
    config = {
        "suite": "./gates.yaml",
        "readers": [{"model": "m", "api_base": endpoint.base}],
        "strategies": strategies,
        "judge": "contained-match",
    }
    return write(folder / "run.yaml", json.dumps(config))


def test_a_tie_of_ten_questions_recommends_nothing(folder: Path, niah: Niah, endpoint: Endpoint) -> None:
    _questions(folder, 10)
    endpoint.models["m"] = lambda prompt: (
        read_closely(prompt) if re.search(r"gate [012] called", prompt) else "No."
    )
    run = niah("run", _config(folder, endpoint, ["lc", "bm25/top-2/norm@100", "oracle"]), "--out", "t.sqlite")
    assert run.code == 0, run.err
    page = niah("report", "t.sqlite", "--out", "page")
    assert page.code == 0, page.err
    (html,) = (path.read_text() for path in (folder / "page").glob("*.html"))
    shown = re.sub(r"<script.*?</script>|<style.*?</style>|<[^>]+>", " ", html, flags=re.S)
    for said in (run.out, page.out, shown):
        assert not re.search(r"\bRecommended\b|Send what bm25", said), said
        assert not re.search(r"(-?\d[\d.]*)(?: to |[,–] ?)\1(?![\d.])", said), said


def test_a_route_that_is_answered_at_once_is_drawn_with_all_its_tokens(
    folder: Path, niah: Niah, endpoint: Endpoint
) -> None:
    _questions(folder, 6)
    route = "route(bm25/top-1/norm@100,lc)"
    assert niah("run", _config(folder, endpoint, ["lc", route]), "--out", "r.sqlite").code == 0
    made = niah("report", "r.sqlite", "--out", "page")
    assert made.code == 0, made.err
    (numbers,) = (folder / "page").rglob("score-by-tokens*.csv")
    rows = {row["strategy"]: float(row["prompt_tokens"]) for row in csv.DictReader(numbers.open())}
    asked = [post.body["messages"][-1]["content"] for post in endpoint.posts]
    first = [len(prompt) // 4 for prompt in asked if prompt.count(_PASSAGE) < 30]
    assert rows[route] == pytest.approx(sum(first) / 6, abs=0.06)


def test_tables_of_the_page_say_what_their_files_say(
    folder: Path, niah: Niah, endpoint: Endpoint, chrome: Chrome
) -> None:
    """Of three needle sets with fifteen clusters: bounds for these sets, none for those of other sets."""
    for place in ("attic", "cellar", "tower"):
        write(folder / "needles" / f"{place}.yaml", LAMP.replace("lamp room", place))
    sets = ",".join(f"./needles/{place}.yaml" for place in ("attic", "cellar", "tower"))
    endpoint.models["m"] = lambda prompt: read_closely(prompt) if len(prompt) % 3 else "It is 11111."
    grid = f"{sets} --lengths 512 --depths 50 --seeds 1 --strategies lc,bm25/top-1/norm@100".split()
    assert (
        niah(
            "run", "--needle-sets", *grid, "--model", "m", "--api-base", endpoint.base, "--out", "s.sqlite"
        ).code
        == 0
    )
    assert niah("report", "s.sqlite", "--out", "page").code == 0
    ((page,), (file,)) = (folder / "page").glob("*.html"), (folder / "page").rglob("mean-scores.md")
    written = [
        [cell.strip() for cell in line.strip("|\n").split("|")]
        for line in file.read_text().splitlines()
        if "|" in line
    ]
    chrome.get(page.as_uri())
    shown = chrome.execute_script(
        """return [...document.querySelectorAll("table")].map((table) =>
             [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim())))"""
    )
    (table,) = [rows for rows in shown if rows and rows[0] == written[0]]
    assert any("–" in row for row in written)
    for on_page, in_file in zip(table[1:], written[2:], strict=True):
        pairs = zip(on_page, in_file, strict=True)
        assert [one == "–" for one, _ in pairs] == [other == "–" for other in in_file]
