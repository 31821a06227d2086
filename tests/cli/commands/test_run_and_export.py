"""``niah run`` from end to end, and ``niah export`` of what it leaves."""

from __future__ import annotations

from typing import Any

from tests.cli.commands.small_suite import exported, run


def test_errors_are_kept_until_they_are_asked_for_again(simulated_server: Any) -> None:
    simulated_server.broken = True
    run("--limit", "4", base=simulated_server.base_url)
    assert [row["outcome"] for row in exported()].count("reader_error") == 4
    simulated_server.broken = False
    run("--limit", "4", base=simulated_server.base_url)
    assert [row["outcome"] for row in exported()].count("reader_error") == 4
    run("--retry", "reader_error", base=simulated_server.base_url)
    assert {row["outcome"] for row in exported()} == {"scored"}
