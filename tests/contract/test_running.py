"""Runs that fail, stop, go on, keep a budget, are cut in shards or go to a Ray cluster, and keep secrets."""

from __future__ import annotations

import json
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

import niah
from tests.contract.conftest import Endpoint, run_niah, start_niah
from tests.contract.ledger import CODES, GRID, RIGHT, ask, by_trial, exported, make_world
from tests.loopback import Reply, completion, verdict
from tests.recount import Tokens

# Pages of runs: tests/contract/test_report.py.
without_figures = pytest.mark.usefixtures("without_figures")
MANY = GRID.replace("[1500]", "[600, 800]").replace("[20]", "[0, 20, 40, 60, 80, 100]")
TRIALS = 12


def asking(endpoint: Endpoint) -> list[str]:
    """The command that runs grid.yaml with reader m, whose answers are right, into x.sqlite."""
    endpoint.models["m"] = lambda prompt: RIGHT
    return f"run --suite grid.yaml --model m --api-base {endpoint.base} --out x.sqlite".split()


@without_figures
def test_a_fact_of_one_s_own_is_asked_and_found(folder: Path, endpoint: Endpoint) -> None:
    words = "The code of the lamp room is 48213.", "What is the code of the lamp room?"
    own = ("--needle", words[0], "--question", words[1], "--expect", 48213, "--lengths", 512, "--depths", 50)
    reader = ("--model", "m", "--api-base", endpoint.base)
    ran = run_niah("run", *own, *reader, "--out", "x.sqlite", cwd=folder, env={"FORCE_COLOR": "1"})
    assert ran.code == 0, ran.err
    assert "50 %" in ran.out  # a terminal gets the heatmap
    assert "\nFull context: 1 of 1 right.\nrun file  x.sqlite\n" in ran.out  # in no colours
    assert "tokens, free\n" in ran.err
    (row,) = exported(folder, "x.sqlite")
    assert (row["outcome"], row["score"]) == ("scored", 10)
    assert "48213" in endpoint.bodies("m")[0]["messages"][0]["content"]


def error(status: int, message: str) -> Callable[[str], Reply]:
    return lambda prompt: Reply({"error": {"message": message}}, status)


def replies(*each: str | Reply) -> Callable[[str], str | Reply]:
    """One reply after the other; the last one for ever."""
    numbers = count()
    return lambda prompt: each[min(next(numbers), len(each) - 1)]


TOO_LONG = "This model's maximum context length is 512 tokens. However, you requested 1500 tokens."
NO_CHOICES = Reply({"id": "1", "object": "chat.completion", "choices": []})
LATER = {"error": {"message": "later"}}
READERS: dict[str, tuple[str, Callable[[str], str | Reply]]] = {
    "fine": ("scored", lambda prompt: RIGHT),
    "filtered": ("refused", lambda prompt: Reply(completion("48213", finish_reason="content_filter"))),
    "cut": ("truncated", lambda prompt: Reply(completion("48213", finish_reason="length"))),
    "small": ("overflow", error(400, TOO_LONG)),
    "bad-request": ("reader_error", error(400, "I choke on this.")),
    "no-key": ("reader_error", error(401, "Incorrect API key.")),
    "broken": ("reader_error", error(500, "upstream broke")),
    "no-choices": ("reader_error", lambda prompt: NO_CHOICES),
    "html": ("reader_error", lambda prompt: Reply(b"<html>Welcome</html>")),
    "falters": ("scored", replies(Reply(LATER, 503), RIGHT)),
    "limited": ("scored", replies(Reply(LATER, 429, {"Retry-After": "1"}), RIGHT)),
}


def test_every_outcome_is_told_apart_and_none_turns_into_a_zero(folder: Path, endpoint: Endpoint) -> None:
    make_world(folder)
    endpoint.models |= {name: reply for name, (_, reply) in READERS.items()}
    readers = [{"model": name, "api_base": endpoint.base} for name in READERS]
    rows = ask(folder, endpoint, readers=readers, attempts=2, wait="3s")
    assert {row["reader"]: row["outcome"] for row in rows} == {name: READERS[name][0] for name in READERS}
    assert {row["score"] for row in rows if row["outcome"] == "scored"} == {10}
    assert {row["score"] for row in rows if row["outcome"] != "scored"} == {None}
    with chdir(folder):
        assert niah.load_run("run.sqlite").mean().estimate == 10
    asked = {name: len(endpoint.bodies(name)) for name in READERS}
    assert asked["falters"] == asked["limited"] == 2
    endpoint.models["cut"] = lambda prompt: RIGHT
    before = len(endpoint.posts)
    rows = ask(folder, endpoint, readers=readers, retry="truncated")
    right = [row["reader"] for row in rows if row["outcome"] == "scored"]
    assert sorted(right) == ["cut", "falters", "fine", "limited"]
    assert len(endpoint.posts) == before + 1


