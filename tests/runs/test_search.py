"""Models that search, scripted and over loopback, in both protocols: outcomes, causes, bounds, kills."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from niah.analysis.causes import with_causes
from niah.analysis.frame import run_frame
from niah.analysis.tables import make_table
from niah.cli.main import main
from niah.runs.file.read import RunContents, read_run
from niah.text.tokenizer import count, get_tokenizer
from tests.examples import repeats
from tests.loopback import Post, Reply, completion, replying

_TOKENIZER = get_tokenizer("cl100k")
_SEARCHES = "that you do not see"
_NO_TOOLS = Reply({"error": {"message": "tools is not supported by this model", "code": 400}}, 400)

Call = dict[str, Any]


def search(pattern: str, **more: Any) -> Call:
    return {"name": "search", "arguments": {"pattern": pattern, **more}}


# By model what it does in a turn, counted from 0: calls, a text, or a whole reply.
MODELS: dict[str, Any] = {
    "right": lambda turn: "DONE" if turn else [search("access code")],
    "blind": lambda turn: "I know that text by heart.",
    "looping": lambda turn: [search("zebra")],
    "malformed": lambda turn: ['{"name": "search", "arguments": {"pattern": '],
    "unknown": lambda turn: [{"name": "grep", "arguments": {"file": "/etc/passwd"}}],
    "wrong": lambda turn: [{"name": "search", "arguments": {"pattern": f"({turn}", "limit": "all"}}],
    "parallel": lambda turn: "DONE" if turn else [search("copper gate"), search("(willow|granite) gate")],
    "careless": lambda turn: "DONE" if turn else [search("access code", limit=1)],
    "partial": lambda turn: "DONE" if turn else [search("copper gate")],
    "forgetful": lambda turn: "DONE" if turn else [search("access code")],
    "greedy": lambda turn: [search(".", limit=20), search(f"{turn}|the|a", limit=20, neighbours=5)],
    "refusing": lambda turn: Reply(completion("I cannot help.", finish_reason="content_filter")),
}  # fmt: skip


@dataclass
class Models:
    """An endpoint that counts by niah's own tokenizer, and keeps every request that it answered."""

    address: str = ""
    takes_tools: bool = True
    asked: list[tuple[str, str, int]] = field(default_factory=list)  # model, messages and tokens
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, post: Post) -> Reply | None:
        body, model = post.body, post.body["model"]
        text = "\n".join(json.dumps(message, ensure_ascii=False) for message in body["messages"])
        if "tools" in body and not self.takes_tools:
            return _NO_TOOLS
        sent = [*_strings(body["messages"]), *map(str, body.get("tools", ()))]
        tokens = sum(count(_TOKENIZER, each) for each in sent)
        with self.lock:
            self.asked.append((model, text, tokens))
        if _SEARCHES not in body["messages"][0]["content"]:
            return Reply(completion(answer(model, body["messages"][0]["content"]), tokens, 20))
        said = MODELS[model](text.count(" tokens left;"))
        if isinstance(said, str | Reply):
            return said if isinstance(said, Reply) else Reply(completion(said, tokens, 5))
        if "tools" not in body:
            lines = [each if isinstance(each, str) else json.dumps(each) for each in said]
            return Reply(completion("\n".join(lines), tokens, 40))
        made = completion("", tokens, 40, finish_reason="tool_calls")
        calls = [{"type": "function", "function": _function(each)} for each in said]
        named = [{"id": f"c{at}"} | call for at, call in enumerate(calls)]
        made["choices"][0]["message"] = {"role": "assistant", "content": None, "tool_calls": named}
        return Reply(made)


def _strings(messages: list[Any]) -> Iterator[str]:
    for message in messages:
        yield message["content"] or ""
        yield from (json.dumps(call["function"]) for call in message.get("tool_calls", ()))


