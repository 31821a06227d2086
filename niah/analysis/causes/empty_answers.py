"""Answers without a word: an endpoint that sends none looks like a model that knows nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from niah.strategies.strategy import strategy_of

_NOTABLE = 3
_NOTABLE_SHARE = 0.05


class EmptyAnswers(NamedTuple):
    """How many answers that were scored are empty: of one reader, or of an application in its place.

    Attributes:
        answers: who answers, the reader's or the application's name.
        empty: how many of them.
        scored: of so many.
        is_application: whether it is one of the user's own.
    """

    answers: str
    empty: int
    scored: int
    is_application: bool = False


class Scored(NamedTuple):
    """What is wanted of a trial that has a score."""

    reader: str
    strategy: str
    definition: str
    error_type: str | None


def empty_answers(scored: Iterable[Scored]) -> Iterator[EmptyAnswers]:
    """Each reader and application with a notable number of empty answers, three or a twentieth, by name."""
    counts: dict[tuple[str, bool], Counter[bool]] = {}
    for each in scored:
        is_application = strategy_of(each.strategy, each.definition).system is not None
        answers = each.strategy if is_application else each.reader
        counts.setdefault((answers, is_application), Counter())[each.error_type == "empty"] += 1
    for (answers, is_application), found in sorted(counts.items()):
        empty = found[True]
        if empty and (empty >= _NOTABLE or empty >= _NOTABLE_SHARE * found.total()):
            yield EmptyAnswers(answers, empty, found.total(), is_application)
