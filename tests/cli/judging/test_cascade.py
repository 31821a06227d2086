"""The rubric with a model behind it for what it is unsure of, before a real loopback endpoint."""

from __future__ import annotations

import json
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


def test_both_agree_or_not_where_both_spoke(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(endpoint)
    assert main(["run", "small.yaml"]) == 0
    assert main(["report", "small", "--out", "page"]) == 0
    agreement = Path("page/tables/judge-agreement.csv").read_text().splitlines()
    # Four answers, each 7 of the one and 5 of the other: one level apart.
    assert agreement[1].startswith("rubric,rubric+strict,all,4,0.0,1.0,")


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


def test_a_run_of_the_rubric_is_put_before_the_model(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "small.yaml"]) == 0
    judge = ["judge", "small", "--judge", "rubric+strict", "--api-base", endpoint.base_url, "--primary"]
    assert main(judge) == 0
    assert len(endpoint.judged) == 4
    assert main(judge) == 0
    assert len(endpoint.judged) == 4  # nothing is judged twice
    assert sorted(row["score"] for row in exported(capsys)) == [1, 1, 5, 5, 5, 5, 10, 10]


def test_a_plan_expects_a_share(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    write_config(endpoint)
    assert main(["plan", "small.yaml", "--json"]) == 0
    asked = json.loads(capsys.readouterr().out)["judge"]
    assert asked["calls"] == 3  # 35 % of 8 answers
    assert main(["plan", "small.yaml"]) == 0
    assert "asked about 3 of 8 answers" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", ["rubric+", "rubric+auto", "accuracy+strict", "squad-f1+strict"])
def test_what_no_model_can_stand_behind(
    name: str, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("small.yaml").write_text(CONFIG.format(base=endpoint.base_url) + f"judge: {name}\n")
    assert main(["run", "small.yaml"]) == 2
    said = capsys.readouterr().err
    assert f"small.yaml: judge: '{name}' is no judge: a model stands behind rubric or auto." in said
    assert "rubric+openai/gpt-4o-mini" in said
    assert not Path("runs").exists()


def test_a_run_says_once_that_a_model_could_be_asked(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["run", "small.yaml"]) == 0
    assert "unsure" not in capsys.readouterr().err
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    assert main(["run", "small.yaml"]) == 0
    said = capsys.readouterr().err
    assert "the judge rubric is unsure of 4 of 8 answers" in said
    command = "niah judge runs/small.sqlite --judge rubric+openai/gpt-4o-mini --primary"
    assert said.count(command) == 1
    assert "sk-mine" not in said


def test_a_judge_on_the_command_line(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
    assert main(["run", "small.yaml", "--judge", "rubric+openai/strict"]) == 0
    assert len(endpoint.judged) == 4
    scores = {tuple(sorted(row["judge_scores"])) for row in exported(capsys)}
    assert scores == {("rubric", "rubric+openai/strict")}
    assert main(["show", "small"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "judge rubric+openai/strict the command line" in shown
    assert main(["run", "small.yaml", "--judge", "rubric+openai/"]) == 2
    assert main(["run", "small.yaml", "--judge", "rubrik"]) == 2
    said = capsys.readouterr().err
    assert "no judge called 'rubrik'. Did you mean" in said
    assert "an address is the config's: judge: {model: NAME, api_base: URL}" in said


def test_a_run_that_another_judge_began_says_how_to_judge_it_anew(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "small.yaml"]) == 0
    asked, before = len(endpoint.read), Path("runs/small.sqlite").read_bytes()
    for command in (["run", "small.yaml"], ["plan", "small.yaml"]):
        capsys.readouterr()
        assert main([*command, "--judge", "auto"]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "runs/small.sqlite was begun with the judge rubric, not auto." in line
        assert "niah judge runs/small.sqlite --judge auto --primary" in line
    assert len(endpoint.read) == asked
    assert Path("runs/small.sqlite").read_bytes() == before
    assert main(["judge", "runs/small.sqlite", "--judge", "auto", "--primary"]) == 0
