"""niah judge RUN, an LLM as a run's judge, and niah judge metrics, before a real loopback endpoint."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.cli.judging.endpoint import CONFIG, SUITE, Endpoint, exported

pytestmark = pytest.mark.usefixtures("without_figures")


def judge(endpoint: Endpoint, *more: str) -> int:
    return main(["judge", "small", "--judge", "strict", "--api-base", endpoint.base_url, *more])


def test_another_judge_asks_no_reader(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml"]) == 0
    asked = len(endpoint.read)
    assert judge(endpoint) == 0
    assert len(endpoint.read) == asked
    assert len(endpoint.judged) == 6
    rows = exported(capsys)
    by_strategy = {row["strategy"]: row for row in rows}
    assert by_strategy["lc"]["judge_scores"] == {"rubric": 10, "strict": 7}
    assert by_strategy["closed-book"]["judge_scores"] == {"rubric": 1, "strict": 1}
    assert by_strategy["lc"]["score"] == 10  # the config's judge counts
    assert judge(endpoint, "--primary") == 0
    assert len(endpoint.judged) == 6  # nothing is judged twice
    assert {row["score"] for row in exported(capsys) if row["strategy"] == "lc"} == {7}
    assert main(["judge", "small", "--judge", "rubric", "--primary"]) == 0
    assert {row["score"] for row in exported(capsys) if row["strategy"] == "lc"} == {10}


def test_the_agreement_of_judges_is_shown(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml"]) == 0
    capsys.readouterr()
    assert judge(endpoint) == 0
    shown = capsys.readouterr()
    assert "Agreement between judges" in shown.out
    assert "6 verdicts of strict are new" in shown.err


def test_a_judge_that_fails_gives_no_number(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml"]) == 0
    endpoint.broken = True
    assert judge(endpoint, "--limit", "2") == 3
    assert "2 answers got none" in capsys.readouterr().err
    endpoint.broken = False
    assert judge(endpoint, "--limit", "4", "--primary") == 0
    outcomes = [(row["outcome"], row["score"]) for row in exported(capsys)]
    assert sum(outcome == "judge_error" for outcome, _ in outcomes) == 2
    assert {score for outcome, score in outcomes if outcome == "judge_error"} == {None}


def test_a_run_with_a_judge_that_is_asked(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    judged = f"judge: {{model: strict, api_base: {endpoint.base_url}}}\n"
    Path("small.yaml").write_text(CONFIG.format(base=endpoint.base_url) + judged)
    endpoint.broken = True
    assert main(["run", "small.yaml"]) == 3
    said = [line for line in capsys.readouterr().err.splitlines() if "no verdict of strict" in line]
    assert len(said) == 1
    assert said[0].startswith(
        "6 of 6 answers got no verdict of strict (most often, 6 times: no verdict in 3 "
    )
    assert "--retry judge_error" in said[0]
    rows = exported(capsys)
    assert [row["outcome"] for row in rows] == ["judge_error"] * 6
    assert {row["score"] for row in rows} == {None}
    asked, first = len(endpoint.read), {row["trial_id"]: row["answer"] for row in rows}
    endpoint.broken = False
    assert main(["run", "small.yaml"]) == 3  # nothing was asked again
    assert [row["outcome"] for row in exported(capsys)] == ["judge_error"] * 6
    # Only the judge is asked again: the answers are there.
    assert main(["run", "small.yaml", "--retry", "judge_error"]) == 0
    rows = exported(capsys)
    assert len(endpoint.read) == asked
    assert {row["trial_id"]: row["answer"] for row in rows} == first
    assert {row["score"] for row in rows if row["strategy"] == "lc"} == {7}
    assert rows[0]["judge_scores"].keys() == {"rubric", "strict"}
    with sqlite3.connect("runs/small.sqlite") as db:
        took = db.execute(
            "SELECT DISTINCT prompt_tokens, cost FROM verdicts WHERE judge = 'strict'"
        ).fetchall()
    assert took == [(100, 0.0)]


@pytest.mark.parametrize(("failing", "code"), [(1, 0), (2, 3)])
def test_more_than_a_tenth_without_a_verdict_is_no_success(
    failing: int, code: int, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("grid.yaml").write_text(SUITE.replace("[0, 50, 100]", "[0, 25, 50, 75, 100]"))
    judged = f"judge: {{model: strict, api_base: {endpoint.base_url}}}\n"
    Path("small.yaml").write_text(CONFIG.format(base=endpoint.base_url) + judged)
    endpoint.unjudged = failing
    assert main(["run", "small.yaml"]) == code  # 1 of 10 is a tenth, no more
    said = capsys.readouterr().err
    assert ("answers got no verdict" in said) == bool(code)
    assert "--retry judge_error" in said
    assert ("niah judge runs/small.sqlite" in said) == bool(code)
    outcomes = [row["outcome"] for row in exported(capsys)]
    assert (outcomes.count("judge_error"), len(outcomes)) == (failing, 10)
    # The rules that the line names give every answer a score.
    assert main(["judge", "runs/small.sqlite", "--judge", "auto", "--primary"]) == 0
    assert {row["outcome"] for row in exported(capsys)} == {"scored"}


def test_errors_are_counted_by_the_papers_types_on_request(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.without_context = "17 purple lanterns"
    assert main(["run", "small.yaml"]) == 0
    ours = Counter(row["error_type"] for row in exported(capsys))
    assert ours == {"correct": 3, "self_doubt_incomplete": 3}
    papers = Counter(row["error_type"] for row in exported(capsys, "--error-types", "paper"))
    assert papers == {"correct": 3, "self_doubt_incomplete": 3}


def test_metrics_of_a_run(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml"]) == 0
    capsys.readouterr()
    assert main(["judge", "metrics", "small", "--metrics", "token-f1,exact-match", "--jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["token-f1"] for row in rows if row["strategy"] == "lc"} == {1.0}
    assert len(rows) == 6
    assert main(["judge", "metrics", "small"]) == 0
    assert "meteor" in capsys.readouterr().out
    assert main(["judge", "metrics", "small", "--metrics", "token-f2"]) == 2
    assert "token-f1" in capsys.readouterr().err


def test_metrics_of_a_run_without_a_score(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml"]) == 0
    with sqlite3.connect("runs/small.sqlite") as db:
        db.execute("UPDATE trials SET outcome = 'not_run'")
    capsys.readouterr()
    for more in ([], ["--jsonl"]):
        assert main(["judge", "metrics", "small", *more]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert "runs/small.sqlite holds no scored trial: there is nothing to measure. Run it first." in err


def test_prices_of_the_run_count_for_its_judge(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    judged = f"judge: {{model: strict, api_base: {endpoint.base_url}}}\n"
    prices = "prices: {strict: {input: 1000, output: 2500}, simulated: {input: 0.15, output: 1}}\n"
    Path("small.yaml").write_text(CONFIG.format(base=endpoint.base_url) + judged + prices)
    endpoint.broken = True
    assert main(["run", "small.yaml"]) == 3
    capsys.readouterr()
    assert main(["show", "small"]) == 0
    assert "strict cached_input 1000; input 1000; output 2500" in " ".join(capsys.readouterr().out.split())
    endpoint.broken = False
    assert judge(endpoint) == 0
    with sqlite3.connect("runs/small.sqlite") as db:
        costs = {cost for (cost,) in db.execute("SELECT cost FROM verdicts WHERE judge = 'strict'")}
    # 100 tokens of prompt at 0.001 USD and 20 of reply at 0.0025.
    assert costs == {0.15}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["judge", "metrics", "small", "--metrics", ","],
            "--metrics names no metric. See: niah list metrics.",
        ),
        (["judge", "nowhere", "--judge", "rubric"], "no run file called 'nowhere'"),
        (["judge", "small", "--judge", "rubrik"], "no judge called 'rubrik'"),
        (
            ["judge", "small", "--judge", "accuracy"],
            "the judge accuracy cannot judge three-gates: it has no options.",
        ),
        (["judge", "metrics", "small", "--metrics", "accuracy"], "accuracy needs questions with options"),
    ],
)
def test_mistakes(
    endpoint: Endpoint, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "small.yaml", "--limit", "1"]) == 0
    capsys.readouterr()
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_given_questions_before_judges_without_a_model(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "The text does not say much, but the cellar is in Paris."
    options = {"options": ["Rome", "Paris", "The text does not say."], "answer_index": 1}
    questions = [
        {"id": "a", "document": text, "question": "Where is it?", **options},
        {"id": "b", "document": text, "question": "Does it say?", "answers": ["It does not say a word."]},
    ]
    Path("mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in questions))
    Path("grid.yaml").write_text("questions: mine.jsonl\n")
    assert main(["run", "small.yaml"]) == 0
    assert main(["judge", "small", "--judge", "squad-f1"]) == 0
    assert main(["judge", "small", "--judge", "accuracy", "--primary"]) == 3
    Path("mine.jsonl").unlink()
    capsys.readouterr()
    assert main(["judge", "metrics", "small", "--metrics", "accuracy,squad-f1", "--jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    # "The text does not say." names the third option. With primary accuracy, b has no score any more.
    assert {row["accuracy"] for row in rows} == {0.0}
    assert main(["export", "small", "--format", "jsonl"]) == 0
    trials = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    scores = {trial["case_id"]: trial["judge_scores"] for trial in trials}
    assert scores["mine_a"]["auto"] == scores["mine_a"]["accuracy"] == 1
    # "Does not say" of 4 and 5 words without articles: 1 + 9 * 2 * 3 / 9.
    assert scores["mine_b"] == {"auto": pytest.approx(7), "squad-f1": pytest.approx(7)}
