"""Files that somebody else made on purpose, given to the real command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from niah.cases.prompts import load_prompt
from niah.cli.main import main
from tests.cli.hostile.told import Told
from tests.conftest import simulating

SUITE = "haystacks: [essays]\nneedle_sets: [three-gates]\nlengths: [512]\ndepths: [0, 100]\n"
CONFIG = "suite: suite.yaml\nreaders: [{{model: small, api_base: '{address}'}}]\nstrategies: [lc, topk@4]\n"


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    load_prompt.cache_clear()  # what a process has read it reads no more
    return Told(capsys)


@pytest.fixture(scope="module")
def good_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a finished run, good.sqlite, its suite and its config, whose reader still answers."""
    folder = tmp_path_factory.mktemp("good")
    with simulating() as server, pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        (folder / "suite.yaml").write_text(SUITE)
        (folder / "good.yaml").write_text(CONFIG.format(address=server.base_url))
        assert main(["run", "good.yaml", "--out", "good.sqlite"]) == 0
        yield folder
