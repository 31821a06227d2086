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
    """One part of a run.

    Attributes:
        index: from 1 to ``of``.
        of: how many parts there are.
    """

    index: int
    of: int

    @property
    def suffix(self) -> str:
        """What the names of this part's files carry: ".shard-2-of-8"."""
        return f".shard-{self.index}-of-{self.of}"

    def part(self, trials: Sequence[Trial]) -> list[Trial]:
        """This shard's trials: of each reader one block of the planned order.

        Neighbours go on sharing prompt prefixes. Every trial is in exactly one of the shards, and of one
        reader they have equally many, or one more.

        Args:
            trials: all of the run, finished or not: what is left differs from machine to machine.

        Raises UserError where there are so many shards that this one has no trial.
        """
        by_reader: dict[str, list[Trial]] = {}
        for trial in trials:
            by_reader.setdefault(trial.reader, []).append(trial)
        part = [trial for own in by_reader.values() for trial in own[self._start(own) : self._end(own)]]
        if not part:
            most = max(map(len, by_reader.values()), default=0)
            problem = (
                f"shard {self.index}/{self.of} has no trial: no reader has more than {most} in this run."
            )
            raise UserError(problem, f"Cut the run into {most} shards, or fewer.")
        return part

    def _start(self, trials: Sequence[Trial]) -> int:
        return (self.index - 1) * len(trials) // self.of

    def _end(self, trials: Sequence[Trial]) -> int:
        return self.index * len(trials) // self.of


def parse_shard(text: str) -> Shard:
    """The shard that ``text`` writes down: "2/8" is the second of eight. Raises UserError."""
    found = _SHARD.fullmatch(text)
    if found is None:
        raise UserError(f"{text!r} is no shard.", "Write 2/8 for the second of eight.")
    shard = Shard(int(found[1]), int(found[2]))
    if not 1 <= shard.index <= shard.of:
        raise UserError(f"there is no shard {text}.", "Shards are counted from 1: 1/8, 2/8, ... 8/8.")
    return shard