def test_a_preparation_that_fails_is_no_score(folder: Path, endpoint: Endpoint) -> None:
    make_world(
        folder, f"{GRID}strategies: [readagent]\npreparation: {{model: p, api_base: {endpoint.base}}}\n"
    )
    endpoint.models["m"] = endpoint.models["p"] = lambda prompt: (
        RIGHT if "<<<" in prompt else Reply({"error": {"message": "no"}}, 400)
    )
    (row,) = ask(folder, endpoint, ["readagent"])
    assert (row["outcome"], row["score"], row["context_tokens"]) == ("preparation_error", None, 0)
    endpoint.models["m"] = endpoint.models["p"] = lambda prompt: (
        RIGHT if "<<<" in prompt else "[1]" if "look up" in prompt else "<1> Gist."
    )
    (row,) = ask(folder, endpoint, ["readagent"], retry="preparation_error")
    assert (row["outcome"], row["score"]) == ("scored", 10)


@without_figures
def test_a_reader_that_is_gone_leaves_the_rest_not_run(folder: Path, endpoint: Endpoint) -> None:
    make_world(folder, MANY)
    command = asking(endpoint)
    endpoint.models["m"] = error(401, "Incorrect API key.")
    ran = run_niah(*command, "--concurrency", 1, cwd=folder)
    outcomes = Counter(row["outcome"] for row in exported(folder, "x.sqlite"))
    assert (ran.code, outcomes) == (4, {"reader_error": 3, "not_run": TRIALS - 3})
    assert ran.err.count("m is asked no further") == 1
    endpoint.models["m"] = lambda prompt: RIGHT
    ran = run_niah(*command, "--retry", "reader_error", cwd=folder)
    assert ran.code == 0, ran.err
    assert Counter(row["outcome"] for row in exported(folder, "x.sqlite")) == {"scored": TRIALS}


@without_figures
@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_and_asks_nothing_twice(
    folder: Path, endpoint: Endpoint, stop: signal.Signals
) -> None:
    make_world(folder, MANY)
    held = True

    def say(prompt: str) -> str:
        while held and len(endpoint.posts) > 7:
            time.sleep(0.01)
        return RIGHT

    command = asking(endpoint)
    endpoint.models["m"] = say
    process = start_niah(*command, "--concurrency", 2, cwd=folder)
    end = time.monotonic() + 120
    while len(scored(folder)) < 4 and time.monotonic() < end and process.poll() is None:
        time.sleep(0.1)
    process.send_signal(stop)
    _, said = process.communicate(timeout=60)
    held = False
    assert process.returncode == (-9 if stop == signal.SIGKILL else 130)
    assert "Traceback" not in said
    kept, before = scored(folder), len(endpoint.posts)
    assert 4 <= len(kept) < TRIALS
    ran = run_niah(*command, cwd=folder)
    assert ran.code == 0, ran.err
    assert kept < scored(folder)
    # An answer that was not yet in the file when the kill came may be in the cache: of seven at most.
    assert TRIALS - 7 <= len(endpoint.posts) - before <= TRIALS - len(kept)


def scored(folder: Path) -> set[str]:
    """The scored trials of x.sqlite; none while there is no such file."""
    return {row["trial_id"] for row in exported(folder, "x.sqlite") if row["outcome"] == "scored"}


def counting(prompt: str, times: int = 1, reply: str = RIGHT) -> Reply:
    """The reply, with its tokens and the prompt's as tiktoken counts them, times a factor."""
    taken, answered = (times * len(Tokens("cl100k", text)) for text in (prompt, reply))
    return Reply(completion(reply, taken, answered))


