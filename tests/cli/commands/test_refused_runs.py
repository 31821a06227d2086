"""What starts no run, or is no success: wrong configs, readers that cannot answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.cli.commands.small_suite import present, run


def test_another_config_in_the_same_run_file_is_refused(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--limit", "1", base=simulated_server.base_url)
    Path("runs/small.yaml").write_text("suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n")
    assert main(["run", "small", "--model", "simulated", "--api-base", simulated_server.base_url]) == 2
    assert "strategies" in capsys.readouterr().err
    assert len(simulated_server.prompts) == 1


def test_a_missing_key_is_named_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["run", "quick", "--model", "openai/gpt-4o-mini"]) == 2
    assert "OPENAI_API_KEY" in capsys.readouterr().err
    assert present() == []
