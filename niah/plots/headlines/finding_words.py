"""Whether full context falls behind retrieval, from which length on, and how sure that is, in a sentence."""

from __future__ import annotations

from niah.analysis.crossover import Crossover, clear_leader
from niah.analysis.lengths import length_labels, octave_label
from niah.analysis.stats import has_bounds
from niah.plots.headlines.interval_words import higher_than, lead_words, of_few, turned

LITTLE = 5.0
"""Below u-niah's "moderate" answer."""

_MANY_LEFT = 0.1
"""Of the trials that were planned: from so many on that are not run, the first sentence says of how many."""


def finding_words(crossing: Crossover, cluster: str) -> str:
    """From where on full context falls behind, by how much, and how sure that is; without its full stop.

    Args:
        crossing: of a reader.
        cluster: what trials share luck by, as ``cluster_words`` says it.
    """
    if crossing.ceiling is not None and crossing.ceiling < LITTLE:
        return (
            f"Even with only the right chunks the mean is {crossing.ceiling:.1f}: the questions are too hard"
        )
    says = _where(crossing, cluster) if crossing.above else _nowhere(crossing, cluster)
    if crossing.planned - crossing.run < _MANY_LEFT * crossing.planned:
        return says
    return f"From {crossing.run:,} of {crossing.planned:,} planned trials, {says[:1].lower()}{says[1:]}"


def _nowhere(crossing: Crossover, cluster: str) -> str:
    strategy, lead, last = crossing.strategy, crossing.lead, longest_name(crossing)
    if not has_bounds(lead):
        scores = f"{strategy} scores {higher_than(lead)} it{of_few(lead, cluster)}"
        return f"Not sure whether full context falls behind {strategy} up to {last}: {scores}"
    if (lead.high or 0) < 0:
        ahead = lead_words(turned(lead))
        over = (
            f"over all lengths up to {last}"
            if len(crossing.gaps) > 1
            else f"at {length_in_words(crossing, crossing.gaps[-1].length)}"
        )
        return f"Full context is ahead of {strategy}, the best retrieval, {over}: by {ahead}"
    signed = lead_words(lead, signed=True)
    return f"Full context falls behind no retrieval up to {last}; the lead of {strategy} is {signed}"


def _where(crossing: Crossover, cluster: str) -> str:
    assert crossing.above is not None
    strategy, above = crossing.strategy, crossing.above
    where = f"from {start_label(crossing)} tokens on" if crossing.below else "at every length"
    if not has_bounds(above):
        lead = f"{lead_words(above)} below {strategy} {where}"
        return f"Not sure: full context scores {lead}{of_few(above, cluster)}"
    by = f"by {lead_words(above)}"
    if not is_clear(crossing):
        return f"Full context may fall behind {strategy} {where}, {by}: luck alone could do that"
    sure = f" ({_range(crossing)})" if crossing.earliest != crossing.latest else ""
    return f"Full context falls behind {strategy} {where}{sure}, {by}{_before(crossing)}"


def start_label(crossing: Crossover) -> str:
    """The length of the crossover: "8k"; "8k or 16k" where it may lie higher, and retrieval is clearly ahead
    at each length alone from 16k on.
    """
    start = length_name(crossing, crossing.length)
    if not is_clear(crossing) or crossing.latest == crossing.length:
        return start
    above = [gap for gap in crossing.gaps if gap.length >= (crossing.length or 0)]
    open_ = [gap for gap in above if clear_leader(gap.lead) != "retrieval"]
    last = open_[-1] if open_ else None
    if last is None or open_ != above[: len(open_)] or last is above[-1]:
        return start
    first_sure = length_name(crossing, above[len(open_)].length)
    return f"{start} or {first_sure}" if len(open_) == 1 else f"somewhere between {start} and {first_sure}"


def _before(crossing: Crossover) -> str:
    below = crossing.below
    if below is None:
        return ""
    start = length_name(crossing, crossing.length)
    there = "below that" if start_label(crossing) == start else f"below {start}"
    if has_bounds(below) and (below.high or 0) < 0:
        return f"; {there} it is ahead by {lead_words(turned(below))}"
    if has_bounds(below) and (below.low or 0) > 0:
        return f"; {there} {crossing.strategy} leads by {lead_words(below)}"
    return f"; {there} neither is clearly ahead: difference {lead_words(below, signed=True)}"


def is_clear(crossing: Crossover) -> bool:
    """Whether luck alone could not make retrieval's lead from the crossover on."""
    above = crossing.above
    return above is not None and clear_leader(above) == "retrieval"


def _range(crossing: Crossover) -> str:
    """Where else the crossover may lie."""
    if crossing.below is None:
        return (
            f"95 %: at least from {length_name(crossing, crossing.latest)} on"
            if crossing.latest
            else "95 %: or nowhere"
        )
    earliest = length_name(crossing, crossing.earliest)
    if crossing.latest is None:
        return f"95 %: {earliest} or later"
    return f"95 %: {earliest} to {length_name(crossing, crossing.latest)}"


def longest_name(crossing: Crossover) -> str:
    """What there are scores up to: "16k"; of given documents, whose lengths are bands, "1k tokens"."""
    longest = crossing.gaps[-1].length
    return length_labels([longest])[0] + ("" if crossing.is_grid else " tokens")


def length_in_words(crossing: Crossover, length: int | None) -> str:
    """A length in a sentence: "16k"; a band of them with its unit, "512–1k tokens"."""
    return length_name(crossing, length) + ("" if crossing.is_grid else " tokens")


def length_name(crossing: Crossover, length: int | None) -> str:
    """A length, or of given documents a band of them."""
    assert length is not None
    return length_labels([length])[0] if crossing.is_grid else octave_label(length)
