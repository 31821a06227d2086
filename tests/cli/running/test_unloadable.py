"""``niah run`` with a model file that begins well and cannot be loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main


def test_a_model_that_cannot_be_loaded_leaves_neither_run_file_nor_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid.yaml").write_text(
        "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [512]\ndepths: [50]\n"
    )
    Path("config.yaml").write_text("suite: grid.yaml\nreaders: [cut.gguf]\nstrategies: [lc]\n")
    Path("cut.gguf").write_bytes(b"GGUF\x03\0\0\0" + b"\0" * 40)
    for _ in range(2):  # nothing is in the way of another try
        assert main(["run", "config.yaml", "--out", "run.sqlite"]) == 2
        assert "cut.gguf is no whole GGUF file" in capsys.readouterr().err
        assert list(Path().glob("run.sqlite*")) == []
