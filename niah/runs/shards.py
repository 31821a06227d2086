"""Shards: a run cut into parts for several machines, such as the array jobs of a batch queue."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from niah.errors import UserError
from niah.runs.trial import Trial

_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})", re.ASCII)


@dataclass(frozen=True)
class Shard:
    """One part of a run: ``index`` from 1 to ``of``."""

    index: int
    of: int

    @property
    def suffix(self) -> str:
        """What the names of this part's files carry: ".shard-2-of-8"."""
        return f".shard-{self.index}-of-{self.of}"

    def part(self, trials: Sequence[Trial]) -> list[Trial]:
        """This shard's trials: of each reader one block of the planned order, so that prompts share prefixes.

        ``trials`` are all of the run, finished or not: what is left differs from machine to machine. Every
        trial is in exactly one of the shards. Raises UserError where this one has no trial.
        """
        by_reader: dict[str, list[Trial]] = {}
        for trial in trials:
            by_reader.setdefault(trial.reader, []).append(trial)
        part: list[Trial] = []
        for own in by_reader.values():
            part += own[(self.index - 1) * len(own) // self.of : self.index * len(own) // self.of]
        if part:
            return part
        most = max(map(len, by_reader.values()), default=0)
        problem = f"shard {self.index}/{self.of} has no trial: no reader has more than {most} in this run."
        raise UserError(problem, f"Cut the run into {most} shards, or fewer.")


def parse_shard(text: str) -> Shard:
    """The shard that ``text`` writes down: "2/8" is the second of eight. Raises UserError."""
    found = _SHARD.fullmatch(text)
    if found and 1 <= int(found[1]) <= int(found[2]):
        return Shard(int(found[1]), int(found[2]))
    raise UserError(
        f"{text!r} is no shard.", "Write 2/8 for the second of eight; they count from 1/8 to 8/8."
    )
