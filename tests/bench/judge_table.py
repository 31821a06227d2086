"""How often the rubric gives the score that was given by hand, by class of answer and by language.

    python -m tests.bench.judge_table                # the answers of tests/judges/scored_by_hand
    python -m tests.bench.judge_table more.yaml [...]     # these files instead

Prints tables in Markdown. "Equal" is the share of scores that are the same, "within one" of those that are at
most one level of 1, 3, 5, 7, 10 apart. A score of 7 or more passes: of the answers that the rubric lets pass,
precision is the share that deserves it; of those that deserve it, recall is the share that it lets pass.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from niah.judges import judge_by_rubric
from tests.judges.scored_answers import SCORED_BY_HAND, ScoredAnswer, scored_answers

LEVELS = (1, 3, 5, 7, 10)
PASSES = 7


@dataclass(frozen=True)
class Judged:
    """An answer, with the score that the rubric gives."""

    answer: ScoredAnswer
    score: float

    @property
    def levels_apart(self) -> int:
        """By how many levels the two scores differ."""
        return abs(LEVELS.index(self.score) - LEVELS.index(self.answer.score))


def judged(path: Path) -> list[Judged]:
    """The answers of a file, judged."""
    return [Judged(one, judge_by_rubric(one.answer, one.key).score) for one in scored_answers([path])]


def row(name: str, answers: Sequence[Judged]) -> str:
    """A line of the table."""
    passing = [one for one in answers if one.score >= PASSES]
    deserving = [one for one in answers if one.answer.score >= PASSES]
    both = sum(one.answer.score >= PASSES for one in passing)
    cells = (
        _share(sum(one.levels_apart == 0 for one in answers), len(answers)),
        _share(sum(one.levels_apart <= 1 for one in answers), len(answers)),
        f"{sum(one.score < one.answer.score for one in answers)}",
        f"{sum(one.score > one.answer.score for one in answers)}",
        _share(both, len(passing)),
        _share(both, len(deserving)),
    )
    return f"| {name} | {len(answers)} | {' | '.join(cells)} |"


def _share(count: int, total: int) -> str:
    return f"{count / total:.1%}" if total else "-"


def table(what: str, rows: Iterable[str]) -> str:
    """A table of such lines."""
    head = f"| {what} | answers | equal | within one | too low | too high | precision | recall |"
    return "\n".join((head, "| --- |" + " ---: |" * 7, *rows))


def _by(name_of: Callable[[Judged], str], answers: Iterable[Judged]) -> list[str]:
    ordered = sorted(answers, key=name_of)
    return [row(name, list(group)) for name, group in groupby(ordered, key=name_of)]


def main() -> None:
    """Print the tables: of each file, of each class, of each language."""
    files = {path.stem: judged(path) for path in map(Path, sys.argv[1:] or SCORED_BY_HAND)}
    everything = [one for answers in files.values() for one in answers]
    print(table("file", [*(row(*file) for file in files.items()), row("all", everything)]))
    print("\n" + table("class", _by(lambda one: one.answer.kind, everything)))
    print("\n" + table("language", _by(lambda one: one.answer.language, everything)))


if __name__ == "__main__":
    main()
