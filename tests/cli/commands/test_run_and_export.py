"""``niah run`` from end to end, and ``niah export`` of what it leaves."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from niah.cli.main import main
from tests.cli.commands.small_suite import exported, run


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
    assert main(["export", "small-simulated", "--format", "csv", "--out", "export.csv"]) == 0
    with Path("export.csv").open(newline="") as file:
        assert [row["trial_id"] for row in csv.DictReader(file)] == [row["trial_id"] for row in rows]


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
