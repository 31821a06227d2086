"""Numbers that a report says: every token is counted."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.contract.conftest import Endpoint, Niah, write

_PASSAGE = "Filler about the harbour wall, the tide tables and the winter paint goes on here for a while. "


@pytest.mark.usefixtures("without_figures")  # but those of ``niah report``
def test_a_route_that_is_answered_at_once_is_drawn_with_all_its_tokens(
    folder: Path, niah: Niah, endpoint: Endpoint
) -> None:
    rows = []
    for at in range(6):
        fact = f"The keeper of gate {at} is called Brannoch{at}."
        asked = {"question": f"What is the keeper of gate {at} called?", "answers": [f"Brannoch{at}"]}
        text = f"{_PASSAGE * 20}{fact} {_PASSAGE * 20}"
        rows.append({"id": f"q{at}", "document": text, "evidence": [fact]} | asked)
    write(folder / "gates.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    route = "route(bm25/top-1/norm@100,lc)"
    config = {"questions": ["./gates.jsonl"], "strategies": ["lc", route], "judge": "contained-match"}
    readers = [{"model": "m", "api_base": endpoint.base}]
    path = write(folder / "run.yaml", json.dumps(config | {"readers": readers}))
    assert niah("run", path, "--out", "r.sqlite").code == 0
    made = niah("report", "r.sqlite", "--out", "page")
    assert made.code == 0, made.err
    (numbers,) = (folder / "page").rglob("score-by-tokens*.csv")
    drawn = {row["strategy"]: float(row["prompt_tokens"]) for row in csv.DictReader(numbers.open())}
    prompts = [post.body["messages"][-1]["content"] for post in endpoint.posts]
    first = [len(prompt) // 4 for prompt in prompts if prompt.count(_PASSAGE) < 30]
    assert drawn[route] == pytest.approx(sum(first) / 6, abs=0.06)
