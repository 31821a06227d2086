"""Needle sets checked before anything is asked: that they hold, and that their own words are judged right."""

from __future__ import annotations

from collections.abc import Iterator

from niah.cases.sample import answer_key
from niah.errors import ConfigError
from niah.judges.audit import misjudged_texts
from niah.needles.families.check import check_draws
from niah.needles.families.load import load_family
from niah.needles.load import find_needle_set, is_family, load_needle_set, split_name
from niah.needles.needle_set import NeedleSet

SEEDS = range(1, 6)
"""With which a set of a family is drawn."""
_TRIES = range(1, 21)
"""Seeds with which an answer is drawn again that seemed always the same."""
_SIZES = (7, 60)


def check_needle_sets(name: str) -> Iterator[tuple[list[NeedleSet], list[ConfigError]]]:
    """The needle set of a name or path, or of each size of a family one for each seed; and their mistakes.

    Raises UnknownName, ConfigError or NeedleError for one that cannot be drawn or contradicts itself.
    """
    if is_family(name):
        _, family = load_family(name)
        for k in sorted({family.fewest, *(min(size, family.most) for size in _SIZES)}):
            yield from check_needle_sets(f"{name}@{k}")
        return
    sized = split_name(name)
    path = load_family(sized[0])[0] if sized else find_needle_set(name)
    drawn = [load_needle_set(name, seed) for seed in (SEEDS if sized else (1,))]
    mistakes: list[ConfigError] = []
    try:
        if sized and len({frozenset(each.elements) for each in drawn}) == 1:
            check_draws(path, [load_needle_set(name, seed) for seed in _TRIES])
    except ConfigError as error:
        mistakes.append(error)
    for needle_set in drawn:
        found = list(misjudged_texts(answer_key(needle_set)))
        where = f"in {needle_set.name}, " if sized else ""
        mistakes += (ConfigError(path, one.key, f"{where}{one.problem}", one.remedy) for one in found)
        if found:
            break
    yield drawn, mistakes
