"""Answers without a word: an endpoint that sends none looks like a model that knows nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_NOTABLE = 3
_NOTABLE_SHARE = 0.05


class EmptyAnswers(NamedTuple):
    """Of one reader: how many of its answers that were scored are empty."""

    reader: str
    empty: int
    scored: int


def empty_answers(scored: Iterable[tuple[str, str | None]]) -> Iterator[EmptyAnswers]:
    """Each reader with a notable number of empty answers, three or a twentieth, by name.

    Args:
        scored: reader and error type of each trial that has a score.
    """
    counts: dict[str, Counter[bool]] = {}
    for reader, error_type in scored:
        counts.setdefault(reader, Counter())[error_type == "empty"] += 1
    for reader, found in sorted(counts.items()):
        empty = found[True]
        if empty and (empty >= _NOTABLE or empty >= _NOTABLE_SHARE * found.total()):
            yield EmptyAnswers(reader, empty, found.total())
