"""Every table of a report: a row says its title, and how the frame of trials becomes its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis import papers
from niah.analysis.calibration import corrected_differences, corrected_means, label_agreement
from niah.analysis.causes.cause_tables import errors_by_cause, known_cases
from niah.analysis.causes.distractors_chosen import distractors_chosen
from niah.analysis.crossover import crossover_table
from niah.analysis.lengths import octave, octave_label
from niah.analysis.patterns import find_patterns, pattern_table
from niah.analysis.preparation.preparation_table import preparation_table
from niah.analysis.stats import mean_interval, win_rate
from niah.analysis.table import Table, TableData, lc_scores, length_column
from niah.errors import UnknownName, UserError
from niah.judges.verdict import HIGHEST
from niah.plugins.registry import Registry, error_line
from niah.reference.numbers import published

if TYPE_CHECKING:
    from pandas import DataFrame

    from niah.analysis.causes.causes import Cause
    from niah.cases.left_out import Avoided, LeftOut
    from niah.runs.closed_book.known import ClosedBookFilter

_WHO = ["reader", "strategy"]


Made = Callable[[TableData], "DataFrame | Table"]


@dataclass(frozen=True)
class TableRow:
    """One row of the table of tables.

    Attributes:
        title: for people.
        make: its rows; a ``Table`` where another module says title and note.
        note: what must be known to read it.
        paper: whose table it is; made on request.
    """

    title: str
    make: Made
    note: str = ""
    paper: str = ""

    def table(self, name: str, data: TableData) -> Table:
        """The table; without rows where the trials have nothing for it."""
        made = self.make(data)
        return made if isinstance(made, Table) else Table.of(name, self.title, made, self.note)


def summary(frame: DataFrame, causes: Mapping[str, Cause] | None = None) -> DataFrame:
    """What became of each reader and strategy: the first numbers of page and terminal.

    Columns: reader, strategy, right, n, trials, mean, low, high, tokens and cost (means of a question,
    with all its calls; NaN where unknown), paid and seconds (sums of what was asked now), completeness,
    unsure, outcomes (what was not scored, in words), fault (the most frequent cause, or error type, with
    its count; "").
    """
    import pandas as pd

    rows = []
    for (reader, strategy), own in frame.groupby(_WHO, observed=True):
        scored = own[own["scored"]]
        found = _interval(scored)
        paid = own[~own["from_cache"]]
        lost = own[~own["scored"]]["outcome"].value_counts()
        rows.append(
            {
                "reader": reader,
                "strategy": strategy,
                "right": int((scored["score"] == HIGHEST).sum()),
                "n": len(scored),
                "trials": len(own),
                **found,
                "tokens": (own["prompt_tokens"] + own["first_tokens"].fillna(0)).mean(),
                "cost": (own["cost"] + own["first_cost"].fillna(0)).mean(),
                "prompt_tokens": paid["prompt_tokens"].sum(min_count=1),
                "answer_tokens": paid["completion_tokens"].sum(min_count=1),
                "paid": (paid["cost"] + paid["first_cost"].fillna(0)).sum(min_count=1),
                "seconds": paid["latency_s"].sum(min_count=1),
                "completeness": own["retrieval_completeness"].mean(),
                "unsure": int(own["unsure"].sum()),
                "outcomes": ", ".join(f"{n} {str(name).replace('_', ' ')}" for name, n in lost.items() if n),
                "fault": _most_frequent_fault(scored, causes),
            }
        )
    return pd.DataFrame(rows)


def _most_frequent_fault(scored: DataFrame, causes: Mapping[str, Cause] | None) -> str:
    wrong = scored[scored["score"] < HIGHEST]
    kinds: Any
    if causes:
        kinds = wrong["trial_id"].map(lambda id: found.kind if (found := causes.get(id)) else None).dropna()
    else:
        kinds = wrong["error_type"].astype(object).dropna().str.replace("_", " ")
    counts = kinds.value_counts()
    return f"{counts.index[0]} {int(counts.iloc[0])}" if len(counts) else ""


def _interval(scored: DataFrame, cluster: str = "cluster") -> dict[str, Any]:
    if scored.empty:
        return {"mean": np.nan, "low": None, "high": None, "clusters": 0}
    found = mean_interval(scored["score"].to_numpy(), scored[cluster].to_numpy())
    return {"mean": found.estimate, "low": found.low, "high": found.high, "clusters": found.clusters}


def _mean_scores(data: TableData) -> DataFrame:
    """A row a reader and strategy: its mean for new seeds, and for other needle sets like these."""
    import pandas as pd

    sets = (
        data.frame["needle_set"].astype(object).fillna(data.frame["question_set"].astype(object)).fillna("")
    )
    frame = data.frame.assign(sets=pd.factorize(sets)[0])
    rows = []
    for (reader, strategy), own in frame.groupby(_WHO, observed=True):
        scored = own[own["scored"]]
        if scored.empty:
            continue
        mine, wider = _interval(scored), _interval(scored, "sets")
        rows.append(
            {
                "reader": reader,
                "strategy": strategy,
                "right": int((scored["score"] == HIGHEST).sum()),
                "n": len(scored),
                "not_scored": len(own) - len(scored),
                "unsure": int(own["unsure"].sum()),
                **mine,
                "low_other_sets": wider["low"],
                "high_other_sets": wider["high"],
                "sets": wider["clusters"],
            }
        )
    return pd.DataFrame(rows)


def _spread(frame: DataFrame, by: Sequence[str]) -> DataFrame:
    """Mean, sample deviation, n and what was not scored, a row a group."""
    found = (
        frame.groupby(list(by), observed=True)["score"].agg(["mean", "std", "count", "size"]).reset_index()
    )
    found["not_scored"] = found["size"] - found["count"]
    return found.drop(columns="size").rename(columns={"std": "sd", "count": "n"})


def _with_lengths(frame: DataFrame) -> DataFrame:
    return frame.assign(length=length_column(frame))


def _said_lengths(rows: DataFrame, frame: DataFrame) -> DataFrame:
    """Bands in words, where documents are as long as they are."""
    if (frame["origin"] == "given").all() and len(rows):
        rows["length"] = [
            value if isinstance(value, str) else octave_label(value) for value in rows["length"]
        ]
    return rows


def _by_length(data: TableData) -> DataFrame:
    return _said_lengths(_spread(_with_lengths(data.frame), [*_WHO, "length"]), data.frame)


def _by_facet(data: TableData) -> DataFrame:
    """A row a reader, strategy and part of each facet that has several."""
    import pandas as pd

    frame = data.frame.assign(right=(data.frame["score"] == HIGHEST).where(data.frame["scored"]))
    parts = []
    for facet in ("kind", "needle_set", "haystack", "question_set", "source", "question_type"):
        if frame[facet].nunique() > 1:
            own = _spread(frame, [*_WHO, facet])
            own["right"] = (
                frame.groupby([*_WHO, facet], observed=True)["right"].mean().astype(float).to_numpy()
            )
            own.insert(2, "facet", facet.replace("_", " "))
            parts.append(own.rename(columns={facet: "part"}).astype({"part": object}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _win_rates(data: TableData) -> DataFrame:
    """A row a reader, retrieving strategy and length, above them one over all lengths."""
    import pandas as pd

    frame = _with_lengths(data.frame).assign(lc=lc_scores(data.frame))
    rows = []

    def rates(names: Sequence[Any], length: Any, own: DataFrame) -> dict[str, Any]:
        pairs = own[own["lc"].notna()]
        ours, theirs = pairs["score"].to_numpy(), pairs["lc"].to_numpy()
        found = win_rate(ours, theirs, pairs["cluster"].to_numpy()) if len(pairs) else None
        return {
            **dict(zip(_WHO, names, strict=True)),
            "length": length,
            "win_rate": found.estimate if found else None,
            "low": found.low if found else None,
            "high": found.high if found else None,
            "pairs": len(pairs),
            "clusters": found.clusters if found else 0,
            "rag_better": int((ours > theirs).sum()),
            "equal": int((ours == theirs).sum()),
            "lc_better": int((ours < theirs).sum()),
            "not_paired": len(own) - len(pairs),
        }

    if frame["lc"].notna().any():
        for names, own in frame[frame["retrieves"]].groupby(_WHO, observed=True):
            rows.append(rates(names, "all", own))
            rows += [rates(names, length, part) for length, part in own.groupby("length")]
    return _said_lengths(pd.DataFrame(rows), data.frame)


def _outcomes(data: TableData) -> DataFrame:
    """A row a reader and strategy; every outcome is a column."""
    from niah.analysis.grouping import OUTCOMES

    who = [data.frame[name].cat.remove_unused_categories() for name in _WHO]
    counts = (
        data.frame["outcome"].astype(str).groupby(who, observed=True).value_counts().unstack(fill_value=0)
    )
    counts = counts.reindex(columns=list(OUTCOMES), fill_value=0).astype(int)
    counts.insert(0, "trials", counts.sum(axis=1))
    return counts.reset_index()


_QUANTITIES = {
    "prompt tokens": "prompt_tokens",
    "cached tokens": "cached_tokens",
    "answer tokens": "completion_tokens",
    "thinking tokens": "thinking_tokens",
    "cost in $": "cost",
    "thinking cost in $": "thinking_cost",
    "latency in s": "latency_s",
}


def _resources(data: TableData) -> DataFrame:
    """A row a reader, strategy and quantity that any of its trials says."""
    import pandas as pd

    rows = []
    for names, own in data.frame[~data.frame["from_cache"]].groupby(_WHO, observed=True):
        for quantity, column in _QUANTITIES.items():
            known = own[column].dropna()
            if known.empty or ("thinking" in quantity and not known.any()):
                continue
            p50, p95 = known.quantile([0.5, 0.95], interpolation="higher")
            rows.append((*names, quantity, p50, p95, known.sum(), len(known), len(own) - len(known)))
    return pd.DataFrame(rows, columns=[*_WHO, "quantity", "p50", "p95", "total", "n", "unknown"])


def _agreement(data: TableData) -> DataFrame:
    """A row a pair of judges over all readers, then one for each reader."""
    import pandas as pd

    from niah.judges.audit import (
        agreement_within_one,
        cohen_kappa,
        exact_agreement,
        mean_bias,
        score_levels,
    )
    from niah.judges.registry import cascade_of

    given = data.frame[data.frame["judge_scores"].map(lambda scores: bool(scores) and len(scores) > 1)]
    rows = []
    for first, second in combinations(
        sorted({judge for scores in given["judge_scores"] for judge in scores}), 2
    ):
        both = given[[first in scores and second in scores for scores in given["judge_scores"]]]
        cascade = cascade_of(second)
        if cascade and cascade[0] == first:  # the model was asked about these alone
            both = both[both["unsure"]]
        for reader, own in [("all", both), *both.groupby("reader", observed=True)] if len(both) else []:
            one, other = (
                score_levels([scores[judge] for scores in own["judge_scores"]]) for judge in (first, second)
            )
            kappa = cohen_kappa(one, other, quadratic=True)
            shares = (exact_agreement(one, other), agreement_within_one(one, other))
            rows.append((first, second, reader, len(own), *shares, kappa, mean_bias(one, other)))
    return pd.DataFrame(
        rows, columns=["judge", "other_judge", "reader", "n", "exact", "within_one", "kappa", "bias"]
    )


def agreement_table(frame: DataFrame) -> Table:
    """How far the judges of these trials agree."""
    return TABLES["judge-agreement"].table("judge-agreement", TableData(frame, {}))


def _metrics(data: TableData) -> DataFrame:
    """A row a reader and strategy, a column a metric; empty where none has judged."""
    import pandas as pd

    judged = data.frame[data.frame["metric_values"].map(bool)]
    values = pd.DataFrame(judged["metric_values"].tolist(), index=judged.index)
    return metric_means(pd.concat([judged[_WHO], values], axis=1)) if len(judged) else pd.DataFrame()


def metric_means(rows: DataFrame) -> DataFrame:
    """The mean of each column beside reader and strategy, a row for these; n answers each."""
    by = rows.groupby(_WHO, observed=True, sort=False)
    means = by.mean(numeric_only=True)
    means.insert(0, "n", by.size())
    return means.reset_index()


def metric_table(rows: Sequence[Mapping[str, object]]) -> Table:
    """The mean of each metric, 0 to 1, of rows a trial: reader, strategy, trial_id and metrics."""
    import pandas as pd

    means = metric_means(pd.DataFrame(rows)) if rows else pd.DataFrame()
    note = "Mean of the best value over the references of each question; scored trials only."
    return Table.of("metrics", "Answers against the reference answers", means, note)


def _crossover(data: TableData) -> Table:
    return crossover_table(data.frame)


def _patterns(data: TableData) -> Table:
    return pattern_table(find_patterns(data.frame, data.samples))


def _causes(data: TableData) -> Table:
    return errors_by_cause(data.frame, data.samples, data.causes)


def _known(data: TableData) -> Table:
    return known_cases(data.frame, data.samples)


def _distractors(data: TableData) -> Table:
    return distractors_chosen(data.frame, data.samples)


def _preparation(data: TableData) -> Table:
    return preparation_table(data.frame, data.preparations)


_PAIRS = (
    "A pair: the same case, model and repeat with retrieval and with full context, both scored. low, high:"
    " 95 % interval from clusters."
)

TABLES: Mapping[str, TableRow] = {
    "mean-scores": TableRow(
        "Mean scores",
        _mean_scores,
        "Scores from 1 to 10 over the n scored trials; right: a score of 10. low, high: 95 % interval for new"
        " seeds of these needle sets, or new documents; low_other_sets, high_other_sets: for other sets.",
    ),
    "crossover": TableRow("Where retrieval beats full context", _crossover),
    "scores-by-length": TableRow("Scores by context length", _by_length, "Lengths in tokens."),
    "scores-by-facet": TableRow(
        "Scores by kind, set, haystack and source", _by_facet, "right: share with a score of 10."
    ),
    "win-rates": TableRow(
        "Retrieval against full context", _win_rates, f"win_rate: as high a score or higher. {_PAIRS}"
    ),
    "error-patterns": TableRow("Error patterns", _patterns),
    "causes": TableRow("Causes", _causes),
    "known-without-context": TableRow("Known without context", _known),
    "distractors-chosen": TableRow("Distractors named as the answer", _distractors),
    "judge-agreement": TableRow(
        "Agreement between judges",
        _agreement,
        "exact: the same score; within_one: one level apart at most of 1, 3, 5, 7, 10; kappa: weighted;"
        " bias: mean level of the second judge less the first.",
    ),
    "label-agreement": TableRow("Judges next to labels", lambda data: label_agreement(data.frame)),
    "corrected-means": TableRow("Means corrected by labels", lambda data: corrected_means(data.frame)),
    "corrected-differences": TableRow(
        "Differences corrected by labels", lambda data: corrected_differences(data.frame)
    ),
    "metrics": TableRow("Metrics", _metrics, "Mean value of each metric, 0 to 1."),
    "outcomes": TableRow("Outcomes", _outcomes, "Only a scored trial has a score."),
    "resources": TableRow(
        "Tokens, cost and latency",
        _resources,
        "Over the trials that say; answers that were reused are left out.",
    ),
    "preparation": TableRow("Preparation by models", _preparation),
    "beside-papers": TableRow("Next to published numbers", papers.published_comparison, paper="any"),
    "u-niah-table-1": TableRow("u-niah, table 1: LC and RAG by needle set", papers.u_niah_1, paper="u-niah"),
    "u-niah-table-2": TableRow(
        "u-niah, table 2: how retrieved text is organised", papers.u_niah_2, paper="u-niah"
    ),
    "u-niah-table-3": TableRow("u-niah, table 3: error patterns", papers.u_niah_3, paper="u-niah"),
    "u-niah-table-4": TableRow("u-niah, table 4: needles in needles", papers.u_niah_4, paper="u-niah"),
    "u-niah-win-rates": TableRow(
        "u-niah, sections 5.1.2 and 5.3.1: win rates", papers.u_niah_win_rates, paper="u-niah"
    ),
    "lc-vs-rag": TableRow(
        "Which side is right, and which is better", papers.lc_vs_rag, paper="long-context-vs-rag"
    ),
    "lc-vs-rag-beside-paper": TableRow(
        "Which side is right, next to the published numbers",
        papers.lc_vs_rag_published,
        paper="long-context-vs-rag",
    ),
    "systems-by-budget": TableRow(
        "Systems side by side, by budget", papers.systems_by_budget, paper="stronger-baselines-dos-rag"
    ),
}
"""In the order of a report."""


def _package_table(name: str, made: object) -> Callable[[DataFrame], DataFrame]:
    if not callable(made):
        raise TypeError("it is no function of a DataFrame of trials that returns a DataFrame")
    return made


ADDED: Registry[Callable[[Any], Any]] = Registry("tables", {}, _package_table)
"""Tables of installed packages: functions of the trials' frame that return a DataFrame."""


