"""What retrievers of users gave that is none of a context's chunks, and where they gave nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Protocol

from niah.strategies.strategy import strategy_of


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

    @property
    def retrieved(self) -> int | None:
        """How many chunks were retrieved."""
        ...

    @property
    def context_tokens(self) -> int | None:
        """How long what was sent of the context is."""
        ...


def foreign_lines(records: Iterable[Retrieved]) -> Iterator[str]:
    """A line for each strategy whose retriever gave such chunks, and for each that gave nothing."""
    given: dict[str, list[int]] = {}
    nothing = Counter[str]()
    for record in records:
        if record.foreign:
            given.setdefault(record.strategy, []).append(record.foreign)
        elif record.retrieved == record.context_tokens == 0 and _retrieves(record.strategy):
            nothing[record.strategy] += 1
    for strategy, counts in given.items():
        chunks = "a chunk that is none" if sum(counts) == 1 else f"{sum(counts)} chunks that are none"
        yield f"{strategy}: for {_cases(len(counts))} its retriever gave {chunks} of the context's; not sent."
    for strategy, count in nothing.items():
        yield f"{strategy}: for {_cases(count)} its retriever gave no chunk; nothing of the context is sent."


def _retrieves(strategy: str) -> bool:
    """Whether it was for a retriever to find something: not where all that is sent, or nothing, is known."""
    return not (strategy_of(strategy).is_floor or strategy_of(strategy).sends_needles)


def _cases(count: int) -> str:
    return "one question" if count == 1 else f"{count} questions"
