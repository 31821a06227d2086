"""The sentences of page and terminal, each with its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import ceil
from typing import Any

import numpy as np
from pandas import DataFrame

from niah.analysis.compare import Limits
from niah.analysis.crossover import (
    Crossover,
    best_retrieval,
    clear_leader,
    clusters_to_decide,
    crossovers,
    overall_choice,
)
from niah.analysis.lengths import length_labels, octave_label
from niah.analysis.stats import Interval
from niah.analysis.summary import consistency
from niah.errors import counted
from niah.judges.verdict import HIGHEST
from niah.plots.labels import depth_label, mean_label, money_label, signed
from niah.runs.closed_book import ClosedBookFilter
from niah.runs.file.read import RunContents
from niah.runs.trial import PreparationCall
from niah.strategies.strategy import display_name, strategy_of

BLIND = 5.0  # a mean below this, the rubric's "moderate", counts as blind


def findings(frame: DataFrame) -> Iterator[tuple[str, str, list[str]]]:
    """Of each model of a run its name, the best retrieval or "", and two sentences at most."""
    for reader, every in frame.groupby("reader", observed=True):
        scored, lines = every[every["scored"]], list[str]()
        whole, best = every[every["sends_context"]], best_retrieval(scored)
        if whole["scored"].any():
            blind = blind_words(whole)
            lines.append(f"Full context: {right_words(whole)}{f'; {blind}' if blind else ''}.")
        if best:
            own, given = every["strategy"] == best, scored["document_id"].notna()
            unit, of_unit = "document" if given.all() else "cluster", 1.0
            if not given.any():  # a cluster may be a needle set and seed
                unit, of_unit = "seed", scored["cluster"].nunique() / scored["seed"].nunique(dropna=False)
            tokens = _tokens_words(every[every["sends_context"] | own])
            lead = _lead_words(next(iter(crossovers(every)), None), unit, of_unit)
            lines.append(f"{best}: {right_words(every[own])}{tokens}.{lead}")
        yield str(reader), best, lines


def right_words(own: DataFrame) -> str:
    """ "78 of 90 right"; where over a tenth of those that ran are not scored, how many."""
    scored, ran = int(own["scored"].sum()), int((own["outcome"] != "not_run").sum())
    lost = f" ({ran - scored:,} of {ran:,} not scored)" if ran - scored > Limits.missing * ran else ""
    return f"{int((own['score'] == HIGHEST).sum()):,} of {scored:,} right{lost}"


def interval_words(found: Interval, shown: Callable[[float], str]) -> str:
    """ "1.8 [0.9, 2.7]", or the estimate alone where there is no interval."""
    said, low, high = shown(found.estimate), found.shown.low, found.shown.high
    return said if low is None or high is None else f"{said} [{shown(low)}, {shown(high)}]"


def blind_words(own: DataFrame) -> str:
    """Where all cells of a strategy's heatmaps lie below 5; else the lowest; "" where they are alike.

    Cells without a score of each of their heatmap's sets do not count: the others may be the easy ones.
    """
    if own["depth"].isna().any():
        return ""
    asked: Any = sorted(own["context_length"].unique())
    names, sets = dict(zip(asked, length_labels(asked), strict=True)), own.groupby("sets")["set"].nunique()
    cells = own[own["scored"]].groupby(["sets", "depth", "context_length"])
    means = cells["score"].mean()[cells["set"].nunique().eq(sets, level="sets")]
    highest = means.groupby(["depth", "context_length"]).max().unstack()
    last, many = max(highest.columns.tolist(), default=0), own["depth"].nunique()
    # By depth the length from which on, up to the last that counts, all its cells are blind, if there is one.
    below = (highest.bfill(axis=1) < BLIND).loc[:, ::-1].cummin(axis=1).loc[:, ::-1] & highest.notna()
    starts = below.idxmax(axis=1)[below.any(axis=1)]
    known, parts, earlier, since = sorted(starts.unique()), list[str](), 0, ""
    for start in dict.fromkeys((*known[:2], *known[-1:])):  # of many starts the first two and the last
        places = np.flatnonzero(highest.index.isin(starts.index[(starts > earlier) & (starts <= start)]))
        depths = [depth_label(float(at)) for at in highest.index[places]]
        at = f"depth {', '.join(depths)}"
        if len(depths) > 3:
            in_a_row = places[-1] - places[0] < len(places)
            at = f"depths {depths[0]} to {depths[-1]}" if in_a_row else f"{len(depths)} of {many} depths"
        since = f"at {names[start]}" if start == last else f"from {names[start]} to {names[last]}"
        if last == asked[-1]:
            since = "at every length" if start == asked[0] else f"from {names[start]} on"
        parts, earlier = [*parts, f"at {at} {since}"], start
    if len(starts) == many:  # at every depth
        parts = [since, *parts[:-1]]
    if parts:
        return f"blind {', '.join(parts)}"
    lowest = mean_label(float(means.min()))
    at_lowest = means[means.map(mean_label) == lowest]
    if len(at_lowest) == len(means):
        return ""
    _, depth, length = at_lowest.index[0]
    place = f"in {len(at_lowest)} of {len(means)} cells"
    if len(at_lowest) == 1:
        place = f"at {names[length]}, depth {depth_label(depth)}"
    return f"lowest {place}: {lowest}"


def _tokens_words(asked: DataFrame) -> str:
    """ " with 1/19 of the tokens", over the questions that both answered; "" where a server did not count."""
    counts = asked.loc[asked["scored"], ["question", "sends_context", "prompt_tokens", "first_tokens"]]
    counts["tokens"] = counts["prompt_tokens"] + counts["first_tokens"]
    whole, own = counts[counts["sends_context"]], counts[~counts["sends_context"]]
    both = whole.merge(own, on="question", suffixes=("", "_own"))
    context, takes = both["tokens"].mean(), both["tokens_own"].mean()
    if both.empty or not (both[["tokens", "tokens_own"]] > 0).all(axis=None):
        return ""
    share = f"1/{context / takes:.0f}" if context >= 1.95 * takes else f"{100 * takes / context:.0f} %"
    return f" with {share} of the tokens"


def _lead_words(crossed: Crossover | None, unit: str, of_unit: float) -> str:
    """From which length on retrieval leads, by how much; or how many units, of so many clusters, decide."""
    if crossed is None:
        return ""
    above, start, plain = crossed.above, crossed.length, ""
    if above is not None and start is not None:
        name = length_labels([start])[0] if crossed.is_grid else octave_label(start)
        is_longer = crossed.gaps["length"] >= start
        where = "at every length" if is_longer.all() else f"from {name} on"
        leads = f" It leads full context {where}, by {interval_words(above, mean_label)}"
        if clear_leader(above) == "retrieval":
            return f"{leads}."
        if above.low is None and (crossed.gaps["lead"][is_longer] > 0).all():
            plain = f"{leads} (too few {unit}s for an interval)."
    needed = clusters_to_decide(crossed.lead) if overall_choice(crossed) in ("either", "") else None
    if not needed and crossed.lead.low is None:  # the table has both means, and so few say no more
        return plain
    had, more = round(crossed.lead.clusters / of_unit), ""
    if needed:
        more = f"; about {counted(ceil(needed / of_unit), unit)} would decide, the run has {had}"
    return f" {crossed.strategy} minus full context: {interval_words(crossed.lead, signed)}{more}."


def reused_words(frame: DataFrame) -> str:
    """Such as "4 of 9 answers are from an earlier run (2026-11-27 to 2026-11-28)", in UTC, and "2 of 9 are
    copies from equal prompts, not paid again"; "" of none."""
    days, parts = sorted(each[:10] for each in frame["reused_from"] if each), list[str]()
    answered = int((frame["outcome"] != "not_run").sum())
    if days:
        when = " to ".join(dict.fromkeys((days[0], days[-1])))
        parts.append(f"{len(days):,} of {answered:,} answers are from an earlier run ({when})")
    copied = int(frame["from_cache"].sum()) - len(days)
    if copied and frame["cost"].max() > 0:
        parts.append(f"{copied:,} of {answered:,} answers are copies from equal prompts, not paid again")
    return "; ".join(parts)


