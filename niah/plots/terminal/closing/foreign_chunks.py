"""What retrievers of users gave that is none of a context's chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol


class Retrieved(Protocol):
    """A trial, or a retrieval without a reader."""

    @property
    def strategy(self) -> str:
        """As the user wrote it."""
        ...

    @property
    def foreign(self) -> int | None:
        """How many chunks were given that are none of the context's."""
        ...


def foreign_lines(records: Iterable[Retrieved]) -> Iterator[str]:
    """A line for each strategy whose retriever gave such chunks."""
    given: dict[str, list[int]] = {}
    for record in records:
        if record.foreign:
            given.setdefault(record.strategy, []).append(record.foreign)
    for strategy, counts in given.items():
        cases = "one question" if len(counts) == 1 else f"{len(counts)} questions"
        chunks = "a chunk that is none" if sum(counts) == 1 else f"{sum(counts)} chunks that are none"
        yield f"{strategy}: for {cases} its retriever gave {chunks} of the context's; not sent."
