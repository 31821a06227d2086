"""niah judge RUN, an LLM as a run's judge before a real loopback endpoint."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main
from tests.cli.judging.endpoint import CONFIG, SUITE, Endpoint, exported

pytestmark = pytest.mark.usefixtures("without_figures")


def judge(endpoint: Endpoint, *more: str) -> int:
    return main(["judge", "small", "--judge", "strict", "--api-base", endpoint.base_url, *more])


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
    assert f"{failing} of 10 answers got no verdict" in said
    assert "--retry judge_error" in said
    outcomes = [row["outcome"] for row in exported(capsys)]
    assert (outcomes.count("judge_error"), len(outcomes)) == (failing, 10)
    # The rules that the line names give every answer a score.
    assert main(["judge", "runs/small.sqlite", "--judge", "auto", "--primary"]) == 0
    assert {row["outcome"] for row in exported(capsys)} == {"scored"}
