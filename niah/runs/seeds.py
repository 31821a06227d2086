"""Seeds of a run: anchors that stay, so that nights compare; and others that the date draws anew.

A rotating seed spells its night out: the k-th of 2026-11-22 is 2026112200 + k. No two nights share one, no
anchor can be one, and all are below 2**31.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from niah.cases.case import Case
from niah.errors import UserError

MOST_ROTATING = 99
FIRST_YEAR, LAST_YEAR = 2000, 2147
FIRST_ROTATING = FIRST_YEAR * 1_000_000
"""Every rotating seed is greater, every anchor smaller."""


@dataclass(frozen=True)
class Seeds:
    """The seeds of a run's cases: ``anchor`` of every night, ``rotating`` of one.

    With ``spread`` each goes with one needle set, in turn, in place of all: needle sets of one seed share its
    luck, such as where the background begins, so for as many cases these are more clusters that share none.
    """

    anchor: tuple[int, ...]
    rotating: tuple[int, ...] = ()
    spread: bool = False


def is_anchor_seed(seed: int | None) -> bool:
    """Whether a sample of that seed, or of none, is the same every night: no night's date has drawn it."""
    return seed is None or seed < FIRST_ROTATING


def rotating_seeds(night: date, number: int) -> tuple[int, ...]:
    """The first ``number`` seeds of a night. Raises UserError for a year that they cannot spell."""
    if not FIRST_YEAR <= night.year <= LAST_YEAR:
        years = f"Years go from {FIRST_YEAR} to {LAST_YEAR}."
        raise UserError(f"{night} is no date for rotating seeds.", years)
    first = int(f"{night:%Y%m%d}") * 100
    return tuple(range(first + 1, first + number + 1))


def with_seeds(cases: Sequence[Case], seeds: Seeds) -> tuple[Case, ...]:
    """The cases of one of their seeds, once for each of ``seeds``; spread ones with one needle set each.

    Raises UserError where there are fewer anchors, or rotating seeds, than needle sets to spread them over.
    """
    once = [case for case in cases if case.seed == cases[0].seed]
    if not seeds.spread:
        return tuple(replace(case, seed=seed) for seed in (*seeds.anchor, *seeds.rotating) for case in once)
    names = tuple(dict.fromkeys(case.needle_set for case in once))
    made: list[Case] = []
    for key, group in (("anchor", seeds.anchor), ("rotating", seeds.rotating)):
        if 0 < len(group) < len(names):
            problem = f"{key}: {len(group)} cannot be spread over {len(names)} needle sets."
            remedy = f"Give each needle set one seed at least, {len(names)} in all, or take spread out."
            raise UserError(problem, remedy)
        for place, seed in enumerate(group):
            own = names[place % len(names)]
            made += [replace(case, seed=seed) for case in once if case.needle_set == own]
    return tuple(made)


def seeds_of(cases: Iterable[Case]) -> Seeds:
    """The seeds that a suite itself gives its cases: they are the same every night."""
    return Seeds(tuple(dict.fromkeys(case.seed for case in cases)))
