"""Every table of a report: a row says its title, and how the frame of trials becomes its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis import context_rot, papers
from niah.analysis.calibration import corrected_means, judge_agreement, label_confusion
from niah.analysis.causes import CAUSES
from niah.analysis.consistency import consistency
from niah.analysis.crossover import WORTH, crossover_rows
from niah.analysis.effective_length import effective_lengths
from niah.analysis.frame import ERROR_WORDS, OUTCOMES
from niah.analysis.lengths import octave, octave_label
from niah.analysis.patterns import find_patterns
from niah.analysis.reference import ReferenceNumber, published
from niah.analysis.stats import SHARES, mean_interval
from niah.analysis.table import Table
from niah.errors import UnknownName, UserError
from niah.judges.audit import FEWEST_LABELS
from niah.judges.error_types import PAPER_ERROR_TYPES, paper_error_type
from niah.judges.verdict import HIGHEST
from niah.registry import Registry, error_line

if TYPE_CHECKING:
    from pandas import DataFrame, Series

    from niah.cases.samples import LeftOut

_WHO = ["reader", "strategy"]
ENDS = ["floor", "ceiling"]  # what a guesser gets, what ``oracle`` gets where it ran


@dataclass(frozen=True)
class TableRow:
    """One row of the table of tables."""

    title: str  # for people
    # its rows, none where the trials have nothing for it; a paper's gets its published numbers too
    make: Callable[..., DataFrame]
    note: str = ""  # what must be known to read it
    paper: str = ""  # whose table it is; made on request


def summary(frame: DataFrame) -> DataFrame:
    """What became of each reader and strategy: the first numbers of page and terminal.

    Columns: reader, strategy, right, n, trials, mean, low, high, clusters, floor, ceiling (means of what a
    guesser and ``oracle`` get on the same questions; NaN where that did not run), tokens and cost (means of a
    question, with all its calls; NaN where unknown), prompt_tokens, answer_tokens, paid and seconds (sums of
    what was asked now), completeness, unsure, outcomes (what was not scored, in words), fault (the most
    frequent cause, or error type, with its count; "").
    """
    import pandas as pd

    # Answers and verdicts need not be cut into groups.
    frame = frame[[name for name in frame if frame[name].dtype != object]].assign(
        tokens=frame["prompt_tokens"] + frame["first_tokens"].fillna(0),
        whole_cost=frame["cost"] + frame["first_cost"].fillna(0),
    )
    rows = []
    for (reader, strategy), own in frame.groupby(_WHO, observed=True):
        scored, paid = own[own["scored"]], own[~own["from_cache"]]
        found = mean_interval(scored["score"], scored["cluster"]) if len(scored) else None
        lost = own[~own["scored"]]["outcome"].value_counts()
        wrong = scored[scored["score"] < HIGHEST]
        faults = faults_of(wrong)
        most = str(faults.index[0]) if len(faults) and faults.iloc[0] else ""
        rows.append(
            {
                **{"reader": reader, "strategy": strategy, "right": int((scored["score"] == HIGHEST).sum())},
                **{"n": len(scored), "trials": len(own), "mean": found.estimate if found else np.nan},
                **{"low": found and found.low, "high": found and found.high},
                **{"clusters": found.clusters if found else 0, "tokens": own["tokens"].mean()},
                **{name: own[name].mean() for name in ENDS},
                "cost": own["whole_cost"].mean(),
                "prompt_tokens": paid["prompt_tokens"].sum(min_count=1),
                "answer_tokens": paid["completion_tokens"].sum(min_count=1),
                "paid": paid["whole_cost"].sum(min_count=1),
                "seconds": paid["latency_s"].sum(min_count=1),
                "completeness": own["retrieval_completeness"].mean(),
                "unsure": int(own["unsure"].sum()),
                "outcomes": ", ".join(f"{n} {str(name).replace('_', ' ')}" for name, n in lost.items() if n),
                "fault": f"{ERROR_WORDS.get(most, most)} {int(faults.iloc[0])}" if most else "",
            }
        )
    return pd.DataFrame(rows)


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
        numbers = {"mean": found.estimate, "n": found.n, "clusters": found.clusters, "trials": len(own)}
        interval = (
            {"low": found.low, "high": found.high, "error": found.error} if found.low is not None else {}
        )
        metric = f"niah.{scored['verdicts'].iloc[0][0].judge}" if measured else "accuracy"
        rows.append(dict(zip(by, names, strict=True)) | {"metric": metric} | numbers | interval)
    return rows


def faults_of(wrong: DataFrame) -> Series[int]:
    """How many answers have each cause; where nothing explains an answer, its error type."""
    kinds = wrong["error_type"].astype(object)
    if "cause" in wrong:
        kinds = wrong["cause"].astype(object).where(wrong["cause"] != "unexplained", kinds)
    return kinds.value_counts()


def _mean_scores(frame: DataFrame) -> DataFrame:
    rows = summary(frame)
    rows = rows.assign(not_scored=rows["trials"] - rows["n"])[rows["n"] > 0]
    return _with_ends(
        rows[[*_WHO, "right", "n", "not_scored", "unsure", "mean", "low", "high", "clusters", *ENDS]]
    )


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


def _in_bands(rows: DataFrame, frame: DataFrame) -> DataFrame:
    """Bands in words, where documents are as long as they are."""
    if (frame["origin"] == "given").all() and len(rows):
        said = [value if isinstance(value, str) else octave_label(value) for value in rows["length"]]
        return rows.assign(length=said)
    return rows


def _by_facet(frame: DataFrame) -> DataFrame:
    """A row a reader, strategy and part of each facet that has several."""
    import pandas as pd

    parts = []
    right = (frame["score"] == HIGHEST).where(frame["scored"]).astype(float)
    for facet in ("kind", "needle_set", "haystack", "question_set", "source", "question_type"):
        if frame[facet].nunique() > 1:
            own = frame.assign(facet=facet.replace("_", " "), part=frame[facet], right=right)
            by = own.groupby([*_WHO, "part"], observed=True)["right"]
            rows = _spread(own, [*_WHO, "facet", "part"]).assign(right=by.mean().to_numpy())
            parts.append(rows.astype({"part": object}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _win_rates(frame: DataFrame) -> DataFrame:
    """A row a reader, retrieving strategy and length, above them one over all lengths."""
    import pandas as pd

    rows: list[dict[str, Any]] = []
    retrieving = frame.loc[frame["retrieves"], [*_WHO, "length", "score", "lc", "cluster"]]
    paired = retrieving["lc"].notna().any()
    for names, every in retrieving.groupby(_WHO, observed=True) if paired else ():
        groups: list[tuple[Any, DataFrame]] = [("all", every)]
        for length, own in [*groups, *every.groupby("length")]:
            pairs = own[own["lc"].notna()]
            ours, theirs = pairs["score"], pairs["lc"]
            found = mean_interval(ours >= theirs, pairs["cluster"], SHARES) if len(pairs) else None
            rows.append(
                {
                    **dict(zip(_WHO, names, strict=True)),
                    **{"length": length, "win_rate": found and found.estimate},
                    **{"low": found and found.low, "high": found and found.high, "pairs": len(pairs)},
                    "clusters": found.clusters if found else 0,
                    "rag_better": int((ours > theirs).sum()),
                    "equal": int((ours == theirs).sum()),
                    "lc_better": int((ours < theirs).sum()),
                    "not_paired": len(own) - len(pairs),
                }
            )
    return _in_bands(pd.DataFrame(rows), frame)


def _counted(frame: DataFrame, column: str, names: Sequence[str]) -> DataFrame:
    """A row a reader and strategy, a column a name: how many trials have it."""
    counts = frame.groupby([*_WHO, column], observed=True).size().unstack(fill_value=0)
    return counts.reindex(columns=list(names), fill_value=0).reset_index()


def _outcomes(frame: DataFrame) -> DataFrame:
    rows = _counted(frame, "outcome", OUTCOMES)
    rows.insert(2, "trials", rows[list(OUTCOMES)].sum(axis=1))
    return rows


def _causes(frame: DataFrame) -> DataFrame:
    """A row a reader and strategy: how many trials have each cause; none for closed-book."""
    scored = frame[frame["scored"] & ~frame["is_floor"]]
    if "cause" not in scored or scored.empty:
        return scored.iloc[:0, :0]
    correct = scored["cause"].astype(object).fillna("n")
    rows = _counted(scored.assign(cause=correct), "cause", ("n", *CAUSES))
    rows.insert(3, "errors", rows[list(CAUSES)].sum(axis=1))
    return rows.assign(n=rows["n"] + rows["errors"])


def _paper_errors(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> DataFrame:
    """A row a reader and strategy: how many answers have each of the paper's types."""
    scored = frame[frame["scored"] & frame["verdicts"].map(bool)]
    kinds = scored["verdicts"].map(lambda told: paper_error_type(told[0]))
    return _counted(scored.assign(kind=kinds), "kind", PAPER_ERROR_TYPES) if len(scored) else scored[:0]


