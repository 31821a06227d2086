"""``niah run --log``: every request and retry as a line, and no secret among them."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.loopback import Post, Reply, completion, replying

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [512]\ndepths: [0, 50, 100]\n"
KEY = "sk-planted-0123456789"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    Path("mine.yaml").write_text(SUITE)
    Path("run.yaml").write_text("suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n")


def run(address: str, *more: str) -> int:
    where = ["--model", "m", "--api-base", f"{address}/v1", "--out", "run.sqlite"]
    return main(["run", "run.yaml", *where, *more])


def lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_requests_and_retries_are_lines() -> None:
    numbers = count()

    def reply(post: Post) -> Reply:
        if next(numbers) == 1:
            return Reply({"error": {"message": f"slow down, {KEY}"}}, 429, {"Retry-After": "0.01"})
        return Reply(completion("Three lanterns.", 520, 4))

    with replying(reply) as address:
        assert run(address, "--log", "logs/tonight/requests.jsonl", "--concurrency", "1") == 0
    logged = lines("logs/tonight/requests.jsonl")
    assert [line["outcome"] for line in logged] == ["answer", "fault", "answer", "answer"]
    assert [line["attempt"] for line in logged] == [1, 1, 2, 1]
    first, limited, again, _ = logged
    assert (first["prompt_tokens"], first["completion_tokens"], first["retry_in_s"]) == (520, 4, None)
    assert (limited["status"], limited["reason"]) == (429, "slow down, ***")
    assert 0.01 <= limited["retry_in_s"] < 1
    assert limited["trial_id"] == again["trial_id"] != first["trial_id"]
    assert {line["reader"] for line in logged} == {"m"}
    assert KEY not in Path("logs/tonight/requests.jsonl").read_text()
