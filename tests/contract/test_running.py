"""Runs that fail, stop, go on, keep a budget, are cut in shards, and keep secrets."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import niah
from tests.contract.conftest import Endpoint, Result, run_niah, start_niah
from tests.contract.ledger import CODES, GRID, RIGHT, ask, by_trial, make_world, serving_models
from tests.contract.recount import Tokens
from tests.loopback import Reply, completion

MANY = GRID.replace("[1500]", "[600, 800]").replace("[20]", "[0, 20, 40, 60, 80, 100]")
TRIALS = 12


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with serving_models() as endpoint:
        endpoint.models["m"] = lambda prompt: RIGHT
        yield endpoint


def exported(folder: Path, name: str) -> list[dict[str, Any]]:
    return run_niah("export", name, cwd=folder).rows


def error(status: int, message: str, **headers: str) -> Callable[[str], Reply]:
    return lambda prompt: Reply({"error": {"message": message}}, status, headers)


def replies(*each: str | Reply) -> Callable[[str], str | Reply]:
    """One reply after the other; the last one for ever."""
    numbers = count()
    return lambda prompt: each[min(next(numbers), len(each) - 1)]


TOO_LONG = (
    "This model's maximum context length is 512 tokens. However, your messages resulted in 1500 tokens."
)
WELL = completion(RIGHT)
READERS: dict[str, tuple[str, Callable[[str], str | Reply]]] = {
    "fine": ("scored", lambda prompt: RIGHT),
    "filtered": ("refused", lambda prompt: Reply(completion("48213", finish_reason="content_filter"))),
    "cut": ("truncated", lambda prompt: Reply(completion("48213", finish_reason="length"))),
    "small": ("overflow", error(400, TOO_LONG)),
    "bad-request": ("reader_error", error(400, "I choke on this.")),
    "no-key": ("reader_error", error(401, "Incorrect API key.")),
    "broken": ("reader_error", error(500, "upstream broke")),
    "no-choices": (
        "reader_error",
        lambda prompt: Reply({"id": "1", "object": "chat.completion", "choices": []}),
    ),
    "html": ("reader_error", lambda prompt: Reply(b"<html>Welcome</html>")),
    "falters": ("scored", replies(Reply({"error": {"message": "later"}}, 503), RIGHT)),
    "limited": ("scored", replies(Reply({"error": {"message": "later"}}, 429, {"Retry-After": "1"}), RIGHT)),
}


def test_every_outcome_is_told_apart_and_none_turns_into_a_zero(tmp_path: Path, server: Endpoint) -> None:
    make_world(tmp_path)
    server.models |= {name: reply for name, (_, reply) in READERS.items()}
    readers = [{"model": name, "api_base": server.base} for name in READERS]
    rows = ask(tmp_path, server, readers=readers, attempts=2, wait="2s")
    assert {row["reader"]: row["outcome"] for row in rows} == {name: READERS[name][0] for name in READERS}
    assert {row["score"] for row in rows if row["outcome"] == "scored"} == {10}
    assert {row["score"] for row in rows if row["outcome"] != "scored"} == {None}
    with chdir(tmp_path):
        assert niah.load_run("run.sqlite").mean().estimate == 10
    asked = {name: len(server.bodies(name)) for name in READERS}
    assert asked["falters"] == asked["limited"] == 2
    server.models["cut"] = lambda prompt: RIGHT
    before = len(server.posts)
    rows = ask(tmp_path, server, readers=readers, retry="truncated")
    assert {row["reader"] for row in rows if row["outcome"] == "scored"} == {
        "fine",
        "cut",
        "falters",
        "limited",
    }
    assert len(server.posts) == before + 1


def test_a_preparation_that_fails_is_no_score(tmp_path: Path, server: Endpoint) -> None:
    make_world(tmp_path)
    server.models["m"] = lambda prompt: RIGHT if "<<<" in prompt else Reply({"error": {"message": "no"}}, 400)
    (row,) = ask(tmp_path, server, ["readagent"])
    assert (row["outcome"], row["score"]) == ("preparation_error", None)
    server.models["m"] = lambda prompt: (
        RIGHT if "<<<" in prompt else "[1]" if "look up" in prompt else "<1> Gist."
    )
    (row,) = ask(tmp_path, server, ["readagent"], retry="preparation_error")
    assert (row["outcome"], row["score"]) == ("scored", 10)


def test_a_reader_that_is_gone_leaves_the_rest_not_run(tmp_path: Path, server: Endpoint) -> None:
    make_world(tmp_path, MANY)
    server.models["m"] = error(401, "Incorrect API key.")
    command = ("run", "--suite", "grid.yaml", "--model", "m", "--api-base", server.base, "--out", "x.sqlite")
    ran = run_niah(*command, "--concurrency", 1, cwd=tmp_path)
    outcomes = Counter(row["outcome"] for row in exported(tmp_path, "x.sqlite"))
    assert (ran.code, outcomes) == (4, {"reader_error": 3, "not_run": TRIALS - 3})
    server.models["m"] = lambda prompt: RIGHT
    ran = run_niah(*command, "--retry", "reader_error", cwd=tmp_path)
    assert ran.code == 0, ran.err
    assert Counter(row["outcome"] for row in exported(tmp_path, "x.sqlite")) == {"scored": TRIALS}


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_and_asks_nothing_twice(
    tmp_path: Path, server: Endpoint, stop: signal.Signals
) -> None:
    make_world(tmp_path, MANY)
    held = True

    def say(prompt: str) -> str:
        while held and len(server.posts) > 7:
            time.sleep(0.01)
        return RIGHT

    server.models["m"] = say
    command = ("run", "--suite", "grid.yaml", "--model", "m", "--api-base", server.base, "--out", "x.sqlite")
    process = start_niah(*command, "--concurrency", 2, cwd=tmp_path)
    kept: set[str] = set()
    end = time.monotonic() + 120
    while len(kept) < 4 and time.monotonic() < end and process.poll() is None:
        time.sleep(0.1)
        if (tmp_path / "x.sqlite").exists():
            kept = scored(run_niah("export", "x.sqlite", cwd=tmp_path))
    process.send_signal(stop)
    _, said = process.communicate(timeout=60)
    held = False
    assert process.returncode == (-9 if stop == signal.SIGKILL else 130)
    assert "Traceback" not in said
    kept = scored(run_niah("export", "x.sqlite", cwd=tmp_path))
    assert 4 <= len(kept) < TRIALS
    before = len(server.posts)
    ran = run_niah(*command, cwd=tmp_path)
    assert ran.code == 0, ran.err
    assert len(scored(run_niah("export", "x.sqlite", cwd=tmp_path))) == TRIALS
    assert len(server.posts) - before == TRIALS - len(kept)


def scored(exported: Result) -> set[str]:
    return (
        {row["case_id"] for row in exported.rows if row["outcome"] == "scored"}
        if not exported.code
        else set()
    )


def counting(prompt: str, times: int = 1, reply: str = RIGHT) -> Reply:
    """The reply, with its tokens and the prompt's as tiktoken counts them, times a factor."""
    taken, answered = (times * len(Tokens("cl100k", text)) for text in (prompt, reply))
    return Reply(completion(reply, taken, answered))