_QUANTITIES = {
    "prompt tokens": "prompt_tokens",
    "cached tokens": "cached_tokens",
    "answer tokens": "completion_tokens",
    "thinking tokens": "thinking_tokens",
    "cost in $": "cost",
    "thinking cost in $": "thinking_cost",
    "latency in s": "latency_s",
}


def _resources(frame: DataFrame) -> DataFrame:
    """A row a reader, strategy and quantity that any of its trials says."""
    import pandas as pd

    rows = []
    for names, own in frame[~frame["from_cache"]].groupby(_WHO, observed=True):
        for quantity, column in _QUANTITIES.items():
            known = own[column].dropna()
            if len(known) and (known.any() or "thinking" not in quantity):
                p50, p95 = known.quantile([0.5, 0.95], interpolation="higher")
                rows.append((*names, quantity, p50, p95, known.sum(), len(known), len(own) - len(known)))
    return pd.DataFrame(rows, columns=[*_WHO, "quantity", "p50", "p95", "total", "n", "unknown"])


def _searching(frame: DataFrame) -> DataFrame:
    """A row a reader and strategy, where one of them searches: score against tokens, and how it searched."""
    if frame["turns"].isna().all():
        return frame.iloc[:0, :0]
    said = {"turns": "turns", "searches": "searches", "context_tokens": "tokens_read"}
    means = frame.groupby(_WHO, observed=True)[[*said]].mean().reset_index().rename(columns=said)
    rows = summary(frame).rename(columns={"completeness": "needles_seen"}).merge(means, on=_WHO)
    rows = rows.round({"tokens": 0, "tokens_read": 0})
    return rows[[*_WHO, "right", "n", "mean", "low", "high", "tokens", *said.values(), "needles_seen"]]


