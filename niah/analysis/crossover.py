"""From which context length on full context falls behind retrieval, by how much, and what to send.

The crossover is the length from which on the isotonic regression of the paired differences on length exceeds
``WORTH`` (Barlow et al. 1972): a single length's luck makes none. Nothing is recommended from a tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas import DataFrame

from niah.analysis import stats
from niah.analysis.frame import is_length_grid
from niah.analysis.lengths import octave_label
from niah.analysis.stats import Interval
from niah.analysis.tables import WORTH

LESS = 1.05  # full context that takes so many times what retrieval does is dearer: tokenizers differ by less

Choice = Literal["context", "retrieval", "switch", "either", ""]


@dataclass(frozen=True)
class LengthGap:
    """Full context and retrieval at one length, or the upper border of a band."""

    length: int
    scores: tuple[float, float]  # means a question, of full context and of retrieval; None where unknown
    tokens: tuple[float | None, float | None]
    costs: tuple[float | None, float | None]
    lead: Interval  # of retrieval


@dataclass(frozen=True)
class Crossover:
    """Full context against one retrieving strategy."""

    reader: str
    strategy: str  # of those that can be deployed the one that a switch to brings most
    is_grid: bool  # whether lengths were asked for, rather than bands of given documents' lengths
    gaps: tuple[LengthGap, ...]  # by length, rising; those at which both sides have scores
    length: int | None  # from which on a switch pays; None where it pays nowhere
    lead: Interval  # of retrieval at all lengths; ``above`` from ``length`` on, ``below`` before it
    above: Interval | None
    below: Interval | None


def crossovers(frame: DataFrame) -> list[Crossover]:
    """One for each model that was asked with full context and with retrieval, by name."""
    whole = frame[frame["sends_context"] & frame["scored"]].drop_duplicates("question", keep="last")
    whole = whole.set_index("question")
    own = frame[frame["lc"].notna() & frame["is_deployable"]]
    pairs = own.assign(
        lead=own["score"] - own["lc"],
        lc_tokens=own["question"].map(whole["prompt_tokens"]),
        lc_cost=own["question"].map(whole["cost"]),
    )
    is_grid = is_length_grid(frame)
    return [
        _crossover(str(name), of_reader, is_grid)
        for name, of_reader in pairs.groupby("reader", observed=True)
    ]


def _crossover(reader: str, pairs: DataFrame, is_grid: bool) -> Crossover:
    by_strategy = dict(list(pairs.groupby("strategy", observed=True)))
    excess = {name: _excess(own) for name, own in by_strategy.items()}

    def worth(name: Any) -> tuple[float, float]:
        """What a switch from any length on brings a question, and the mean lead."""
        own = by_strategy[name]
        return max(float(np.cumsum(excess[name]).max()), 0.0) / len(own), float(own["lead"].mean())

    best = max(by_strategy, key=worth)
    own = by_strategy[best]
    # From so many of the longest lengths on; a lead of exactly ``WORTH`` is none.
    switched = int(stats.isotonic_prefix(excess[best] - 1e-6))
    start = [None, *sorted(map(int, own["length"].unique()), reverse=True)][switched]
    above = own["length"] >= (start if start is not None else np.inf)
    return Crossover(
        *(reader, str(best), is_grid),
        gaps=tuple(_gap(length, at) for length, at in own.groupby("length")),
        length=start,
        lead=_lead(own),
        above=_lead(own[above]) if above.any() else None,
        below=_lead(own[~above]) if not above.all() else None,
    )


def _excess(pairs: DataFrame) -> NDArray[np.float64]:
    """Shape (lengths,): by how much the leads exceed ``WORTH`` together, the longest length first."""
    sums = (pairs["lead"] - WORTH).groupby(pairs["length"]).sum()
    return sums.sort_index(ascending=False).to_numpy(np.float64)


def _lead(pairs: DataFrame) -> Interval:
    return stats.mean_interval(pairs["lead"].to_numpy(), pairs["cluster"].to_numpy(), stats.DIFFERENCES)


def _gap(length: Any, pairs: DataFrame) -> LengthGap:
    means = pairs[["lc", "score", "lc_tokens", "prompt_tokens", "lc_cost", "cost"]].mean().tolist()
    known: list[Any] = [None if mean != mean else mean for mean in means]
    scores, tokens, costs = zip(known[::2], known[1::2], strict=True)
    return LengthGap(int(length), scores, tokens, costs, _lead(pairs))


def overall_choice(crossing: Crossover) -> Choice:
    """What to send: one side, both with a switch at the crossover, either where the leads leave it open, ""
    where too little is known. Retrieval also where it surely loses less than ``WORTH`` and takes less.
    """
    lead, above, below = crossing.lead, crossing.above, crossing.below
    if (above or lead).low is None:
        return ""
    if above is not None and clear_leader(above) == "retrieval":
        shorter = [gap for gap in crossing.gaps if crossing.length is None or gap.length < crossing.length]
        return "retrieval" if below is None or _serves(below, shorter) else "switch"
    if clear_leader(lead) == "context":
        return "context"
    return "retrieval" if _serves(lead, crossing.gaps) else "either"


def _serves(lead: Interval, gaps: Sequence[LengthGap]) -> bool:
    """Whether retrieval does as well for less: it surely loses less than ``WORTH``, full context is clearly
    ahead at no length, and retrieval takes fewer tokens at one length and more at none."""
    known = [(one, other) for one, other in (gap.tokens for gap in gaps) if one and other]
    dear = any(retrieval > LESS * context for context, retrieval in known)
    saves = any(retrieval * LESS < context for context, retrieval in known)
    behind = any(clear_leader(gap.lead) == "context" for gap in gaps)
    # Clusters that are all alike say nothing of others: that none loses is no sign that few do.
    low = lead.shown.low
    return low is not None and low > -WORTH and saves and not dear and not behind


def clear_leader(lead: Interval) -> Literal["context", "retrieval", ""]:
    """Who is ahead, where the 95 % interval of retrieval's lead does not hold 0; "" otherwise."""
    if lead.low is None or lead.high is None:
        return ""
    return "retrieval" if lead.low > 0 else "context" if lead.high < 0 else ""


