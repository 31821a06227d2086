"""A loopback endpoint that answers and judges, a small run config for it, and what a run exports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.loopback import Reply, completion, replying

SUITE = """
haystacks: [essays]
needle_sets: [three-gates]
lengths: [512]
depths: [0, 50, 100]
"""
CONFIG = (
    "suite: grid.yaml\nreaders: [{{model: simulated, api_base: {base}}}]\nstrategies: [lc, closed-book]\n"
)


@dataclass
class Endpoint:
    """Answers questions with what their text says; judges what it is asked to judge, unless it is broken."""

    base_url: str = ""
    broken: bool = False
    unjudged: int = 0  # so many answers, the first that are read, get no verdict
    read: list[str] = field(default_factory=list)
    judged: list[dict[str, Any]] = field(default_factory=list)

    def reply(self, messages: list[dict[str, str]]) -> str:
        if messages[0]["role"] == "system":
            self.judged.append(json.loads(messages[1]["content"]))
            silent = self.broken or self.judged[-1]["answer"].endswith("#")
            return "I would rather not." if silent else json.dumps(verdict_on(self.judged[-1]))
        self.read.append(messages[0]["content"])
        text = messages[0]["content"].rpartition("Question:")[0]
        answer = "50317, 82946 and 17685" if "access code" in text else "The text does not say."
        return answer + (" #" if len(self.read) <= self.unjudged else "")


def verdict_on(asked: dict[str, Any]) -> dict[str, Any]:
    """Stricter than the rubric by a level: it sees something wrong in every answer that finds anything."""
    names = [element["name"] for element in asked["elements"]]
    found = [name for name in names if name in asked["answer"]]
    return {
        "evidence": [{"element": name, "quotation": name} for name in found],
        "reason": "as I see it",
        "missing": [name for name in names if name not in found],
        "wrong": ["something else"] if found else [],
        "refused": False,
        "self_doubt": False,
        "score": 5,
    }


@contextmanager
def answering(made: Endpoint) -> Iterator[None]:
    """Serve ``made``, and write a suite and a run config that asks it into the working folder."""

    with replying(lambda post: Reply(completion(made.reply(post.body["messages"]), 100, 20))) as address:
        made.base_url = f"{address}/v1"
        Path("grid.yaml").write_text(SUITE)
        Path("small.yaml").write_text(CONFIG.format(base=made.base_url))
        yield


def exported(capsys: pytest.CaptureFixture[str], *more: str) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert main(["export", "small", *more]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]
