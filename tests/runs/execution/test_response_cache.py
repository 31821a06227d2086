"""Answers kept across runs."""

from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.readers import Answer, Failure, Reader, Request, Response, Traffic, Usage
from niah.runs.execution.execute import execute
from niah.runs.execution.response_cache import ResponseCache, kept_trials, may_be_kept, request_key, trial_key
from niah.runs.file.read_model import read_run
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Trial, TrialRecord, TrialResult
from niah.strategies.strategy import parse

ANSWER = Answer("Paris 50317", Usage(700, 3, None), 1.5)
REQUEST = Request("Capital of France?", 50)


def reader(name: str = "m", **settings: str | int) -> Reader:
    facts: dict[str, str | int] = {"provider": "openai-compatible", "api_base": "http://a/v1"}
    return cast(Reader, SimpleNamespace(name=name, settings=facts | settings))


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ResponseCache]:
    with ResponseCache(tmp_path / "answers.sqlite") as opened:
        yield opened


def test_an_answer_comes_back_as_it_was_and_marked(cache: ResponseCache) -> None:
    assert cache.get("k") is None
    cache.put("k", ANSWER, "t")
    assert cache.get("k") == replace(ANSWER, cached=True)
    assert cache.get("another") is None


def test_another_runs_answer_is_got_only_where_it_is_reused(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with ResponseCache(path, run="first") as first:
        first.put("k", ANSWER, "t")
    with ResponseCache(path, run="second") as second:
        assert second.get("k") is None
    with ResponseCache(path, run="second", reuse=True) as second:
        reused = second.get("k")
        assert reused
        assert (reused.text, bool(reused.reused_from)) == (ANSWER.text, True)
        second.put("k", replace(ANSWER, text="Lyon"), "t")
        assert second.get("k") == replace(ANSWER, text="Lyon", cached=True)


def test_everything_that_changes_the_answer_changes_the_key() -> None:
    keys = [
        request_key(reader(), REQUEST, 0),
        request_key(reader("other"), REQUEST, 0),
        request_key(reader(api_base="http://b/v1"), REQUEST, 0),
        request_key(reader(context=512), REQUEST, 0),
        request_key(reader(), REQUEST, 1),
        request_key(reader(), replace(REQUEST, prompt="Capital of France? "), 0),
        request_key(reader(), replace(REQUEST, max_tokens=51), 0),
        request_key(reader(), replace(REQUEST, temperature=1.0), 0),
        request_key(reader(), replace(REQUEST, seed=1), 0),
        request_key(reader(), replace(REQUEST, system="Be brief."), 0),
        request_key(reader(), replace(REQUEST, schema={"type": "object"}), 0),
        # The border between the two texts counts.
        request_key(reader(), replace(REQUEST, system="Capital", prompt=" of France?"), 0),
        request_key(reader(), replace(REQUEST, system="Capital of", prompt=" France?"), 0),
    ]
    assert len(set(keys)) == len(keys)


def test_what_is_learnt_by_asking_does_not_change_the_key() -> None:
    assert request_key(reader(not_sent="seed"), REQUEST, 0) == request_key(reader(), REQUEST, 0)


def test_only_what_is_asked_at_temperature_0_is_kept() -> None:
    assert may_be_kept(reader(), REQUEST)
    assert may_be_kept(reader(not_sent="seed"), REQUEST)
    assert not may_be_kept(reader(), replace(REQUEST, temperature=0.7))
    assert not may_be_kept(reader(not_sent="max_tokens, temperature"), REQUEST)


def test_everything_known_before_the_prompt_changes_the_trials_key(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [
        trial_key("a", {"context": 512}),
        trial_key("b", {"context": 512}),
        trial_key("a", {"context": 9}),
    ]
    monkeypatch.setattr("niah.runs.execution.response_cache.__version__", "another")
    keys.append(trial_key("a", {"context": 512}))
    assert len(set(keys)) == len(keys)
    assert trial_key("a", {"not_sent": "seed"}) == trial_key("a", {})


def test_which_trials_are_kept(cache: ResponseCache) -> None:
    for number in range(1200):  # more than are looked up at once
        cache.put(str(number), ANSWER, f"t{number}")
    cache.put("the same trial, another prompt", ANSWER, "t3")
    asked = [f"t{number}" for number in range(0, 2400, 2)]
    assert cache.holds(asked) == {f"t{number}" for number in range(0, 1200, 2)}
    assert cache.holds([]) == set()


def test_looking_for_kept_trials_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "answers.sqlite"
    settings = {"m": {"provider": "p", "not_sent": "seed"}}
    assert kept_trials(path, TRIALS, settings) == set()
    assert not path.parent.exists()
    with ResponseCache(path) as cache:
        cache.put("k", ANSWER, trial_key(TRIALS[1].trial_id, {"provider": "p"}))
    assert kept_trials(path, TRIALS, settings) == {TRIALS[1].trial_id}
    assert kept_trials(path, TRIALS, {"m": {"provider": "q"}}) == set()
    assert [file.name for file in path.parent.iterdir()] == ["answers.sqlite"]


def test_neither_prompt_nor_address_is_stored(cache: ResponseCache) -> None:
    cache.put(request_key(reader(api_base="http://secret-host/v1"), REQUEST, 0), ANSWER, "t")
    files = list(cache.path.parent.iterdir())
    stored = b"".join(file.read_bytes() for file in files)
    assert b"Paris" in stored
    assert b"Capital" not in stored
    assert b"secret-host" not in stored


def test_it_stays_within_its_limit(tmp_path: Path) -> None:
    with ResponseCache(tmp_path / "answers.sqlite", limit_mib=0.5) as cache:
        for number in range(1500):
            cache.put(f"{number:064}", Answer("x" * 1000, Usage(), 0.1), "t")
        kept = sum(cache.get(f"{number:064}") is not None for number in range(1500))
    assert 250 < kept < 600
    assert (tmp_path / "answers.sqlite").stat().st_size < 0.8 * 2**20


def test_the_least_recently_used_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ResponseCache(tmp_path / "answers.sqlite", limit_mib=0.5) as cache:
        day = 1
        monkeypatch.setattr("niah.runs.execution.response_cache.today", lambda: day)
        for number in range(300):
            cache.put(f"{number:064}", Answer("x" * 1000, Usage(), 0.1), "t")
        day = 2
        for number in range(50):
            cache.get(f"{number:064}")
        for number in range(300, 450):
            cache.put(f"{number:064}", Answer("x" * 1000, Usage(), 0.1), "t")
        assert all(cache.get(f"{number:064}") for number in range(50))
        assert not all(cache.get(f"{number:064}") for number in range(50, 300))


def _fill(path: Path, first: int) -> None:
    with ResponseCache(path) as cache:
        for number in range(first, first + 100):
            cache.put(str(number), Answer(str(number), Usage(), 0.1), f"t{number}")


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_fill, args=(path, 100 * place)) for place in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    with ResponseCache(path) as cache:
        assert [getattr(cache.get(str(number)), "text", None) for number in range(300)] == [
            str(number) for number in range(300)
        ]


def test_a_file_that_is_no_database_is_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_bytes(b"no database " * 1000)
    with ResponseCache(path) as cache:
        cache.put("k", ANSWER, "t")
        assert cache.get("k") is None
        assert cache.holds(["t"]) == set()
    assert path.read_bytes() == b"no database " * 1000
    with ResponseCache(tmp_path / "answers.sqlite" / "below-a-file" / "x.sqlite") as cache:
        assert cache.get("k") is None


def test_a_row_of_wrong_types_is_no_harm(cache: ResponseCache) -> None:
    cache.put("k", ANSWER, "t")
    with sqlite3.connect(cache.path) as db:
        db.execute("UPDATE answers SET text = x'ff00'")
    assert cache.get("k") is None


class Scripted:
    """A reader that answers, or fails, as told; and counts."""

    name = "m"
    concurrency = 2
    traffic = Traffic()

    def __init__(self, reading: Response, **settings: str | int) -> None:
        self.reading = reading
        self.settings = settings
        self.asked = 0

    def check(self) -> None:
        pass

    async def __aenter__(self) -> Scripted:
        return self

    async def __aexit__(self, *exc: object) -> None:
        pass

    async def read(self, request: Request) -> Response:
        self.asked += 1
        return self.reading


class Silent:
    def __init__(self) -> None:
        self.results: list[TrialResult] = []

    def say(self, text: str) -> None:
        pass

    def asking(self, reader: object) -> None:
        pass

    def started(self, trial: Trial) -> None:
        pass

    def finished(self, trial: Trial, result: TrialResult) -> None:
        self.results.append(result)


SAMPLE = sample_of(Case("three-gates", "essays", 600, 50))
TRIALS = [Trial(SAMPLE, parse("lc"), "m", repeat, 80) for repeat in range(3)]


def run(
    folder: Path,
    name: str,
    scripted: Scripted,
    cache: ResponseCache | None,
    from_cache: bool = False,
) -> list[TrialRecord]:
    silent = Silent()
    with open_for_writing(folder / f"{name}.sqlite") as store:
        store.begin({"judge": "rubric"}, TRIALS)
        asyncio.run(execute(store, [scripted], TRIALS, silent, cache=cache))
    assert {result.from_cache for result in silent.results} == {from_cache}
    return list(read_run(folder / f"{name}.sqlite").records)


def test_a_second_run_asks_nothing(tmp_path: Path, cache: ResponseCache) -> None:
    first, second = Scripted(ANSWER), Scripted(ANSWER)
    records = run(tmp_path, "first", first, cache)
    assert first.asked == 3, "each repeat is asked"
    again = run(tmp_path, "second", second, cache, from_cache=True)
    assert second.asked == 0
    assert kept_trials(cache.path, TRIALS, {"m": second.settings}) == {trial.trial_id for trial in TRIALS}
    assert [(r.outcome, r.answer, r.score, r.prompt_tokens, r.latency_s) for r in again] == [
        (r.outcome, r.answer, r.score, r.prompt_tokens, r.latency_s) for r in records
    ]


def test_without_a_cache_everything_is_asked(tmp_path: Path, cache: ResponseCache) -> None:
    run(tmp_path, "first", Scripted(ANSWER), cache)
    second = Scripted(ANSWER)
    run(tmp_path, "second", second, None)
    assert second.asked == 3


@pytest.mark.parametrize(
    "reading", [Failure(outcome, "no", "text") for outcome in ("refused", "truncated", "reader_error")]
)
def test_failures_are_never_kept(tmp_path: Path, cache: ResponseCache, reading: Any) -> None:
    run(tmp_path, "first", Scripted(reading), cache)
    second = Scripted(ANSWER)
    run(tmp_path, "second", second, cache)
    assert second.asked == 3