def paid_for(calls: Iterable[PreparationCall]) -> tuple[float, float]:
    """The tokens and US dollars that the calls took; none of what a cache had."""
    paid = [call for call in calls if not call.from_cache]
    tokens = sum((call.usage.prompt_tokens or 0) + (call.usage.completion_tokens or 0) for call in paid)
    return tokens, float(sum(call.cost or 0 for call in paid))


def preparation_lines(run: RunContents) -> Iterator[str]:
    """One line for each strategy that asked a model first, with how many of its replies were of no use."""
    names = dict(zip(run.trials["definition"], run.trials["strategy"], strict=True))
    calls: dict[str, list[PreparationCall]] = {}
    for call in run.preparations:
        calls.setdefault(names.get(call.definition, call.definition), []).append(call)
    for name, own in calls.items():
        cached = sum(call.from_cache for call in own)
        of_these = f" ({cached:,} cached)" if cached else ""
        tokens, usd = paid_for(own)
        documents = len({call.document for call in own})
        useless = sum(call.is_cut or not call.is_understood for call in own)
        yield (
            f"{name}: {len(own):,} calls{of_these} of {', '.join(sorted({call.model for call in own}))}"
            " prepared"
            f" {documents} document{'s' * (documents != 1)} and the questions on them, {tokens:,} tokens"
            f"{f', {money_label(usd)} USD' if usd else ''}"
            f"{f'; replies cut or not understood: {useless:,}' if useless else ''}."
        )


