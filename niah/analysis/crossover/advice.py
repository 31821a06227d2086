"""What to send at each length: one decision for the page, the paper and the table of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, log, sqrt
from typing import Literal

from niah.analysis.crossover.crossover import WORTH, Crossover, LengthGap, SideMeans
from niah.analysis.stats.interval import Interval, has_bounds, is_point
from niah.analysis.stats.quantiles import students_quantile

Choice = Literal["context", "retrieval", "switch", "either", ""]
SentSide = Literal["context", "retrieval", "either", ""]

MOST_CLUSTERS = 400
"""Beyond it no number is told."""

_POWER = 0.8

_SCALE = 9.0
"""Points from the worst score to the best."""

_ALIKE = 1.05
"""Retrieval that takes no more than so many times what full context does is not dearer."""


def overall_choice(crossing: Crossover) -> Choice:
    """What to send: one side at every length, one below the crossover and the other from there on, either
    where the leads, taken together, leave it open; "" where too little is known to say even that.

    Retrieval at every length also where below the crossover it scores no lower for no more, or where there is
    no crossover and it serves as well.
    """
    lead, above = crossing.lead, crossing.above
    if above is not None:
        if not has_bounds(above):
            return ""
        if clear_leader(above) != "retrieval":
            return "either"
        return "switch" if crossing.below and not _serves_below(crossing.below, crossing) else "retrieval"
    if not has_bounds(lead):
        return ""
    if clear_leader(lead) == "context":
        return "context"
    level = greatest_loss(lead) < WORTH and _is_free(crossing.gaps)
    return "retrieval" if level and saves(crossing.gaps[-1:]) else "either"


def side_to_send(crossing: Crossover, gap: LengthGap) -> SentSide:
    """What to send at a length; where the leads together leave it open, who is clearly ahead at that one."""
    choice = overall_choice(crossing)
    if choice == "either":
        return clear_leader(gap.lead) or "either"
    if choice != "switch":
        return choice
    assert crossing.length is not None
    return "context" if gap.length < crossing.length else "retrieval"


def clear_leader(lead: Interval) -> Literal["context", "retrieval", ""]:
    """Whose lead luck alone could not make, by a lead of retrieval."""
    if not has_bounds(lead):
        return ""
    if (lead.low or 0) > 0:
        return "retrieval"
    return "context" if (lead.high or 0) < 0 else ""


def greatest_loss(lead: Interval) -> float:
    """By how much retrieval may score lower, at the interval's end.

    Clusters that are all alike have no spread: that so many in a row show no loss bounds the share of others
    (the rule of three's exact form, Hanley & Lippman-Hand 1983), each of which may lose the whole scale.
    """
    if lead.low is not None and lead.high is not None and is_point(lead.low, lead.high):
        return max(-lead.estimate, _SCALE * (1 - float(0.05 ** (1 / lead.clusters))))
    return max(-(lead.low or 0), 0.0)


def open_lengths(crossing: Crossover) -> Crossover | None:
    """The same at those lengths alone at which either may be sent; None where there are none."""
    gaps = tuple(gap for gap in crossing.gaps if side_to_send(crossing, gap) == "either")
    return replace(crossing, gaps=gaps) if gaps else None


def clusters_to_decide(lead: Interval) -> int | None:
    """How many clusters would show a lead as large as this one in four of five runs.

    Those with which it is as many standard errors away from 0 as Student's two quantiles together are (of
    95 % and of the power). A lead below ``WORTH`` counts as that. None where there is no interval, where so
    many are there already, or where it takes more than ``MOST_CLUSTERS``.
    """
    if lead.low is None or lead.high is None or lead.clusters < 2:
        return None
    if is_point(lead.low, lead.high):
        count = ceil(log(0.05) / log(1 - WORTH / _SCALE))
        return count if count > lead.clusters else None
    reach = max(lead.estimate - lead.low, lead.high - lead.estimate)
    deviation = reach / students_quantile(0.975, lead.clusters - 1) * sqrt(lead.clusters)
    effect = max(abs(lead.estimate), WORTH)
    for count in range(2, MOST_CLUSTERS + 1):
        away = students_quantile(0.975, count - 1) + students_quantile(_POWER, count - 1)
        if effect * sqrt(count) >= away * deviation:
            return count if count > lead.clusters else None
    return None


def cheaper_side(sides: tuple[SideMeans, SideMeans]) -> Literal["context", "retrieval", ""]:
    """Of full context and retrieval the one that takes less, by price or tokens; "" if nobody counted."""
    context, retrieval = _amounts(sides)
    if context is None or retrieval is None or context == retrieval:
        return ""
    return "context" if context < retrieval else "retrieval"


def below(crossing: Crossover) -> tuple[LengthGap, ...]:
    """The lengths below the crossover; all of them where there is none."""
    return tuple(gap for gap in crossing.gaps if crossing.length is None or gap.length < crossing.length)


def saves(gaps: Sequence[LengthGap]) -> bool:
    """Whether retrieval takes fewer tokens, by more than ``_ALIKE``, at one of the lengths at least."""
    amounts = ((gap.context.prompt_tokens, gap.retrieval.prompt_tokens) for gap in gaps)
    return any(
        context is not None and retrieval is not None and retrieval * _ALIKE < context
        for context, retrieval in amounts
    )


def _serves_below(lead: Interval, crossing: Crossover) -> bool:
    """Whether retrieval does below the crossover what full context would: its mean is no lower or it surely
    loses less than ``WORTH``, it is dearer at no length, and full context is clearly ahead at none.

    To send everything there would score no better than retrieval at every length, and read more.
    """
    loses_little = has_bounds(lead) and greatest_loss(lead) < WORTH
    return (lead.estimate >= 0 or loses_little) and _is_free(below(crossing))


def _is_free(gaps: Sequence[LengthGap]) -> bool:
    """Whether retrieval is dearer at none of these lengths, nor full context clearly ahead."""
    return not any(_is_dearer(gap) or clear_leader(gap.lead) == "context" for gap in gaps)


def _is_dearer(gap: LengthGap) -> bool:
    """Whether retrieval takes more than full context, by more than ``_ALIKE``, or nobody can tell."""
    context, retrieval = _amounts((gap.context, gap.retrieval))
    return context is None or retrieval is None or retrieval > _ALIKE * context


def _amounts(sides: tuple[SideMeans, SideMeans]) -> tuple[float | None, float | None]:
    """What full context and retrieval take: both prices where both are known, else tokens."""
    context, retrieval = sides
    if context.cost and retrieval.cost:
        return context.cost, retrieval.cost
    return context.prompt_tokens, retrieval.prompt_tokens
