"""A run whose suite asks for cases that cannot be built: plan, run, merge and report agree about them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cases.samples import rebuild
from niah.cli.main import main
from niah.haystacks.documents import load_documents
from niah.needles.load import load_needle_set
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


def test_plan_says_what_the_run_will_leave_out(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments("plan", simulated_server)) == 0
    out = capsys.readouterr().out
    assert "3 cases left out: they cannot be built" in out
    assert "too short" in out
    assert main(arguments("plan", simulated_server, "--json")) == 0
    document = json.loads(capsys.readouterr().out)
    assert [each["case_id"] for each in document["left_out"]] == LEFT_OUT
    assert (document["readers"][0]["trials"], document["total"]["calls"]) == (3, 3)


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


def test_what_stops_a_run_without_the_key_is_one_line_that_names_it(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("grid.yaml").write_text(SUITE.replace("skip: impossible\n", ""))
    assert main(arguments("run", simulated_server, "--out", "run.sqlite")) == 2
    error = capsys.readouterr().err
    assert (error.count("\n"), "skip: impossible in the suite" in error) == (1, True)
    assert not Path("run.sqlite").exists()
    assert main(arguments("run", simulated_server, "--out", "run.sqlite", "--skip", "impossible")) == 0
    assert left_out_of("run.sqlite") == LEFT_OUT
    assert read_run(Path("run.sqlite")).invocations[-1].settings["skip"]["source"] == "flag"


def test_other_cases_are_another_run_and_those_left_out_are_of_the_latest(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments("run", simulated_server, "--limit", "1", "--out", "run.sqlite")) == 0
    Path("grid.yaml").write_text(SUITE.replace("[64, 512]", "[512]"))
    assert main(arguments("run", simulated_server, "--limit", "1", "--out", "run.sqlite")) == 0
    assert left_out_of("run.sqlite") == []
    Path("grid.yaml").write_text(SUITE.replace("[64, 512]", "[512, 600]"))
    capsys.readouterr()
    assert main(arguments("run", simulated_server, "--out", "run.sqlite")) == 2
    assert "differs in: cases" in capsys.readouterr().err


def test_what_a_background_goes_without_is_in_plan_run_file_and_report(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    (element,) = load_needle_set("ferry-lanterns", 1).elements
    leak = f"All {element.name} of them stood in the shed."
    essays = [paragraph for document in load_documents("essays")[:8] for paragraph in document.paragraphs]
    Path("mine").write_text("\n\n".join(f"{essay} {leak}" for essay in essays))
    Path("grid.yaml").write_text(SUITE.replace("essays", "mine").replace("64, 512", "64, 1024, 4096"))
    assert main(arguments("plan", simulated_server)) == 2
    assert "none of the 9 cases can be built" in capsys.readouterr().err
    assert main(arguments("plan", simulated_server, "--accidents", "avoid")) == 0
    assert "Haystack sentences left out" in capsys.readouterr().out
    run = arguments("run", simulated_server, "--accidents", "avoid", "--out", "run.sqlite")
    assert main(run) == 0
    assert "Haystack sentences left out" in capsys.readouterr().err
    contents = read_run(Path("run.sqlite"))
    assert (len(contents.samples), len(contents.left_out)) == (6, 3)
    for sample in contents.samples.values():
        assert sample.avoided == rebuild(sample).avoided
        assert sample.sample_id.endswith("_avoid")
    assert any(leak in text for sample in contents.samples.values() for text in sample.avoided)
    assert not any(leak in prompt for prompt in simulated_server.prompts)
    assert main(run) == 0
    assert len(simulated_server.prompts) == 6
    assert main(["report", "run.sqlite", "--out", "report"]) == 0
    left_out, avoided = (
        Path(f"report/tables/{name}.csv").read_text().splitlines()[1:] for name in ("left-out", "avoided")
    )
    assert left_out == ["ferry-lanterns,mine,64,too short for prompt and needles,3"]
    assert [row.rsplit(",", 2)[0] for row in avoided] == ["ferry-lanterns,mine,6"]
    capsys.readouterr()
    assert main(["show", max(contents.samples)]) == 0
    assert "left out, since it answers by accident: " in capsys.readouterr().out