def _metrics(frame: DataFrame) -> DataFrame:
    """A row a reader and strategy, a column a metric: the mean over n answers."""
    import pandas as pd

    judged = frame[frame["metric_values"].map(bool)]
    values = pd.DataFrame(judged["metric_values"].tolist(), index=judged.index)
    by = values.groupby([judged[name].astype(object) for name in _WHO], sort=False)
    means = by.mean().reset_index()
    if len(means):
        means.insert(2, "n", by.size().to_numpy())
    return means


def _lengths_held(frame: DataFrame) -> DataFrame:
    import pandas as pd

    return pd.DataFrame(map(asdict, effective_lengths(frame)))


_ENDS = "floor: a guesser's mean score; ceiling: oracle's on the same questions."
_PAIRS = (
    "A pair: the same case, model and repeat with retrieval and with full context, both scored. low, high:"
    " 95 % interval from clusters."
)
TABLES: Mapping[str, TableRow] = {
    "mean-scores": TableRow(
        "Mean scores",
        _mean_scores,
        "Scores from 1 to 10 over the n scored trials; right: a score of 10. low, high: 95 % interval for new"
        f" seeds of these needle sets, or new documents. {_ENDS}",
    ),
    "crossover": TableRow(
        "Where retrieval beats full context",
        crossover_rows,
        f"{_PAIRS} send: where the interval of the lead holds 0, either, unless retrieval surely loses less"
        f" than {WORTH:g} and takes less.",
    ),
    "consistency": TableRow(
        "The same answers cold and shared, alone and at once",
        consistency,
        "n: cases answered both ways; same: answers that are the same text; lost: right only under against;"
        " gained: only under model. Where the cache is cold, each prompt begins with letters of its own.",
    ),
    "context-rot": TableRow(
        "What a long context does, cause by cause",
        lambda frame: context_rot.effects(frame, published("context-rot")),
        "effect: mean score under the last condition minus the first, of paired cases. low, high: intervals"
        " that hold together at 95 %, from seeds. wording, likeness: cosine of the needle with the question,"
        " or with the haystack's five nearest sentences; without the weights of static (`niah model fetch"
        " static`) both are left out. order: 1 is shuffled. focus: 1 is full context, 0 oracle's. published:"
        " Chroma 2025.",
    ),
    "searching": TableRow(
        "Reading, retrieving, searching",
        _searching,
        "Means. tokens: with those of the search; tokens_read, needles_seen: of the text for the answer.",
    ),
    "scores-by-length": TableRow(
        "Scores by context length",
        lambda frame: _in_bands(_spread(frame, [*_WHO, "length"]), frame),
        f"Lengths in tokens. {_ENDS}",
    ),
    "scores-by-facet": TableRow(
        "Scores by kind, set, haystack and source", _by_facet, f"right: share with a score of 10. {_ENDS}"
    ),
    "win-rates": TableRow(
        "Retrieval against full context", _win_rates, f"win_rate: as high a score or higher. {_PAIRS}"
    ),
    "error-patterns": TableRow(
        "Error patterns",
        find_patterns,
        "effect: mean behaviour under the condition minus without it, among trials of the same needle set,"
        " seed and model; relative: as a share of the mean without it; low, high: its 95 % interval."
        " threshold: the first cut of a regression tree. p_adjusted: signs of clusters flipped, the cut"
        " searched again; Holm over patterns. not found: a difference of ten points would have been found in"
        " four of five such runs; detectable: what would.",
    ),
    "causes": TableRow(
        "Causes of errors",
        _causes,
        "n: scored trials; errors: those not correct, by the first cause that holds, in the order listed; the"
        " docs' page Concepts defines them.",
    ),
    "effective-lengths": TableRow(
        "Effective length",
        _lengths_held,
        "length: the longest at which the mean over depths, made to fall with length, is at least 85 % of"
        " base, the model's mean over the whole context at its shortest length; low, high: 95 % of resampled"
        " clusters. worst_depth: that with the lowest mean there.",
    ),
    "judge-agreement": TableRow(
        "Agreement between judges, and with labels by people",
        judge_agreement,
        "exact: the same score; kappa: Cohen's, 1 is perfect, 0 chance; alpha: Krippendorff's for ordered"
        " levels; bias: mean level of the second minus the first.",
    ),
    "label-confusion": TableRow("Scores next to labels", label_confusion, "A row for each label."),
    "corrected-means": TableRow(
        "Means corrected by labels",
        corrected_means,
        "Corrected by the labels (prediction-powered inference, Angelopoulos et al. 2023) with 95 %"
        f" intervals; none for fewer than {FEWEST_LABELS} labels. judged: the mean as the judge has it."
        " difference: from the model's first strategy, corrected too.",
    ),
    "metrics": TableRow("Metrics", _metrics, "Mean value of each metric, 0 to 1."),
    "outcomes": TableRow("Outcomes", _outcomes, "Only a scored trial has a score."),
    "resources": TableRow(
        "Tokens, cost and latency",
        _resources,
        "Over the trials that say; answers that were reused are left out.",
    ),
    "beside-papers": TableRow(
        "Next to published numbers",
        papers.published_comparison,
        "Intervals are of this run. In %: right answers, or pairs that retrieval does not lose.",
        paper="any",
    ),
    "u-niah-table-1": TableRow(
        "u-niah, table 1: LC and RAG by needle set",
        lambda frame, numbers: papers.lc_and_rag(frame, ["reader", "haystack"], "needle_set"),
        paper="u-niah",
    ),
    "u-niah-error-types": TableRow(
        "u-niah, section 5.2.2: error types", _paper_errors, "Of the scored answers.", paper="u-niah"
    ),
    "u-niah-table-2": TableRow(
        "u-niah, table 2: how retrieved text is organised", papers.u_niah_2, paper="u-niah"
    ),
    "u-niah-table-3": TableRow(
        "u-niah, table 3: error patterns",
        lambda frame, numbers: papers.beside_table_3(find_patterns(frame), numbers),
        "Columns as in error-patterns, next to the printed condition and effect.",
        paper="u-niah",
    ),
    "u-niah-table-4": TableRow(
        "u-niah, table 4: needles in needles",
        lambda frame, numbers: papers.lc_and_rag(frame, ["haystack"], "reader", nested=True),
        paper="u-niah",
    ),
    "lc-vs-rag": TableRow("Which side is right, and which is better", papers.lc_vs_rag),
    **{
        f"context-rot-{cause}": TableRow(
            f"Context rot: {cause}",
            lambda frame, numbers, cause=cause: context_rot.by_cause(frame, cause),
            "condition: as in the table context-rot. misled: answers that name a distractor's value; by:"
            " whose. in_place: share of the words to copy.",
            paper="context-rot",
        )
        for cause in context_rot.CAUSES
    },
}  # in the order of a report