def table_names() -> dict[str, str]:
    """What tables there are, with their titles."""
    return {name: row.title for name, row in TABLES.items()} | {
        name: (make.__doc__ or "").partition("\n")[0] for name, make in ADDED.items()
    }


def make_table(name: str, data: TableData) -> Table:
    """One table, without rows where the trials have nothing for it.

    Raises UnknownName, and UserError where a package's fails.
    """
    if name in TABLES:
        return TABLES[name].table(name, data)
    make = ADDED.find(name, "table") if name in ADDED else _unknown(name)
    try:
        return Table.of(name, (make.__doc__ or name).partition("\n")[0], make(data.frame))
    except Exception as error:
        problem = f"the table {name} of {ADDED.package(name)} cannot be made: {error_line(error)}."
        raise UserError(problem, "Mend that package.") from error


def _unknown(name: str) -> Any:
    raise UnknownName("table", name, table_names())


def report_tables(
    data: TableData, paper: str | None = None, say: Callable[[str], None] = lambda line: None
) -> Iterator[Table]:
    """The tables that have rows, in the order of a report.

    Args:
        data: of one run or several.
        paper: whose tables are made too.
        say: is called with a line for each table of an installed package that cannot be made.

    Raises UnknownName or ConfigError for a paper that cannot be read.
    """
    data = TableData(
        data.frame, data.samples, published(paper) if paper else (), data.preparations, data.causes
    )
    of_paper = {number.paper for number in data.numbers} | ({"any"} if paper else set())
    for name, row in TABLES.items():
        if row.paper in ("", *of_paper) and (table := row.table(name, data)).rows:
            yield table
    for name in ADDED:
        try:
            table = make_table(name, data)
        except UserError as error:
            say(error.message)
        else:
            if table.rows:
                yield table


