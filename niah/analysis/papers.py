"""The papers' own tables, and their printed numbers next to a run's: made where a paper is asked for.

RAG in u-niah's tables is the few best chunks, best first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from pandas import DataFrame, Series

from niah.analysis.frame import on_question
from niah.analysis.patterns import find_patterns
from niah.analysis.reference import ReferenceNumber
from niah.analysis.stats import SCORES, interval_columns
from niah.cases.case import id_part
from niah.cases.questions.datasets import knowledge_source
from niah.judges.verdict import HIGHEST
from niah.retrieval.names import parse_name
from niah.strategies.chunkers import EQUAL_WINDOWS
from niah.strategies.parts import Scope
from niah.strategies.strategy import strategy_of

_SCOPES = {"top": "topk", "top-auto": "topk", "half": "half", "full": "full"}
_ORDERS = ("norm", "reverse")
# The first of them that judged an answer counts; accuracy judges those to questions with options alone.
_CORRECT = ("accuracy", "contained-match", "exact-match")
_CLOSE = ("accuracy", "token-f1", "squad-f1")


def of_plain_needles(frame: DataFrame, *, nested: bool = False) -> Series[bool]:
    """By row, whether it asks for planted needles: plain ones, or needles in needles (section 5.3)."""
    inside = frame["nested"].fillna(False).astype(bool)
    return (frame["origin"] != "given") & (inside if nested else ~inside)


def answer_sides(frame: DataFrame) -> dict[str, Any]:
    """Columns of pairs over given questions: side (who is right), better, knowledge_source; None elsewhere.

    One side is better where it alone is right, or where neither is and its F1 is higher (long-context-vs-rag,
    section 4.3). Right and F1 are by metrics where they judged, else by the score.
    """

    def judged(by: Sequence[str]) -> list[float]:
        known = zip(frame["judge_scores"], frame["score"], strict=True)
        return [next((said[name] for name in by if said and name in said), score) for said, score in known]

    given = (frame["origin"] == "given") & frame["scored"]
    if not given.any():
        return dict.fromkeys(("side", "better", "knowledge_source"))
    right = (pd.Series(judged(_CORRECT), frame.index) == HIGHEST).astype(float)
    close = pd.Series(judged(_CLOSE), frame.index, dtype=float)
    whole = given & frame["sends_context"]
    lc_right, lc_close = (on_question(frame, whole, own) for own in (right, close))
    paired = given & frame["retrieves"] & lc_right.notna()
    ahead = (right - lc_right).where(right + lc_right > 0, np.sign(close - lc_close))
    who = [(right + lc_right == 2), lc_right > right, right > lc_right]
    side = np.select(who, ["both", "only full context", "only retrieval"], "neither")
    better = ahead.map({1.0: "retrieval", -1.0: "full context", 0.0: "neither"})
    texts = frame[["question_set", "source"]].astype(object)
    return {
        "side": pd.Series(side, frame.index, dtype=object).where(paired, None),
        "better": better.astype(object).where(paired, None),
        "knowledge_source": [knowledge_source(*pair) for pair in texts.where(texts.notna(), None).to_numpy()],
    }


_MEASURES: Mapping[str, Callable[[DataFrame], Series[float]]] = {
    "score": lambda own: own["score"],
    **dict.fromkeys(("accuracy %", "correct %"), lambda own: 100.0 * (own["score"] == HIGHEST)),
    "win rate %": lambda own: 100.0 * (own["score"] >= own["lc"]).where(own["lc"].notna()),
}  # by what a paper prints the same of each scored trial


def published_comparison(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> DataFrame:
    """A row a printed number, and reader ("all": pooled) and strategy of the run that it is held against."""
    rows, scored = [], frame[frame["scored"]].copy()
    for column, named in (("model", "reader"), ("dataset", "set"), ("text", "haystack")):
        scored[column] = scored[named].astype(object).map(_letters, na_action="ignore")
    for number in numbers:
        pools = number.reader is None and number.metric == "win rate %"  # over all models
        if number.metric not in _MEASURES or not (number.reader or pools):
            continue
        fits = scored["strategy"].astype(object).map(lambda name, it=number: _is_like(name, it)).astype(bool)
        wanted = {"model": number.reader, "dataset": number.dataset, "text": number.haystack}
        for column, name in wanted.items():
            if name is not None:
                fits &= scored[column] == _letters(name)
        if number.band is not None:
            fits &= scored["length_band"] == number.band
        if number.length is not None:  # the paper's k is a thousand, or 1024
            fits &= scored["context_length"].isin([number.length, number.length // 1000 * 1024])
        fitting = scored[fits].assign(reader="all") if pools else scored[fits]
        for (reader, strategy), own in fitting.groupby(["reader", "strategy"], observed=True):
            values = _MEASURES[number.metric](own).dropna().astype(float)
            scale = (0.0, 100.0) if "%" in number.metric else SCORES
            found = interval_columns(values, own["cluster"][values.index], scale)
            rows.append(
                {
                    **{"paper": number.paper, "source": number.source, "metric": number.metric},
                    **{"reader": reader, "strategy": strategy, "dataset": number.dataset},
                    **{"haystack": number.haystack, "band": number.band, "published": number.value},
                    **{"published_sd": number.sd, **found, "sd": values.std()},
                    "difference": found["mean"] - number.value if len(values) else None,
                }
            )
    return DataFrame(rows).drop(columns="clusters", errors="ignore")


@lru_cache(maxsize=4096)
def _letters(name: str) -> str:
    """A name as all providers and papers have it: "openai/gpt-4o" and "GPT-4o" are "gpt4o".

    Of several runs, a reader may be called "READER (RUN)".
    """
    bare = id_part(name).partition(" (")[0].rpartition("/")[2].lower().removesuffix("-instruct")
    return "".join(filter(str.isalnum, bare))


def _is_like(name: str, number: ReferenceNumber) -> bool:
    """Whether a strategy can be compared with a printed one, which may be the name of its retriever alone."""
    printed = number.strategy or ""
    bare = (strategy_of(name).retriever or "").rpartition("/")[2]
    return _shape(name, None) == _shape(printed, number.budget) or (bool(bare) and bare == printed)


@lru_cache(maxsize=4096)
def _shape(strategy: str, budget: int | None) -> tuple[str, ...]:
    """What two strategies must share to be compared; ``budget`` stands in place of the scope."""
    known = strategy_of(strategy)
    plan = known.retrieval
    if plan is None:
        return (known.definition.partition("-1")[0],)  # prepared ones have a version behind
    name = parse_name(plan.retriever)
    retriever = "hybrid" if name.is_hybrid else "embeddings" if name.embedder else name.text
    scope = plan.scope if budget is None else Scope("budget", budget)
    chunks = "windows" if plan.chunker == EQUAL_WINDOWS else str(plan.chunker)
    return name.text if name.reranker else retriever, str(scope), plan.order, chunks, str(plan.noise)


def _organised(frame: DataFrame) -> DataFrame:
    """The trials, with the paper's name of what is retrieved: topk, half, full, or None."""
    fits = ~frame["is_baseline"] & frame["order"].isin(_ORDERS) & frame["noise"].isna()
    scopes = frame["scope"].astype(object).where(fits, None)
    named = scopes.map(lambda scope: _SCOPES.get(scope.rstrip("-0123456789")), na_action="ignore")
    return frame.assign(scope=named.astype(object), order=frame["order"].astype(object))