def test_a_run_takes_what_its_plan_says(tmp_path: Path, server: Endpoint) -> None:
    make_world(tmp_path, MANY)
    fields = {"found": [*CODES.values()], "missing": [], "wrong": [], "self_doubt": False, "reason": "Read."}
    server.models["m"] = lambda prompt: counting(
        prompt, reply=RIGHT if "<<<" in prompt else "So it is. " * 25
    )
    server.models["j"] = lambda prompt: counting(prompt, reply=json.dumps(fields | {"score": 10}))
    strategies = ["lc", "bm25/top-3/norm@100", "bm25/half/document@100+summary-100"]
    more: dict[str, Any] = {
        "strategies": strategies,
        "readers": {"model": "m", "api_base": server.base},
        "judge": {"model": "j", "api_base": server.base},
    }
    with chdir(tmp_path):
        planned = niah.plan("grid.yaml", **more).as_dict()
    rows = ask(tmp_path, server, **more)
    (reader,), (preparing,), judge = planned["readers"], planned["preparation"], planned["judge"]
    assert planned["total"]["calls"] == len(server.posts) == 84
    assert (reader["calls"], preparing["calls"], judge["calls"]) == (36, 12, 36)
    whole = [row["prompt_tokens"] for row in rows if row["strategy"] == "lc"]
    assert sorted(whole) == [600] * 6 + [800] * 6
    taken = sum(row["prompt_tokens"] for row in rows)
    assert taken == pytest.approx(reader["prompt_tokens"], rel=0.1)
    assert taken <= reader["prompt_tokens_at_most"]
    for part, name in ((preparing, "m"), (judge, "j")):
        messages = [message["content"] for body in server.bodies(name) for message in body["messages"]]
        tokens = sum(len(Tokens("cl100k", text)) for text in messages if "<<<" not in text)
        assert tokens == pytest.approx(part["prompt_tokens"], rel=0.1)