def _package_table(name: str, made: object) -> Callable[[DataFrame], DataFrame]:
    if not callable(made):
        raise TypeError("it is no function of a DataFrame of trials that returns a DataFrame")
    return made


# Tables of installed packages: functions of the trials' frame that return a DataFrame.
ADDED: Registry[Callable[[Any], Any]] = Registry("tables", {}, _package_table)


def table_names() -> dict[str, str]:
    """What tables there are, with their titles."""
    return {name: row.title for name, row in TABLES.items()} | {
        name: (make.__doc__ or "").partition("\n")[0] for name, make in ADDED.items()
    }


def make_table(name: str, frame: DataFrame, numbers: Sequence[ReferenceNumber] = ()) -> Table:
    """One table, maybe without rows; ``numbers`` are published ones, for papers' tables.

    Raises UnknownName, and UserError where a package's fails.
    """
    if row := TABLES.get(name):
        made = row.make(frame, numbers) if row.paper else row.make(frame)
        return Table.of(name, row.title, made, row.note)
    if name not in ADDED:
        raise UnknownName("table", name, table_names())
    make = ADDED.find(name, "table")
    try:
        return Table.of(name, (make.__doc__ or name).partition("\n")[0], make(frame))
    except Exception as error:
        problem = f"the table {name} of {ADDED.package(name)} cannot be made: {error_line(error)}."
        raise UserError(problem, "Mend that package.") from error


