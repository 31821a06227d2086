"""Needle sets checked before anything is asked: that they hold, and that their own words are judged right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.cases.sample import answer_key
from niah.errors import ConfigError
from niah.judges.audit import misjudged_texts
from niah.needles.families.check import check_draws
from niah.needles.families.load import load_family
from niah.needles.load import find_needle_set, is_family, load_needle_set, split_name
from niah.needles.needle_set import NeedleSet

_SEEDS = range(1, 6)
_TRIES = range(1, 21)
"""Seeds with which an answer is drawn again that seemed always the same."""
_SIZES = (7, 60)


@dataclass(frozen=True)
class CheckedNeedleSet:
    """A needle set, or one size of a family, and what is wrong with it.

    Attributes:
        drawn: the set, or one for each seed.
        seeds: that a family's were drawn with; empty of a written set.
        mistakes: each with file, key and remedy.
    """

    drawn: tuple[NeedleSet, ...]
    seeds: range
    mistakes: tuple[ConfigError, ...]


def check_needle_sets(name: str) -> Iterator[CheckedNeedleSet]:
    """The needle set of a name or path; of a family one of each size that is tried.

    Raises UnknownName, ConfigError or NeedleError for one that cannot be drawn or contradicts itself.
    """
    if is_family(name):
        _, family = load_family(name)
        for k in sorted({family.fewest, *(min(size, family.most) for size in _SIZES)}):
            yield _checked_draws(f"{name}@{k}", name)
    elif sized := split_name(name):
        yield _checked_draws(name, sized[0])
    else:
        written = load_needle_set(name, 1)
        yield CheckedNeedleSet((written,), range(0), tuple(_own_mistakes(find_needle_set(name), [written])))


def _checked_draws(name: str, family: str) -> CheckedNeedleSet:
    path, _ = load_family(family)
    drawn = tuple(load_needle_set(name, seed) for seed in _SEEDS)
    found: list[ConfigError] = []
    try:
        if len({frozenset(each.elements) for each in drawn}) == 1:
            check_draws(path, [load_needle_set(name, seed) for seed in _TRIES])
    except ConfigError as error:
        found.append(error)
    return CheckedNeedleSet(drawn, _SEEDS, (*found, *_own_mistakes(path, drawn)))


def _own_mistakes(path: Path, drawn: Sequence[NeedleSet]) -> Iterator[ConfigError]:
    """What is misjudged of the first set of which anything is."""
    for needle_set in drawn:
        found = list(misjudged_texts(answer_key(needle_set)))
        where = f"in {needle_set.name}, " if len(drawn) > 1 else ""
        yield from (ConfigError(path, one.key, f"{where}{one.problem}", one.remedy) for one in found)
        if found:
            return
