"""Which needles a trial's chunks held whole, and which elements these tell; which distractors stood by."""

from __future__ import annotations

from collections.abc import Sequence

from niah.cases.assembly.order import in_order, nested_in, of_hardness
from niah.cases.case import Case
from niah.needles.needle_set import NeedleSet
from niah.runs.trial import TrialRecord

Known = bool | None
"""True, False, or None where the run file does not tell."""


def elements_seen(record: TrialRecord, needle_set: NeedleSet, case: Case) -> dict[str, Known]:
    """Of each element, whether the retrieved chunks tell it: hold every needle whole that it takes.

    Most elements take any one of the needles that carry them. A chain's (kind "multi-hop") takes every link
    up to the first that carries it, links in listed order; a tally's ("aggregation") takes every needle.
    Empty where the needle set is no longer the one that was asked.
    """
    ids, whole = needle_ids(needle_set, case), wholly_retrieved(record)
    if len(ids) != len(whole):
        return {}
    seen = dict(zip(ids, whole, strict=True))
    return {element.name: _told(element.name, needle_set, seen) for element in needle_set.elements}


def wholly_retrieved(record: TrialRecord) -> tuple[Known, ...]:
    """Of each needle, in the order of the text, whether it lies wholly inside the retrieved chunks.

    A needle with a rank does. One without may still, across chunks that follow each other, if chunk borders
    cut it; how many do follows from the completeness, and which of them only where it is none or all.
    """
    ranks, split = record.needle_ranks or (), record.needle_split
    cut = [rank is None and (split is None or split[at]) for at, rank in enumerate(ranks)]
    ranked = sum(rank is not None for rank in ranks)
    across = round((record.retrieval_completeness or 0.0) * len(ranks)) - ranked
    of_cut = False if across <= 0 else True if across >= sum(cut) else None
    return tuple(rank is not None or (of_cut if cut[at] else False) for at, rank in enumerate(ranks))


def needle_ids(needle_set: NeedleSet, case: Case) -> tuple[str, ...]:
    """Ids of the needles in the order of the case's text,."""
    units = [nested_in(passage, needle_set) for passage in needle_set.passages]
    units = units or [[needle] for needle in needle_set.needles]
    return tuple(needle.id for unit in in_order(units, needle_set, case) for needle in unit)


def distractors_in(needle_set: NeedleSet, case: Case) -> tuple[str, ...]:
    """Ids of the distractors in the case's context, as listed: all, where nothing answers the question."""
    if not needle_set.needles:
        return tuple(distractor.id for distractor in needle_set.distractors)
    there = of_hardness(needle_set.distractors, case.distractor_hardness)
    return tuple(distractor.id for distractor in there[: case.distractors])


def _told(element: str, needle_set: NeedleSet, seen: dict[str, Known]) -> Known:
    carriers = [at for at, needle in enumerate(needle_set.needles) if element in needle.elements]
    every = [seen[needle.id] for needle in needle_set.needles]
    match needle_set.kind:
        case "multi-hop":
            return _all(every[: carriers[0] + 1])
        case "aggregation":
            return _all(every)
        case _:
            return _any([every[at] for at in carriers])


def _all(known: Sequence[Known]) -> Known:
    return False if False in known else None if None in known else True


def _any(known: Sequence[Known]) -> Known:
    return True if True in known else None if None in known else False