def lc_and_rag(frame: DataFrame, across: str) -> DataFrame:
    """Mean and deviation of LC and RAG, "8.2±2.2": by "needle_set" as table 1, by "reader" as table 4."""

    def spread(scores: Series[float]) -> str | None:
        mean = f"{scores.mean():.1f}" if scores.count() else None
        return f"{mean}±{scores.std():.1f}" if scores.count() > 1 else mean

    down = [name for name in ("reader", "haystack") if name != across]
    own = _organised(frame[of_plain_needles(frame, nested=across == "reader")])
    parts = [DataFrame()]
    for rag in own.loc[(own["scope"] == "topk") & own["best_first"], "strategy"].unique():
        both = own[own["sends_context"] | (own["strategy"] == rag)]
        if both[across].nunique() > 12:
            continue
        side = np.where(both["sends_context"], "lc", "rag")
        by = both.groupby([*down, "length_band", both[across].astype(str) + " " + side], observed=True)
        cells = by["score"].agg(spread).unstack().reset_index()
        cells.insert(len(down) + 1, "rag", rag)
        parts.append(cells.rename(columns={"length_band": "band"}))
    return pd.concat(parts, ignore_index=True)


def u_niah_2(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> DataFrame:
    """Scopes and orders by needle set and length, all readers together, next to the printed means."""
    frame = _organised(frame[of_plain_needles(frame)])
    own = frame[frame["scored"] & frame["scope"].notna()]
    if own.groupby(["scope", "order"]).ngroups < 2:
        return pd.DataFrame()
    theirs = [number for number in numbers if (number.paper, number.source) == ("u-niah", "table 2")]
    known: dict[Any, float] = {(each.dataset, each.band, each.strategy): each.value for each in theirs}
    rows = []
    for (needle_set, band), part in own.groupby(["needle_set", "length_band"], observed=True):
        means = {**part.groupby("scope")["score"].mean(), **part.groupby("order")["score"].mean()}
        names, dataset = [*dict.fromkeys(_SCOPES.values()), *_ORDERS], id_part(str(needle_set))
        printed = {f"printed_{name}": known.get((dataset, band, name)) for name in names}
        cells = {name: means.get(name) for name in names}
        rows.append({"needle_set": needle_set, "band": band, **cells, **printed, "n": len(part)})
    return pd.DataFrame(rows)


def beside_table_3(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> DataFrame:
    """The error patterns, with the paper's condition and effect; notes of its numbers name the patterns."""
    if (patterns := find_patterns(frame)).empty:
        return patterns
    printed: dict[str, Any] = {}
    for number in numbers:
        if (number.paper, number.source) == ("u-niah", "table 3"):
            name, _, condition = number.note.partition(".")[0].partition(": ")
            printed[name.lower()] = number.metric, (condition, number.value)
    beside = []
    for name, what, where in patterns[["pattern", "behaviour", "condition"]].itertuples(index=False):
        metric, theirs = printed.get(name, ("", ()))
        is_theirs = (what in metric or metric.startswith("cases")) and "depth" not in where
        beside.append(theirs if is_theirs else ("", np.nan))
    conditions, percents = zip(*beside, strict=True)
    return patterns.assign(printed_condition=conditions, printed_percent=percents)


def lc_vs_rag(frame: DataFrame) -> DataFrame:
    """Pairs that both, one side alone, or neither get right: all, and by set, source, type and kind."""
    frame = frame.assign(**answer_sides(frame))
    own = frame[frame["side"].notna()]
    side, better = own["side"], own["better"]
    counted = {
        "lc_correct": side.isin(["both", "only full context"]),
        "rag_correct": side.isin(["both", "only retrieval"]),
        "both": side == "both",
        "only_lc": side == "only full context",
        "only_rag": side == "only retrieval",
        "neither": side == "neither",
        "lc_better": better == "full context",
        "rag_better": better == "retrieval",
    }
    own, parts = own.assign(all="all", pairs=1, **counted), [DataFrame()]
    for facet in ("all", "question_set", "source", "knowledge_source", "question_type", "kind"):
        if own[facet].nunique() > (facet != "all"):
            by = own.assign(by=facet.replace("_", " "), part=own[facet].astype(object))
            groups = by.groupby(["reader", "strategy", "by", "part"], observed=True)
            parts.append(groups[["pairs", *counted]].sum().reset_index())
    return pd.concat(parts, ignore_index=True)
