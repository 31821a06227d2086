"""The papers' own tables, and their printed numbers next to a run's: made where a paper is asked for.

u-niah tables 1 to 4 and sections 5.1.2, 5.3.1; long-context-vs-rag tables 4 to 6, figures 3 to 7;
stronger-baselines-dos-rag tables 1 to 5. RAG in u-niah's tables is the few best chunks, best first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.stats import mean_interval
from niah.analysis.table import TableData
from niah.cases.case import id_part
from niah.judges.verdict import HIGHEST, LOWEST
from niah.reference.numbers import ReferenceNumber
from niah.strategies.strategy import Strategy, strategy_of

if TYPE_CHECKING:
    from pandas import DataFrame, Series

_SCOPES = {"top": "topk", "top-auto": "topk", "half": "half", "full": "full"}
_ORDERS = ("norm", "reverse")

# The first of them that judged an answer counts; accuracy judges those to questions with options alone.
_CORRECT = ("accuracy", "contained-match", "exact-match")
_CLOSE = ("accuracy", "token-f1", "squad-f1")


def of_plain_needles(frame: DataFrame, *, nested: bool = False) -> Series[bool]:
    """By row, whether it asks for planted needles: plain ones, or needles in needles (section 5.3)."""
    inside = frame["nested"].fillna(False).astype(bool)
    return (frame["origin"] != "given") & (inside if nested else ~inside)


def scope_name(asked: Strategy) -> str | None:
    """u-niah's name of what a strategy retrieves in one of its orders; None of any other strategy."""
    plan = asked.retrieval
    if plan is None or asked.is_baseline or plan.order not in _ORDERS or plan.noise is not None:
        return None
    return _SCOPES.get(plan.scope.kind)


def answer_sides(frame: DataFrame) -> dict[str, Any]:
    """Columns of pairs over given questions: side (who is right), better, knowledge_source; None elsewhere.

    One side is better where it alone is right, or where neither is and its F1 is higher (long-context-vs-rag,
    section 4.3). Right and F1 are by metrics where they judged, else by the score.
    """
    from niah.cases.questions.datasets import knowledge_source

    score = frame["score"].to_numpy()
    right, close = score == HIGHEST, (score - LOWEST) / (HIGHEST - LOWEST)
    given = (frame["origin"] == "given").to_numpy() & frame["scored"].to_numpy()
    for at in np.flatnonzero(given):
        scores = frame["judge_scores"].iloc[at] or {}
        said = next((scores[name] for name in _CORRECT if name in scores), score[at])
        near = next((scores[name] for name in _CLOSE if name in scores), score[at])
        right[at], close[at] = said == HIGHEST, (near - LOWEST) / (HIGHEST - LOWEST)
    whole = frame["sends_context"].to_numpy() & given
    places = dict(
        zip(frame["question"].to_numpy()[whole].tolist(), np.flatnonzero(whole).tolist(), strict=True)
    )
    side, better = np.full(len(frame), None, dtype=object), np.full(len(frame), None, dtype=object)
    for at in np.flatnonzero(given & frame["retrieves"].to_numpy()):
        if (other := places.get(int(frame["question"].iloc[at]))) is None:
            continue
        rag, lc = bool(right[at]), bool(right[other])
        names = {(1, 1): "both", (0, 1): "only full context", (1, 0): "only retrieval", (0, 0): "neither"}
        side[at] = names[rag, lc]
        ahead = rag - lc if rag or lc else np.sign(close[at] - close[other])
        better[at] = {1: "retrieval", -1: "full context"}.get(int(ahead), "neither")
    known = zip(frame["question_set"].astype(object), frame["source"].astype(object), strict=True)
    texts = [tuple(each if isinstance(each, str) else None for each in pair) for pair in known]
    return {"side": side, "better": better, "knowledge_source": [knowledge_source(*pair) for pair in texts]}


