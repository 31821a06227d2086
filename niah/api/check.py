"""Needle sets checked before anything is asked: that they hold, and that their own words are judged right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.errors import ConfigError, NeedleError, UserError
from niah.needles.families.check import check_draws
from niah.needles.families.load import load_family
from niah.needles.families.schema import Family
from niah.needles.load import find_needle_set, is_family, load_needle_set, split_name
from niah.needles.needle_set import NeedleSet

SEEDS = range(1, 6)
"""A set of a family is drawn with each of these."""

_TRIES = range(1, 21)
"""Seeds with which an answer is drawn again that seemed always the same."""

_LARGE = 60


@dataclass(frozen=True)
class CheckedNeedleSet:
    """A needle set, or one size of a family, and what is wrong with it.

    Attributes:
        name: as ``load_needle_set`` takes it.
        drawn: the set, or one for each seed.
        seeds: that a family's were drawn with; empty of a written set.
        mistakes: each with file, key and remedy; none of a good set.
    """

    name: str
    drawn: tuple[NeedleSet, ...]
    seeds: range
    mistakes: tuple[ConfigError, ...]


def check_needle_sets(name: str) -> Iterator[CheckedNeedleSet]:
    """Every needle set that a name or path stands for: a written one, or a family in three sizes, or in one.

    Raises UnknownName, ConfigError or NeedleError for one that cannot be drawn or contradicts itself.
    """
    if is_family(name):
        path, family = load_family(name)
        for k in sorted({family.fewest, min(7, family.most), min(_LARGE, family.most)}):
            try:
                yield _checked(f"{name}@{k}")
            except NeedleError as error:
                raise _too_many(path, name, family, k, error) from None
    else:
        yield _checked(name)


def _too_many(path: Path, name: str, family: Family, asked: int, error: NeedleError) -> UserError:
    """What to say of a family whose set of ``asked`` cannot be drawn: how many needles it can have."""
    drawable, too_many = family.fewest - 1, asked
    while too_many - drawable > 1:
        k = (drawable + too_many) // 2
        try:
            for seed in SEEDS:
                load_needle_set(f"{name}@{k}", seed)
            drawable = k
        except NeedleError:
            too_many = k
    if drawable < family.fewest:
        return error
    problem = f"is {family.most:,}, and the seeds {SEEDS[0]} to {SEEDS[-1]} draw sets of {drawable} at most."
    return ConfigError(path, "most", problem, f"Write most: {drawable}. {error.message}")


def _checked(name: str) -> CheckedNeedleSet:
    sized = split_name(name)
    if sized is None:
        written = load_needle_set(name, 1)
        mistakes = _own_mistakes(find_needle_set(name), [written], from_family=False)
        return CheckedNeedleSet(name, (written,), range(0), tuple(mistakes))
    path = load_family(sized[0])[0]
    drawn = tuple(load_needle_set(name, seed) for seed in SEEDS)
    found: list[ConfigError] = []
    try:
        if len({frozenset(each.elements) for each in drawn}) == 1:
            check_draws(path, [load_needle_set(name, seed) for seed in _TRIES])
    except ConfigError as error:
        found.append(error)
    found += _own_mistakes(path, drawn, from_family=True)
    return CheckedNeedleSet(name, drawn, SEEDS, tuple(found))


def _own_mistakes(path: Path, drawn: Sequence[NeedleSet], *, from_family: bool) -> Iterator[ConfigError]:
    """What is misjudged of the first set of which anything is."""
    from niah.cases.sample import answer_key
    from niah.judges.audit import misjudged_texts

    for needle_set in drawn:
        found = list(misjudged_texts(answer_key(needle_set)))
        for one in found:
            key, problem = one.key, one.problem
            if from_family:  # whose file has templates in place of what was drawn
                key, place = key.partition(".")[0], key.split(".")[1:2]
                text = needle_set.needles[int(place[0])].text if place else needle_set.answer
                problem = f"of {needle_set.name}, {text!r}: {problem}" if key != "elements" else problem
            yield ConfigError(path, key, problem, one.remedy)
        if found:
            return
