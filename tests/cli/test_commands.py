"""Every command in-process, as a user meets it: good input, wrong input, exit code."""

from __future__ import annotations

import csv
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from niah import __version__
from niah.cases.assembly.assembly import build_context
from niah.cases.case import Case
from niah.cli.main import COMMANDS, main

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [512, 1024]
depths: [0, 50, 100]
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def present() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def suite(text: str = SUITE) -> str:
    Path("mine.yaml").write_text(text)
    return "mine.yaml"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert "Usage: niah" in capsys.readouterr().out


def test_a_misspelt_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generat", "quick"]) == 2
    assert "Did you mean 'generate'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("run quick --skip imposible", "Did you mean 'impossible'? See: niah run --help"),
        ("run quick --mode exact", "mode is a key of suites. See: niah run --help"),
        ("plan quick --repeats 3", "repeats is a key of run configs. See: niah plan --help"),
    ],
)
def test_what_was_meant_stands_behind_it(line: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert capsys.readouterr().err.endswith(f". {meant}\n")


def test_questions_are_no_suite(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.jsonl").write_text("{}\n")
    assert main(["run", "--suite", "mine.jsonl", "--strategies", "lc"]) == 2
    assert "Write a suite of one line, `questions: [mine.jsonl]`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("run quick --limit 0", "--limit: 0 is not in the range x>=1. See: niah run --help"),
        (
            "run quick --skip some",
            "--skip: 'some' is not one of 'nothing', 'impossible'. See: niah run --help",
        ),
        (
            "run quick --model a,b",
            "--model names one model, not several (a,b). Write them as `readers` of a run config",
        ),
        (f"run quick --concurrency {2**63}", f"--concurrency: {2**63} is too large. See: niah run --help"),
        ("compare a b --alpha nan", "--alpha: 'nan' is no number. See: niah compare --help"),
        ("compare a b --seed -1", "--seed: -1 is not in the range x>=0. See: niah compare --help"),
        ("haystack read", "Missing argument 'NAME|PATH'. See: niah haystack read --help"),
        ("retrieve", "there is nothing to retrieve from. Name a case or a suite: niah list suites."),
        (
            "completion",
            "Missing argument '{bash|zsh|fish}'. Choose from: bash, zsh, fish. See: niah completion --help",
        ),
        ("list suites more", "Got unexpected extra argument (more). See: niah list --help"),
        (
            f"generate quick --reserve {'9' * 5000}",
            f"'{'9' * 499} ... {'9' * 475}' is no number of tokens. Write --reserve 40",
        ),
    ],
)
def test_a_mistake_in_a_command_line_is_one_line(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"niah: {says}")
    assert error.count("\n") == 1
    assert present() == []


def test_generate_writes_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", suite(), "--with-context", "--audit", "--out", "out.jsonl"]) == 0
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert len(rows) == 12
    wanted = (
        "case_id needle_set haystack context_length depth seed tokenizer mode question answer elements "
        "needles distractors tokens prompt_tokens sha256 context"
    )
    for row in rows:
        assert set(wanted.split()) <= row.keys()
        assert row["tokens"] + row["prompt_tokens"] == row["context_length"]
        for needle in row["needles"]:
            assert row["context"][needle["start"] : needle["end"]] == needle["text"]
            assert needle["token_start"] == needle["asked_token"]
    assert "12 cases" in capsys.readouterr().err


def test_generate_to_standard_output_leaves_contexts_out(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["generate", suite()]) == 0
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert len(rows) == 12
    assert "context" not in rows[0]


