"""What became of the trials, in rows by reader and strategy: the tables that are counts and means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import pandas as pd
from pandas import DataFrame

from niah.analysis.causes import CAUSES, OF_SEARCH
from niah.analysis.frame import ERROR_WORDS, OUTCOMES, lengths_in_words
from niah.analysis.lengths import octave
from niah.analysis.reference import ReferenceNumber
from niah.analysis.stats import ENDS, SHARES, mean_interval, means_by
from niah.analysis.tables import Table
from niah.cases.samples import LeftOut
from niah.judges.error_types import PAPER_ERROR_TYPES, paper_error_type
from niah.judges.verdict import HIGHEST

_WHO = ["reader", "strategy"]
_CASE = ["case_id", "needle_set", "haystack", "strategy", "repeat"]


def summary(frame: DataFrame) -> DataFrame:
    """What became of each reader and strategy: the first numbers of page and terminal.

    floor, ceiling, tokens and cost are means of a question with all its calls; prompt_tokens and usd (all
    calls) and answer_tokens sums of this run's questions, but for ``uncounted`` answers, whose server says no
    tokens; seconds of what was asked; outcomes and fault words with counts.
    """
    # Answers and verdicts need not be cut into groups.
    frame = frame[[name for name in frame if frame[name].dtype != object or name == "reused_from"]]
    here, spent = frame["reused_from"] == "", frame["cost"] + frame["first_cost"].fillna(0)
    kinds = frame["error_type"].astype(object)
    if "cause" in frame:  # where nothing explains an answer, its error type counts
        kinds = frame["cause"].astype(object).where(frame["cause"] != "unexplained", kinds)
    frame = frame.assign(
        right=frame["score"] == HIGHEST,
        trials=1,
        uncounted=frame["scored"] & frame["prompt_tokens"].isna(),
        tokens=frame["prompt_tokens"] + frame["first_tokens"],
        cost=spent,
        completeness=frame["retrieval_completeness"],
        prompt_tokens=(frame["prompt_tokens"] + frame["first_tokens"]).where(here),
        answer_tokens=frame["completion_tokens"].where(here),
        usd=spent.where(here),
        seconds=frame["latency_s"].where(~frame["from_cache"]),
        fault=kinds.where(frame["score"] < HIGHEST),
    )
    groups, words = frame.groupby(_WHO, observed=True), []
    for _, own in groups:
        lost = own.loc[~own["scored"], "outcome"].value_counts()
        outcomes = ", ".join(f"{n} {str(name).replace('_', ' ')}" for name, n in lost.items() if n)
        faults = own["fault"].value_counts().items()
        named = (f"{ERROR_WORDS.get(str(name), name)} {n}" for name, n in faults)
        words.append((outcomes, next(named, "")))  # the most frequent one
    counts = groups[["right", "trials", "unsure", "uncounted"]].sum().join(means_by(frame, _WHO))
    means = groups[[*ENDS, "tokens", "cost", "completeness"]].mean()
    sums = groups[["prompt_tokens", "answer_tokens", "usd", "seconds"]].sum(min_count=1)
    said = DataFrame(words, counts.index, ["outcomes", "fault"], dtype=object)
    return counts.join([means, sums, said]).reset_index()


def mean_values(frame: DataFrame, by: Sequence[str]) -> list[dict[str, Any]]:
    """Means for other programs, a row a group that has scores: 0 to 1, with the interval where one is shown.

    Where a metric judges, it is the metric's value; otherwise whether the answer is right ("accuracy").
    """
    rows = []
    for names, own in frame.groupby(list(by), observed=True):
        scored = own[own["scored"]]
        if scored.empty:
            continue
        measured = bool(scored["value"].notna().all())
        values = scored["value"] if measured else (scored["score"] == HIGHEST).astype(float)
        found = mean_interval(values, scored["cluster"], SHARES).shown
        metric = f"niah.{scored['verdicts'].iloc[0][0].judge}" if measured else "accuracy"
        row = dict(zip(by, names, strict=True)) | {"metric": metric, "mean": found.estimate, "n": found.n}
        row |= {"clusters": found.clusters, "trials": len(own)}
        if found.low is not None:
            row |= {"low": found.low, "high": found.high, "error": found.error}
        rows.append(row)
    return rows


def mean_scores(frame: DataFrame) -> DataFrame:
    """A row a reader and strategy that has scores."""
    rows = summary(frame)
    rows = rows.assign(not_scored=rows["trials"] - rows["n"])[rows["n"] > 0]
    columns = [*_WHO, "right", "n", "not_scored", "unsure", "mean", "low", "high", "clusters", *ENDS]
    return _with_ends(rows[columns])


def _with_ends(rows: DataFrame) -> DataFrame:
    """The rows; without the column of the ceiling where ``oracle`` did not run."""
    return rows.drop(columns="ceiling") if rows["ceiling"].isna().all() else rows


def _spread(frame: DataFrame, by: Sequence[str]) -> DataFrame:
    """Mean, sample deviation, n and what was not scored, a row a group."""
    groups = frame.groupby(list(by), observed=True)
    found = groups["score"].agg(["mean", "std", "count", "size"])
    found["not_scored"] = found["size"] - found["count"]
    found = found.drop(columns="size").rename(columns={"std": "sd", "count": "n"})
    return _with_ends(found.join(groups[ENDS].mean()).reset_index())


def _with_all(frame: DataFrame) -> DataFrame:
    """The trials by length in words, after all of them under "all"."""
    words = lengths_in_words(frame)
    lengths = pd.Categorical(["all"] * len(frame) + [*words], ["all", *words.categories])
    return pd.concat([frame, frame]).assign(length=lengths)


def scores_by_facet(frame: DataFrame) -> DataFrame:
    """A row a reader, strategy and part of each facet that has several."""
    parts = [DataFrame()]
    right = (frame["score"] == HIGHEST).where(frame["scored"]).astype(float)
    for facet in ("kind", "needle_set", "haystack", "question_set", "source", "question_type"):
        if frame[facet].nunique() > 1:
            own = frame.assign(facet=facet.replace("_", " "), part=frame[facet], right=right)
            by = own.groupby([*_WHO, "part"], observed=True)["right"]
            rows = _spread(own, [*_WHO, "facet", "part"]).assign(right=by.mean().to_numpy())
            parts.append(rows.astype({"part": object}))
    return pd.concat(parts, ignore_index=True)


def win_rates(frame: DataFrame) -> DataFrame:
    """A row a reader, retrieving strategy and length, above them one over all lengths."""
    own = frame.loc[frame["retrieves"], [*_WHO, "origin", "length", "score", "lc", "cluster"]]
    ahead = own["score"] - own["lc"]
    if ahead.isna().all():
        return DataFrame()
    counts = {"rag_better": ahead > 0, "equal": ahead == 0, "lc_better": ahead < 0}
    wins = (ahead >= 0).where(ahead.notna()).astype(float)
    every, by = _with_all(own.assign(win_rate=wins, **counts, not_paired=ahead.isna())), [*_WHO, "length"]
    sums = every.groupby(by, observed=True)[[*counts, "not_paired"]].sum()
    rates = means_by(every, by, "win_rate", SHARES).rename(columns={"mean": "win_rate", "n": "pairs"})
    return rates.join(sums).reset_index()


def _counted(frame: DataFrame, column: str, names: Sequence[str]) -> DataFrame:
    """A row a reader and strategy, a column a name: how many trials have it."""
    counts = frame.groupby([*_WHO, column], observed=True).size().unstack(fill_value=0)
    return counts.reindex(columns=list(names), fill_value=0).reset_index()


def outcomes(frame: DataFrame) -> DataFrame:
    """A row a reader and strategy: how many trials have each outcome."""
    rows = _counted(frame, "outcome", OUTCOMES)
    rows.insert(2, "trials", rows[list(OUTCOMES)].sum(axis=1))
    return rows


def causes(frame: DataFrame) -> DataFrame:
    """A row a reader and strategy: how many trials have each cause; none for closed-book.

    Causes of models that search have no columns where no trial has them.
    """
    scored = frame[frame["scored"] & ~frame["is_closed_book"]]
    if "cause" not in scored or scored.empty:
        return scored.iloc[:0, :0]
    correct = scored["cause"].astype(object).fillna("n")
    rows = _counted(scored.assign(cause=correct), "cause", ("n", *CAUSES))
    rows.insert(3, "errors", rows[list(CAUSES)].sum(axis=1))
    unused = [name for name in OF_SEARCH if not rows[name].any()]
    return rows.assign(n=rows["n"] + rows["errors"]).drop(columns=unused)


def paper_errors(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> DataFrame:
    """A row a reader and strategy: how many answers have each of the paper's types."""
    scored = frame[frame["scored"] & frame["verdicts"].map(bool)]
    kinds = scored["verdicts"].map(lambda verdicts: paper_error_type(verdicts[0]))
    return _counted(scored.assign(kind=kinds), "kind", PAPER_ERROR_TYPES) if len(scored) else scored[:0]