def _function(call: Any) -> Call:
    if isinstance(call, str):
        return {"name": "search", "arguments": '{"pattern": '}
    return {"name": call["name"], "arguments": json.dumps(call["arguments"])}


def answer(model: str, prompt: str) -> str:
    codes = re.findall(r"code of the (\w+) gate is (\d+)", prompt)
    if model == "forgetful" or not codes:
        return "I do not know."
    return "Answer: " + ", ".join(f"{gate} {code}" for gate, code in codes)


@pytest.fixture
def models(own_cache: Path, without_figures: None) -> Iterator[Models]:
    made = Models()
    with replying(made.reply) as made.address:
        yield made


GRID = "haystacks: [essays]\nneedle_sets: [three-gates]\nlengths: [2000]\ndepths: [50]\n"


def write(models: Models, strategies: str, *names: str) -> None:
    readers = "".join(f"  - {{model: {name}, api_base: {models.address}/v1}}\n" for name in names)
    Path("run.yaml").write_text(f"{GRID}readers:\n{readers}strategies: [{strategies}]\n")


def run(*more: str) -> RunContents:
    assert main(["run", "run.yaml", "--out", "run.sqlite", *more]) in (0, 3, 4)
    return read_run(Path("run.sqlite"))


# Of each model: outcome, score, turns, searches, share of needles seen, and cause.
NEVER = "never searched for it"
EXPECTED: dict[str, tuple[Any, ...]] = {
    "right": ("scored", 10, 2, 1, 1.0, None),
    "blind": ("scored", 1, 1, 0, 0.0, NEVER),
    "looping": ("scored", 1, 3, 1, 0.0, "searched, not found"),
    "malformed": ("scored", 1, 3, 0, 0.0, NEVER),
    "unknown": ("scored", 1, 3, 0, 0.0, NEVER),
    "wrong": ("scored", 1, 4, 0, 0.0, NEVER),
    "parallel": ("scored", 10, 2, 2, 1.0, None),
    "careless": ("scored", 5, 2, 1, 1 / 3, "found, not read"),
    "partial": ("scored", 5, 2, 1, 1 / 3, NEVER),
    "forgetful": ("scored", 1, 2, 1, 1.0, "read, not used"),
    "refusing": ("refused", None, None, None, None, None),
}