def clusters_to_decide(lead: Interval) -> int | None:
    """How many clusters would show a lead as large as this one, or ``WORTH``, in four of five runs.

    2.8 standard errors (Miller 2024), which shrink with the root of clusters; None where so many are there.
    """
    if lead.error is None:
        return None
    effect = max(abs(lead.estimate), WORTH)
    needed = ceil(lead.clusters * ((1.96 + stats.POWER_QUANTILE) * lead.error / effect) ** 2)
    return needed if needed > lead.clusters else None


def crossover_rows(frame: DataFrame) -> DataFrame:
    """One row per model and length: both sides, the lead and what to send."""
    rows = []
    for each in crossovers(frame):
        choice = overall_choice(each)
        for gap in each.gaps:
            side: str = choice
            if choice == "either":
                side = clear_leader(gap.lead) or choice
            elif choice == "switch":
                side = "context" if gap.length < (each.length or 0) else "retrieval"
            send = {"context": "everything", "retrieval": each.strategy}.get(side, side) or None
            costs = gap.costs if any(gap.costs) else (None, None)  # no 0.00 that reads as a price
            length = gap.length if each.is_grid else octave_label(gap.length)
            lead = (gap.lead.estimate, gap.lead.low, gap.lead.high, gap.lead.n, gap.lead.clusters)
            rows.append((each.reader, each.strategy, length, send, *gap.scores, *lead, *gap.tokens, *costs))
    columns = [
        *("reader", "strategy", "length", "send", "context_score", "retrieval_score", "lead", "low", "high"),
        *("pairs", "clusters", "context_tokens", "retrieval_tokens", "context_cost", "retrieval_cost"),
    ]
    return pd.DataFrame(rows, columns=columns)
