"""``niah run`` from end to end, and ``niah export`` of what it leaves."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from tests.cli.commands.small_suite import exported, run


def test_run_end_to_end(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(base=simulated_server.base_url) == 0
    rows = exported()
    assert len(rows) == 12 * 2 == len(simulated_server.prompts)
    assert {row["outcome"] for row in rows} == {"scored"}
    # The simulated model quotes what it is shown: the whole context always holds the answer.
    assert all(row["score"] == 10 for row in rows if row["strategy"] == "lc")
    assert all(row["retrieval_completeness"] is not None for row in rows if row["strategy"] != "lc")
    assert Path("plots/small--simulated/index.html").is_file()
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


def test_errors_are_kept_until_they_are_asked_for_again(simulated_server: Any) -> None:
    simulated_server.broken = True
    run("--limit", "4", base=simulated_server.base_url)
    assert [row["outcome"] for row in exported()].count("reader_error") == 4
    simulated_server.broken = False
    run("--limit", "4", base=simulated_server.base_url)
    assert [row["outcome"] for row in exported()].count("reader_error") == 4
    run("--retry", "reader_error", base=simulated_server.base_url)
    assert {row["outcome"] for row in exported()} == {"scored"}


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


def test_export_of_no_run_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "nothing"]) == 2
    Path("text.sqlite").write_text("this is no database, only text")
    assert main(["export", "text.sqlite"]) == 2
    assert "Traceback" not in capsys.readouterr().err