def left_out_tables(left_out: Sequence[LeftOut], avoided: Sequence[Avoided]) -> list[Table]:
    """What a suite asks for and did not get: cases left out, and sentences left out of cases."""
    import pandas as pd

    cases = pd.DataFrame([(e.needle_set, e.haystack, e.context_length, e.reason) for e in left_out])
    cases.columns = ["needle_set", "haystack", "context_length", "reason"][: len(cases.columns)]
    dropped = pd.DataFrame([(e.needle_set, e.haystack, e.sentences) for e in avoided])
    dropped.columns = ["needle_set", "haystack", "sentences"][: len(dropped.columns)]
    made = []
    if len(cases):
        counted = (
            cases.groupby(list(cases.columns), sort=False, dropna=False).size().rename("cases").reset_index()
        )
        title = (
            "1 case left out: it cannot be built"
            if len(cases) == 1
            else f"{len(cases):,} cases left out: they cannot be built"
        )
        made.append(Table.of("left-out", title, counted))
    if len(dropped):
        by = dropped.groupby(["needle_set", "haystack"], sort=False)["sentences"]
        counted = by.agg(
            cases="size",
            sentences=lambda all_: len({each for sentences in all_ for each in sentences}),
            most_in_a_case=lambda all_: max(map(len, all_)),
        ).reset_index()
        made.append(Table.of("avoided", "Haystack sentences left out: they answer by accident", counted))
    return made


