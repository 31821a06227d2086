"""How often MixPR's router is right, by kind of task: by rules, and by a reader that is asked.

    python -m tests.bench.bench_router [--reader NAME] [--api-base URL]

Forty questions of each of eight kinds. The rules were written before the questions, and mended by half of
them; the other half is held out. ``--reader smollm2`` is the embedded model, on this machine's loopback.
"""

from __future__ import annotations

import argparse
import time

from niah.api.retrieve import routed_by_reader, router_rates
from niah.readers.resolve import resolve_reader
from niah.retrieval.mixpr.router import Reach, route
from niah.retrieval.mixpr.router_questions import RouterQuestion, router_questions


def column(questions: list[RouterQuestion], found: list[Reach | None]) -> dict[str, str]:
    """Right of asked, by kind, and over all."""
    rates = router_rates(questions, found)
    rates["all"] = sum(right for right, _ in rates.values()), sum(asked for _, asked in rates.values())
    return {kind: f"{right} of {asked}" for kind, (right, asked) in rates.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--reader")
    parser.add_argument("--api-base")
    said = parser.parse_args()
    questions = router_questions()
    held_out = [question for question in questions if question.held_out]
    columns = {
        "rules": column(questions, [route(question.text) for question in questions]),
        "held out": column(held_out, [route(question.text) for question in held_out]),
    }
    if said.reader:
        start = time.perf_counter()
        found = routed_by_reader(questions, resolve_reader(said.reader, said.api_base))
        columns[said.reader] = column(questions, found)
        columns["says neither"] = {"all": str(found.count(None))}
        print(f"{said.reader}: {time.perf_counter() - start:.0f} s for {len(questions)} questions")
    print(f"{'':24}" + "".join(f"{name:>14}" for name in columns))
    for kind in columns["rules"]:
        print(f"{kind:24}" + "".join(f"{each.get(kind, ''):>14}" for each in columns.values()))


if __name__ == "__main__":
    main()
