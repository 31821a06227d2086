"""Context lengths in tokens, or as people write them, in files as on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cases.suite import load_suite
from niah.cases.suite_files.context_lengths import length_of
from niah.errors import ConfigError
from niah.runs.config.load import load_config

SUITE = "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\ndepths: [0]\nlengths: %s\n"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        *(("4k", 4096), ("4K", 4096), ("1m", 1024**2), ("512", 512), ("16", 16)),
        *(("15", None), ("0k", None), ("4x", None), ("", None), ("1.5k", None), ("4k\n", None), ("٤k", None)),
    ],
)
def test_a_written_length(text: str, tokens: int | None) -> None:
    assert length_of(text) == tokens


def test_a_suite_has_them_in_either_way(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(SUITE % "[512, 1k, 2K]" + "shortest: {ferry-lanterns: 1k}\n")
    assert [case.context_length for case in load_suite(str(path)).cases] == [1024, 2048]
    path.write_text(SUITE % "[1k, 1024]")
    with pytest.raises(ConfigError, match=r"lengths: 1024 stands twice"):
        load_suite(str(path))
    path.write_text(SUITE % "[1k, 2x]")
    with pytest.raises(ConfigError, match=r"lengths\.1: should be 16 tokens or more, such as 4096 or 4k"):
        load_suite(str(path))
    path.write_text(SUITE % "[15]")
    with pytest.raises(ConfigError, match=r"lengths\.0: should be at least 16 \(given: 15\)"):
        load_suite(str(path))


def test_a_readers_window_too(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    reader = "{model: m, api_base: 'http://127.0.0.1:9/v1', window: 8k, truncate: middle}"
    path.write_text(f"suite: single\nreaders: [{reader}]\nstrategies: [lc]\n")
    assert [window.tokens for window in load_config(str(path)).windows.values()] == [8192]