def closed_book_filter(closed_book: ClosedBookFilter) -> Table:
    """A row a reader: questions asked without context first, and those left out since it knows them."""
    import pandas as pd

    from niah.judges.metrics import KNOWLEDGE_MATCHES

    rows = [
        {
            "reader": count.reader,
            "asked": count.asked,
            "answered": count.answered,
            **{f"known_by_{match.replace('-', '_')}": count.by_match[match] for match in KNOWLEDGE_MATCHES},
            "left_out": count.known,
            "share_kept": 1 - count.known / count.asked,
        }
        for count in closed_book.counts()
    ]
    note = (
        f"Known by {closed_book.match}, or by the right option: left out of all other trials of that model."
    )
    return Table.of("closed-book-filter", "Questions asked without context first", pd.DataFrame(rows), note)


_RETRIEVED = ("strategy", "n", "completeness", "every_needle", "in_part", "noise_ratio", "context_tokens")


def retrieval_means(frame: DataFrame, by: str) -> DataFrame:
    """Means over cases by strategy and ``by``: "context_length" or "needles"; of cases with needles.

    Args:
        frame: columns strategy, case_id, question_set, context_length, needles, completeness, in_part,
            noise_ratio, context_tokens; see ``niah.runs.retrieval.RetrievalRecord``.
        by: lengths of given documents go together up to each power of two.
    """
    own = frame[frame["needles"] > 0].copy()
    given = own["question_set"].notna()
    own["context_length"] = own["context_length"].where(~given, own["context_length"].map(octave))
    own["every_needle"] = (own["completeness"] == 1).astype(float)
    own["strategy"] = (
        own["strategy"].astype("category").cat.set_categories(frame["strategy"].drop_duplicates())
    )
    means = own.groupby([by, "strategy"], observed=True)[list(_RETRIEVED[2:])].mean().reset_index()
    means.insert(2, "n", own.groupby([by, "strategy"], observed=True).size().to_numpy())
    return means