def published_comparison(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> DataFrame:
    """A row a printed score, and reader and strategy of the run that it can be compared with."""
    import pandas as pd

    rows = []
    for number, (reader, strategy), own in _counterparts(frame, numbers):
        scored = own[own["scored"]]
        found = mean_interval(scored["score"], scored["cluster"]) if len(scored) else None
        rows.append(
            {
                **{"paper": number.paper, "source": number.source, "reader": reader, "strategy": strategy},
                **{"needle_set": number.dataset, "haystack": number.haystack, "band": number.band},
                **{"published": number.value, "published_sd": number.sd, "mean": found and found.estimate},
                **{"low": found and found.low, "high": found and found.high, "sd": scored["score"].std()},
                **{"n": len(scored), "difference": found and found.estimate - number.value},
            }
        )
    return pd.DataFrame(rows)


def beside_papers(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> DataFrame:
    """The same for a figure: two rows a printed score, its own and the run's with its interval."""
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for row in published_comparison(frame, numbers).to_dict("records"):
        if row["n"]:
            names = (row[name] for name in ("reader", "strategy", "needle_set", "haystack", "band"))
            place = " · ".join(name for name in names if isinstance(name, str))
            same = {"paper": row["paper"], "counterpart": place}
            rows.append({**same, "source": "published", "mean": row["published"], "n": 1})
            run = {name: row[name] for name in ("mean", "low", "high", "n")}
            rows.append({**same, "source": "this run", **run})
    columns = ["paper", "counterpart", "source", "mean", "low", "high", "n"]
    made = pd.DataFrame(rows, columns=columns)
    return made.astype({"low": float, "high": float})


def _counterparts(
    frame: DataFrame, numbers: Iterable[ReferenceNumber]
) -> Iterator[tuple[ReferenceNumber, tuple[str, str], DataFrame]]:
    """Each printed score with the trials of each reader and strategy that it can stand next to."""
    models = {name: model_name(name) for name in frame["reader"].cat.categories}
    for number in numbers:
        if (
            number.metric != "score"
            or number.reader is None
            or model_name(number.reader) not in models.values()
        ):
            continue
        fits = frame["reader"].map(models) == model_name(number.reader)
        shape = _shape(number.strategy or "", number.budget)
        fits &= frame["strategy"].map(lambda name, shape=shape: _shape(name, None) == shape).astype(bool)
        for column, wanted in (("needle_set", number.dataset), ("haystack", number.haystack)):
            if wanted is not None:
                fits &= (
                    frame[column]
                    .astype(object)
                    .map(lambda name, w=wanted: isinstance(name, str) and id_part(name) == w)
                )
        if number.band is not None:
            fits &= frame["length_band"] == number.band
        if number.length is not None:  # the paper's k is a thousand, or 1024
            fits &= frame["context_length"].isin([number.length, number.length // 1000 * 1024])
        for (reader, strategy), own in frame[fits].groupby(["reader", "strategy"], observed=True):
            yield number, (str(reader), str(strategy)), own


def model_name(name: str) -> str:
    """A model's name as all of its providers have it: "openai/gpt-4o" and "GPT-4o" are "gpt4o".

    Of several runs, a reader may be called "READER (RUN)".
    """
    bare = name.partition(" (")[0].rpartition("/")[2].lower().removesuffix("-instruct")
    return bare.replace("-", "").replace("_", "")


@lru_cache(maxsize=4096)
def _shape(strategy: str, budget: int | None) -> tuple[str, ...]:
    """What two strategies must share to be compared; ``budget`` stands in place of the scope."""
    from niah.retrieval.names import parse_name
    from niah.strategies.chunkers import EQUAL_WINDOWS
    from niah.strategies.parts import Scope

    known = strategy_of(strategy)
    plan = known.retrieval
    if plan is None:
        return (known.definition,)
    name = parse_name(plan.retriever)
    retriever = "hybrid" if name.is_hybrid else "embeddings" if name.embedder else name.text
    retriever = name.text if name.reranker else retriever
    scope = plan.scope if budget is None else Scope("budget", budget)
    chunks = "windows" if plan.chunker == EQUAL_WINDOWS else str(plan.chunker)
    return retriever, str(scope), plan.order, chunks, str(plan.noise)


def _printed(
    numbers: Sequence[ReferenceNumber], source: str, metric: str, **where: str | None
) -> float | None:
    """The number that u-niah prints there, or None; fields that are left out must be None."""
    asked = {**dict.fromkeys(("strategy", "dataset", "haystack", "band", "reader")), **where}
    asked |= {"paper": "u-niah", "source": source, "metric": metric}
    return next(
        (n.value for n in numbers if all(getattr(n, key) == value for key, value in asked.items())), None
    )


def _rag_strategies(frame: DataFrame) -> list[str]:
    known = map(strategy_of, frame["strategy"].cat.categories)
    return [each.name for each in known if scope_name(each) == "topk" and each.best_first]


def u_niah_1(data: TableData) -> DataFrame:
    """LC and RAG by reader, haystack and length, needle sets across."""
    return _side_by_side(data.frame, False, ["reader", "haystack"], "needle_set")


def u_niah_4(data: TableData) -> DataFrame:
    """LC and RAG on needles in needles by haystack and length, readers across."""
    return _side_by_side(data.frame, True, ["haystack"], "reader")


def _side_by_side(frame: DataFrame, nested: bool, down: list[str], across: str) -> DataFrame:
    """Mean and deviation as the paper prints them, "8.2±2.2"; both sides of each name across."""
    import pandas as pd

    own = frame[of_plain_needles(frame, nested=nested)]
    parts = []
    for rag in _rag_strategies(frame):
        both = own[own["sends_context"] | (own["strategy"] == rag)]
        if not (both["strategy"] == rag).any() or both[across].nunique() > 12:
            continue
        side = np.where(both["sends_context"], "lc", "rag")
        told = both.groupby([*down, "length_band", both[across].astype(str) + " " + side], observed=True)[
            "score"
        ]
        cells = told.agg(_spread_text).unstack().reset_index()
        cells.insert(len(down) + 1, "rag", rag)
        parts.append(cells.rename(columns={"length_band": "band"}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _spread_text(scores: Series[float]) -> str | None:
    known = scores.dropna()
    if known.empty:
        return None
    return f"{known.mean():.1f}" if len(known) == 1 else f"{known.mean():.1f}±{known.std():.1f}"


def _organised(frame: DataFrame) -> DataFrame:
    """The trials of section 5.2's experiments, with the paper's name of their ``scope``."""
    scopes = {name: scope_name(strategy_of(name)) for name in frame["strategy"].cat.categories}
    own = frame.assign(
        scope=frame["strategy"].astype(object).map(scopes), order=frame["order"].astype(object)
    )
    return own[own["scope"].notna() & of_plain_needles(own)]


def u_niah_2(data: TableData) -> DataFrame:
    """Scopes and orders by needle set and length, all readers together, next to the printed means."""
    import pandas as pd

    own = _organised(data.frame)
    own = own[own["scored"]]
    if own.groupby(["scope", "order"]).ngroups < 2:
        return pd.DataFrame()
    rows = []
    for (needle_set, band), part in own.groupby(["needle_set", "length_band"], observed=True):
        cells = {
            name: part.loc[part[column] == name, "score"].mean()
            for column, names in (("scope", ("topk", "half", "full")), ("order", _ORDERS))
            for name in names
        }
        where = {"dataset": id_part(str(needle_set)), "band": str(band)}
        printed = {
            f"printed_{name}": _printed(data.numbers, "table 2", "score", strategy=name, **where)
            for name in cells
        }
        rows.append({"needle_set": needle_set, "band": band, **cells, **printed, "n": len(part)})
    return pd.DataFrame(rows)


_TABLE_3: Mapping[str, tuple[str, str, str]] = {
    "retrieval bottleneck": ("missing elements", "recall < 1", "cases with incomplete retrieval %"),
    "noise distraction": (
        "missing elements",
        "noise ratio > 44 %",
        "change of missing elements above the noise threshold %",
    ),
    "noise critical": (
        "wrong elements",
        "context > 16k, noise ratio > 97 %",
        "change of wrong elements above the critical noise %",
    ),
    "position sensitivity": (
        "missing elements",
        "context < 16k, reverse order",
        "change of missing elements in reverse order %",
    ),
    "self-consistency": ("self-doubt", "small reader, context > 16k, reverse order", "self-doubt %"),
}
"""By pattern its behaviour, the paper's condition, and the metric that prints its effect."""


def u_niah_3(data: TableData) -> DataFrame:
    """The five error patterns: the paper's condition and effect, the run's, and what the run itself shows."""
    import pandas as pd

    from niah.analysis.patterns import find_patterns

    counted = _same_conditions(_organised(data.frame))
    patterns = [each for each in find_patterns(data.frame, data.samples) if each.effect is not None]
    rows = []
    for name, (behaviour, condition, metric) in _TABLE_3.items():
        fitting = [each for each in patterns if (each.name, each.behaviour) == (name, behaviour)]
        found = next((each for each in fitting if "depth" not in each.condition), None)
        effect, n = counted[name]
        rows.append(
            {
                **{"pattern": name, "printed_condition": condition, "behaviour": behaviour},
                **{"printed": _printed(data.numbers, "table 3", metric), "same_condition": effect, "n": n},
                **{"condition": found and found.condition, "answer": found and found.answer},
                "effect": 100 * found.relative if found and found.relative is not None else None,
            }
        )
    table = pd.DataFrame(rows)
    return table if table["same_condition"].notna().any() else table.head(0)


def _same_conditions(own: DataFrame) -> dict[str, tuple[float | None, int]]:
    """By pattern, its effect in % counted plainly under the paper's own condition, and n."""
    missing, wrong = (
        own["n_missing"] / own["n_elements"],
        (own["n_wrong"] > 0).astype(float).where(own["n_wrong"].notna()),
    )
    doubt = own["self_doubt"].astype(float) * ((own["n_missing"] == 0) & (own["n_wrong"] == 0))
    complete, noise = own["retrieval_completeness"] == 1, own["noise_ratio"]
    long, reverse = own["context_length"] > 16 * 1024, own["best_last"]
    sizes = own["reader_size"].dropna().unique()
    small = own["reader_size"] < np.sqrt(min(sizes) * max(sizes)) if len(sizes) > 1 else reverse | True

    def rise(values: Series[float], under: Series[bool], among: Series[bool]) -> tuple[float | None, int]:
        known = values[among].dropna()
        there, elsewhere = known[under[known.index]], known[~under[known.index]]
        if not len(there) or not len(elsewhere) or not elsewhere.mean() > 0:
            return None, len(known)
        return 100 * float(there.mean() / elsewhere.mean() - 1), len(known)

    cases = own[own["retrieval_completeness"].notna()].drop_duplicates(["case_id", "strategy"])
    doubted = doubt[reverse & small & long].dropna()
    return {
        "retrieval bottleneck": (
            100 * float((cases["retrieval_completeness"] < 1).mean()) if len(cases) else None,
            len(cases),
        ),
        "noise distraction": rise(missing, noise > 0.44, complete & noise.notna()),
        "noise critical": rise(wrong, noise > 0.97, complete & long & noise.notna()),
        "position sensitivity": rise(missing, reverse, ~long),
        "self-consistency": (100 * float(doubted.mean()) if len(doubted) else None, len(doubted)),
    }


def u_niah_win_rates(data: TableData) -> DataFrame:
    """The share of pairs in which RAG scores as high or higher, in %: all, by band, by haystack."""
    import pandas as pd

    frame = data.frame[data.frame["lc"].notna()]
    frame = frame.assign(won=frame["score"] >= frame["lc"])
    rows = []
    for rag in _rag_strategies(frame):
        for needles, source, dataset in (
            ("plain", "section 5.1.2", None),
            ("nested", "section 5.3.1", "needle-in-needle"),
        ):
            own = frame[(frame["strategy"] == rag) & of_plain_needles(frame, nested=needles == "nested")]
            parts: list[tuple[str, dict[str, str], DataFrame]] = [("all", {}, own)] if len(own) else []
            parts += [
                (str(b), {"band": str(b)}, part) for b, part in own.groupby("length_band", observed=True)
            ]
            if frame["haystack"].nunique() > 1:
                parts += [
                    (str(h), {"haystack": str(h)}, part) for h, part in own.groupby("haystack", observed=True)
                ]
            for name, where, part in parts:
                printed = _printed(
                    data.numbers, source, "win rate %", dataset=dataset, strategy="topk", **where
                )
                pooled = 100 * float(part["won"].astype(float).mean())
                rows.append((needles, name, rag, printed, pooled, len(part)))
    return pd.DataFrame(rows, columns=["needles", "part", "rag", "printed", "pooled", "pairs"])


_COUNTED = ("lc_correct", "rag_correct", "both", "only_lc", "only_rag", "neither", "lc_better", "rag_better")


def _pairs(data: TableData) -> DataFrame:
    """Pairs over given questions, a column of 0 and 1 for each of ``_COUNTED``."""
    frame = data.frame.assign(**answer_sides(data.frame))
    own = frame[frame["side"].notna()]
    side, better = own["side"], own["better"]
    return own.assign(
        lc_correct=side.isin(["both", "only full context"]),
        rag_correct=side.isin(["both", "only retrieval"]),
        both=side == "both",
        only_lc=side == "only full context",
        only_rag=side == "only retrieval",
        neither=side == "neither",
        lc_better=better == "full context",
        rag_better=better == "retrieval",
    )


def lc_vs_rag(data: TableData) -> DataFrame:
    """Pairs that both, one side alone, or neither get right: all, and by set, source, type and kind."""
    import pandas as pd

    own = _pairs(data)
    if own.empty:
        return pd.DataFrame()
    parts = []
    for facet in ("all", "question_set", "source", "knowledge_source", "question_type", "kind"):
        parted = own.assign(part=own[facet].astype(object) if facet != "all" else "all")
        if facet == "all" or parted["part"].nunique() > 1:
            by = parted.groupby(["reader", "strategy", "part"], observed=True)
            counts = by[list(_COUNTED)].sum()
            counts.insert(0, "pairs", by.size())
            counts = counts.reset_index()
            counts.insert(2, "by", facet.replace("_", " "))
            parts.append(counts)
    return pd.concat(parts, ignore_index=True)


_TABLE_4 = {
    "correct": ("lc_correct", "rag_correct"),
    "correct by this side only": ("only_lc", "only_rag"),
    "better than the other side": ("lc_better", "rag_better"),
}
_TABLES_5_AND_6 = {"correct": "rag_correct", "correct by RAG only": "only_rag", "better by RAG": "rag_better"}


def lc_vs_rag_published(data: TableData) -> DataFrame:
    """Shares of questions that each side gets right, next to those of the same retriever in the paper."""
    import pandas as pd

    numbers = [each for each in data.numbers if each.paper == "long-context-vs-rag"]
    by_set, over_all = _table_4(numbers), _tables_5_and_6(numbers)
    own = _pairs(data)
    rows: list[dict[str, Any]] = []

    def row(
        names: Sequence[str], asked: str, part: str, pairs: DataFrame, printed: float, source: str
    ) -> dict[str, Any]:
        share = float(pairs[part].mean())
        told = {
            "reader": names[0],
            "strategy": names[1],
            "question_set": asked,
            "what": part,
            "pairs": len(pairs),
        }
        return told | {"share": share, "published": printed, "difference": share - printed, "source": source}

    groups: Any = own.groupby(["reader", "strategy"], observed=True)
    for names, pairs in groups:
        printed = _printed_retriever(str(names[1]))
        for asked, part in pairs.groupby("question_set", observed=True) if printed == "raptor" else ():
            shares = by_set.get(_letters(str(asked)), {})
            rows += [row(names, str(asked), what, part, share, "table 4") for what, share in shares.items()]
        for what in _TABLES_5_AND_6.values():
            found = over_all.get((names[0], printed, what)) or over_all.get(("gpt-4o", printed, what))
            if found:
                rows.append(row(names, "all", what, pairs, *found))
    return pd.DataFrame(rows)


def _printed_retriever(strategy: str) -> str | None:
    """What long-context-vs-rag calls the strategy's retriever; None for one that it has not got."""
    known = strategy_of(strategy)
    for begins in ("raptor", "tree-index"):
        if known.definition.startswith(begins):
            return begins
    if "@sentence-window" in known.definition:
        return "window-parsing"
    name = (known.retriever or "").rpartition("/")[2]
    return name if name in ("bm25", "contriever", "text-embedding-3-small") else None


def _table_4(numbers: Sequence[ReferenceNumber]) -> dict[str, dict[str, float]]:
    """By question set and part: printed counts over the questions kept (table 3)."""
    kept = {each.dataset: each.value for each in numbers if each.metric == "questions kept"}
    shares: dict[str, dict[str, float]] = {}
    for each in numbers:
        if each.metric in _TABLE_4 and each.source == "table 4" and each.dataset:
            part = _TABLE_4[each.metric][not strategy_of(each.strategy or "").sends_context]
            shares.setdefault(_letters(each.dataset), {})[part] = each.value / kept[each.dataset]
    return shares


def _tables_5_and_6(
    numbers: Sequence[ReferenceNumber],
) -> dict[tuple[str, str | None, str], tuple[float, str]]:
    """By reader, the paper's name of the retriever, and part: the share, and the table that has it."""
    own = [each for each in numbers if each.source in ("table 5", "table 6") and each.reader]
    printed = {(each.source, each.reader, each.strategy, each.metric): each.value for each in own}
    shares: dict[tuple[str, str | None, str], tuple[float, str]] = {}
    for (source, reader, strategy, metric), count in printed.items():
        if reader and metric in _TABLES_5_AND_6:
            correct = printed[source, reader, strategy, "correct"]
            questions = correct / printed[source, reader, strategy, "correct %"] * 100
            shares.setdefault((reader, strategy, _TABLES_5_AND_6[metric]), (count / questions, source))
    return shares


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def systems_by_budget(data: TableData) -> DataFrame:
    """Mean score of each system, a column a budget; empty where no system has two budgets."""
    import pandas as pd

    frame = data.frame
    strategies = {name: strategy_of(name) for name in frame["strategy"].cat.categories}
    lines = {name: each.family for name, each in strategies.items()}
    if len(lines) == len(set(lines.values())):
        return pd.DataFrame()
    budgets = {
        name: f"budget_{each.budget}" if each.budget else "no_budget" for name, each in strategies.items()
    }
    names = frame["strategy"].astype(object)
    frame = frame.assign(system=names.map(lines), budget=names.map(budgets))
    means = frame.pivot_table("score", ["reader", "system"], "budget", observed=True)
    order = sorted(
        means.columns,
        key=lambda name: (name == "no_budget", int(name.rpartition("_")[2]) if name != "no_budget" else 0),
    )
    by = frame[frame["scored"]].groupby(["reader", "system"], observed=True)
    return means[order].assign(tokens_sent=by["context_tokens"].mean(), n=by.size()).reset_index()
