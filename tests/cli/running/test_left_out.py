"""A run whose suite asks for cases that cannot be built: plan, run, merge and report agree about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cli.main import main
from niah.runs.file.read_model import read_run
from tests.conftest import SimulatedServer

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [64, 512]
depths: [0, 50, 100]
skip: impossible
"""
LEFT_OUT = [f"ferry-lanterns_essays_64_d{depth}_s1" for depth in (0, 50, 100)]
BUILT = [f"ferry-lanterns_essays_512_d{depth}_s1" for depth in (0, 50, 100)]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid.yaml").write_text(SUITE)
    Path("small.yaml").write_text("suite: grid.yaml\nreaders: [smollm2]\nstrategies: [lc]\n")


def arguments(command: str, server: SimulatedServer, *more: str) -> list[str]:
    return [command, "small.yaml", "--model", "simulated", "--api-base", server.base_url, *more]


def left_out_of(path: str) -> list[str]:
    return [each.case_id for each in read_run(Path(path)).left_out]


def test_a_run_its_resumption_and_its_shards_agree(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments("run", simulated_server, "--limit", "1", "--out", "run.sqlite")) == 0
    assert "3 cases left out" in capsys.readouterr().err
    assert main(arguments("run", simulated_server, "--out", "run.sqlite")) == 0
    run = read_run(Path("run.sqlite"))
    assert sorted(record.case_id for record in run.records) == sorted(BUILT)
    assert (run.whole, left_out_of("run.sqlite"), run.config["cases"]) == (True, LEFT_OUT, BUILT)
    assert len(simulated_server.prompts) == 3
    assert run.invocations[-1].settings["skip"] == {"value": "impossible", "source": "file"}

    for part in ("1/2", "2/2"):
        shard = f"part{part[0]}.sqlite"
        assert main(arguments("run", simulated_server, "--shard", part, "--out", shard)) == 0
        assert left_out_of(shard) == LEFT_OUT
    capsys.readouterr()
    assert main(["merge", "part1.sqlite", "part2.sqlite", "--out", "all.sqlite"]) == 0
    assert "3 trials of 2 files, 3 finished" in capsys.readouterr().out
    assert left_out_of("all.sqlite") == LEFT_OUT

    assert main(["show", "run.sqlite"]) == 0
    assert "3 cases left out" in capsys.readouterr().out
