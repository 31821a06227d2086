"""The cases of a suite's grid: every combination of its lists that goes together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from math import prod

from niah.cases.case import Case
from niah.cases.suite_files.suite_file import SuiteFile
from niah.haystacks.documents import is_entries
from niah.needles.entries import has_entries


def cases_of(suite: SuiteFile) -> Iterator[Case]:
    """Them all, in the lists' order."""
    shared = suite.model_dump(include={field.name for field in fields(Case)})
    exceptions = {
        name: exception.model_dump(exclude={"haystack"}, exclude_none=True)
        for name, exception in suite.exceptions.items()
    }
    own = {name: {**shared, **exceptions.get(name, {})} for name in suite.needle_sets}
    depths = [abs(depth) for depth in suite.depths]  # -0 is 0
    lengths = {name: [each for each in suite.lengths if within_bounds(suite, name, each)] for name in own}
    for haystack, seed, needle_set in product(every_haystack(suite), suite.seeds, suite.needle_sets):
        if lengths[needle_set] and _go_together(suite, haystack, needle_set):
            for length, depth in product(lengths[needle_set], depths):
                yield Case(needle_set, haystack, length, depth, seed, **own[needle_set])


def count_of_cases(suite: SuiteFile) -> int:
    """At most, before what does not go together is left out."""
    lists = (every_haystack(suite), suite.seeds, suite.needle_sets, suite.lengths, suite.depths)
    return prod(map(len, lists))


def every_haystack(suite: SuiteFile) -> tuple[str, ...]:
    """The suite's haystacks, then those that are for single needle sets."""
    of_some = (exception.haystack for exception in suite.exceptions.values() if exception.haystack)
    return tuple(dict.fromkeys((*suite.haystacks, *of_some)))


def within_bounds(suite: SuiteFile, needle_set: str, length: int) -> bool:
    """Whether ``shortest`` and ``longest`` leave the needle set that length."""
    return suite.shortest.get(needle_set, length) <= length <= suite.longest.get(needle_set, length)


def _go_together(suite: SuiteFile, haystack: str, needle_set: str) -> bool:
    """Beside other haystacks, `entries` is for needle sets that have some, and the others for the rest.

    A needle set that is an exception is in its own haystack alone.
    """
    exception = suite.exceptions.get(needle_set)
    if exception and exception.haystack:
        return haystack == exception.haystack
    if haystack not in suite.haystacks:
        return False
    if len(set(suite.haystacks)) == 1 or not any(map(is_entries, suite.haystacks)):
        return True
    return is_entries(haystack) == has_entries(needle_set)