_QUANTITIES = {
    "prompt tokens": "prompt_tokens",
    "cached tokens": "cached_tokens",
    "answer tokens": "completion_tokens",
    "thinking tokens": "thinking_tokens",
    "tokens of calls before": "first_tokens",
    "cost in $": "cost",
    "cost of calls before in $": "first_cost",
    "thinking cost in $": "thinking_cost",
    "latency in s": "latency_s",
}


def resources(frame: DataFrame) -> DataFrame:
    """A row a reader, strategy and quantity that any of its trials says."""
    rows = []
    for names, own in frame[frame["reused_from"] == ""].groupby(_WHO, observed=True):
        for quantity, column in _QUANTITIES.items():
            known = own[column].dropna()
            if len(known) and (known.any() or {"thinking", "before"}.isdisjoint(quantity.split())):
                p50, p95 = known.quantile([0.5, 0.95], interpolation="higher")
                rows.append((*names, quantity, p50, p95, known.sum(), len(known), len(own) - len(known)))
    return DataFrame(rows, columns=[*_WHO, "quantity", "p50", "p95", "total", "n", "unknown"])


def searching(frame: DataFrame) -> DataFrame:
    """A row a reader and strategy, where one of them searches: score against tokens, and how it searched."""
    if frame["turns"].isna().all():
        return frame.iloc[:0, :0]
    said = {"turns": "turns", "searches": "searches", "context_tokens": "tokens_read"}
    means = frame.groupby(_WHO, observed=True)[[*said]].mean().reset_index().rename(columns=said)
    rows = summary(frame).rename(columns={"completeness": "needles_seen"}).merge(means, on=_WHO)
    rows = rows.round({"tokens": 0, "tokens_read": 0})
    return rows[[*_WHO, "right", "n", "mean", "low", "high", "tokens", *said.values(), "needles_seen"]]


