"""A suite of twelve cases, runs of it, and what they leave."""

from __future__ import annotations

import json
import socket
from pathlib import Path

from niah.cli.main import main

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [512, 1024]
depths: [0, 50, 100]
"""


def present() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def suite(text: str = SUITE) -> str:
    Path("mine.yaml").write_text(text)
    return "mine.yaml"


def run(*extra: str, base: str) -> int:
    Path("runs").mkdir(exist_ok=True)
    suite()
    config = "suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc, mixpr/budget-300/document]\n"
    Path("runs/small.yaml").write_text(config)
    return main(["run", "small", "--model", "simulated", "--api-base", base, *extra])


def exported(name: str = "small-simulated") -> list[dict[str, object]]:
    assert main(["export", name, "--out", "export.jsonl"]) == 0
    return [json.loads(line) for line in Path("export.jsonl").read_text().splitlines()]


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
