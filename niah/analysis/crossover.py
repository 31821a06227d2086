"""From which context length on full context falls behind retrieval, by how much, and what to send.

The crossover is the length from which on the isotonic regression of the paired differences on length exceeds
``WORTH`` (Barlow et al. 1972): a single length's luck makes none. Nothing is recommended from a tie.
"""

from __future__ import annotations

from math import ceil
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from pandas import DataFrame

from niah.analysis import stats
from niah.analysis.frame import on_question
from niah.analysis.lengths import octave, octave_label
from niah.analysis.tables import WORTH

LESS = 1.05  # full context that takes so many times what retrieval does is dearer: tokenizers differ by less

Choice = Literal["context", "retrieval", "switch", "either", ""]


_SIDES = {"lc": "context_score", "score": "retrieval_score", "lc_tokens": "context_tokens"}
_SIDES |= {"prompt_tokens": "retrieval_tokens", "lc_cost": "context_cost", "cost": "retrieval_cost"}


class Crossover(NamedTuple):
    """Full context against one retrieving strategy."""

    reader: str
    strategy: str  # the best retrieval
    is_grid: bool  # whether lengths were asked for, rather than bands of given documents' lengths
    gaps: DataFrame  # a row a length, rising, at which both sides have scores: means, lead, who is ahead
    length: int | None  # from which on a switch pays; None where it pays nowhere
    lead: stats.Interval  # of retrieval at all lengths; ``above`` from ``length`` on, ``below`` before it
    above: stats.Interval | None
    below: stats.Interval | None


def crossovers(frame: DataFrame) -> list[Crossover]:
    """One for each model that was asked with full context and with retrieval, by name."""
    whole = frame["sends_context"] & frame["scored"]
    pairs = frame.assign(
        lead=frame["score"] - frame["lc"],
        prompt_tokens=frame["prompt_tokens"] + frame["first_tokens"],
        cost=frame["cost"] + frame["first_cost"].fillna(0),
        lc_tokens=on_question(frame, whole, frame["prompt_tokens"]),
        lc_cost=on_question(frame, whole, frame["cost"]),
    )[frame["lc"].notna() & frame["is_deployable"]]
    is_grid = bool(frame["depth"].notna().all())  # given documents have no depth
    if not is_grid:  # lengths that were asked for are in bands too, where there are both
        pairs["length"] = pairs["length"].map(octave)
    best = {name: best_retrieval(own) for name, own in frame.groupby("reader", observed=True)}
    pairs = pairs[pairs["strategy"].astype(str) == pairs["reader"].astype(str).map(best)]
    groups = pairs.groupby("reader", observed=True)
    return [_crossover(str(name), own, best[name], is_grid) for name, own in groups]


def best_retrieval(trials: DataFrame) -> str:
    """Of the strategies that can be deployed the one with the highest mean, of equal ones with the most
    answers scored, then with the fewest tokens, those of its preparation too; "" of none."""
    own = trials[trials["retrieves"] & trials["is_deployable"] & trials["scored"]]
    if own.empty:
        return ""
    by = own.assign(tokens=own["prompt_tokens"] + own["first_tokens"]).groupby("strategy", observed=True)
    means = by.agg(mean=("score", "mean"), answers=("score", "size"), tokens=("tokens", "mean"))
    best = means.sort_values(["mean", "answers", "tokens"], ascending=[False, False, True], kind="stable")
    return str(best.index[0])