def report_tables(
    frame: DataFrame, paper: str | None = None, say: Callable[[str], None] = lambda line: None
) -> Iterator[Table]:
    """The tables that have rows, in the order of a report, with those of ``paper``.

    ``say`` is called with a line for each table of an installed package that cannot be made. Raises
    UnknownName or ConfigError for a paper that cannot be read.
    """
    numbers = published(paper) if paper else ()
    of_paper = {"", *(number.paper for number in numbers), *(["any"] if paper else [])}
    for name in (*(name for name, row in TABLES.items() if row.paper in of_paper), *ADDED):
        try:
            if (table := make_table(name, frame, numbers)).rows:
                yield table
        except UserError as error:
            if name in TABLES:
                raise
            say(error.message)


def label_tables(frame: DataFrame) -> list[Table]:
    """The judges of these trials next to labels by people; none without labels."""
    names = ("judge-agreement", "label-confusion", "corrected-means")
    tables = [make_table(name, frame) for name in names]
    return [table for table in tables if table.rows]


def left_out_table(left_out: Sequence[LeftOut]) -> Table:
    """What a suite asks for and cannot be built: cases by needle set, haystack, length and reason."""
    import pandas as pd

    keys = ["needle_set", "haystack", "context_length", "reason"]
    cases = pd.DataFrame([[getattr(each, key) for key in keys] for each in left_out], columns=keys)
    counted = cases.groupby(keys, sort=False, dropna=False).size().rename("cases").reset_index()
    many = "1 case left out: it" if len(left_out) == 1 else f"{len(left_out):,} cases left out: they"
    return Table.of("left-out", f"{many} cannot be built", counted)


def retrieval_means(frame: DataFrame, by: str) -> DataFrame:
    """Means over cases with needles by strategy and ``by``, "context_length" or "needles".

    ``frame`` has the rows of ``niah.runs.retrieval.retrieval_row``; lengths of given documents go
    together up to each power of two.
    """
    import pandas as pd

    own = frame[frame["needles"] > 0].copy()
    given = own["question_set"].notna()
    own["context_length"] = own["context_length"].where(~given, own["context_length"].map(octave))
    own["strategy"] = pd.Categorical(own["strategy"], frame["strategy"].drop_duplicates())
    groups = own.assign(every_needle=own["completeness"] == 1).groupby([by, "strategy"], observed=True)
    columns = ["completeness", "every_needle", "noise_ratio", "context_tokens"]
    means = groups[columns].mean().reset_index()
    means.insert(2, "n", groups.size().to_numpy())
    return means.astype({"context_tokens": int})
