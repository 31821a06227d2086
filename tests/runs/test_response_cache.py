"""Answers kept across runs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.judges.registry import resolve_judge
from niah.readers import Answer, Failure, Reader, Request, Response, Traffic, Usage
from niah.runs.execution.ask import ask
from niah.runs.execution.cache import (
    ResponseCache,
    cached_answers,
    is_repeatable,
    request_key,
    reusable_trials,
    trial_key,
)
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


def test_only_what_is_asked_at_temperature_0_is_kept() -> None:
    assert is_repeatable(reader(), REQUEST)
    assert is_repeatable(reader(not_sent="seed"), REQUEST)
    assert not is_repeatable(reader(), replace(REQUEST, temperature=0.7))
    assert not is_repeatable(reader(not_sent="max_tokens, temperature"), REQUEST)


def test_looking_for_reusable_trials_makes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    settings = {"m": {"provider": "p", "not_sent": "seed"}}
    assert reusable_trials(TRIALS, settings) == set()
    assert not list(tmp_path.glob("cache/*"))
    with cached_answers() as cache:
        cache.put("k", ANSWER, trial_key(TRIALS[1].trial_id, {"provider": "p"}))
    assert reusable_trials(TRIALS, settings) == {TRIALS[1].trial_id}
    assert reusable_trials(TRIALS, {"m": {"provider": "q"}}) == set()


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
        asyncio.run(ask(store, [scripted], TRIALS, silent, resolve_judge("rubric"), cache=cache))
    assert {result.from_cache for result in silent.results} == {from_cache}
    return list(read_run(folder / f"{name}.sqlite").records)


def test_a_second_run_asks_nothing(tmp_path: Path, cache: ResponseCache) -> None:
    first, second = Scripted(ANSWER), Scripted(ANSWER)
    records = run(tmp_path, "first", first, cache)
    assert first.asked == 3, "each repeat is asked"
    again = run(tmp_path, "second", second, cache, from_cache=True)
    assert second.asked == 0
    assert [(r.outcome, r.answer, r.score, r.prompt_tokens, r.latency_s) for r in again] == [
        (r.outcome, r.answer, r.score, r.prompt_tokens, r.latency_s) for r in records
    ]


@pytest.mark.parametrize(
    "reading", [Failure(outcome, "no", "text") for outcome in ("refused", "truncated", "reader_error")]
)
def test_failures_are_never_kept(tmp_path: Path, cache: ResponseCache, reading: Any) -> None:
    run(tmp_path, "first", Scripted(reading), cache)
    second = Scripted(ANSWER)
    run(tmp_path, "second", second, cache)
    assert second.asked == 3
