"""What to send at each length: one decision for the page, the paper and the table of both sides."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Literal

from niah.analysis.crossover.crossover import WORTH, Crossover, LengthGap, SideMeans
from niah.analysis.stats.interval import Interval, has_bounds
from niah.analysis.stats.student import students_quantile

Choice = Literal["context", "retrieval", "switch", "either", ""]
SentSide = Literal["context", "retrieval", "either", ""]

MOST_CLUSTERS = 400
"""Beyond it no number is told."""

_POWER = 0.8


def overall_choice(crossing: Crossover) -> Choice:
    """What to send: one side at every length, one below the crossover and the other from there on, either
    where the leads, taken together, leave it open; "" where too little is known to say even that.

    Retrieval at every length also where it surely loses less than ``WORTH`` below the crossover, for less.
    """
    lead, above = crossing.lead, crossing.above
    if above is not None:
        if not has_bounds(above):
            return ""
        if clear_leader(above) != "retrieval":
            return "either"
        return "switch" if crossing.below and not _serves_below(crossing) else "retrieval"
    if not has_bounds(lead):
        return ""
    if clear_leader(lead) == "context":
        return "context"
    return "retrieval" if greatest_loss(lead) < WORTH and _is_cheaper(crossing.gaps[-1]) else "either"


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
    """By how much retrieval may score lower, at the interval's end."""
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
    context, retrieval = (side.cost or side.prompt_tokens for side in sides)
    if bool(sides[0].cost) != bool(sides[1].cost):
        context, retrieval = (side.prompt_tokens for side in sides)
    if context is None or retrieval is None or context == retrieval:
        return ""
    return "context" if context < retrieval else "retrieval"


def _serves_below(crossing: Crossover) -> bool:
    """Whether retrieval does as well as full context below the crossover too, for less at each length."""
    assert crossing.below is not None
    assert crossing.length is not None
    before = [gap for gap in crossing.gaps if gap.length < crossing.length]
    return (
        has_bounds(crossing.below)
        and greatest_loss(crossing.below) < WORTH
        and all(cheaper_side((gap.context, gap.retrieval)) == "retrieval" for gap in before)
        and all(clear_leader(gap.lead) != "context" for gap in before)
    )


def _is_cheaper(gap: LengthGap) -> bool:
    context, retrieval = gap.context.prompt_tokens, gap.retrieval.prompt_tokens
    return context is not None and retrieval is not None and retrieval < context