def consistency(frame: DataFrame) -> DataFrame:
    """One engine with a cold and a shared cache, alone and many at once: a row a pair of ways (model,
    against), strategy and length, above them one over all lengths.

    The ways of a pair differ in one thing at most. A way is next to itself where cases were repeated: that
    shows what differs where nothing is changed.
    """
    parts = [DataFrame()]
    columns = [*_CASE, "reader", "engine", "cache", "at_once", "origin", "length", "answer", "score"]
    is_stated = frame["scored"] & frame["cache"].isin(["cold", "shared"])
    asked = frame.loc[is_stated, columns].astype({"at_once": int})
    every: list[Any] = [*asked.drop_duplicates("reader").sort_values(["at_once", "cache"]).itertuples()]
    for one, other in combinations_with_replacement(every, 2):
        sides = [(name, getattr(one, name), getattr(other, name)) for name in ("cache", "at_once")]
        differs = [f"{name.replace('_', ' ')}: {old} / {new}" for name, old, new in sides if old != new]
        before, after = (asked[asked["reader"] == each.reader] for each in (one, other))
        if one is other:
            after = after[after["repeat"] > 0].assign(repeat=after["repeat"] - 1)
        both = after.merge(before[[*_CASE, "answer", "score"]], on=_CASE, suffixes=("", "_before"))
        if one.engine != other.engine or len(differs) > 1 or both.empty:
            continue
        ways = {"model": other.reader, "against": one.reader, "differs": "".join(differs) or "asked again"}
        was_right, is_right = both["score_before"] == HIGHEST, both["score"] == HIGHEST
        same = both["answer_before"].str.strip() == both["answer"].str.strip()
        counts = {"n": 1, "same": same, "lost": was_right & ~is_right, "gained": is_right & ~was_right}
        every_length = _with_all(both.assign(**ways, **counts))
        groups = every_length.groupby([*ways, "strategy", "length"], observed=True)
        parts.append(groups[[*counts]].sum().reset_index().astype({"length": object}))
    return pd.concat(parts, ignore_index=True)


def metrics(frame: DataFrame) -> DataFrame:
    """A row a reader and strategy, a column a metric: the mean over n answers."""
    judged = frame[frame["metric_values"].map(bool)]
    values = DataFrame(judged["metric_values"].tolist(), index=judged.index)
    by = values.groupby([judged[name].astype(object) for name in _WHO], sort=False)
    means = by.mean().reset_index()
    means.insert(2, "n", by.size().to_numpy())
    return means


def scores_by_length(frame: DataFrame) -> DataFrame:
    """A row a reader, strategy and length."""
    return _spread(frame.assign(length=lengths_in_words(frame)), [*_WHO, "length"])


def left_out_table(left_out: Sequence[LeftOut]) -> Table:
    """What a suite asks for and cannot be built: cases by needle set, haystack, length and reason."""
    keys = ["needle_set", "haystack", "context_length", "reason"]
    cases = DataFrame([[getattr(each, key) for key in keys] for each in left_out], columns=keys)
    counted = cases.groupby(keys, sort=False, dropna=False).size().rename("cases").reset_index()
    many = "1 case left out: it" if len(left_out) == 1 else f"{len(left_out):,} cases left out: they"
    return Table.of("left-out", f"{many} cannot be built", counted)


def retrieval_tables(records: Sequence[Mapping[str, Any]]) -> Iterator[Table]:
    """What each strategy retrieves of cases with needles, by context length and by number of needles.

    ``records`` are rows of ``niah.runs.retrieval.retrieval_row``; lengths of given documents are in bands.
    """
    frame = DataFrame(records)
    own, given = frame[frame["needles"] > 0], frame["question_set"].notna()
    own = own.assign(
        context_length=own["context_length"].where(~given, own["context_length"].map(octave)),
        strategy=pd.Categorical(own["strategy"], frame["strategy"].drop_duplicates()),
        every_needle=own["completeness"] == 1,
    )
    note = "completeness: mean share of needles retrieved whole; every_needle: share of cases with all."
    for name, column in (("context length", "context_length"), ("number of needles", "needles")):
        groups = own.groupby([column, "strategy"], observed=True)
        means = groups[["completeness", "every_needle", "noise_ratio", "context_tokens"]].mean().reset_index()
        means.insert(2, "n", groups.size().to_numpy())
        means = means.astype({"context_tokens": int})
        yield Table.of(f"by_{name.replace(' ', '_')}", f"Retrieval by {name}", means, note)