def test_a_run_takes_what_its_plan_says(folder: Path, endpoint: Endpoint) -> None:
    make_world(folder, MANY)
    numbers = count()

    def say(prompt: str) -> Reply:
        """A right answer, or a summary like no other: equal prompts of one run are asked once."""
        summary = f"So it is in part {next(numbers)}. " * 13
        return counting(prompt, reply=RIGHT if "<<<" in prompt else summary)

    endpoint.models["m"] = say
    endpoint.models["j"] = lambda prompt: counting(prompt, reply=verdict(CODES.values()))
    strategies = ["lc", "bm25/top-5/norm@100", "bm25/half/document@100+summary-100"]
    more: dict[str, Any] = {
        "strategies": strategies,
        "readers": {"model": "m", "api_base": endpoint.base},
        "judge": {"model": "j", "api_base": endpoint.base},
    }
    with chdir(folder):
        planned = niah.plan("grid.yaml", **more).as_dict()
    rows = ask(folder, endpoint, **more)
    (reader,), (preparing,), judge = planned["readers"], planned["preparation"], planned["judge"]
    assert planned["total"]["calls"] == len(endpoint.posts) == 84
    assert (reader["calls"], preparing["calls"], judge["calls"]) == (36, 12, 36)
    whole = [row["prompt_tokens"] for row in rows if row["strategy"] == "lc"]
    assert sorted(whole) == [600] * 6 + [800] * 6
    taken = sum(row["prompt_tokens"] for row in rows)
    assert taken == pytest.approx(reader["prompt_tokens"], rel=0.1)
    assert taken <= reader["prompt_tokens_at_most"]
    for part, name in ((preparing, "m"), (judge, "j")):
        messages = [message["content"] for body in endpoint.bodies(name) for message in body["messages"]]
        tokens = sum(len(Tokens("cl100k", text)) for text in messages if "<<<" not in text)
        assert tokens == pytest.approx(part["prompt_tokens"], rel=0.1)


@without_figures
def test_a_budget_stops_the_run_before_it_is_exceeded(folder: Path, endpoint: Endpoint) -> None:
    make_world(folder, MANY)
    command = asking(endpoint)
    refused = run_niah(*command, "--budget", "5ktok", cwd=folder)
    assert (refused.code, endpoint.posts) == (2, [])
    assert not (folder / "x.sqlite").exists()
    endpoint.models["m"] = lambda prompt: counting(prompt, 2)
    stopped = run_niah(*command, "--budget", "13ktok", "--concurrency", 2, cwd=folder)
    rows = exported(folder, "x.sqlite")
    spent = sum(row["prompt_tokens"] + row["completion_tokens"] for row in rows if row["outcome"] == "scored")
    outcomes = Counter(row["outcome"] for row in rows)
    assert stopped.code == 3
    assert 13_000 - 2 * 1_700 < spent <= 13_000  # one trial takes up to 1,700, and two are under way
    assert set(outcomes) == {"scored", "not_run"}
    assert {row["score"] for row in rows} == {10, None}
    assert run_niah(*command, "--budget", "40ktok", cwd=folder).code == 0
    assert Counter(row["outcome"] for row in exported(folder, "x.sqlite")) == {"scored": TRIALS}
    assert len(endpoint.posts) == TRIALS


@without_figures
def test_models_that_are_asked_side_by_side_share_a_budget(folder: Path, endpoint: Endpoint) -> None:
    make_world(folder, MANY)
    readers = [{"model": name, "api_base": endpoint.base} for name in "mn"]
    config = {"suite": "grid.yaml", "readers": readers, "strategies": ["lc"]}
    (folder / "two.yaml").write_text(json.dumps(config), "utf-8")
    command = ["run", "two.yaml", "--out", "x.sqlite"]
    endpoint.models.update(dict.fromkeys("mn", lambda prompt: counting(prompt, 2)))
    assert run_niah(*command, "--budget", "26ktok", "--concurrency", 2, cwd=folder).code == 3
    rows = [row for row in exported(folder, "x.sqlite") if row["outcome"] == "scored"]
    spent = sum(row["prompt_tokens"] + row["completion_tokens"] for row in rows)
    assert 26_000 - 4 * 1_700 < spent <= 26_000
    assert {row["reader"] for row in rows} == {"m", "n"}


