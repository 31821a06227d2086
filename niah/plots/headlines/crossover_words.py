"""Full context against retrieval in sentences: from where on, by how much, at what price, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from niah.analysis.crossover.crossover import WORTH, Crossover, LengthGap, SideMeans
from niah.plots.headlines.interval_words import has_bounds, lead_words, of_few, turned
from niah.plots.kit.labels import amount_label, length_labels, mean_label, octave_label
from niah.runs.cost.budget import spending_label


@dataclass(frozen=True)
class CrossoverWords:
    """Of one reader; sentences without their full stops.

    Attributes:
        finding: from which length on full context falls behind, by how much, and how sure that is.
        price: what either takes at the greatest length; "" where nobody counted.
        advice: what to send; "" where too little is known to say.
    """

    finding: str
    price: str
    advice: str


def crossover_words(crossing: Crossover, cluster: str) -> CrossoverWords:
    """What is to be said of a reader.

    Args:
        crossing: its crossover.
        cluster: what trials share luck by: "needle set and seed", "document".
    """
    return CrossoverWords(
        _finding(crossing, cluster) + _unread(crossing), _price(crossing), _advice(crossing)
    )


def _finding(crossing: Crossover, cluster: str) -> str:
    return _where(crossing, cluster) if crossing.above else _nowhere(crossing, cluster)


def _nowhere(crossing: Crossover, cluster: str) -> str:
    strategy, lead, last = crossing.strategy, crossing.lead, _label(crossing, crossing.gaps[-1].length)
    if not has_bounds(lead):
        few = f"{lead_words(lead, signed=True)} for {strategy}{of_few(lead, cluster)}"
        return f"Full context is not seen to fall behind {strategy} up to {last}: {few}"
    if (lead.high or 0) < 0:
        ahead = lead_words(turned(lead))
        return f"Full context is ahead of {strategy}, the best retrieval, up to {last}: by {ahead}"
    signed = lead_words(lead, signed=True)
    return f"Full context falls behind no retrieval up to {last}; the lead of {strategy} is {signed}"


def _where(crossing: Crossover, cluster: str) -> str:
    assert crossing.above is not None
    strategy, above = crossing.strategy, crossing.above
    where = f"from {_label(crossing, crossing.length)} tokens on" if crossing.below else "at every length"
    if not has_bounds(above):
        lead = f"{lead_words(above)} below {strategy} {where}"
        return f"Full context scores {lead}{of_few(above, cluster)}"
    by = f"by {lead_words(above)}"
    if not _is_clear(crossing):
        return f"Full context may fall behind {strategy} {where}, {by}: luck alone could do that"
    sure = f" ({_range(crossing)})" if crossing.earliest != crossing.latest else ""
    return f"Full context falls behind {strategy} {where}{sure}, {by}{_before(crossing)}"


def _before(crossing: Crossover) -> str:
    below = crossing.below
    if below is None:
        return ""
    if has_bounds(below) and (below.high or 0) < 0:
        return f"; below that it is ahead by {lead_words(turned(below))}"
    return f"; below that {crossing.strategy} leads by {lead_words(below, signed=True)}"


def _unread(crossing: Crossover) -> str:
    labels = length_labels(crossing.unread) if crossing.is_grid else list(map(octave_label, crossing.unread))
    return f"; at {', '.join(labels)} no answer from full context was scored" if labels else ""


def _price(crossing: Crossover) -> str:
    gap = crossing.gaps[-1]
    context, retrieval = _takes(gap.context), _takes(gap.retrieval)
    if not (context and retrieval):
        return ""
    return (
        f"At {_label(crossing, gap.length)} a question takes {context} with full context,"
        f" {retrieval} with {crossing.strategy}"
    )


def _takes(side: SideMeans) -> str:
    if side.prompt_tokens is None:
        return ""
    tokens = f"{amount_label(round(side.prompt_tokens))} prompt tokens"
    return f"{tokens} ({spending_label(Decimal(side.cost), 'usd')})" if side.cost else tokens


def _advice(crossing: Crossover) -> str:
    strategy, lead, last = crossing.strategy, crossing.lead, crossing.gaps[-1]
    if crossing.length is None:
        if not has_bounds(lead):
            return ""
        if (lead.high or 0) < 0:
            return f"Send everything up to {_label(crossing, last.length)}"
        lost = max(-(lead.low or 0), 0.0)
        return (
            f"{strategy} reads about as well for less: it loses at most {lost:.1f}"
            if lost < WORTH and _is_cheaper(last)
            else ""
        )
    if not _is_clear(crossing):
        return ""
    if crossing.below is None:
        return f"Send what {strategy} retrieves, at every length that was asked"
    whole, retrieved = (mean_label(_mean(crossing, side)) for side in ("context", "retrieval"))
    start = _label(crossing, crossing.length)
    return (
        f"Send everything below {start} and what {strategy} retrieves from there on:"
        f" mean {mean_label(crossing.mixed)}, against {whole} for full context and {retrieved} for {strategy}"
    )


def _mean(crossing: Crossover, side: Literal["context", "retrieval"]) -> float:
    scores = [
        (gap.context if side == "context" else gap.retrieval).score * gap.lead.n for gap in crossing.gaps
    ]
    return sum(scores) / sum(gap.lead.n for gap in crossing.gaps)


def _is_cheaper(gap: LengthGap) -> bool:
    context, retrieval = gap.context.prompt_tokens, gap.retrieval.prompt_tokens
    return context is not None and retrieval is not None and retrieval < context


def _is_clear(crossing: Crossover) -> bool:
    above = crossing.above
    return above is not None and has_bounds(above) and (above.low or 0) > 0


def _range(crossing: Crossover) -> str:
    """Where else the crossover may lie."""
    earliest = _label(crossing, crossing.earliest)
    if crossing.latest is None:
        return f"95 %: {earliest} or later"
    return f"95 %: {earliest} to {_label(crossing, crossing.latest)}"


def _label(crossing: Crossover, length: int | None) -> str:
    assert length is not None
    return length_labels([length])[0] if crossing.is_grid else octave_label(length)
