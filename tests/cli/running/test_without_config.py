"""Runs that need no YAML: a suite, or a fact of one's own, from the command line; and ``niah init``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.needles.load import load_needle_set
from niah.runs.file.read_model import read_run
from tests.conftest import SimulatedServer

NEEDLE = "In Vell the night watch hangs 47 lanterns from the bridge."
QUESTION = "How many lanterns hang from the bridge of Vell?"
FACT = ("--needle", NEEDLE, "--question", QUESTION, "--expect", "47")

pytestmark = pytest.mark.usefixtures("without_figures")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)


def at(server: SimulatedServer) -> list[str]:
    return ["--model", "simulated", "--api-base", server.base_url]


def says(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line with which a mistake is refused, nothing written."""
    capsys.readouterr()
    assert main(list(arguments)) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert not list(Path().iterdir())
    return line


def test_a_suite_is_asked_at_lengths_and_depths_of_the_command_line(
    simulated_server: SimulatedServer,
) -> None:
    grid = [
        "--needle-sets",
        "ferry-lanterns",
        "--lengths",
        "600,1k",
        "--depths",
        "0,50%",
        "--strategies",
        "lc,bm25/top-3/norm@100",
    ]
    assert main(["run", "--suite", "single", *grid, *at(simulated_server)]) == 0
    (file,) = Path("runs").glob("*.sqlite")
    assert file.stem == "single--simulated--ferry-lanterns--lc-bm25-top-3-norm-100--600-1024--0-50"
    run = read_run(file)
    assert {record.outcome for record in run.records} == {"scored"}
    asked = {(record.strategy, record.context_length, record.depth) for record in run.records}
    assert asked == {
        (s, length, d) for s in ("lc", "bm25/top-3/norm@100") for length in (600, 1024) for d in (0, 50)
    }
    settings = run.invocations[-1].settings
    assert settings["lengths"] == {"value": [600, 1024], "source": "flag"}
    assert settings["suite"] == {"value": "single", "source": "flag"}


def test_a_folder_of_texts_in_place_of_the_haystack(simulated_server: SimulatedServer) -> None:
    Path("notes").mkdir()
    line = "The {}th gardener of the lower terrace counts her pears{} and writes nothing down. "
    lines = (line.format(place, " and plums and quinces"[: 6 * (place % 5)].rstrip()) for place in range(60))
    Path("notes/garden.txt").write_text("".join(lines))
    where = ["--haystack", "./notes", "--lengths", "512", "--depths", "50"]
    assert main(["run", "--suite", "single", *where, *at(simulated_server)]) == 0
    assert "gardener of the lower terrace" in simulated_server.prompts[0]


def test_lists_of_the_command_line_stand_in_place_of_a_configs(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["plan", "quick", "--lengths", "512,1k", "--depths", "50", "--strategies", "lc", "--json"]) == 0
    )
    (reader,) = json.loads(capsys.readouterr().out)["readers"]
    assert (reader["calls"], reader["prompt_tokens"]) == (4, 2 * (512 + 1024))


