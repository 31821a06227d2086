"""How long commands take that say little, in CPU seconds, beside a bare interpreter and importing click."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys

from niah.readers.credentials import PROVIDER_KEYS

COMMANDS = {
    "a misspelt run config": ("run", "nosuch"),
    "a misspelt run file": ("report", "nosuch"),
    "a misspelt suite": ("retrieve", "nosuch"),
    "a misspelt night": ("nightly", "nosuch"),
    "a misspelt night to accept": ("nightly", "accept", "nosuch"),
    "a misspelt needle set": ("check", "nosuch"),
    "a missing key": ("run", "quick", "--model", "openai/gpt-4o-mini"),
    "a missing key of a provider of litellm's": ("run", "quick", "--model", "anthropic/x"),
    "niah list": ("list",),
}


def median_s(*arguments: str, rounds: int = 9) -> float:
    """Median CPU seconds of a fresh process, those of its first run apart."""
    times = []
    keys = {"OPENAI_API_KEY", *PROVIDER_KEYS["anthropic"].split()}
    without_key = {name: value for name, value in os.environ.items() if name not in keys}
    for _ in range(rounds + 1):
        before = _children_s()
        subprocess.run([sys.executable, *arguments], check=False, capture_output=True, env=without_key)
        times.append(_children_s() - before)
    return statistics.median(times[1:])


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    bare = median_s("-c", "pass")
    click = median_s("-c", "import click")
    helped = median_s("-m", "niah", "--help")
    print(f"start-up: niah --help {helped:.3f} s; import click {click:.3f} s; bare interpreter {bare:.3f} s")
    for name, command in COMMANDS.items():
        print(f"{name}: {median_s('-m', 'niah', *command):.2f} s")


if __name__ == "__main__":
    main()
