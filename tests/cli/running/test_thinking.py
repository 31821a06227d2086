"""A model that thinks 1,500 tokens before it answers, behind a real endpoint: its room, counts, prices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import niah
from niah.cli.main import main
from niah.readers.options import DEFAULT_ROOM
from niah.readers.outcomes import MORE_ROOM
from niah.runs.file.read_model import read_run
from tests.loopback import Post, Reply, replying

THOUGHTS = 1500
SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512, 768]
depths: [0, 20, 40, 60, 80, 100]
"""
_TELLING = re.compile(r"[^.?!]*lanterns[^.?!]*\.")

pytestmark = pytest.mark.usefixtures("without_figures")


@dataclass
class ThinkingServer:
    """Thinks 1,500 tokens, unless its chat template's switch is off, then quotes the telling sentence.

    Like vLLM with a reasoning parser, it sends thoughts apart and cuts what does not fit into ``max_tokens``.
    """

    base_url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    knows_not: frozenset[str] = frozenset()

    def reply(self, post: Post) -> Reply:
        self.bodies.append(post.body)
        if gone := self.knows_not & set(post.body):
            return Reply({"error": {"message": f"Unknown field: {min(gone)}"}}, 400)
        switch = post.body.get("chat_template_kwargs", {}).get("enable_thinking", True)
        thoughts, room = THOUGHTS if switch else 0, post.body["max_tokens"]
        text = _TELLING.search(post.body["messages"][-1]["content"].rpartition("Question:")[0])
        is_cut = room < thoughts + 20
        message = {
            "role": "assistant",
            "content": None if is_cut else (text[0].strip() if text else "None."),
            "reasoning_content": "hm " * min(room, thoughts),
        }
        written = min(room, thoughts + 20)
        usage = {
            "prompt_tokens": 700,
            "completion_tokens": written,
            "total_tokens": 700 + written,
            "completion_tokens_details": {"reasoning_tokens": min(room, thoughts)},
        }
        choice = {"index": 0, "message": message, "finish_reason": "length" if is_cut else "stop"}
        return Reply({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage})


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThinkingServer]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)
    Path("suite.yaml").write_text(SUITE)
    thinking = ThinkingServer()
    with replying(thinking.reply) as address:
        thinking.base_url = f"{address}/v1"
        yield thinking


def config(server: ThinkingServer, model: str, *keys: str, **more: str) -> str:
    reader = ", ".join([f"model: {model}", f"api_base: '{server.base_url}'", "name: thinker", *keys])
    lines = {"suite": "suite.yaml", "strategies": "[lc]", "readers": f"[{{{reader}}}]", **more}
    Path("mine.yaml").write_text("\n".join(f"{key}: {value}" for key, value in lines.items()))
    return "mine.yaml"


