"""The rubric with a model behind it for what it is unsure of, before a real loopback endpoint."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.cli.judging.endpoint import CONFIG, SUITE, Endpoint, exported

pytestmark = pytest.mark.usefixtures("without_figures")

PARAPHRASE = "figs, prosciutto and goat"


@pytest.fixture(autouse=True)
def half_of_the_answers_are_unsure(endpoint: Endpoint) -> None:
    """Three gates are answered right or not at all; of the pizza one ingredient is put in other words."""
    endpoint.without_context = PARAPHRASE
    suite = SUITE.replace("[three-gates]", "[three-gates, pizza-ingredients]").replace(", 100]", "]")
    Path("grid.yaml").write_text(suite)


def write_config(endpoint: Endpoint, more: str = "") -> None:
    judged = f"judge: {{model: rubric+strict, api_base: {endpoint.base_url}}}\n"
    Path("small.yaml").write_text(CONFIG.format(base=endpoint.base_url) + judged + more)


def test_the_model_is_asked_about_the_unsure_alone(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    write_config(
        endpoint, "prices: {strict: {input: 1000, output: 2500}, simulated: {input: 0, output: 0}}\n"
    )
    assert main(["run", "small.yaml"]) == 0
    assert [asked["answer"] for asked in endpoint.judged] == [PARAPHRASE] * 4
    rows = exported(capsys)
    assert len(rows) == 8
    for row in rows:
        if row["needle_set"] == "pizza-ingredients":
            assert row["judge_scores"] == {"rubric": 7, "rubric+strict": 5}
            assert (row["score"], row["unsure"]["lowest"], row["unsure"]["highest"]) == (5, 7, 10)
        else:
            assert row["judge_scores"]["rubric"] == row["judge_scores"]["rubric+strict"] == row["score"]
            assert row["unsure"] is None
    with sqlite3.connect("runs/small.sqlite") as db:
        costs = db.execute("SELECT cost, count(*) FROM verdicts WHERE judge <> 'rubric' GROUP BY cost")
        # 100 tokens at 0.001 and 20 at 0.0025; nothing where the rubric decides.
        assert costs.fetchall() == [(0, 4), (pytest.approx(0.15), 4)]


def test_where_the_model_fails_the_score_of_the_rules_counts(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    write_config(endpoint)
    endpoint.broken = True
    assert main(["run", "small.yaml"]) == 0
    rows = exported(capsys)
    assert {row["outcome"] for row in rows} == {"scored"}
    for row in rows:
        if row["needle_set"] == "pizza-ingredients":
            assert (row["score"], row["unsure"]["lowest"], row["unsure"]["highest"]) == (7, 7, 10)
