"""One engine asked cold and shared, alone and at once: prompts of one length; other answers are named."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from itertools import count as count_from
from pathlib import Path
from typing import Any

import pytest

import niah
from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.plots.report import report_frame
from niah.readers.reader import ReaderOptions
from niah.runs.execution.prepare import prepare
from niah.runs.trial import Trial, rows_of
from niah.strategies.strategy import parse
from niah.text.tokenizer import count, get_tokenizer
from tests.loopback import Post, Reply, completion, replying

CASES = [Case("ferry-lanterns", "essays", 700, depth) for depth in (0, 50)]


def prompt_of(case: Case, cache: str, **more: object) -> str:
    options = ReaderOptions(cache=cache, **more)  # type: ignore[arg-type]
    trial = Trial(sample_of(case), parse("lc"), "m", 0, 64, options)
    return prepare(trial, lambda line: None).request.text


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k", "smollm2", "minilm"])
def test_cold_and_shared_prompts_have_one_length_and_the_very_same_context(tokenizer: str) -> None:
    plain, cold, shared = (
        [prompt_of(replace(case, tokenizer=tokenizer), cache) for case in CASES]
        for cache in ("", "cold", "shared")
    )
    counter = get_tokenizer(tokenizer)
    assert len({count(counter, text) for text in (*cold, *shared)}) == 1
    assert {count(counter, text) for text in plain} == {CASES[0].context_length}
    firsts, rests = zip(*(text.split("\n", 1) for text in (*cold, *shared)), strict=True)
    assert list(rests) == [*plain, *plain]
    assert len({*firsts[:2]}) == 2
    assert len({*firsts[2:]}) == 1
    assert prompt_of(CASES[0], "cold") == prompt_of(CASES[0], "cold")  # a run that goes on asks the same


def test_the_line_comes_before_all_else_that_is_read() -> None:
    assert re.match(r"Request( [a-z]){12}\nBe brief\.", prompt_of(CASES[0], "cold", system="Be brief."))


class Engine:
    """Right until two requests are under way at once; from then on it answers long prompts wrongly."""

    def __init__(self) -> None:
        self.running, self.most, self.prompts, self.lock = 0, list[int](), list[str](), threading.Lock()
        self.are_many = threading.Event()

    def __call__(self, post: Post) -> Reply:
        prompt = post.body["messages"][0]["content"]
        with self.lock:
            self.running += 1
            self.prompts.append(prompt)
            self.most.append(self.running)
            alone = len(self.prompts) <= 48
        if self.running > 8:
            self.are_many.set()
        self.are_many.wait(0 if alone else 5)
        with self.lock:
            self.running -= 1
            wrong = max(self.most) > 1 and len(prompt) > 7_500  # characters, some 1.8k tokens
        return Reply(completion(f"Answer: {582 if wrong else 347} lanterns", len(prompt) // 4))


def test_an_engine_that_is_wrong_from_2k_on_under_load_is_found_and_named(in_folder: Path) -> None:
    engine = Engine()
    lengths = ("1024", "2048", "4096")
    grid = {"needle_sets": ["ferry-lanterns"], "depths": [50], "seeds": "1-8", "strategies": ["lc"]}
    with replying(engine) as address:
        run = niah.run("engine", model="served", api_base=f"{address}/v1", lengths=lengths, **grid)
    # One way after the other: both alone came first, or no cache of one would be cold.
    ways = [engine.prompts[at : at + 24] for at in (0, 24, 48, 72)]
    assert [len({text.partition("\n")[0] for text in way}) for way in ways] == [24, 1, 24, 1]
    assert not {*ways[0]} & {*ways[2]}
    assert ({*engine.most[:48]}, max(engine.most[48:72]) > 8) == ({1}, True)
    assert sorted(report_frame([run.contents])["at_once"].unique()) == [1, 32]
    found = run.table("consistency")
    rows = {(row.model, row.against, str(row.length)): row for row in rows_of(found)}
    assert {rows["shared-1", "cold-1", length].same for length in lengths} == {8}
    for model, against in (("cold-32", "cold-1"), ("shared-32", "shared-1")):
        lost = [rows[model, against, length].lost for length in lengths]
        assert lost[0] == 0
        assert min(lost[1:]) > 4
        said = re.compile(rf"{model} next to {against} \(at once: 1 / 32\), .* differ, first at 2k; ")
        assert any(map(said.match, run.notes))
    worse = niah.compare(run, readers=("cold-1", "cold-32")).frame().dropna(subset="length_band")
    assert [*worse["length_band"][worse["p"] < 0.02]] == ["2,048 tokens", "4,096 tokens"]


def test_one_way_that_answers_otherwise_when_asked_again_is_named(in_folder: Path, capsys: Any) -> None:
    answers = count_from(340)
    with replying(lambda post: Reply(completion(f"Answer: {next(answers)} lanterns"))) as address:
        served, cold = f"{address}/v1", {"cache": "cold"}
        run = niah.run(
            model="served",
            api_base=served,
            reader_options=cold,
            needle_sets=["ferry-lanterns"],
            lengths=["700"],
            depths=[50],
            repeats=2,
        )
    assert "served next to served (asked again), full context: 1 of 1 answers differ" in " ".join(run.notes)
    assert run.notes[-1] in capsys.readouterr().err.splitlines()
