"""How many answers the rubric is unsure of, and how many of those it scores otherwise than people did.

    python -m tests.bench.judge_unsure                    # the answers of tests/judges/scored_by_hand
    python -m tests.bench.judge_unsure more.yaml [...]    # these files instead

Prints a table in Markdown. "precision" is the share of the unsure that the rubric scores wrong, "recall" the
share of the wrong that it is unsure of, "in bounds" the share of the unsure whose right score lies between
the lowest and the highest reading.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from niah.judges import Verdict, judge_by_rubric
from tests.judges.scored_answers import SCORED_BY_HAND, ScoredAnswer, scored_answers

Judged = tuple[ScoredAnswer, Verdict]


def row(name: str, judged: Sequence[Judged]) -> str:
    """A line of the table."""
    wrong = [each for each in judged if each[1].score != each[0].score]
    unsure = [(each, verdict.unsure) for each, verdict in judged if verdict.unsure]
    both = sum(verdict.unsure is not None for _, verdict in wrong)
    within = sum(found.lowest <= each.score <= found.highest for each, found in unsure)
    shares = ((len(unsure), len(judged)), (both, len(unsure)), (both, len(wrong)), (within, len(unsure)))
    cells = [f"{count / total:.1%}" if total else "-" for count, total in shares]
    return f"| {name} | {len(judged)} | {len(wrong)} | {len(unsure)} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table, a line a file."""
    print("| file | answers | wrong | unsure | share | precision | recall | in bounds |")
    print("| --- |" + " ---: |" * 7)
    everything: list[Judged] = []
    for path in map(Path, sys.argv[1:] or SCORED_BY_HAND):
        judged = [(each, judge_by_rubric(each.answer, each.key)) for each in scored_answers([path])]
        print(row(path.stem, judged))
        everything += judged
    print(row("all", everything))


if __name__ == "__main__":
    main()