def test_generate_is_the_same_in_every_process() -> None:
    suite()
    outputs = set()
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-m", "niah", "generate", "mine.yaml", "--with-context"]
        outputs.add(subprocess.run(command, capture_output=True, check=True, env=environment).stdout)
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == 12


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("lengths: [512", "lengths: [64"), "at least"),
        (("depths: [0", "depths: [-3"), "depths.0"),
        (("depths:", "depth:"), "Did you mean 'depths'"),
        (("needle_sets: [ferry-lanterns", "needle_sets: [ferry"), "needle_sets.0"),
        (("lengths: [512", "lengths: [9000000"), "longer haystack"),
    ],
)
def test_a_wrong_suite_writes_nothing(
    change: tuple[str, str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", suite(SUITE.replace(*change)), "--out", "out.jsonl"]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error
    assert present() == ["mine.yaml"]


def test_show_marks_the_needles(capsys: pytest.CaptureFixture[str]) -> None:
    case = Case("three-gates", "essays", 700, 50)
    assert main(["show", case.case_id]) == 0
    out = capsys.readouterr().out
    assert all(f"[[{needle.text}]]" in out for needle in build_context(case).needles)
    assert "Question: Which numbers open the copper gate" in out


def test_show_as_json_is_what_generate_writes(capsys: pytest.CaptureFixture[str]) -> None:
    case = Case("three-gates", "essays", 512, 50)
    assert main(["show", case.case_id, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert main(["generate", suite(), "--with-context", "--out", "out.jsonl"]) == 0
    rows = {row["case_id"]: row for row in map(json.loads, Path("out.jsonl").read_text().splitlines())}
    assert shown == rows[case.case_id]


@pytest.mark.parametrize(
    "case_id", ["nonsense", "three-gate_essays_700_d50_s1", "three-gates_essays_70_d50_s1"]
)
def test_show_refuses_what_is_no_case(case_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", case_id]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_list_names_all_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    for name in ("pizza-ingredients", "essays", "u-niah", "quick", "mixpr", "smollm2", "o200k"):
        assert name in out


def run(*extra: str, base: str) -> int:
    Path("runs").mkdir(exist_ok=True)
    suite()
    config = "suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc, mixpr/budget-300/document]\n"
    Path("runs/small.yaml").write_text(config)
    return main(["run", "small", "--model", "simulated", "--api-base", base, *extra])


def exported(name: str = "small--simulated") -> list[dict[str, object]]:
    assert main(["export", name, "--out", "export.jsonl"]) == 0
    return [json.loads(line) for line in Path("export.jsonl").read_text().splitlines()]


def test_run_end_to_end(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(base=simulated_server.base_url) == 0
    rows = exported()
    assert len(rows) == 12 * 2 == len(simulated_server.prompts)
    assert {row["outcome"] for row in rows} == {"scored"}
    # The simulated model quotes what it is shown: the whole context always holds the answer.
    assert all(row["score"] == 10 for row in rows if row["strategy"] == "lc")
    assert all(row["retrieval_completeness"] is not None for row in rows if row["strategy"] != "lc")
    assert list(Path("plots/small--simulated").glob("*.png"))
    out = capsys.readouterr().out
    assert "runs/small--simulated.sqlite" in out
    assert "plots/small--simulated" in out


def test_export_has_the_contract_and_csv(simulated_server: Any) -> None:
    run("--limit", "3", base=simulated_server.base_url)
    rows = exported()
    wanted = (
        "trial_id case_id needle_set haystack context_length depth seed strategy reader repeat outcome score "
        "judge_scores missing wrong self_doubt error_type answer prompt_tokens completion_tokens "
        "cached_tokens cost latency_s retrieval_completeness noise_ratio needle_ranks context_tokens "
        "needle_split origin question_set document_id kind source unsure thinking_tokens thinking_cost "
        "from_cache"
    )
    assert list(rows[0]) == wanted.split()
    assert main(["export", "small--simulated", "--format", "csv", "--out", "export.csv"]) == 0
    with Path("export.csv").open(newline="") as file:
        assert [row["trial_id"] for row in csv.DictReader(file)] == [row["trial_id"] for row in rows]
    assert main(["export", "small--simulated", "--out", "export.pdf"]) == 2
    assert not Path("export.pdf").exists()
    assert main(["export", "small--simulated", "--format", "csv", "--out", "export.pdf"]) == 0


def test_what_is_not_run_is_said_and_has_no_score(simulated_server: Any) -> None:
    run("--limit", "5", base=simulated_server.base_url)
    rows = exported()
    assert [row["outcome"] for row in rows].count("not_run") == len(rows) - 5
    assert all((row["score"] is None) == (row["outcome"] != "scored") for row in rows)


def test_the_same_command_goes_on_and_pays_nothing_twice(simulated_server: Any) -> None:
    run("--limit", "7", base=simulated_server.base_url)
    run(base=simulated_server.base_url)
    run(base=simulated_server.base_url)
    assert len(simulated_server.prompts) == 24


def test_another_config_in_the_same_run_file_is_refused(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--limit", "1", base=simulated_server.base_url)
    Path("runs/small.yaml").write_text("suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n")
    assert main(["run", "small", "--model", "simulated", "--api-base", simulated_server.base_url]) == 2
    assert "strategies" in capsys.readouterr().err
    assert len(simulated_server.prompts) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc, topk/]\n", "strategies.1"),
        ("suite: mine.yaml\nreaders: [smolm2]\nstrategies: [lc]\n", "Did you mean 'smollm2'"),
        ("suite: qick\nreaders: [smollm2]\nstrategies: [lc]\n", "Did you mean 'quick'"),
        ("suite: quick\nreader: [smollm2]\nstrategies: [lc]\n", "Did you mean 'readers'"),
        ("suite: quick\nreaders: [smollm2]\nstrategies: [lc]\njudge: rubrik\n", "judge"),
        ("suite: quick\nreaders: [smollm2]\nstrategies: [lc]\nrepeats: 0\n", "repeats"),
        (
            "suite: quick\nreaders: [smollm2]\nstrategies: [lc]\nrepeats: 1001\n",
            "repeats: should be at most 1,000",
        ),
    ],
)
def test_a_wrong_config_starts_nothing(text: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    suite()
    Path("bad.yaml").write_text(text)
    assert main(["run", "bad.yaml"]) == 2
    assert says in capsys.readouterr().err
    assert present() == ["bad.yaml", "mine.yaml"]


def test_a_missing_key_is_named_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["run", "quick", "--model", "openai/gpt-4o-mini"]) == 2
    assert "OPENAI_API_KEY" in capsys.readouterr().err
    assert present() == []


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--model", "anthropic/claude-sonnet-4-5"], "ANTHROPIC_API_KEY"),
        (["--model", "nothing.gguf"], "no model file nothing.gguf"),
        (["--model", "smolm2"], "Did you mean 'smollm2'"),
        (["--model", "m", "--api-base", f"http://127.0.0.1:{closed_port()}/v1"], "nothing answers at"),
        (["--model", "m", "--api-base", "localhost"], "no web address"),
        (["--api-base", "http://127.0.0.1:1/v1"], "--api-base needs --model"),
        (["--retry", "scored"], "Known: judge_error"),
    ],
)
def test_a_reader_that_cannot_answer_starts_nothing(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert main(["run", "quick", *arguments]) == 2
    assert says in capsys.readouterr().err
    assert present() == []


def test_a_case_that_cannot_be_built_starts_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    suite(SUITE.replace("[512", "[64"))
    Path("bad.yaml").write_text("suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n")
    assert main(["run", "bad.yaml"]) == 2
    assert "at least" in capsys.readouterr().err
    assert present() == ["bad.yaml", "mine.yaml"]


def test_errors_are_kept_until_they_are_asked_for_again(simulated_server: Any) -> None:
    simulated_server.broken = True
    run("--limit", "4", base=simulated_server.base_url)
    assert [row["outcome"] for row in exported()].count("reader_error") == 4
    simulated_server.broken = False
    run("--limit", "4", base=simulated_server.base_url)
    assert [row["outcome"] for row in exported()].count("reader_error") == 4
    run("--retry", "reader_error", base=simulated_server.base_url)
    assert {row["outcome"] for row in exported()} == {"scored"}


@pytest.mark.parametrize("limit", [1, 4])
def test_a_run_in_which_nobody_answered_is_no_success(
    simulated_server: Any, capsys: pytest.CaptureFixture[str], limit: int
) -> None:
    simulated_server.broken = True
    assert run("--limit", str(limit), base=simulated_server.base_url) == 4
    many = f"None of the {limit} trials that were asked got an answer."
    says = many if limit > 1 else "The one trial that was asked got no answer."
    told = capsys.readouterr()
    assert says in told.err
    assert "run file" in told.out
    assert "niah report" not in told.out  # there is nothing to look at


def test_going_on_with_a_server_that_is_gone_changes_nothing(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--limit", "3", base=simulated_server.base_url)
    before = exported()
    assert run(base=f"http://127.0.0.1:{closed_port()}/v1") == 2
    assert "nothing answers at" in capsys.readouterr().err
    assert exported() == before


def test_models_that_differ_after_a_dot_have_files_of_their_own(simulated_server: Any) -> None:
    run("--limit", "1", base=simulated_server.base_url)
    for model in ("m-4.1", "m-4.5"):
        arguments = ["--model", model, "--api-base", simulated_server.base_url, "--limit", "1"]
        assert main(["run", "small", *arguments]) == 0
    assert {path.stem for path in Path("runs").glob("*.sqlite")} == {
        "small--simulated",
        "small--m-4.1",
        "small--m-4.5",
    }


def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("in the way")
    assert main(["generate", suite(), "--out", "file/out.jsonl"]) == 2
    assert "file" in capsys.readouterr().err
    Path("folder").mkdir()
    assert main(["generate", suite(), "--out", "folder"]) == 2
    assert "folder" in capsys.readouterr().err
    assert present() == ["file", "folder", "mine.yaml"]


def test_a_reader_of_our_output_may_leave_early() -> None:
    suite()
    command = f"{sys.executable} -m niah generate mine.yaml --with-context | head -c 100"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert len(done.stdout) == 100
    assert "Traceback" not in done.stderr


def test_export_of_no_run_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "nothing"]) == 2
    Path("text.sqlite").write_text("this is no database, only text")
    assert main(["export", "text.sqlite"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_terminal_that_does_not_know_its_width_gets_tables_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "short.yaml"
    suite.write_text(
        "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [64, 1000]\ndepths: [50]\n"
    )
    monkeypatch.setenv("COLUMNS", "0")
    assert main(["generate", str(suite), "--skip", "impossible", "--out", str(tmp_path / "cases.jsonl")]) == 0
    assert "64" in "".join(capsys.readouterr())
