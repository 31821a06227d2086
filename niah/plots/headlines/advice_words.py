"""What to send at which length, in words, and what that takes."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from niah.analysis.crossover import (
    WORTH,
    Crossover,
    LengthGap,
    SentSide,
    SideMeans,
    cheaper_side,
    clear_leader,
    clusters_to_decide,
    greatest_loss,
    open_lengths,
    overall_choice,
    saves,
    shorter,
    side_to_send,
)
from niah.analysis.lengths import length_labels, octave_label
from niah.analysis.stats import Interval, has_bounds
from niah.plots.headlines.finding_words import length_in_words, length_name, longest_name
from niah.plots.headlines.interval_words import TOO_FEW_TO_TELL, capitalised, lead_words, several, turned
from niah.plots.kit.labels import amount_label, mean_label
from niah.runs.cost.budget import spending_label


def advice_words(crossing: Crossover) -> str:
    """What to send, without its full stop; "" where too little is known to say."""
    strategy, choice = crossing.strategy, overall_choice(crossing)
    # An application retrieves, reads and answers by itself.
    what = f"each question to {strategy}" if crossing.is_application else f"what {strategy} retrieves"
    where = f"at {unread_labels(crossing)}" if crossing.unread else ""
    match choice:
        case "":
            return f"Send {what} {where}; elsewhere {TOO_FEW_TO_TELL}" if where else ""
        case "context":
            beyond = f", and {what} {where}" * bool(where)
            return f"Send everything up to {longest_name(crossing)}{beyond}"
        case "either":
            level = f"neither full context nor {strategy} is clearly better"
            says = sent_by_length(crossing, what, level)
            return capitalised(says) if says == level else f"Send {says}"
        case "retrieval":
            if crossing.above is not None and crossing.below is not None:
                start = length_in_words(crossing, crossing.length)
                there = f"below {start} it {_as_well(crossing, crossing.below)}"
                return f"Send {what}, at every length: {there}"
            if crossing.above is not None:
                return f"Send {what}, at every length that was asked"
            return f"Send {what}, at every length: it {_as_well(crossing, crossing.lead)}"
    whole = mean_label(crossing.over_lengths(_context).score)
    retrieved = mean_label(crossing.over_lengths(_retrieval).score)
    start = length_in_words(crossing, crossing.length)
    return (
        f"Send everything {until_words(crossing)} and {what} from {start} on:"
        f" mean {mean_label(crossing.mixed.score)},"
        f" against {whole} for full context and {retrieved} for {strategy}{_why_mixed(crossing)}"
    )


def until_words(crossing: Crossover) -> str:
    """Up to where everything is sent before a crossover: "up to 8k", since nothing was asked between."""
    before = shorter(crossing)
    if crossing.is_grid and before:
        return f"up to {length_name(crossing, before[-1].length)}"
    return f"below {length_in_words(crossing, crossing.length)}" if crossing.length else ""


def _why_mixed(crossing: Crossover) -> str:
    """Why everything is sent below the crossover where retrieval's mean is no lower there; "" if it is."""
    assert crossing.below is not None
    if crossing.below.estimate < 0:
        return ""
    ahead = [
        length_name(crossing, gap.length) for gap in shorter(crossing) if clear_leader(gap.lead) == "context"
    ]
    if ahead:
        return f"; at {and_joined(ahead)} full context is clearly ahead"
    start = length_name(crossing, crossing.length)
    return f", which takes more at lengths below {start}"


def _as_well(crossing: Crossover, lead: Interval) -> str:
    """By how much retrieval may be worse, and that it takes less, or no more, where full context could go."""
    takes = "for less" if saves(shorter(crossing)) else "for no more"
    loss = f"{greatest_loss(lead):.1f}"
    if loss == "0.0" and has_bounds(lead):
        return f"reads no worse, {takes}"
    if lead.estimate >= 0 and (greatest_loss(lead) >= WORTH or not has_bounds(lead)):
        return f"scores no lower, {takes}"
    return f"reads about as well {takes}: it loses at most {loss}"


