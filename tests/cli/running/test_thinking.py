"""A model that thinks 1,500 tokens before it answers, behind a real endpoint: its room, counts, prices."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
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
    """Thinks 1,500 tokens, which it sends apart like vLLM, then quotes the telling sentence."""

    base_url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)

    def reply(self, post: Post) -> Reply:
        self.bodies.append(post.body)
        assert post.body["max_tokens"] >= THOUGHTS + 20
        text = _TELLING.search(post.body["messages"][-1]["content"].rpartition("Question:")[0])
        message = {
            "role": "assistant",
            "content": text[0].strip() if text else "None.",
            "reasoning_content": "hm " * THOUGHTS,
        }
        usage = {
            "prompt_tokens": 700,
            "completion_tokens": THOUGHTS + 20,
            "total_tokens": 700 + THOUGHTS + 20,
            "completion_tokens_details": {"reasoning_tokens": THOUGHTS},
        }
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return Reply({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage})


@pytest.fixture
def server(in_folder: Path) -> Iterator[ThinkingServer]:
    Path("suite.yaml").write_text(SUITE)
    thinking = ThinkingServer()
    with replying(thinking.reply) as address:
        thinking.base_url = f"{address}/v1"
        yield thinking


def test_thoughts_are_planned_budgeted_and_priced(
    server: ThinkingServer, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = "{thinker: {input: 1, output: 10}}"
    name, thinking = "mine.yaml", "thinking_tokens: 2000, system: Say only the number."
    reader = f"{{model: m, api_base: '{server.base_url}', name: thinker, {thinking}}}"
    Path(name).write_text(f"suite: suite.yaml\nstrategies: [lc]\nreaders: [{reader}]\nprices: {prices}\n")

    def planned() -> dict[str, Any]:
        capsys.readouterr()
        assert main(["plan", name, "--json"]) == 0
        reader: dict[str, Any] = json.loads(capsys.readouterr().out)["readers"][0]
        return reader

    before = planned()
    assert before["thinking_tokens"] == 12 * 2000
    assert before["tokens_at_most"] - before["prompt_tokens_at_most"] > 12 * 2000
    assert before["prompt_tokens"] == 6 * (512 + 768) + 12 * 5  # "Say only the number."
    money = (before["prompt_tokens"] + 10 * (before["answer_tokens"] + before["thinking_tokens"])) / 1e6
    assert before["usd"] == pytest.approx(money)
    assert main(["plan", name]) == 0
    table = capsys.readouterr().out
    assert re.search(r"prompt +thinking +answer", table)
    assert max(len(line) for line in table.splitlines()[:3]) <= 80
    assert main(["run", name, "--budget", "24ktok"]) == 2  # twelve answers may take more
    assert not server.bodies
    assert main(["run", name, "--limit", "4"]) == 0
    assert server.bodies[0]["messages"][0] == {"role": "system", "content": "Say only the number."}
    after = planned()
    assert (after["calls"], after["thinking_tokens"], after["answer_tokens"]) == (8, 8 * 1500, 8 * 20)
    assert main(["export", "mine"]) == 0
    row = json.loads(capsys.readouterr().out.splitlines()[0])
    assert row["thinking_cost"] == pytest.approx(1500 * 10e-6)
    assert row["cost"] == pytest.approx(700e-6 + 20 * 10e-6 + 1500 * 10e-6)
