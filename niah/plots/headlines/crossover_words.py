"""Full context against retrieval in sentences: from where on, by how much, at what price, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from niah.analysis.crossover import (
    Crossover,
    LengthGap,
    SideMeans,
    UnreadLength,
    clear_leader,
    overall_choice,
    side_to_send,
)
from niah.analysis.stats import Interval
from niah.analysis.whole_context import is_whole
from niah.plots.headlines.advice_words import (
    advice_price,
    advice_words,
    advised_side,
    and_joined,
    is_level,
    next_step,
    sent_by_length,
    unread_labels,
    until_words,
)
from niah.plots.headlines.finding_words import (
    finding_words,
    is_clear,
    length_name,
    longest_name,
    start_label,
)
from niah.plots.headlines.interval_words import TOO_FEW_TO_TELL, lead_words
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
        together: of which trials the lead in ``finding`` is, beside those of single lengths; "" where it
            is of one length.
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
    together: str
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
        send: "everything up to 8k, dos from 16k on"; "too few to tell" without advice.
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
    advice, whole = advice_words(crossing), _sent_whole(crossing)
    lengths = (
        *(_length_words(crossing, gap) for gap in crossing.gaps),
        *(_unread_words(crossing, each) for each in crossing.unread),
    )
    return CrossoverWords(
        finding_words(crossing, cluster) + _unread(crossing) + ("" if advice else whole),
        advice and advice + whole,
        advice_price(crossing) if overall_choice(crossing) else "",
        _unsure(crossing),
        crossing.strategy,
        lengths,
        _together(crossing),
        any(side.cost for gap in crossing.gaps for side in (gap.context, gap.retrieval)),
        any(each.send not in ("", "either") for each in lengths),
        next_step(crossing, cluster),
        _other_questions(crossing),
        _brief(crossing),
    )


def _together(crossing: Crossover) -> str:
    """Why the lead in the sentence is none of those in the rows."""
    lead, start = crossing.above or crossing.lead, crossing.length if crossing.above else None
    lengths = [gap for gap in crossing.gaps if start is None or gap.length >= start]
    if len(lengths) < 2:
        return ""
    where = f"from {length_name(crossing, start)} on" if start and crossing.below else "of all lengths"
    of_all = f"{lead.estimate:+z.1f} is the lead over the {lead.n:,} pairs {where} together"
    return f"{of_all}; each row has that of its length"


def _brief(crossing: Crossover) -> BriefWords:
    strategy, choice = crossing.strategy, overall_choice(crossing)
    lead = crossing.above or crossing.lead
    start = length_name(crossing, crossing.length) if crossing.above and crossing.below else ""
    behind = f"nowhere up to {longest_name(crossing)}"
    if crossing.above:
        behind = f"from {start_label(crossing)} on" if start else "at every length"
        if not is_clear(crossing):
            behind = f"perhaps {behind}"
    send = {
        "context": "everything",
        "retrieval": strategy,
        "switch": f"everything {until_words(crossing)}, {strategy} from {start} on",
        "either": sent_by_length(crossing, strategy, "either"),
        "": TOO_FEW_TO_TELL,
    }[choice]
    if crossing.unread and choice in ("context", ""):
        send += f"; {strategy} at {unread_labels(crossing)}"
    return BriefWords(
        behind,
        f"{strategy} {_lead_briefly(lead)}",
        send,
        "" if choice in ("either", "") else _takes_briefly(advised_side(crossing)),
    )


def _unread(crossing: Crossover) -> str:
    labels = unread_labels(crossing)
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
    where = "every length" if len(lengths) == len(crossing.gaps) else and_joined(lengths)
    return f"; at {where} {crossing.strategy} sent the whole context"


def _unsure(crossing: Crossover) -> str:
    """The lengths at which neither is clearly ahead, nor both within what a switch is worth."""
    open_lengths = [
        gap.length for gap in crossing.gaps if not clear_leader(gap.lead) and not is_level(gap.lead)
    ]
    if not open_lengths:
        return ""
    labels = [length_name(crossing, length) for length in open_lengths]
    alone = ", each taken alone" if len(labels) > 1 else ", taken alone"
    return f"Whether {crossing.strategy} or full context is better at {and_joined(labels)}{alone}"


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
        of = f"without {and_joined(gone)}" if len(gone) < len(names) else f"of {and_joined(names)} alone"
        parts.append(f"at {and_joined(labels)} are {of}")
    return f"Means {'; '.join(parts)}: other questions than at the other lengths" if parts else ""


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