def test_seeds_and_ranges_of_them_stand_in_place_of_the_suites(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = ["--suite", "single", "--lengths", "512", "--depths", "50", "--seeds", "2,5-6"]
    assert main(["run", *grid, *at(simulated_server)]) == 0
    run = Path("runs/single--simulated--512--50--seeds-2-5-6.sqlite")
    assert sorted(record.seed for record in read_run(run).records if record.seed is not None) == [2, 5, 6]
    capsys.readouterr()
    assert main(["plan", "quick", "--strategies", "lc", "--seeds", "1-2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["readers"][0]["calls"] == 2 * 35


def test_needle_sets_that_a_suite_asks_at_no_such_length_are_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("mine.yaml").write_text(
        "haystacks: [essays]\nneedle_sets: [ferry-lanterns, three-gates]\nlengths: [512, 4096]\n"
        "depths: [50]\nshortest: {three-gates: 2048}\n"
    )
    assert main(["plan", "--suite", "mine.yaml", "--lengths", "512", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["readers"][0]["calls"] == 1
    assert main(["plan", "--suite", "mine.yaml", "--lengths", "512", "--needle-sets", "three-gates"]) == 2
    assert "none of the needle sets of mine.yaml is asked at 512 tokens" in capsys.readouterr().err


def test_a_fact_of_ones_own(simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]) -> None:
    grid = ["--lengths", "512", "--depths", "0,100"]
    assert main(["plan", *FACT, *grid, *at(simulated_server)]) == 0
    assert not list(Path().iterdir())  # a plan writes nothing
    assert main(["run", *FACT, *grid, *at(simulated_server)]) == 0
    (path,) = Path("needles").iterdir()
    assert f"needle set {path}" in capsys.readouterr().err
    (file,) = Path("runs").glob("*.sqlite")
    assert [record.score for record in read_run(file).records] == [10, 10]
    assert all(NEEDLE in prompt for prompt in simulated_server.prompts)
    found = load_needle_set(path.stem, 1)
    assert (found.kind, found.answer, [each.id for each in found.needles]) == ("single", "47", ["needle-1"])
    assert main(["needles", "check", str(path)]) == 0
    # The same command goes on with the same file: nothing is left to ask.
    assert main(["run", *FACT, *grid, *at(simulated_server)]) == 0
    assert len(simulated_server.prompts) == 2
    assert list(Path("needles").iterdir()) == [path]


def test_several_facts_carry_what_they_mention(simulated_server: SimulatedServer) -> None:
    both = ["--needle", NEEDLE, "--needle", "In Marrow they hang 12.", "--question", "什么?"]
    grid = ["--lengths", "512", "--depths", "50", "--seeds", "1"]
    expected = ["--expect", "47", "--expect", "12"]
    assert main(["run", *both, *expected, *grid, *at(simulated_server)]) == 0
    found = list(Path("needles").glob("needle-*.yaml"))
    assert len(found) == 1
    carried = load_needle_set(str(found[0]), 1)
    assert [needle.elements for needle in carried.needles] == [("47",), ("12",)]


def test_an_expected_word_said_twice_is_told_by_its_option(capsys: pytest.CaptureFixture[str]) -> None:
    word = FACT[FACT.index("--expect") + 1]
    assert main(["run", *FACT, "--expect", word]) == 2
    assert capsys.readouterr().err == f"niah: --expect {word!r} stands twice. Take one out.\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "there is nothing to run yet. Name a run config"),
        (["frontier"], "frontier is a suite, which says nothing of readers and strategies"),
        (["frontier"], "niah run --suite frontier --model MODEL --strategies lc,dos asks it."),
        (["quick", "--suite", "frontier"], "quick has a suite of its own."),
        (["--suite", "frontire"], "no suite called 'frontire'. Did you mean 'frontier'?"),
        (["--suite", "single", "--strategies", "lc,dso"], "--strategies: no strategy called 'dso'."),
        (["--suite", "single", "--strategies", "lc,lc"], "--strategies: lc stands twice."),
        (["--suite", "single", "--strategies", ","], "--strategies names nothing."),
        (["--suite", "single", "--lengths", "4x"], "--lengths: '4x' is no context length."),
        (
            ["--suite", "single", "--lengths", "15"],
            "--lengths: '15' is no context length. Write 16 tokens or more",
        ),
        (["--suite", "single", "--depths", "0,101"], "--depths: '101' is no depth."),
        (["--suite", "single", "--depths", "nan"], "--depths: 'nan' is no depth."),
        (
            ["--suite", "single", "--seeds", "3-1"],
            "--seeds: '3-1' is no seed, and no range of at most 1,000.",
        ),
        (["--suite", "single", "--seeds", "1-3,2"], "--seeds: 2 stands twice, in 1-3 and 2."),
        (["--suite", "single", "--lengths", "1k,1024"], "--lengths: 1024 stands twice, in 1k and 1024."),
        (["--suite", "single", "--depths", "50,50.0"], "--depths: 50 stands twice, in 50 and 50.0."),
        (
            ["--suite", "single", "--depths", "33.333333,33.333334"],
            "--depths: 33.3333 stands twice, in 33.333333 and 33.333334.",
        ),
        (["--suite", "single", "--wait", "never"], "--wait: 'never' is no duration."),
        (
            ["--suite", "single", "--needle-sets", "three-gate"],
            "niah: no needle set called 'three-gate'. Did",
        ),
        (["--suite", "single", "--haystack", "nowhere"], "niah: no haystack called 'nowhere'"),
        (
            ["--suite", "essays"],
            "essays is a question set, and no suite. Write a suite of one line, `questions: essays`",
        ),
        (["--suite", "questions", "--lengths", "4k"], "is a suite of question sets alone"),
        (["--needle", NEEDLE], "--question is missing. --needle, --question and --expect go together."),
        (["--question", QUESTION], "--needle is missing."),
        ([*FACT[:4], "--expect", ""], "--expect is empty. --needle, --question and --expect go together."),
        ([*FACT, "--expect", " "], "--expect is empty."),
        ([*FACT, "--needle", ""], "--needle is empty."),
        (["--needle", NEEDLE, "--question", "  ", "--expect", "47"], "--question is empty."),
        (["quick", "--question", ""], "--needle is missing."),
        ([*FACT, "--strategies", "bm25/top-9999999999999/norm"], "'top-9999999999999' is too large."),
        ([*FACT, "--strategies", "bm25/top-0/norm"], "'top-0' needs a whole number above 0, not '0'."),
        ([*FACT, "--expect", "48"], "the needle does not hold the expected answer '48'."),
        ([*FACT, "--needle-sets", "three-gates"], "--needle and --needle-sets both say what is hidden."),
        ([*FACT, "--strategies", "dso"], "no strategy called 'dso'"),
    ],
)
def test_what_is_refused(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert expected in says(capsys, "run", *arguments)


def test_a_run_that_cannot_start_leaves_no_needle_set(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("short.txt").write_text("The gardener counts her pears and writes nothing down. " * 3)
    where = ["--haystack", "./short.txt", "--lengths", "4096", *at(simulated_server)]
    assert main(["run", *FACT, *where]) == 2
    assert "short" in capsys.readouterr().err
    assert [path.name for path in Path().iterdir()] == ["short.txt"]


def test_an_example_project_is_planned_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "demo"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "demo/needles/market-bell.yaml",
        "demo/cases/mine.yaml",
        "demo/runs/mine.yaml",
    ]
    assert main(["init"]) == 0
    assert main(["needles", "check", "needles/market-bell.yaml"]) == 0
    capsys.readouterr()
    assert main(["plan", "mine", "--json"]) == 0
    (reader,) = json.loads(capsys.readouterr().out)["readers"]
    assert reader["calls"] == 3 * 3 * 3
    Path("cases/mine.yaml").unlink()
    assert main(["init"]) == 2
    assert "needles/market-bell.yaml is there already" in capsys.readouterr().err
    assert not Path("cases/mine.yaml").exists()


def test_a_needle_set_in_a_run_configs_place_is_told_how_it_is_hidden(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["init"]) == 0
    capsys.readouterr()
    assert main(["run", "needles/market-bell.yaml"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(
        "niah: needles/market-bell.yaml is a needle set, and no run config. niah run --need"
    )
    assert told.count("\n") == 1