@pytest.mark.parametrize("takes_tools", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_every_model_comes_to_its_outcome_and_cause(
    models: Models, takes_tools: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    models.takes_tools = takes_tools
    write(models, "agent-4", *EXPECTED)
    contents = run()
    frame = with_causes(run_frame(contents), contents.samples)
    columns = ["outcome", "score", "turns", "searches", "retrieval_completeness", "cause"]
    rows = frame.set_index("reader")[columns].astype(object).where(lambda each: each.notna(), None)
    assert {name: tuple(rows.loc[name]) for name in rows.index} == EXPECTED
    assert "Traceback" not in capsys.readouterr().err
    first = {call.step for call in contents.preparations if call.turn == 1 and call.model != "blind"}
    assert first == {"turn by tools" if takes_tools else "turn"}
    # Each call of a turn was answered, and the table says how each model searched.
    (parallel, _) = sorted((c for c in contents.preparations if c.model == "parallel"), key=lambda c: c.turn)
    assert [use.matches for use in parallel.uses] == [1, 2]
    table = make_table("searching", frame)
    assert len(table.rows) == len(EXPECTED)
    assert table.columns[-4:] == ("turns", "searches", "tokens_read", "needles_seen")


@pytest.mark.parametrize("takes_tools", [True, False])
@pytest.mark.parametrize("strategies", ["agent-6@700", "agent@9000, agent-3@900+bm25, grep/top-3/document"])
def test_a_run_stays_below_what_is_planned(
    models: Models, takes_tools: bool, strategies: str, capsys: pytest.CaptureFixture[str]
) -> None:
    models.takes_tools = takes_tools
    write(models, strategies, "greedy")
    assert main(["plan", "run.yaml", "--json"]) == 0
    (plan,) = json.loads(capsys.readouterr().out)["preparation"]
    contents = run()
    calls = contents.preparations
    assert {*contents.trials["outcome"]} == {"scored"}
    assert len(calls) <= plan["calls"]
    prompts = sum(call.usage.prompt_tokens or 0 for call in calls)
    assert prompts <= plan["prompt_tokens_at_most"]
    assert prompts + sum(c.usage.completion_tokens or 0 for c in calls) <= plan["tokens_at_most"]
    assert max(contents.trials["context_tokens"]) <= 2_000


@pytest.mark.slow  # kills: tests/contract/test_running.py
@pytest.mark.parametrize("takes_tools", [True, False])
def test_nothing_is_asked_twice_after_kills_between_turns(models: Models, takes_tools: bool) -> None:
    kills = repeats(2, 20)
    models.takes_tools, left, processes = takes_tools, [1], list[subprocess.Popen[bytes]]()
    MODELS["patient"] = lambda turn: [search(f"sentence {turn}")] if turn < kills else "DONE"
    answered = models.reply

    def once_a_start(post: Post) -> Reply | None:
        if "tools" in post.body and not takes_tools:
            return _NO_TOOLS
        if not left[0]:
            processes[-1].send_signal(signal.SIGKILL)
            return None
        left[0] -= 1
        return answered(post)

    write(models, f"agent-{kills + 1}", "patient")
    with replying(once_a_start) as address:
        Path("run.yaml").write_text(Path("run.yaml").read_text().replace(models.address, address))
        for _ in range(kills):
            left[0] = 1
            command = [sys.executable, "-m", "niah", "run", "run.yaml", "--out", "run.sqlite"]
            nowhere = subprocess.DEVNULL
            processes.append(subprocess.Popen(command, stdout=nowhere, stderr=nowhere))
            assert processes[-1].wait(120) == -signal.SIGKILL
        left[0] = 1_000
        contents = run()
    assert {*contents.trials["outcome"]} == {"scored"}
    texts = [text for _, text, _ in models.asked]
    assert len(texts) == len(set(texts)) == kills + 2
    turns = [call.turn for call in contents.preparations]
    assert turns == list(range(1, kills + 2))
    assert {call.step for call in contents.preparations[:-1]} == {"turn by tools" if takes_tools else "turn"}


@pytest.mark.parametrize("temperature", [0, 1])
def test_searches_that_begin_alike_share_a_turn_that_is_no_luck(models: Models, temperature: int) -> None:
    write(models, "agent", "right")
    run("--depths", "10,20,30,40,50,60", "--reader-option", f"temperature={temperature}")
    firsts = [text for _, text, _ in models.asked if _SEARCHES in text and "tokens left;" not in text]
    assert len({*firsts}) < 6
    assert len(firsts) == (6 if temperature else len({*firsts}))


def test_a_search_does_not_change_its_protocol_when_it_is_resumed(models: Models) -> None:
    models.takes_tools = False
    MODELS["late"] = lambda turn: "DONE" if turn == 3 else [search(f"gate {turn}")]
    answered = models.reply
    stopped = threading.Event()

    def dies(post: Post) -> Reply | None:
        if "2 turns and" in json.dumps(post.body) and not stopped.is_set():
            return Reply({"error": {"message": "no such account"}}, 402)
        return answered(post)

    write(models, "agent-4", "late")
    with replying(dies) as address:
        Path("run.yaml").write_text(Path("run.yaml").read_text().replace(models.address, address))
        run()
        stopped.set()
        models.takes_tools = True
        contents = run("--retry", "reader_error")
    assert {*contents.trials["outcome"]} == {"scored"}
    assert {call.step for call in contents.preparations} == {"turn"}
    assert len(models.asked) == len({text for _, text, _ in models.asked}) == 5