def test_a_budget_stops_the_run_before_it_is_exceeded(tmp_path: Path, server: Endpoint) -> None:
    make_world(tmp_path, MANY)
    command = ("run", "--suite", "grid.yaml", "--model", "m", "--api-base", server.base, "--out", "x.sqlite")
    refused = run_niah(*command, "--budget", "5ktok", cwd=tmp_path)
    assert (refused.code, server.posts) == (2, [])
    assert not (tmp_path / "x.sqlite").exists()
    server.models["m"] = lambda prompt: counting(prompt, 2)
    stopped = run_niah(*command, "--budget", "13ktok", "--concurrency", 2, cwd=tmp_path)
    rows = exported(tmp_path, "x.sqlite")
    spent = sum(row["prompt_tokens"] + row["completion_tokens"] for row in rows if row["outcome"] == "scored")
    outcomes = Counter(row["outcome"] for row in rows)
    assert stopped.code == 3
    assert 13_000 - 2 * 1_700 < spent <= 13_000  # one trial takes up to 1,700, and two are under way
    assert set(outcomes) == {"scored", "not_run"}
    assert {row["score"] for row in rows} == {10, None}
    assert run_niah(*command, "--budget", "40ktok", cwd=tmp_path).code == 0
    assert Counter(row["outcome"] for row in exported(tmp_path, "x.sqlite")) == {"scored": TRIALS}
    assert len(server.posts) == TRIALS


def test_shards_are_the_whole_run(tmp_path: Path, server: Endpoint) -> None:
    make_world(tmp_path, MANY)
    server.models["m"] = lambda prompt: prompt[-500:-300] + RIGHT
    strategies = ["lc", "bm25/top-3/norm@100"]
    whole = ask(tmp_path, server, strategies, out="whole.sqlite")
    parts = [ask(tmp_path, server, strategies, shard=f"{part}/3", out=f"{part}.sqlite") for part in (1, 2, 3)]
    assert [len(part) for part in parts] == [8, 8, 8]
    merged = run_niah("merge", "1.sqlite", "2.sqlite", "3.sqlite", "--out", "all.sqlite", cwd=tmp_path)
    assert merged.code == 0, merged.err
    assert by_trial(exported(tmp_path, "all.sqlite")) == by_trial(whole)
    assert len(by_trial(whole)) == 24


def test_secrets_are_written_nowhere(tmp_path: Path, server: Endpoint) -> None:
    key = "sk-planted-4711-0815-key"
    make_world(tmp_path, MANY)

    def echo(prompt: str) -> Reply:
        seen.append(sent := server.posts[-1].headers["Authorization"])
        told = {"error": {"message": f"Bad request with {sent}"}}
        return Reply(told, 400) if len(seen) % 2 else Reply(completion(f"{RIGHT} {sent}"))

    seen: list[str] = []
    server.models["m"] = echo
    env = {"OPENAI_API_KEY": key, "NIAH_CACHE": str(tmp_path / "cache"), "NIAH_ANSWERS_CACHE": "1"}
    run = f"run --suite grid.yaml --model m --api-base {server.base} --log log.jsonl --concurrency 1"
    commands = (f"{run} --out x.sqlite", "export x.sqlite", "show x.sqlite", "report x.sqlite")
    ran = [run_niah(*command.split(), cwd=tmp_path, env=env) for command in commands]
    assert seen == [f"Bearer {key}"] * len(seen)
    assert Counter(row["outcome"] for row in ran[1].rows) == {"scored": 6, "reader_error": 6}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"x.sqlite", "log.jsonl"} < {path.name for path in files}
    leaks = [path.name for path in files if key.encode() in path.read_bytes()]
    assert leaks == []
    assert not any(key in each.out + each.err for each in ran)