def test_shards_are_the_whole_run(folder: Path, endpoint: Endpoint) -> None:
    make_world(folder, MANY)
    endpoint.models["m"] = lambda prompt: prompt[-500:-300] + RIGHT
    strategies = ["lc", "bm25/full/norm@100"]
    whole = ask(folder, endpoint, strategies, out="whole.sqlite")
    parts = [ask(folder, endpoint, strategies, shard=f"{part}/3", out=f"{part}.sqlite") for part in (1, 2, 3)]
    assert [len(part) for part in parts] == [8, 8, 8]
    merged = run_niah("merge", "1.sqlite", "2.sqlite", "3.sqlite", "--out", "all.sqlite", cwd=folder)
    assert (merged.code, merged.out) == (0, "all.sqlite: 24 trials of 3 files; 24 finished.\n"), merged.err
    assert by_trial(exported(folder, "all.sqlite")) == by_trial(whole)
    assert len(by_trial(whole)) == 24


def test_secrets_are_written_nowhere(folder: Path, endpoint: Endpoint) -> None:
    key = "sk-planted-4711-0815-key"
    make_world(folder, MANY)

    def echo(prompt: str) -> Reply:
        seen.append(sent := endpoint.posts[-1].headers["Authorization"])
        told = {"error": {"message": f"Bad request with {sent}"}}
        return Reply(told, 400) if len(seen) % 2 else Reply(completion(f"{RIGHT} {sent}"))

    seen: list[str] = []
    run = [*asking(endpoint), "--concurrency", "1", "--log", "log.jsonl"]
    endpoint.models["m"] = echo
    env = {"OPENAI_API_KEY": key, "NIAH_CACHE": str(folder / "cache")}
    commands = (run, ["export", "x.sqlite"], ["show", "x.sqlite"], ["report", "x.sqlite"])
    ran = [run_niah(*command, cwd=folder, env=env) for command in commands]
    assert seen == [f"Bearer {key}"] * len(seen)
    assert Counter(row["outcome"] for row in ran[1].rows) == {"scored": 6, "reader_error": 6}
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {"x.sqlite", "log.jsonl"} < {path.name for path in files}
    leaks = [path.name for path in files if key.encode() in path.read_bytes()]
    assert leaks == []
    assert not any(key in each.out + each.err for each in ran)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a Ray node, started for this test; without ray the test is skipped."""
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # its sockets' names may not be long
    size = {"num_cpus": 2, "object_store_memory": 100_000_000, "include_dashboard": False}
    yield ray.init(**size, _temp_dir=folder, logging_level=50).address_info["gcs_address"]
    ray.shutdown()
    rmtree(folder, ignore_errors=True)


@pytest.mark.slow
@without_figures
def test_a_finished_run_joins_no_cluster(folder: Path, endpoint: Endpoint) -> None:
    make_world(folder, GRID)
    asked = ("run", "--suite", "grid.yaml", "--model", "m", "--api-base", endpoint.base, "--out", "r.sqlite")
    assert run_niah(*asked, cwd=folder).code == 0
    again = start_niah(*asked, "--on", "ray", cwd=folder)
    _, said = again.communicate(timeout=200)
    assert again.returncode == 0, said


@pytest.mark.slow  # a cluster takes long to start
@without_figures
def test_a_cluster_gives_the_same_trials(folder: Path, endpoint: Endpoint, cluster: str) -> None:
    make_world(folder, GRID.replace("[20]", "[0, 50, 100]"))
    endpoint.models["m"] = lambda prompt: prompt[-500:-300] + RIGHT
    reader = ("--model", "m", "--api-base", endpoint.base)
    asked = ("run", "--suite", "grid.yaml", "--strategies", "lc,bm25/top-3/norm@100", *reader)
    near = run_niah(*asked, "--out", "near.sqlite", cwd=folder)
    env = {"RAY_ADDRESS": cluster}
    far = start_niah(*asked, "--on", "ray", "--out", "far.sqlite", cwd=folder, env=env)
    _, said = far.communicate(timeout=200)
    assert (near.code, far.returncode, len(endpoint.posts)) == (0, 0, 12), said
    rows = by_trial(exported(folder, "near.sqlite"))
    assert rows == by_trial(exported(folder, "far.sqlite"))
    assert len(rows) == 6