def exported(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["export", "mine"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def outcomes(rows: list[dict[str, Any]]) -> set[str]:
    assert len(rows) == 12
    return {row["outcome"] for row in rows}


def test_a_model_known_to_think_has_room_for_it(
    server: ThinkingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", config(server, "deepseek-reasoner")]) == 0
    rows = exported(capsys)
    assert outcomes(rows) == {"scored"}
    assert {(row["completion_tokens"], row["thinking_tokens"]) for row in rows} == {(1520, 1500)}
    assert list(rows[0])[-3:] == ["thinking_tokens", "thinking_cost", "from_cache"]
    assert server.bodies[0]["max_tokens"] > DEFAULT_ROOM
    assert "chat_template_kwargs" not in server.bodies[0]


def test_any_model_gets_room_by_thinking_tokens(
    server: ThinkingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    name = config(server, "somebodys-own")
    assert main(["run", name]) == 0
    assert "12 answers of thinker were cut among its thoughts" in capsys.readouterr().err
    rows = exported(capsys)
    assert outcomes(rows) == {"truncated"}
    assert rows[0]["thinking_tokens"] == rows[0]["completion_tokens"] < 1500
    assert main(["show", "mine"]) == 0
    # What differs in how a reader is asked is another run.
    assert main(["run", name, "--reader-option", "thinking_tokens=2000"]) == 2
    told = capsys.readouterr().err
    assert "it differs in: reader_options). Name another file with --out: what both ask is not asked" in told
    assert "delete" not in told
    roomy = ["--reader-option", "thinking_tokens=2000", "--out", "runs/mine.sqlite"]
    Path("runs/mine.sqlite").unlink()
    assert main(["run", name, *roomy]) == 0
    assert outcomes(exported(capsys)) == {"scored"}
    assert server.bodies[-1]["chat_template_kwargs"] == {"enable_thinking": True, "thinking": True}
    assert main(["show", "mine"]) == 0
    assert "thinking_tokens 2000" in capsys.readouterr().out


def test_the_reason_of_a_cut_answer_names_the_remedy(server: ThinkingServer) -> None:
    assert main(["run", config(server, "somebodys-own"), "--limit", "1"]) == 0
    (reason,) = {record.reason for record in read_run(Path("runs/mine.sqlite")).records if record.reason}
    assert reason.endswith(f"of them thoughts: {MORE_ROOM}")


def test_a_model_may_be_asked_not_to_think(
    server: ThinkingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", config(server, "Qwen/Qwen3-8B", "thinking_tokens: 0")]) == 0
    rows = exported(capsys)
    assert outcomes(rows) == {"scored"}
    assert {row["thinking_tokens"] for row in rows} == {0}


@pytest.mark.parametrize(
    ("judge", "keys", "room", "switch"),
    [
        ("deepseek-reasoner", "", 2048 + DEFAULT_ROOM, None),
        ("somebodys-own", "", 2048, None),
        ("somebodys-own", ", thinking_tokens: 3000", 2048 + 3000, True),
        ("Qwen/Qwen3-8B", ", thinking_tokens: 0, max_tokens: 500", 500, False),
    ],
)
def test_a_judge_that_thinks_has_room_for_it(
    server: ThinkingServer,
    judge: str,
    keys: str,
    room: int,
    switch: bool | None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = f"{{model: {judge}, api_base: '{server.base_url}'{keys}}}"
    name = config(server, "m", "thinking_tokens: 2000", judge=asked)
    assert main(["plan", name, "--json"]) == 0
    planned = json.loads(capsys.readouterr().out)["judge"]
    assert planned["answer_tokens"] == 12 * (200 + (room - 2048 if room > 2048 else 0))
    main(["run", name, "--limit", "1"])
    asked_to_judge = [body for body in server.bodies if body["model"] == judge]
    assert {body["max_tokens"] for body in asked_to_judge} == {room}
    kwargs = {body.get("chat_template_kwargs", {}).get("enable_thinking") for body in asked_to_judge}
    assert kwargs == {switch}


def test_thoughts_are_planned_budgeted_and_priced(
    server: ThinkingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = "{thinker: {input: 1, output: 10, thinking: 4}}"
    name = config(server, "m", "thinking_tokens: 2000", "system: Say only the number.", prices=prices)

    def planned() -> dict[str, Any]:
        capsys.readouterr()
        assert main(["plan", name, "--json"]) == 0
        reader: dict[str, Any] = json.loads(capsys.readouterr().out)["readers"][0]
        return reader

    before = planned()
    assert before["thinking_tokens"] == 12 * 2000
    assert before["answer_tokens_at_most"] > 12 * 2000
    assert before["prompt_tokens"] == 6 * (512 + 768) + 12 * 5  # "Say only the number."
    money = (before["prompt_tokens"] + 10 * before["answer_tokens"] + 4 * before["thinking_tokens"]) / 1e6
    assert before["usd"] == pytest.approx(money)
    assert main(["plan", name]) == 0
    table = capsys.readouterr().out
    assert re.search(r"prompt +thinking +answer", table)
    assert "thinker may think up to 2,000 tokens a trial" in table
    assert max(len(line) for line in table.splitlines()[:3]) <= 80
    assert main(["run", name, "--budget", "24ktok"]) == 2  # twelve answers may take more
    assert not server.bodies
    assert main(["run", name, "--limit", "4"]) == 0
    assert server.bodies[0]["messages"][0] == {"role": "system", "content": "Say only the number."}
    after = planned()
    assert (after["calls"], after["thinking_tokens"], after["answer_tokens"]) == (8, 8 * 1500, 8 * 20)
    row = next(row for row in exported(capsys) if row["outcome"] == "scored")
    assert row["thinking_cost"] == pytest.approx(1500 * 4e-6)
    assert row["cost"] == pytest.approx(700e-6 + 20 * 10e-6 + 1500 * 4e-6)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        (["temperature: 3"], "readers.0.temperature: should be at most 2"),
        (["top_p: 0"], "readers.0.top_p: should be more than 0"),
        (["thinking_tokens: -1"], "readers.0.thinking_tokens: should be at least 0"),
        (["temprature: 1"], "Did you mean 'temperature'?"),
        (["mode: complete"], "readers.0.mode: should be chat, completion or turns"),
        (["mode: completion", "thinking_tokens: 5"], "readers.0: a completion has no thoughts."),
        (["extra_body: {temperature: 1}"], "temperature is a key of the reader. Write it there."),
        (["extra_body: {messages: []}"], "messages is what niah says itself"),
        (["extra_body: {api_key: sk-1}"], "keys have no place in a config"),
        (["extra_body: 3"], "readers.0.extra_body: should be a mapping"),
    ],
)
def test_what_a_config_may_not_say(
    server: ThinkingServer, keys: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", config(server, "m", *keys)]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert says in line
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("temperature", "'temperature' is no option of a reader. Write NAME=VALUE"),
        ("temprature=1", "no reader option called 'temprature'. Did you mean 'temperature'?"),
        ("temperature=warm", "reader option temperature: should be a number (given: 'warm')"),
        ("thinking_tokens=1.5", "reader option thinking_tokens: should be a whole number"),
        ("top_p=2", "reader option top_p: should be at most 1"),
        ("extra_body.=2", "is no option of a reader"),
        ("extra_body.api_key=2", "keys have no place"),
        ("mode=batch", "reader option mode: should be chat, completion or turns"),
    ],
)
def test_what_the_command_line_may_not_say(
    server: ThinkingServer, option: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", config(server, "m"), "--reader-option", option]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert says in line


@pytest.mark.parametrize(
    ("options", "twice"),
    [
        (["temperature=0", "max_tokens=9", "temperature=1"], "temperature"),
        (["extra_body.top_k=1", "extra_body.min_p=0.1", "extra_body.top_k=2"], "extra_body.top_k"),
        (['extra_body={"top_k": 1}', "extra_body.top_k=2"], "extra_body.top_k"),
        (["extra_body.top_k=2", 'extra_body={"top_k": 1}'], "extra_body"),
    ],
)
def test_an_option_that_is_given_twice_is_refused(
    server: ThinkingServer, options: list[str], twice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = [word for option in options for word in ("--reader-option", option)]
    assert main(["run", config(server, "m"), *said]) == 2
    line = capsys.readouterr().err
    assert f"the reader option {twice} is given twice." in line
    assert not Path("runs").exists()


def test_options_of_the_command_line_come_before_those_of_the_config(
    server: ThinkingServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = config(server, "m", "temperature: 0.2", "thinking_tokens: 1800", "extra_body: {top_k: 4}")
    said = ["--reader-option", "temperature=1", "--reader-option", "extra_body.min_p=0.1"]
    assert main(["run", name, "--limit", "1", *said]) == 0
    (body,) = server.bodies
    assert (body["temperature"], body["min_p"], "top_k" in body) == (1.0, 0.1, False)
    assert body["max_tokens"] > 1800
    # The same, by the environment and as whole number.
    monkeypatch.setenv("NIAH_RUN_READER_OPTION", "temperature=1.0 extra_body.min_p=0.1")
    assert main(["run", name, "--limit", "1"]) == 0
    assert main(["show", "mine"]) == 0
    assert "NIAH_RUN_READER_OPTION" in capsys.readouterr().out


def test_what_an_endpoint_does_not_take_is_left_out_recorded_and_said(
    server: ThinkingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.knows_not = frozenset({"top_k", "top_p", "seed"})
    keys = ["thinking_tokens: 1800", "top_p: 0.9", "extra_body: {top_k: 4}"]
    assert main(["run", config(server, "m", *keys), "--limit", "2"]) == 0
    assert "thinker does not take seed, top_k, top_p: it was asked without." in capsys.readouterr().err
    run = read_run(Path("runs/mine.sqlite"))
    assert run.readers["thinker"]["not_sent"] == "seed, top_k, top_p"
    assert run.config["reader_options"]["thinker"]["top_p"] == 0.9


def test_python_asks_in_the_same_way(server: ThinkingServer) -> None:
    spec = {"model": "m", "api_base": server.base_url, "thinking_tokens": 1800, "temperature": 0.3}
    run = niah.run("suite.yaml", readers=[spec], strategies=["lc"], limit=2, progress=False)
    scored = run.frame().query("outcome == 'scored'")
    assert list(scored["thinking_tokens"]) == [1500, 1500]
    assert server.bodies[0]["temperature"] == 0.3


def test_a_base_model_goes_on_from_the_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("suite.yaml").write_text(SUITE)
    posts: list[Post] = []

    def going_on(post: Post) -> Reply:
        posts.append(post)
        text = _TELLING.search(post.body["prompt"].rpartition("Question:")[0])
        usage = {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720}
        choice = {"index": 0, "text": f" {text[0] if text else 'None.'}", "finish_reason": "stop"}
        return Reply({"id": "1", "object": "text_completion", "choices": [choice], "usage": usage})

    with replying(going_on) as address:
        name = config(ThinkingServer(f"{address}/v1"), "Qwen/Qwen3-8B-Base", "mode: completion")
        assert main(["run", name, "--limit", "2"]) == 0
    scored = [row for row in exported(capsys) if row["outcome"] == "scored"]
    assert [row["score"] for row in scored] == [10, 10]
    assert {post.path for post in posts} == {"/v1/completions"}
    assert posts[0].body["prompt"].endswith("\n\nAnswer:")
    assert posts[0].body["stop"] == ["\n\n"]


def test_a_model_of_a_provider_that_litellm_asks_has_no_plain_completions(
    server: ThinkingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    option = ["--reader-option", "mode=completion"]
    assert main(["plan", config(server, "m"), "--model", "anthropic/claude-sonnet-4-5", *option]) == 2
    assert "cannot be asked for a plain completion" in capsys.readouterr().err
    option = ["--reader-option", "thinking_tokens=500"]
    assert main(["plan", config(server, "m"), "--model", "anthropic/claude-sonnet-4-5", *option]) == 2
    assert "thinks 1,024 tokens at least, not 500" in capsys.readouterr().err
