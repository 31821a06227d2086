"""Which needles a trial's chunks held whole, which elements these tell, and what distractors plant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from niah.cases.sample import AnswerKey, Sample
from niah.judges.normalise import normalise

Planted = Mapping[str, frozenset[str]]
"""By each name that distractors plant, normalised, the ids of those that do."""

Known = bool | None
"""True, False, or None where the run file does not tell."""


def elements_seen(sample: Sample, whole: Sequence[Known]) -> dict[str, Known]:
    """Of each element, whether the retrieved chunks tell it: hold every needle whole that it takes.

    Most elements take any one of the needles that carry them. A chain's (kind "multi-hop") and those of a
    reply to be repeated ("recall") take every needle up to the first that carries it, in listed order; a
    tally's ("aggregation") takes every needle, and what follows from a story every fact that it follows from.
    Empty where the sample's needles are not those that were retrieved.

    Args:
        sample: whose needles these are.
        whole: see ``wholly_retrieved``.
    """
    if len(sample.needles) != len(whole):
        return {}
    seen = dict(zip((needle.id for needle in sample.needles), whole, strict=True))
    return {element.name: _told(element.name, sample.key, seen) for element in sample.key.elements}


def wholly_retrieved(
    ranks: Sequence[int | None], split: Sequence[bool] | None, completeness: float
) -> tuple[Known, ...]:
    """Of each needle, in the order of the text, whether it lies wholly inside the retrieved chunks.

    A needle with a rank does. One without may still, across chunks that follow each other, if chunk borders
    cut it; how many do follows from the completeness, and which of them only where it is none or all.

    Args:
        ranks: of each needle; None where no chunk holds it whole.
        split: whether chunk borders cut it; None where nobody says.
        completeness: share of the needles that are wholly retrieved.
    """
    cut = [rank is None and (split is None or split[at]) for at, rank in enumerate(ranks)]
    across = round(completeness * len(ranks)) - sum(rank is not None for rank in ranks)
    of_cut = False if across <= 0 else True if across >= sum(cut) else None
    return tuple(rank is not None or (of_cut if cut[at] else False) for at, rank in enumerate(ranks))


def planted_names(samples: Mapping[str, Sample]) -> dict[str, Planted]:
    """What the distractors of each sample's question plant, by sample id."""
    keys = {id(sample.key): sample.key for sample in samples.values()}
    planted = {place: _planted(key) for place, key in keys.items()}
    return {sample_id: planted[id(sample.key)] for sample_id, sample in samples.items()}


def _planted(key: AnswerKey) -> Planted:
    planted: dict[str, frozenset[str]] = {}
    for distractor in key.distractors:
        for name in (same_name(name) for element in distractor.elements for name in element.names):
            planted[name] = planted.get(name, frozenset()) | {distractor.id}
    return planted


@lru_cache(maxsize=65_536)
def same_name(name: str) -> str:
    """What two names of the same thing have in common; thousands of answers share a few names."""
    return normalise(name)


def _told(element: str, key: AnswerKey, seen: Mapping[str, Known]) -> Known:
    carriers = [at for at, needle in enumerate(key.needles) if element in needle.elements]
    every = [seen[needle.id] for needle in key.needles]
    match key.kind:
        case "multi-hop" | "recall":
            return _all(every[: carriers[0] + 1])
        case "aggregation":
            return _all(every)
        case "story":
            return _all([every[at] for at in carriers])
        case _:
            return _any([every[at] for at in carriers])


def _all(known: Sequence[Known]) -> Known:
    return False if False in known else None if None in known else True


def _any(known: Sequence[Known]) -> Known:
    return True if True in known else None if None in known else False
