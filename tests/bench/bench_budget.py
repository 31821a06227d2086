"""Budgets against endpoints that report in eight ways what they took: by how much they are passed.

    python -m tests.bench.bench_budget [TRIALS] [tok|usd] [KIND ...]

Each line is real runs of a budget in tokens and one in US dollars, at 1, 8 and 64 requests at once, against a
real HTTP server on this machine. The budget is what the run may take at most by its plan; what the endpoint
bills is by its own log. "3.0 answers" are three times the dearest answer of the run above the budget; at most
one a lane is allowed. Answers come back after 1 to 40 ms, in any order. Without TRIALS,
40; docs have 200.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import niah
from tests.bench.goals import beside_goal
from tests.loopback import Post, Reply, completion, replying

LANES = (1, 8, 64)
UNITS = ("tok", "usd")
ANSWER = "Three lanterns."
PROMPT, ROOM = 512, 48
PRICES = (0.000001, 0.000004)
"""US dollars for a token of a prompt and of an answer."""

Billed = tuple[int, int]
"""Tokens of prompt and answer that an endpoint bills."""


@dataclass(frozen=True)
class Kind:
    """A way to report.

    Attributes:
        billed: of the n-th request, from 0.
        reported: of what is billed; None is no usage at all.
    """

    billed: Callable[[int], Billed]
    reported: Callable[[int, Billed], Billed | None] = lambda number, billed: billed


def _rising(number: int) -> Billed:
    return PROMPT + 2 * number, ROOM


KINDS = {
    "what is so": Kind(lambda n: (PROMPT, ROOM)),
    "prompts of half as much again": Kind(lambda n: (PROMPT * 3 // 2, 4)),
    "answers of twenty times their room": Kind(lambda n: (PROMPT, 20 * ROOM)),
    "one answer in ten of twenty times its room": Kind(lambda n: (PROMPT, 20 * ROOM if n % 10 == 9 else 4)),
    "more with every answer": Kind(_rising),
    "nothing": Kind(lambda n: (PROMPT, 4), lambda n, billed: None),
    "one token each": Kind(lambda n: (PROMPT, 4), lambda n, billed: (1, 1)),
    "nothing and twice as much in turn": Kind(
        lambda n: (2 * PROMPT, 2 * ROOM) if n % 2 else (PROMPT, 4),
        lambda n, billed: billed if n % 2 else None,
    ),
}


@dataclass
class Endpoint:
    """Bills every request, and keeps the books."""

    kind: Kind
    bills: list[Billed] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._draw = random.Random(1)

    def __call__(self, post: Post) -> Reply:
        """An answer, a moment later."""
        with self._lock:
            number = len(self.bills)
            self.bills.append(self.kind.billed(number))
            pause_s = self._draw.uniform(0.001, 0.04)
        time.sleep(pause_s)
        reported = self.kind.reported(number, self.bills[number])
        body = completion(ANSWER, *(reported or (0, 0)))
        return Reply(body if reported else {key: value for key, value in body.items() if key != "usage"})

    def amounts(self, unit: str) -> list[float]:
        """What each request took, in a budget's unit."""
        prices = PRICES if unit == "usd" else (1, 1)
        return [prompt * prices[0] + answer * prices[1] for prompt, answer in self.bills]


def write_config(trials: int, lanes: int, address: str) -> None:
    """A run of so many trials, in the working folder."""
    seeds = list(range(1, trials + 1))
    suite = f"haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [{PROMPT}]\ndepths: [50]\n"
    Path("suite.yaml").write_text(f"{suite}seeds: {seeds}\n")
    own, answer = (f"{1e6 * price:g}" for price in PRICES)
    prices = f"{{input: {own}, output: {answer}}}"
    Path("run.yaml").write_text(
        f"suite: suite.yaml\nstrategies: [lc]\nprices: {{m: {prices}}}\n"
        f"readers: [{{model: m, api_base: '{address}/v1', concurrency: {lanes}, max_tokens: {ROOM}}}]\n"
    )


def over(kind: Kind, lanes: int, unit: str, trials: int) -> tuple[float, float]:
    """Of one run: the share of its budget that was billed, and by how many answers that is above it."""
    endpoint = Endpoint(kind)
    with replying(endpoint) as address:
        write_config(trials, lanes, address)
        total = niah.plan("run.yaml").as_dict()["total"]
        budget = total["budget_usd" if unit == "usd" else "budget_tokens"]
        niah.run(
            "run.yaml",
            out=f"{lanes}-{unit}.sqlite",
            budget=f"{budget:.6f}{unit}",
            progress=False,
        )
    amounts = endpoint.amounts(unit)
    return sum(amounts) / budget, max(0.0, sum(amounts) - budget) / max(amounts)


def main() -> None:
    """Print the table."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    units = [unit for unit in UNITS if unit in sys.argv[2:]] or UNITS
    names, worst = [name for name in sys.argv[2:] if name not in UNITS] or list(KINDS), 0.0
    heads = [f"{lanes} at once, {unit}" for unit in units for lanes in LANES]
    print(f"| what is reported | {' | '.join(heads)} |\n|{' --- |' * (len(heads) + 1)}")
    for name in names:
        cells = []
        for unit in units:
            for lanes in LANES:
                with tempfile.TemporaryDirectory() as folder:
                    os.chdir(folder)
                    share, answers = over(KINDS[name], lanes, unit, trials)
                worst = max(worst, answers / lanes)
                cells.append(f"{share:.1%}" + (f", {answers:.1f} answers" if answers else ""))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print(beside_goal("answers a lane above the budget", worst))


if __name__ == "__main__":
    main()