def consistency_lines(frame: DataFrame) -> Iterator[str]:
    """One line for each two ways to ask one engine: how many answers differ, and the first length."""
    rows, ways = consistency(frame), ["model", "against", "strategy"]
    for _, own in rows.groupby(ways, sort=False, observed=True) if len(rows) else ():
        whole, other = own.iloc[0], own.iloc[1:][own.iloc[1:]["same"] < own.iloc[1:]["n"]]
        both = f"{whole['model']} next to {whole['against']} ({whole['differs']})"
        said = f"{whole['n'] - whole['same']:,} of {whole['n']:,} answers differ"
        if len(other):
            first = other["length"].iloc[0]  # which is words where it is a band
            first = first if isinstance(first, str) else length_labels([int(first)])[0]
            said += f", first at {first}; right answers lost: {whole['lost']:,}, gained: {whole['gained']:,}"
        yield f"{both}, {display_name(str(whole['strategy']))}: {said}."


def closed_book_lines(closed_book: ClosedBookFilter | None) -> Iterator[str]:
    """How many of the run's questions each model knows without their context; none without the filter."""
    for count in closed_book.counts() if closed_book else ():
        left = ": they are left out" if count["known"] else ""
        failed = f"; {count['failed']:,} got no answer and stay" if count["failed"] else ""
        more = f"; {count['not_run']:,} are still to be asked" if count["not_run"] else ""
        known = f"{count['known']:,} of {count['questions']:,} questions"
        yield f"{count['reader']} knows {known} without their context{left}{failed}{more}."


def unmatched_chunk_lines(frame: DataFrame) -> Iterator[str]:
    """A line for each strategy whose retriever gave chunks that are none of the context's, or none at all."""
    none_fits, is_nothing = frame["foreign"] > 0, (frame["retrieved"] == 0) & (frame["context_tokens"] == 0)
    for name, own in frame[none_fits | is_nothing].groupby("strategy", sort=False, observed=True):
        known, count = strategy_of(str(name)), len(own)
        for_them = f"{name}: for {count:,} question{'s' * (count > 1)}"
        if chunks := own["foreign"].sum():
            fits = "chunks that are none of the context's; they are not sent"
            yield f"{for_them} its retriever gave {chunks:,} {fits}."
        elif not (known.is_closed_book or known.sends_needles):
            yield f"{for_them} nothing was retrieved, and nothing is sent."