def sent_by_length(crossing: Crossover, retrieved: str, level: str) -> str:
    """Of lengths that are decided each alone: "everything at 1k; elsewhere either"."""
    lengths: dict[SentSide, list[str]] = {}
    for gap in crossing.gaps:
        lengths.setdefault(side_to_send(crossing, gap), []).append(length_name(crossing, gap.length))
    if crossing.unread:
        lengths.setdefault("retrieval", []).append(unread_labels(crossing))
    sent = [
        f"{what} at {and_joined(lengths[side])}" for side, what in _what_is_sent(retrieved) if side in lengths
    ]
    decided = " and ".join(sent)
    if "either" not in lengths:
        return decided
    return f"{decided}; elsewhere {level}" if decided else level


def _what_is_sent(retrieved: str) -> tuple[tuple[SentSide, str], tuple[SentSide, str]]:
    return ("context", "everything"), ("retrieval", retrieved)


def advice_price(crossing: Crossover) -> str:
    """What the advice takes, beside everything; of either which side takes less."""
    if overall_choice(crossing) == "either":
        return _cheaper(crossing)
    whole, advised = crossing.over_lengths(_context), advised_side(crossing)
    takes, instead = _takes(advised), _takes(whole)
    if not takes:
        return ""
    says = f"That takes {takes} a question, all lengths alike"
    if advised == whole:
        return says + _for_less(crossing)
    return f"{says}; full context everywhere {instead}" if instead else says


def _for_less(crossing: Crossover) -> str:
    """What retrieval would take where everything is advised, and what it would lose."""
    sides = crossing.over_lengths(_context), crossing.over_lengths(_retrieval)
    takes, lead = _takes(sides[1]), crossing.lead
    if not takes or lead.estimate >= 0 or crossing.unread or cheaper_side(sides) != "retrieval":
        return ""
    return f"; {crossing.strategy} takes {takes} and scores {lead_words(turned(lead))} lower"


def _cheaper(crossing: Crossover) -> str:
    """The side that takes less where either may be sent: "dos is cheaper there: 514 prompt tokens"."""
    undecided = open_lengths(crossing)
    if undecided is None:
        return ""
    sides = undecided.over_lengths(_context), undecided.over_lengths(_retrieval)
    side = cheaper_side(sides)
    if not side:
        return ""
    named = [(_takes(sides[0]), "full context"), (_takes(sides[1]), crossing.strategy)]
    (least, name), (most, other) = named if side == "context" else named[::-1]
    is_part = len(undecided.gaps) < len(crossing.gaps) or crossing.unread
    name = capitalised(name) if side == "context" else name
    return f"{name} is cheaper{' there' * bool(is_part)}: {least} a question, {other} {most}"


def advised_side(crossing: Crossover) -> SideMeans:
    """Means of whoever follows the advice, all lengths alike."""
    return crossing.over_lengths(
        lambda gap: gap.retrieval if side_to_send(crossing, gap) == "retrieval" else gap.context
    )


def _context(gap: LengthGap) -> SideMeans:
    return gap.context


def _retrieval(gap: LengthGap) -> SideMeans:
    return gap.retrieval


def _takes(side: SideMeans) -> str:
    if side.prompt_tokens is None:
        return ""
    tokens = f"{amount_label(round(side.prompt_tokens))} prompt tokens"
    return f"{tokens} ({spending_label(Decimal(side.cost), 'usd')})" if side.cost else tokens


def next_step(crossing: Crossover, cluster: str) -> str:
    """What would decide what is open; "" where nothing is, or the sides are level for all that matters."""
    lead = crossing.above or crossing.lead
    if open_lengths(crossing) is None or is_level(lead):
        return ""
    count = clusters_to_decide(lead)
    if count is None:
        return f"More {several(cluster)} would decide"
    real = max(abs(lead.estimate), WORTH)
    there = f"About {count} {several(cluster)} (there are {lead.clusters})"
    return f"{there} would decide, if the lead is as large as {real:.1f}"


def is_level(lead: Interval) -> bool:
    """Whether the sides differ by less than a switch is worth, as far as can be said."""
    return has_bounds(lead) and greatest_loss(lead) < WORTH and (lead.high or 0) < WORTH


def unread_labels(crossing: Crossover) -> str:
    """The lengths at which retrieval alone has a score: "32k, 64k"."""
    lengths = [each.length for each in crossing.unread]
    return ", ".join(length_labels(lengths) if crossing.is_grid else map(octave_label, lengths))


def and_joined(words: Sequence[str]) -> str:
    """In a row, the last after "and"; there is one at least."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
