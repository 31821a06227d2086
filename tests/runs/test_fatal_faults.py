"""Readers that no trial can get an answer of: stopped early, while the others go on."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from email.utils import formatdate
from itertools import count, cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from niah.cli.main import main
from niah.runs.file.read_model import read_run
from tests.loopback import Post, Reply, completion, replying

pytestmark = pytest.mark.usefixtures("without_figures")

PLANNED = 40
SUITE = f"""
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512]
depths: {[step * 2.5 for step in range(PLANNED)]}
"""
READERS = """
suite: mine.yaml
strategies: [lc]
readers:
  - {{model: broken, api_base: "{address}/broken/v1", concurrency: {lanes}}}
  - {{model: sound, api_base: "{address}/sound/v1"}}
"""
UNKNOWN_MODEL = {"error": {"message": "The model `broken` does not exist", "code": "model_not_found"}}
EXHAUSTED = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
FATAL: dict[str, tuple[Reply, str]] = {
    "a refused key": (
        Reply({"error": {"message": "Incorrect API key"}}, 401),
        "It was asked without a key: set one",
    ),
    "an exhausted account": (Reply(EXHAUSTED, 429), "Fill up the account"),
    "an unknown model": (Reply(UNKNOWN_MODEL, 404), "Correct the model's name"),
    "a wait till tomorrow": (
        Reply({"error": "limit"}, 429, {"Retry-After": "86400"}),
        "asked to wait 86400 s",
    ),
    "another address": (Reply(b"", 308, {"Location": "https://elsewhere.example/"}), "elsewhere.example"),
    "a page in place of answers": (Reply(b"<html>Sign in</html>"), "an OpenAI-compatible endpoint's"),
}

Replying = Callable[[Post], Reply]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


class Endpoints:
    """Two readers behind one address: one that replies as ``broken`` says, and a sound one."""

    def __init__(self, broken: Replying) -> None:
        self.broken = broken
        self.asked: Counter[str] = Counter()

    def __call__(self, post: Post) -> Reply:
        reader = post.path.split("/")[1]
        self.asked[reader] += 1
        return self.broken(post) if reader == "broken" else Reply(completion("Three lanterns."))


def run(address: str, lanes: int = 8, *more: str) -> int:
    Path("both.yaml").write_text(READERS.format(address=address, lanes=lanes))
    return main(["run", "both.yaml", "--out", "run.sqlite", *more])


def outcomes(reader: str) -> Counter[str]:
    return Counter(
        record.outcome for record in read_run(Path("run.sqlite")).records if record.reader == reader
    )


@pytest.mark.parametrize("fault", FATAL)
def test_a_reader_is_stopped_after_a_few_and_the_others_go_on(
    fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    reply, told = FATAL[fault]
    endpoints = Endpoints(lambda post: reply)
    with replying(endpoints) as address:
        assert run(address) == 4
    few = 10 if reply.status == 200 else 3
    assert outcomes("broken") == {"reader_error": few, "not_run": PLANNED - few}
    assert outcomes("sound") == {"scored": PLANNED}
    assert endpoints.asked["broken"] <= few + 8
    said = capsys.readouterr().err
    assert f"broken stopped, {few} trials in a row: " in said
    assert told in said
    assert f"{PLANNED - few} of its {PLANNED} trials are not run" in said
    assert main(["show", "run.sqlite"]) == 0
    assert "broken stopped: " in capsys.readouterr().out


def test_a_refused_key_is_told_by_its_variable_and_once_it_is_known_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BROKEN_KEY", "sk-planted")
    monkeypatch.setattr(
        f"{__name__}.READERS", READERS.replace("broken,", "broken, key_variable: BROKEN_KEY,")
    )
    with replying(Endpoints(lambda post: FATAL["a refused key"][0])) as address:
        assert run(address, 1) == 4
    said = capsys.readouterr().err
    assert "broken is asked no further: HTTP 401: Incorrect API key" in said
    assert "Set BROKEN_KEY to a key that the endpoint accepts, for this model." in said
    assert "3 reader errors; --retry reader_error asks again." in said


def test_what_a_stopped_reader_is_still_asked_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.runs.execution.ask._GRACE_S", 0.1)
    numbers, over, waited_out = count(), threading.Event(), threading.Event()

    def broken(post: Post) -> Reply:
        if next(numbers) % 2:
            return Reply({"error": {"message": "Incorrect API key"}}, 401)
        if not over.wait(60):
            waited_out.set()
        return Reply(completion("Three lanterns."))

    with replying(Endpoints(broken)) as address:
        assert run(address) == 4
        over.set()
    assert not waited_out.is_set()
    assert outcomes("sound")["scored"] == PLANNED
    assert outcomes("broken")["not_run"] > PLANNED / 2


def test_once_mended_the_same_command_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    endpoints = Endpoints(lambda post: FATAL["a refused key"][0])
    with replying(endpoints) as address:
        assert run(address) == 4
        endpoints.broken = lambda post: Reply(completion("Three lanterns."))
        assert run(address, 8, "--retry", "reader_error") == 0
    assert outcomes("broken") == {"scored": PLANNED}
    assert endpoints.asked["sound"] == PLANNED
    capsys.readouterr()
    assert main(["show", "run.sqlite"]) == 0
    assert "stopped" not in capsys.readouterr().out


def test_one_bad_request_among_good_ones_stops_nobody() -> None:
    replies = cycle([Reply({"error": {"message": "no"}}, 403)] * 2 + [Reply(completion("Three lanterns."))])
    with replying(Endpoints(lambda post: next(replies))) as address:
        assert run(address, 1) == 0
    assert outcomes("broken") == {"scored": PLANNED // 3, "reader_error": PLANNED - PLANNED // 3}


def test_a_limit_costs_time_and_no_trial() -> None:
    allowed: list[float] = []

    def limited(post: Post) -> Reply:
        now = time.monotonic()
        if sum(now - then < 1 for then in allowed) >= 25:
            return Reply({"error": {"message": "slow down"}}, 429, {"Retry-After": "1"})
        allowed.append(now)
        return Reply(completion("Three lanterns."))

    with replying(Endpoints(limited)) as address:
        assert run(address) == 0
    assert outcomes("broken") == {"scored": PLANNED}


def test_a_clock_that_is_set_meanwhile_harms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a day or a year, forward and back, whenever anybody looks at it."""
    jumps, now, requests = cycle([0.0, 86_400.0, -31e6, 31e6, -86_400.0]), time.time, count()
    set_clock = SimpleNamespace(time=lambda: now() + next(jumps), perf_counter=time.perf_counter)
    monkeypatch.setattr("niah.readers.openai_compatible.time", set_clock)

    def limited(post: Post) -> Reply:
        match next(requests) % 5:
            case 1:
                return Reply({"error": "slow down"}, 429, {"Retry-After": "0.01"})
            case 3:
                return Reply({"error": "slow down"}, 429, {"Retry-After": formatdate(now(), usegmt=True)})
        return Reply(completion("Three lanterns."))

    with replying(Endpoints(limited)) as address:
        assert run(address, 8, "--limit", "20") == 0
        assert run(address) == 0
    assert outcomes("broken")["scored"] == PLANNED
    assert outcomes("sound")["scored"] == PLANNED


def as_json(path: Path) -> list[dict[str, Any]]:
    assert main(["export", str(path), "--out", "export.jsonl"]) == 0
    return [json.loads(line) for line in Path("export.jsonl").read_text().splitlines()]


def test_merged_runs_say_which_reader_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    with replying(Endpoints(lambda post: FATAL["a refused key"][0])) as address:
        assert run(address, 8, "--shard", "1/2") == 4
    capsys.readouterr()
    assert main(["merge", "run.sqlite", "--out", "merged.sqlite"]) == 0
    assert "broken stopped: HTTP 401: Incorrect API key (run.sqlite)" in capsys.readouterr().err
    assert len(as_json(Path("merged.sqlite"))) == PLANNED
