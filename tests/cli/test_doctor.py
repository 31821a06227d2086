"""``niah doctor`` against what is really installed, set and listening here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    code = main(["doctor", "--json", *arguments])
    return code, {each["what"]: each for each in json.loads(capsys.readouterr().out)}


@pytest.fixture(autouse=True)
def empty_folder(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    return in_folder


def test_a_key_is_named_and_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    Path(".env").write_text("ANTHROPIC_API_KEY=sk-secret-7316\n")
    assert main(["doctor"]) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 3
    assert main(["doctor", "--json"]) == 0
    said = capsys.readouterr().out
    assert "ANTHROPIC_API_KEY set" in said
    assert "7316" not in said


def test_an_endpoint_that_listens_and_one_that_does_not(
    capsys: pytest.CaptureFixture[str], simulated_server: SimulatedServer
) -> None:
    code, found = findings(capsys, "--model", "qwen3", "--api-base", simulated_server.base_url)
    assert (code, found["qwen3"]["state"]) == (0, "ok")
    assert main(["doctor", "--model", "qwen3", "--api-base", simulated_server.base_url]) == 0
    assert capsys.readouterr().out == "qwen3: a run could begin (the model was not asked).\n"
    assert simulated_server.prompts == []
    code, found = findings(capsys, "--model", "qwen3", "--api-base", "http://127.0.0.1:9/v1")
    assert (code, found["qwen3"]["state"]) == (2, "wrong")
    assert "nothing answers at http://127.0.0.1:9/v1" in found["qwen3"]["detail"]
