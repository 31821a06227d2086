"""niah judge before a real loopback endpoint: a model that fails, and answers that people label."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from niah.runs.execution.judging import answered_before
from niah.runs.file.read import read_run
from tests.loopback import Reply, completion, replying, verdict

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = "{haystacks: [essays], needle_sets: [three-gates], lengths: [512], depths: [0, 50, 100]}"
CONFIG = "suite: grid.yaml\nreaders: [{{model: simulated, api_base: {base}}}]\nstrategies: [lc, closed-book]"
SHEET = Path("runs/small.labels.csv")


@dataclass
class Endpoint:
    """Answers questions with what their text says, and judges, unless it is broken.

    Its verdict is "nothing found"; to the first answers that are read, ``unjudged`` many, it gives none.
    ``unsure``: so many answers at first that no rule can read.
    """

    base_url: str = ""
    broken: bool = False
    unjudged: int = 0
    unsure: int = 0
    numbers: Iterator[int] = field(default_factory=lambda: count(1))  # of answers that are read
    stored: list[int] = field(default_factory=list)  # verdicts of strict, where it is asked for another

    def reply(self, messages: list[dict[str, str]]) -> str:
        if messages[0]["role"] == "system":
            with closing(sqlite3.connect("runs/small.sqlite")) as db:
                self.stored += db.execute("SELECT count(*) FROM verdicts WHERE judge = 'strict'").fetchone()
            asked = json.loads(messages[1]["content"])
            nothing = verdict(missing=[each["name"] for each in asked["elements"]], score=1)
            return "No." if self.broken or asked["answer"].endswith("#") else nothing
        number = next(self.numbers)
        told = "access code" in messages[0]["content"].rpartition("Question:")[0]
        answer = "50317, 82946 and 17685" if told else "The text does not say."
        answer = "They are behind the lake." if number <= self.unsure else answer
        return answer + (" #" if number <= self.unjudged else "")


@pytest.fixture
def endpoint(in_folder: Path) -> Iterator[Endpoint]:
    """Serves, with a suite and a run config that asks it in the working folder."""
    made = Endpoint()
    with replying(lambda post: Reply(completion(made.reply(post.body["messages"]), 100, 20))) as address:
        made.base_url = f"{address}/v1"
        Path("grid.yaml").write_text(SUITE)
        Path("small.yaml").write_text(CONFIG.format(base=made.base_url))
        yield made


def exported(capsys: pytest.CaptureFixture[str], *more: str) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["export", "small", *more]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def judge(endpoint: Endpoint, *more: str) -> int:
    return main(["judge", "small", "--judge", "strict", "--api-base", endpoint.base_url, *more])


def test_a_judge_that_fails_gives_no_number(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "small.yaml"]) == 0
    (lock := Path("runs/small.sqlite.lock")).unlink()
    assert [main(["judge", "small", "--judge", name]) for name in ("accuracy", "nope/x")] == [2, 2]
    assert not lock.exists()
    endpoint.broken = True
    assert judge(endpoint, "--limit", "2") == 3
    assert "2 answers got none" in capsys.readouterr().err
    endpoint.broken = False
    assert judge(endpoint, "--limit", "4", "--concurrency", "1", "--primary") == 0  # so that none counts yet
    assert endpoint.stored[-4:] == [0, 1, 2, 3]
    assert "2 answers to be judged: once all are, the scores of strict count." in capsys.readouterr().err
    assert {row["outcome"] for row in exported(capsys)} == {"scored"}
    endpoint.broken = True
    assert judge(endpoint, "--primary") == 3
    outcomes = [(row["outcome"], row["score"]) for row in exported(capsys)]
    assert sum(outcome == "judge_error" for outcome, _ in outcomes) == 2
    assert {score for outcome, score in outcomes if outcome == "judge_error"} == {None}


def test_a_model_behind_rules_says_what_it_judged_and_took(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = f"\njudge: {{model: rubric+strict, api_base: {endpoint.base_url}}}\n"
    Path("small.yaml").write_text(CONFIG.format(base=endpoint.base_url) + judge)
    endpoint.unsure = 2
    assert main(["run", "small.yaml"]) == 0
    assert "strict judged 2 of 6 answers, of which rubric is unsure.\n" in capsys.readouterr().err


@pytest.mark.parametrize(("failing", "code"), [(1, 0), (2, 3)])
def test_more_than_a_tenth_without_a_verdict_is_no_success(
    failing: int, code: int, endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("grid.yaml").write_text(SUITE.replace("[0, 50, 100]", "[0, 25, 50, 75, 100]"))
    judged = f"\njudge: {{model: strict, api_base: {endpoint.base_url}}}\n"
    Path("small.yaml").write_text(CONFIG.format(base=endpoint.base_url) + judged)
    endpoint.unjudged = failing
    assert main(["run", "small.yaml"]) == code  # 1 of 10 is a tenth, no more
    said = capsys.readouterr().err
    assert f"{failing} {'trial' if failing == 1 else 'trials'} ended as judge_error" in said
    assert "--retry judge_error" in said
    outcomes = [row["outcome"] for row in exported(capsys)]
    assert (outcomes.count("judge_error"), len(outcomes)) == (failing, 10)
    unjudged = answered_before(read_run(Path("runs/small.sqlite"))).values()
    told: Any = {(each.usage.prompt_tokens, each.usage.completion_tokens, each.cost) for each in unjudged}
    assert told == {(0, 0, 0)}  # paid for before
    # The rules that the line names give every answer a score.
    assert main(["judge", "runs/small.sqlite", "--judge", "auto", "--primary"]) == 0
    assert {row["outcome"] for row in exported(capsys)} == {"scored"}


def fill() -> None:
    """Label every answer of the sheet."""
    rows = list(csv.DictReader(SHEET.read_text(encoding="utf-8").splitlines()))
    with SHEET.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        for row in rows:
            writer.writerow(row | {"label_1": "10" if "50317" in row["answer"] else "1"})


def test_a_night_judges_the_labelled_answers_of_an_accepted_one_again(
    endpoint: Endpoint, without_pages: None, capsys: pytest.CaptureFixture[str]
) -> None:
    for day in ("01", "02"):
        assert main(["nightly", "small.yaml", "--date", f"2026-11-{day}"]) in (0, 3)
        said = capsys.readouterr().out
        assert ("rubric shows no drift: 6 of 6 labelled answers as labelled" in said) == (day == "02")
        if day == "01":
            night, sheet = "small-2026-11-01", Path("runs/small-2026-11-01.labels.csv")
            assert main(["judge", "audit", night, "--sample", "20"]) == 0
            sheet.rename(SHEET)
            fill()
            assert main(["judge", "audit", night, "--labels", str(SHEET)]) == 0
            assert not read_run(Path(f"runs/{night}.sqlite"), "label_1").trials["self_doubt"].any()
            capsys.readouterr()