def _crossover(reader: str, own: DataFrame, best: str, is_grid: bool) -> Crossover:
    # By how much the leads exceed ``WORTH`` together at each length, the longest first.
    excess = (own["lead"] - WORTH).groupby(own["length"]).sum().to_numpy(np.float64)[::-1]
    # From so many of the longest lengths on; a lead of exactly ``WORTH`` is none.
    switched = int(stats.isotonic_prefix(excess - 1e-6))
    start = [None, *sorted(map(int, own["length"].unique()), reverse=True)][switched]
    above = own["length"] >= (start if start is not None else np.inf)
    by_length = dict(list(own.groupby("length")))
    leads = [_lead(at) for at in by_length.values()]
    ahead = pd.DataFrame(leads).rename(columns={"estimate": "lead", "n": "pairs"})
    means = pd.DataFrame({length: at[[*_SIDES]].mean() for length, at in by_length.items()}).T
    gaps = means.rename(columns=_SIDES).rename_axis("length").reset_index()
    return Crossover(
        *(reader, best, is_grid),
        gaps=gaps.join(ahead.assign(leader=list(map(clear_leader, leads)))),
        length=start,
        lead=_lead(own),
        above=_lead(own[above]) if above.any() else None,
        below=_lead(own[~above]) if not above.all() else None,
    )


def _lead(pairs: DataFrame) -> stats.Interval:
    return stats.mean_interval(pairs["lead"].to_numpy(), pairs["cluster"].to_numpy(), stats.DIFFERENCES)


def overall_choice(crossing: Crossover) -> Choice:
    """What to send: one side, both with a switch at the crossover, either where the leads leave it open, ""
    where too little is known. Retrieval also where it surely loses less than ``WORTH`` and takes less.
    """
    lead, above, below = crossing.lead, crossing.above, crossing.below
    if (above or lead).low is None:
        return ""
    if above is not None and clear_leader(above) == "retrieval":
        shorter = crossing.gaps[crossing.gaps["length"] < (crossing.length or np.inf)]
        return "retrieval" if below is None or _serves(below, shorter) else "switch"
    if clear_leader(lead) == "context":
        return "context"
    return "retrieval" if _serves(lead, crossing.gaps) else "either"


def _serves(lead: stats.Interval, gaps: DataFrame) -> bool:
    """Whether retrieval does as well for less: it surely loses less than ``WORTH``, full context is clearly
    ahead at no length, and retrieval takes fewer tokens at one length and more at none."""
    context, retrieval = (gaps[side].replace(0, np.nan) for side in ("context_tokens", "retrieval_tokens"))
    is_cheap = (retrieval * LESS < context).any() and not (retrieval > LESS * context).any()
    # Clusters that are all alike say nothing of others: that none loses is no sign that few do.
    low = lead.shown.low
    return bool(low is not None and low > -WORTH and is_cheap and not (gaps["leader"] == "context").any())


def clear_leader(lead: stats.Interval) -> Literal["context", "retrieval", ""]:
    """Who is ahead, where the 95 % interval of retrieval's lead does not hold 0; "" otherwise."""
    if lead.low is None or lead.high is None:
        return ""
    return "retrieval" if lead.low > 0 else "context" if lead.high < 0 else ""


def clusters_to_decide(lead: stats.Interval) -> int | None:
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
    columns = [
        *("reader", "strategy", "length", "send", "context_score", "retrieval_score", "lead", "low", "high"),
        *("pairs", "clusters", "context_tokens", "retrieval_tokens", "context_cost", "retrieval_cost"),
    ]
    parts = [pd.DataFrame(columns=columns)]
    for each in crossovers(frame):
        choice, gaps = overall_choice(each), each.gaps
        side: Any = gaps["leader"].replace("", choice) if choice == "either" else choice
        if choice == "switch":
            shorter = gaps["leader"].replace("", "either")
            side = np.where(gaps["length"] < (each.length or 0), shorter, "retrieval")
        words = {"context": "everything", "retrieval": each.strategy, "": None}
        lengths = gaps["length"] if each.is_grid else gaps["length"].map(octave_label)
        costs = ["context_cost", "retrieval_cost"]
        gaps = gaps.assign(reader=each.reader, strategy=each.strategy, side=side, length=lengths)
        gaps[costs] = gaps[costs].replace(0, np.nan)  # no 0.00 that reads as a price
        parts.append(gaps.assign(send=[words.get(name, name) for name in gaps["side"]])[columns])
    return pd.concat(parts[1:] or parts, ignore_index=True)
