"""Full context against retrieval in sentences: from where on, by how much, at what price, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from niah.analysis.crossover.advice import (
    SentSide,
    below,
    cheaper_side,
    clear_leader,
    clusters_to_decide,
    greatest_loss,
    open_lengths,
    overall_choice,
    saves,
    side_to_send,
)
from niah.analysis.crossover.crossover import WORTH, Crossover, LengthGap, SideMeans, UnreadLength
from niah.analysis.lengths import length_labels, octave_label
from niah.analysis.stats.interval import Interval, has_bounds
from niah.analysis.whole_context import is_whole
from niah.plots.headlines.finding_words import finding_words, is_clear, length_name, start_label
from niah.plots.headlines.interval_words import TOO_FEW_TO_TELL, capitalised, lead_words, several
from niah.plots.kit.labels import amount_label, mean_label
from niah.runs.cost.budget import spending_label


@dataclass(frozen=True)
class CrossoverWords:
    """Of one reader; sentences without their full stops.

    Attributes:
        finding: from which length on full context falls behind, by how much, and how sure that is.
        advice: what to send; "" where too little is known to say.
        advice_price: what that takes a question, all lengths alike; "" without advice, or if nobody counted.
        unsure: at which lengths nobody can tell which is better; "" where there are none.
        strategy: the retrieval that full context is compared with.
        lengths: both sides at every length.
        is_priced: whether what a side takes has a price.
        is_decided: whether the advice says what to send, at some length at least.
        next_step: what would decide what is open; "" where nothing is.
        other_questions: at which lengths means are of fewer needle sets than elsewhere; "" if nowhere.
        brief: the same in a row of a table of readers.
    """

    finding: str
    advice: str
    advice_price: str
    unsure: str
    strategy: str
    lengths: tuple[LengthWords, ...]
    is_priced: bool
    is_decided: bool
    next_step: str
    other_questions: str
    brief: BriefWords


@dataclass(frozen=True)
class BriefWords:
    """One reader's row among all readers.

    Attributes:
        behind: from where on full context falls behind: "from 16k on", "nowhere up to 32k".
        lead: of retrieval there, or over all lengths: "dos +4.4 (3.3 to 5.5)".
        send: "everything below 16k, dos from there on"; "too few to tell" without advice.
        takes: what that takes a question, see ``LengthWords``; "" where either is as good, or nobody counted.
    """

    behind: str
    lead: str
    send: str
    takes: str


@dataclass(frozen=True)
class LengthWords:
    """Full context and retrieval at one length.

    Attributes:
        length: "16k".
        context, retrieval: mean scores; "–" where there is none.
        lead: retrieval's, signed, with its 95 % interval: "+4.4 (3.3 to 5.5)"; "" where one has no score.
        leader: who is clearly ahead: "context", "retrieval", or "" for neither.
        context_takes, retrieval_takes: tokens and price a question; "" where nobody counted.
        send: what to send there: "everything", "retrieval", "either"; "" without advice.
    """

    length: str
    context: str
    retrieval: str
    lead: str
    leader: Literal["context", "retrieval", ""]
    context_takes: str
    retrieval_takes: str
    send: str


def crossover_words(crossing: Crossover, cluster: str) -> CrossoverWords:
    """What is to be said of a reader.

    Args:
        crossing: its crossover.
        cluster: what trials share luck by, as ``cluster_words`` says it.
    """
    advice, whole = _advice(crossing), _sent_whole(crossing)
    lengths = (
        *(_length_words(crossing, gap) for gap in crossing.gaps),
        *(_unread_words(crossing, each) for each in crossing.unread),
    )
    return CrossoverWords(
        finding_words(crossing, cluster) + _unread(crossing) + ("" if advice else whole),
        advice and advice + whole,
        _advice_price(crossing) if overall_choice(crossing) else "",
        _unsure(crossing),
        crossing.strategy,
        lengths,
        any(side.cost for gap in crossing.gaps for side in (gap.context, gap.retrieval)),
        any(each.send not in ("", "either") for each in lengths),
        _next_step(crossing, cluster),
        _other_questions(crossing),
        _brief(crossing),
    )


def _brief(crossing: Crossover) -> BriefWords:
    strategy, choice = crossing.strategy, overall_choice(crossing)
    lead = crossing.above or crossing.lead
    start = length_name(crossing, crossing.length) if crossing.above and crossing.below else ""
    behind = f"nowhere up to {length_name(crossing, crossing.gaps[-1].length)}"
    if crossing.above:
        behind = f"from {start_label(crossing)} on" if start else "at every length"
        if not is_clear(crossing):
            behind = f"perhaps {behind}"
    send = {
        "context": "everything",
        "retrieval": strategy,
        "switch": f"everything below {start}, {strategy} from there on",
        "either": _by_length(crossing, strategy, "either"),
        "": TOO_FEW_TO_TELL,
    }[choice]
    if crossing.unread and choice in ("context", ""):
        send += f"; {strategy} at {_unread_labels(crossing)}"
    return BriefWords(
        behind,
        f"{strategy} {_lead_briefly(lead)}",
        send,
        "" if choice in ("either", "") else _takes_briefly(_advised(crossing)),
    )


def _by_length(crossing: Crossover, retrieved: str, level: str) -> str:
    """Of lengths that are decided each alone: "everything at 1k; elsewhere either"."""
    lengths: dict[SentSide, list[str]] = {}
    for gap in crossing.gaps:
        lengths.setdefault(side_to_send(crossing, gap), []).append(length_name(crossing, gap.length))
    if crossing.unread:
        lengths.setdefault("retrieval", []).append(_unread_labels(crossing))
    sent = [
        f"{what} at {_listed(lengths[side])}" for side, what in _what_is_sent(retrieved) if side in lengths
    ]
    decided = " and ".join(sent)
    if "either" not in lengths:
        return decided
    return f"{decided}; elsewhere {level}" if decided else level


def _what_is_sent(retrieved: str) -> tuple[tuple[SentSide, str], tuple[SentSide, str]]:
    return ("context", "everything"), ("retrieval", retrieved)


def _unread(crossing: Crossover) -> str:
    labels = _unread_labels(crossing)
    return f"; at {labels} no answer from full context was scored" if labels else ""


def _sent_whole(crossing: Crossover) -> str:
    """At which lengths retrieval sent no less than full context: "; at 1k dos sent the whole context".

    Of those at which everything is to be sent nothing is said: there it changes nothing.
    """
    lengths = [
        length_name(crossing, gap.length)
        for gap in crossing.gaps
        if side_to_send(crossing, gap) != "context"
        and is_whole(gap.retrieval.prompt_tokens, gap.context.prompt_tokens)
    ]
    if not lengths:
        return ""
    where = "every length" if len(lengths) == len(crossing.gaps) else _listed(lengths)
    return f"; at {where} {crossing.strategy} sent the whole context"


def _unread_labels(crossing: Crossover) -> str:
    lengths = [each.length for each in crossing.unread]
    return ", ".join(length_labels(lengths) if crossing.is_grid else map(octave_label, lengths))


def _takes(side: SideMeans) -> str:
    if side.prompt_tokens is None:
        return ""
    tokens = f"{amount_label(round(side.prompt_tokens))} prompt tokens"
    return f"{tokens} ({spending_label(Decimal(side.cost), 'usd')})" if side.cost else tokens


def _advice_price(crossing: Crossover) -> str:
    """What the advice takes, beside everything; of either which side takes less."""
    if overall_choice(crossing) == "either":
        return _cheaper(crossing)
    whole, advised = crossing.over_lengths(_context), _advised(crossing)
    takes, instead = _takes(advised), _takes(whole)
    if not takes:
        return ""
    return f"That takes {takes} a question, all lengths alike" + (
        f"; full context everywhere {instead}" if instead and advised != whole else ""
    )


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


def _next_step(crossing: Crossover, cluster: str) -> str:
    """What would decide what is open; "" where nothing is, or the sides are level for all that matters."""
    lead = crossing.above or crossing.lead
    if open_lengths(crossing) is None or _is_level(lead):
        return ""
    count = clusters_to_decide(lead)
    if count is None:
        return f"More {several(cluster)} would decide"
    real = max(abs(lead.estimate), WORTH)
    there = f"About {count} {several(cluster)} (there are {lead.clusters})"
    return f"{there} would decide, if the lead is as large as {real:.1f}"


def _advised(crossing: Crossover) -> SideMeans:
    return crossing.over_lengths(
        lambda gap: gap.retrieval if side_to_send(crossing, gap) == "retrieval" else gap.context
    )


def _context(gap: LengthGap) -> SideMeans:
    return gap.context


def _retrieval(gap: LengthGap) -> SideMeans:
    return gap.retrieval


def _unsure(crossing: Crossover) -> str:
    """The lengths at which neither is clearly ahead, nor both within what a switch is worth."""
    open_lengths = [
        gap.length for gap in crossing.gaps if not clear_leader(gap.lead) and not _is_level(gap.lead)
    ]
    if not open_lengths:
        return ""
    labels = [length_name(crossing, length) for length in open_lengths]
    alone = ", each taken alone" if len(labels) > 1 else ", taken alone"
    return f"Whether {crossing.strategy} or full context is better at {_listed(labels)}{alone}"


def _other_questions(crossing: Crossover) -> str:
    """A length that asks easier needle sets alone would look like a reader that gains with length."""
    every = set().union(*crossing.needle_sets.values())
    lengths: dict[tuple[str, ...], list[str]] = {}
    for length, names in crossing.needle_sets.items():
        if len(names) < len(every):
            lengths.setdefault(names, []).append(length_name(crossing, length))
    parts = []
    for names, labels in lengths.items():
        gone = sorted(every.difference(names))
        of = f"without {_listed(gone)}" if len(gone) < len(names) else f"of {_listed(names)} alone"
        parts.append(f"at {_listed(labels)} are {of}")
    return f"Means {'; '.join(parts)}: other questions than at the other lengths" if parts else ""


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _is_level(lead: Interval) -> bool:
    return has_bounds(lead) and (lead.low or 0) > -WORTH and (lead.high or 0) < WORTH


def _length_words(crossing: Crossover, gap: LengthGap) -> LengthWords:
    sends = side_to_send(crossing, gap)
    return LengthWords(
        length_name(crossing, gap.length),
        mean_label(gap.context.score),
        mean_label(gap.retrieval.score),
        _lead_briefly(gap.lead),
        clear_leader(gap.lead),
        _takes_briefly(gap.context),
        _takes_briefly(gap.retrieval),
        {"context": "everything"}.get(sends, sends),
    )


def _unread_words(crossing: Crossover, unread: UnreadLength) -> LengthWords:
    """A length at which retrieval alone has a score: what it retrieves is what can be sent."""
    return LengthWords(
        length_name(crossing, unread.length),
        "–",
        mean_label(unread.retrieval.score),
        "",
        "",
        "",
        _takes_briefly(unread.retrieval),
        "retrieval",
    )


def _lead_briefly(lead: Interval) -> str:
    """As in a column whose head says 95 %: "+4.4 (3.3 to 5.5)"."""
    return lead_words(lead, signed=True).replace("95 %: ", "")


def _takes_briefly(side: SideMeans) -> str:
    """As in a table whose head names the units: "32.8k · 0.082"."""
    if side.prompt_tokens is None:
        return ""
    tokens = amount_label(round(side.prompt_tokens))
    price = spending_label(Decimal(side.cost), "usd").removesuffix(" USD") if side.cost else ""
    return f"{tokens} · {price}" if price else tokens


def _advice(crossing: Crossover) -> str:
    strategy, choice = crossing.strategy, overall_choice(crossing)
    where = f"at {_unread_labels(crossing)}" if crossing.unread else ""
    match choice:
        case "":
            return f"Send what {strategy} retrieves {where}; elsewhere {TOO_FEW_TO_TELL}" if where else ""
        case "context":
            beyond = f", and what {strategy} retrieves {where}" * bool(where)
            return f"Send everything up to {length_name(crossing, crossing.gaps[-1].length)}{beyond}"
        case "either":
            level = f"neither full context nor {strategy} is clearly better"
            says = _by_length(crossing, f"what {strategy} retrieves", level)
            return capitalised(says) if says == level else f"Send {says}"
        case "retrieval":
            if crossing.above is not None and crossing.below is not None:
                there = (
                    f"below {length_name(crossing, crossing.length)} it {_as_well(crossing, crossing.below)}"
                )
                return f"Send what {strategy} retrieves, at every length: {there}"
            if crossing.above is not None:
                return f"Send what {strategy} retrieves, at every length that was asked"
            return f"Send what {strategy} retrieves, at every length: it {_as_well(crossing, crossing.lead)}"
    whole = mean_label(crossing.over_lengths(_context).score)
    retrieved = mean_label(crossing.over_lengths(_retrieval).score)
    start = length_name(crossing, crossing.length)
    return (
        f"Send everything below {start} and what {strategy} retrieves from there on:"
        f" mean {mean_label(crossing.mixed.score)},"
        f" against {whole} for full context and {retrieved} for {strategy}{_why_mixed(crossing)}"
    )


def _why_mixed(crossing: Crossover) -> str:
    """Why everything is sent below the crossover where retrieval's mean is no lower there; "" if it is."""
    assert crossing.below is not None
    if crossing.below.estimate < 0:
        return ""
    ahead = [
        length_name(crossing, gap.length) for gap in below(crossing) if clear_leader(gap.lead) == "context"
    ]
    if ahead:
        return f"; at {_listed(ahead)} full context is clearly ahead"
    start = length_name(crossing, crossing.length)
    return f", which takes more at lengths below {start}"


def _as_well(crossing: Crossover, lead: Interval) -> str:
    """By how much retrieval may be worse, and that it takes less, or no more, where full context could go."""
    takes = "for less" if saves(below(crossing)) else "for no more"
    loss = f"{greatest_loss(lead):.1f}"
    if loss == "0.0" and has_bounds(lead):
        return f"reads no worse, {takes}"
    if lead.estimate >= 0 and (greatest_loss(lead) >= WORTH or not has_bounds(lead)):
        return f"scores no lower, {takes}"
    return f"reads about as well {takes}: it loses at most {loss}"
