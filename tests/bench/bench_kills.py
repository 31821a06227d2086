"""A run that is killed, stopped for a while, or has no disk left, and two on one file: what is lost.

    python -m tests.bench.bench_kills [KILLS]

Real ``niah run``s against a real endpoint on this machine that notes what it was asked. KILLS times SIGKILL
at any moment, from the first import on, and a fifth as often while a model prepares: 5 and 1 without a
number; docs have 100. (The endpoint's own complaints go to standard error.)
"""

from __future__ import annotations

import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.caches import fresh_cache
from tests.conftest import SimulatedServer, simulating
from tests.runs import test_kill as killing
from tests.runs.preparation import test_kill_while_preparing as preparing
from tests.runs.preparation.scripted_model import scripted

ASLEEP_S = 40
FULL_AT = 700_000
"""Bytes that a file may have, in the run whose disk is full."""


def killed(folder: Path, server: SimulatedServer, kills: int) -> str:
    """So many kills, and an undisturbed end."""
    server.delay_s, rng, path = 0.05, random.Random(kills), folder / "killed.sqlite"
    lost = double = midway = 0
    kept: set[str] = set()
    for _ in range(kills):
        killing.kill_at_random(killing.start(folder, server.base_url, killing.MANY, path.name), server, rng)
        left = killing.finished_as_left(folder, path)
        lost += len(kept - left)
        midway += 0 < len(left) < killing.MANY_PLANNED
        kept = left
    server.delay_s = 0.0
    last = killing.start(folder, server.base_url, killing.MANY, path.name)
    last.communicate()
    done = killing.outcomes(path)
    trials = {row[0] for row in done if row[7] == "scored"}
    double = len(done) - len({row[0] for row in done})
    again = len(server.prompts) - len(set(server.prompts))
    return (
        f"{kills} SIGKILLs, {midway} midway: {lost} finished trials lost, {double} double; "
        f"{len(trials)} of {killing.MANY_PLANNED} scored at the end, exit code {last.returncode}; "
        f"{again} that were under way were asked again"
    )


def full_disk(folder: Path, server: SimulatedServer) -> str:
    """No file may grow any further; then it may."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FULL_AT, limits[1]))
    try:
        process = killing.start(folder, server.base_url, killing.MANY, "full.sqlite")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    _, said = process.communicate()
    kept = killing.finished_as_left(folder, folder / "full.sqlite")
    again = killing.start(folder, server.base_url, killing.MANY, "full.sqlite")
    again.communicate()
    scored = [row[0] for row in killing.outcomes(folder / "full.sqlite") if row[7] == "scored"]
    return (
        f"full disk: exit code {process.returncode}, {said.strip().splitlines()[-1]!r}, {len(kept)} kept, "
        f"{len(kept - set(scored))} lost; then exit code {again.returncode}, {len(scored)} scored"
    )


def two_at_once(folder: Path, server: SimulatedServer) -> str:
    """The second by a link."""
    (folder / "link.sqlite").symlink_to(folder / "both.sqlite")
    server.delay_s = 2.0  # some 100 seconds for all, so that the second meets the first at work
    first = killing.start(folder, server.base_url, killing.MANY, "both.sqlite")
    while not server.prompts:
        time.sleep(0.05)
    second = killing.start(folder, server.base_url, killing.MANY, "link.sqlite")
    _, said = second.communicate()
    server.delay_s = 0.0
    first.communicate()
    scored = sum(row[7] == "scored" for row in killing.outcomes(folder / "both.sqlite"))
    return (
        f"two on one file, one by a link: exit codes {first.returncode} and {second.returncode} "
        f"({said.strip()!r}), {scored} scored"
    )


def killed_while_preparing(folder: Path, _: SimulatedServer, kills: int) -> str:
    """So many kills while a model reads documents for tree-index and readagent."""
    fresh_cache(folder / "cache")
    with scripted() as model:
        found = preparing.killed_while_preparing(folder, model, kills)
    exit_code, lost = found.exit_code, found.most_lost
    return (
        f"{kills} SIGKILLs while a model prepares, {found.midway} midway: exit code {exit_code}; "
        f"{found.calls} calls, {found.twice} asked again: at most {lost} a kill, of 4 under way"
    )


def asleep(folder: Path, server: SimulatedServer) -> str:
    """Stopped in the middle for longer than an endpoint may be silent, as a laptop is whose lid is shut."""
    server.delay_s = 1.0
    process = killing.start(folder, server.base_url)
    while len(server.prompts) < 6:
        time.sleep(0.05)
    process.send_signal(signal.SIGSTOP)
    time.sleep(ASLEEP_S)
    process.send_signal(signal.SIGCONT)
    server.delay_s = 0.1
    process.communicate()
    scored = sum(row[7] == "scored" for row in killing.outcomes(folder / "small.sqlite"))
    return (
        f"asleep for {ASLEEP_S} s: exit code {process.returncode}, {scored} of {killing.PLANNED} scored, "
        f"{len(server.prompts)} requests"
    )


def main() -> None:
    """Print a line each."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    parts: list[Callable[[Path, SimulatedServer], str]] = [
        two_at_once,
        full_disk,
        asleep,
        partial(killed, kills=kills),
        partial(killed_while_preparing, kills=kills // 5),
    ]
    for part in parts:
        with tempfile.TemporaryDirectory() as folder, simulating() as server:
            print(part(Path(folder), server), flush=True)


if __name__ == "__main__":
    main()
