"""Every table of a report: a row says its title, and how the frame of trials becomes its rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis import papers
from niah.analysis.calibration import (
    corrected_differences,
    corrected_means,
    label_agreement,
    label_confusion,
)
from niah.analysis.causes import CAUSES, known_without_context, planted_names, same_name
from niah.analysis.crossover import WORTH, crossover_rows
from niah.analysis.frame import ERROR_WORDS, OUTCOMES
from niah.analysis.lengths import octave, octave_label
from niah.analysis.patterns import find_patterns
from niah.analysis.stats import mean_interval, win_rate
from niah.analysis.table import Table, TableData
from niah.errors import UnknownName, UserError
from niah.judges.audit import FEWEST_LABELS
from niah.judges.verdict import HIGHEST
from niah.plugins.registry import Registry, error_line
from niah.reference.numbers import published

if TYPE_CHECKING:
    from pandas import DataFrame

    from niah.cases.left_out import Avoided, LeftOut
    from niah.runs.closed_book import ClosedBookFilter

_WHO = ["reader", "strategy"]


@dataclass(frozen=True)
class TableRow:
    """One row of the table of tables.

    Attributes:
        title: for people.
        make: its rows; none where the trials have nothing for it.
        note: what must be known to read it.
        paper: whose table it is; made on request.
    """

    title: str
    make: Callable[[TableData], DataFrame]
    note: str = ""
    paper: str = ""


_SUMMED = (
    *(*_WHO, "scored", "score", "cluster", "from_cache", "outcome", "unsure", "cause", "error_type"),
    *("prompt_tokens", "first_tokens", "completion_tokens", "cost", "first_cost", "latency_s"),
    "retrieval_completeness",
)


def summary(frame: DataFrame) -> DataFrame:
    """What became of each reader and strategy: the first numbers of page and terminal.

    Columns: reader, strategy, right, n, trials, mean, low, high, clusters, tokens and cost (means of a
    question, with all its calls; NaN where unknown), prompt_tokens, answer_tokens, paid and seconds (sums of
    what was asked now), completeness, unsure, outcomes (what was not scored, in words), fault (the most
    frequent cause, or error type, with its count; "").
    """
    import pandas as pd

    rows = []
    for (reader, strategy), own in frame[[name for name in _SUMMED if name in frame]].groupby(
        _WHO, observed=True
    ):
        scored, paid = own[own["scored"]], own[~own["from_cache"]]
        lost = own[~own["scored"]]["outcome"].value_counts()
        wrong = scored[scored["score"] < HIGHEST]
        faults = wrong["cause" if "cause" in wrong else "error_type"].value_counts()
        most = str(faults.index[0]) if len(faults) and faults.iloc[0] else ""
        rows.append(
            {
                "reader": reader,
                "strategy": strategy,
                "right": int((scored["score"] == HIGHEST).sum()),
                "n": len(scored),
                "trials": len(own),
                **_interval(scored),
                "tokens": (own["prompt_tokens"] + own["first_tokens"].fillna(0)).mean(),
                "cost": (own["cost"] + own["first_cost"].fillna(0)).mean(),
                "prompt_tokens": paid["prompt_tokens"].sum(min_count=1),
                "answer_tokens": paid["completion_tokens"].sum(min_count=1),
                "paid": (paid["cost"] + paid["first_cost"].fillna(0)).sum(min_count=1),
                "seconds": paid["latency_s"].sum(min_count=1),
                "completeness": own["retrieval_completeness"].mean(),
                "unsure": int(own["unsure"].sum()),
                "outcomes": ", ".join(f"{n} {str(name).replace('_', ' ')}" for name, n in lost.items() if n),
                "fault": f"{ERROR_WORDS.get(most, most)} {int(faults.iloc[0])}" if most else "",
            }
        )
    return pd.DataFrame(rows)


def _interval(scored: DataFrame, cluster: str = "cluster") -> dict[str, Any]:
    if scored.empty:
        return {"mean": np.nan, "low": None, "high": None, "clusters": 0}
    found = mean_interval(scored["score"].to_numpy(), scored[cluster].to_numpy())
    return {"mean": found.estimate, "low": found.low, "high": found.high, "clusters": found.clusters}


def _mean_scores(data: TableData) -> DataFrame:
    """A row a reader and strategy: its mean for new seeds, and for other needle sets like these."""
    rows = summary(data.frame)
    rows = rows[rows["n"] > 0]
    wider = [
        _interval(own[own["scored"]], "set")
        for _, own in data.frame.groupby(_WHO, observed=True)
        if own["scored"].any()
    ]
    rows["not_scored"] = rows["trials"] - rows["n"]
    for column, name in (("low_other_sets", "low"), ("high_other_sets", "high"), ("sets", "clusters")):
        rows[column] = [each[name] for each in wider]
    columns = ["right", "n", "not_scored", "unsure", "mean", "low", "high", "clusters"]
    return rows[[*_WHO, *columns, "low_other_sets", "high_other_sets", "sets"]]


def _spread(frame: DataFrame, by: Sequence[str]) -> DataFrame:
    """Mean, sample deviation, n and what was not scored, a row a group."""
    found = (
        frame.groupby(list(by), observed=True)["score"].agg(["mean", "std", "count", "size"]).reset_index()
    )
    found["not_scored"] = found["size"] - found["count"]
    return found.drop(columns="size").rename(columns={"std": "sd", "count": "n"})


def _said_lengths(rows: DataFrame, frame: DataFrame) -> DataFrame:
    """Bands in words, where documents are as long as they are."""
    if (frame["origin"] == "given").all() and len(rows):
        said = [value if isinstance(value, str) else octave_label(value) for value in rows["length"]]
        return rows.assign(length=said)
    return rows


def _by_length(data: TableData) -> DataFrame:
    return _said_lengths(_spread(data.frame, [*_WHO, "length"]), data.frame)


def _by_facet(data: TableData) -> DataFrame:
    """A row a reader, strategy and part of each facet that has several."""
    import pandas as pd

    frame = data.frame.assign(right=(data.frame["score"] == HIGHEST).where(data.frame["scored"]))
    parts = []
    for facet in ("kind", "needle_set", "haystack", "question_set", "source", "question_type"):
        if frame[facet].nunique() > 1:
            own, by = _spread(frame, [*_WHO, facet]), frame.groupby([*_WHO, facet], observed=True)
            own["right"] = by["right"].mean().astype(float).to_numpy()
            own.insert(2, "facet", facet.replace("_", " "))
            parts.append(own.rename(columns={facet: "part"}).astype({"part": object}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _win_rates(data: TableData) -> DataFrame:
    """A row a reader, retrieving strategy and length, above them one over all lengths."""
    import pandas as pd

    def rates(names: Sequence[Any], length: Any, own: DataFrame) -> dict[str, Any]:
        pairs = own[own["lc"].notna()]
        ours, theirs = pairs["score"].to_numpy(), pairs["lc"].to_numpy()
        found = win_rate(ours, theirs, pairs["cluster"].to_numpy()) if len(pairs) else None
        return {
            **dict(zip(_WHO, names, strict=True)),
            "length": length,
            "win_rate": found and found.estimate,
            "low": found and found.low,
            "high": found and found.high,
            "pairs": len(pairs),
            "clusters": found.clusters if found else 0,
            "rag_better": int((ours > theirs).sum()),
            "equal": int((ours == theirs).sum()),
            "lc_better": int((ours < theirs).sum()),
            "not_paired": len(own) - len(pairs),
        }

    rows = []
    columns = [*_WHO, "length", "score", "lc", "cluster"]
    if data.frame["lc"].notna().any():
        for names, own in data.frame.loc[data.frame["retrieves"], columns].groupby(_WHO, observed=True):
            rows.append(rates(names, "all", own))
            rows += [rates(names, length, part) for length, part in own.groupby("length")]
    return _said_lengths(pd.DataFrame(rows), data.frame)


def _counted(frame: DataFrame, column: str, names: Sequence[str]) -> DataFrame:
    """A row a reader and strategy, a column a name: how many trials have it."""
    told = frame[column].astype(object)
    found = frame.groupby(_WHO, observed=True)[column].size().to_frame("trials")
    for name in names:
        found[name] = (told == name).groupby([frame[key] for key in _WHO], observed=True).sum().astype(int)
    return found.reset_index()


def _outcomes(data: TableData) -> DataFrame:
    return _counted(data.frame, "outcome", OUTCOMES)


def _causes(data: TableData) -> DataFrame:
    """A row a reader and strategy: how many trials have each cause; none for closed-book."""
    import pandas as pd

    scored = data.frame[data.frame["scored"] & ~data.frame["is_floor"]]
    if "cause" not in scored:
        return pd.DataFrame()
    rows = _counted(scored, "cause", CAUSES).rename(columns={"trials": "n"})
    rows.insert(3, "errors", rows[list(CAUSES)].sum(axis=1))
    return rows


def _distractors(data: TableData) -> DataFrame:
    """A row a reader, strategy and distractor that an answer fell for."""
    import pandas as pd

    keys = [*_WHO, "needle_set", "distractor", "hardness"]
    frame = data.frame[data.frame["scored"] & data.frame["case_id"].isin(list(data.samples))]
    planted = planted_names(data.samples) if (frame["n_wrong"] > 0).any() else {}
    chosen: Counter[tuple[str, ...]] = Counter()
    present: Counter[tuple[str, ...]] = Counter()
    columns = [frame[name].tolist() for name in (*_WHO, "case_id", "wrong", "is_floor")]
    for reader, strategy, case_id, wrong, is_floor in zip(*columns, strict=True) if planted else ():
        sample = data.samples[case_id]
        fallen = {id for name in wrong for id in planted[case_id].get(same_name(name), ())}
        there = set() if is_floor else {each.id for each in sample.distractors}
        for each in sample.key.distractors if fallen or there else ():
            key = reader, strategy, sample.needle_set or sample.key.name, each.id, each.hardness
            chosen[key] += each.id in fallen
            present[key] += each.id in there
    rows = [(*key, count, present[key]) for key, count in sorted(chosen.items()) if count]
    table = pd.DataFrame(rows, columns=[*keys, "chosen", "present"])
    # Answers that name what stands in no context make no share.
    share = table["chosen"] / table["present"]
    return table.assign(share=share.where(table["chosen"] <= table["present"]))


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
    return make_table("judge-agreement", TableData(frame, {}))


def label_tables(frame: DataFrame) -> list[Table]:
    """The judges of these trials next to labels by people; none without labels."""
    names = ("label-agreement", "label-confusion", "corrected-means", "corrected-differences")
    tables = [make_table(name, TableData(frame, {})) for name in names]
    return [table for table in tables if table.rows]


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


def _known(data: TableData) -> DataFrame:
    return known_without_context(data.frame, data.samples)


def _patterns(data: TableData) -> DataFrame:
    """A row a pattern that was tried and had trials to compare."""
    import pandas as pd

    names = [
        *("condition", "threshold", "threshold_low", "threshold_high", "behaviour", "answer", "effect"),
        *("low", "high", "relative", "p_adjusted", "detectable", "n", "n_condition"),
    ]
    found = [each for each in find_patterns(data.frame, data.samples) if each.effect is not None]
    rows = [(each.name, *(getattr(each, name) for name in names)) for each in found]
    return pd.DataFrame(rows, columns=["pattern", *names])


def _preparation(data: TableData) -> DataFrame:
    """Score against tokens of reading and of preparation, at 1, 10 and 100 questions on a document."""
    import pandas as pd

    rows = []
    frame = data.frame.assign(reading=data.frame["prompt_tokens"] + data.frame["completion_tokens"])
    definitions = frame.drop_duplicates("strategy").set_index("strategy")["definition"]
    for (reader, strategy), own in frame.groupby(_WHO, observed=True) if data.preparations else ():
        calls = [each for each in data.preparations if each.definition == definitions[str(strategy)]]
        calls = [each for each in calls if each.model == reader] or calls
        of_question, of_document = defaultdict[str, int](int), defaultdict[str, int](int)
        for call in calls:
            tokens = (call.usage.prompt_tokens or 0) + (call.usage.completion_tokens or 0)
            by, key = (of_question, call.trial_id) if call.trial_id else (of_document, call.document)
            by[key] += tokens
        choosing, document = (fmean(by.values()) if by else 0.0 for by in (of_question, of_document))
        reading = own["reading"].mean()
        rows.append(
            {
                **{"reader": reader, "strategy": strategy, "score": own["score"].mean()},
                **{"n": int(own["score"].count()), "reading_tokens": reading},
                **{"choosing_tokens": choosing, "document_tokens": document},
                **{f"tokens_at_{n}_questions": reading + choosing + document / n for n in (1, 10, 100)},
            }
        )
    return pd.DataFrame(rows)


_PAIRS = (
    "A pair: the same case, model and repeat with retrieval and with full context, both scored. low, high:"
    " 95 % interval from clusters."
)
_CORRECTED = (
    "Means corrected by the labels (prediction-powered inference, Angelopoulos et al. 2023) with 95 %"
    f" intervals; none for fewer than {FEWEST_LABELS} labels. judged: the mean as the judge has it."
)

TABLES: Mapping[str, TableRow] = {
    "mean-scores": TableRow(
        "Mean scores",
        _mean_scores,
        "Scores from 1 to 10 over the n scored trials; right: a score of 10. low, high: 95 % interval for new"
        " seeds of these needle sets, or new documents; low_other_sets, high_other_sets: for other sets.",
    ),
    "crossover": TableRow(
        "Where retrieval beats full context",
        lambda data: crossover_rows(data.frame),
        f"{_PAIRS} send: where the interval of the lead holds 0, either, unless retrieval surely loses less"
        f" than {WORTH:g} and takes less.",
    ),
    "scores-by-length": TableRow("Scores by context length", _by_length, "Lengths in tokens."),
    "scores-by-facet": TableRow(
        "Scores by kind, set, haystack and source", _by_facet, "right: share with a score of 10."
    ),
    "win-rates": TableRow(
        "Retrieval against full context", _win_rates, f"win_rate: as high a score or higher. {_PAIRS}"
    ),
    "error-patterns": TableRow(
        "Error patterns",
        _patterns,
        "effect: mean behaviour under the condition minus without it, among trials of the same needle set,"
        " seed and model; relative: as a share of the mean without it; low, high: its 95 % interval."
        " threshold: the first cut of a regression tree; threshold_low, threshold_high: 95 % of those of"
        " resampled clusters. p_adjusted: signs of clusters flipped, the cut searched again; Holm over"
        " patterns. not found: a difference of ten points would have been found in four of five such runs;"
        " detectable: what would.",
    ),
    "causes": TableRow(
        "Causes of errors",
        _causes,
        "n: scored trials; errors: those not correct, by the first cause that holds, in the order listed; the"
        " docs' page Concepts defines them.",
    ),
    "known-without-context": TableRow(
        "Cases known without context", _known, "right: closed-book trials answered correctly, of those asked."
    ),
    "distractors-chosen": TableRow(
        "Distractors chosen",
        _distractors,
        "chosen: scored trials whose answer holds what the distractor plants; present: scored trials with the"
        " distractor in the case's context (with retrieval, the chunks may have left it out); share: chosen"
        " among these. A distractor that nobody chose has no row.",
    ),
    "judge-agreement": TableRow(
        "Agreement between judges",
        _agreement,
        "exact: the same score; within_one: one level apart at most of 1, 3, 5, 7, 10; kappa: weighted;"
        " bias: mean level of the second judge less the first.",
    ),
    "label-agreement": TableRow(
        "Judges next to labels by people",
        lambda data: label_agreement(data.frame),
        "Answers labelled by people. exact: the same score; within_one: one level apart at most; kappa:"
        " Cohen's, 1 is perfect, 0 chance; alpha: Krippendorff's for ordered levels, of labels and judge"
        " together; bias: mean level of the judge minus the label.",
    ),
    "label-confusion": TableRow(
        "Scores next to labels", lambda data: label_confusion(data.frame), "A row for each label."
    ),
    "corrected-means": TableRow(
        "Means corrected by labels", lambda data: corrected_means(data.frame), _CORRECTED
    ),
    "corrected-differences": TableRow(
        "Differences corrected by labels", lambda data: corrected_differences(data.frame), _CORRECTED
    ),
    "metrics": TableRow("Metrics", _metrics, "Mean value of each metric, 0 to 1."),
    "outcomes": TableRow("Outcomes", _outcomes, "Only a scored trial has a score."),
    "resources": TableRow(
        "Tokens, cost and latency",
        _resources,
        "Over the trials that say; answers that were reused are left out.",
    ),
    "preparation": TableRow(
        "Score against tokens of reading and preparation",
        _preparation,
        "Tokens of prompts and replies together, means over trials and documents. Reading is the reader's own"
        " call, choosing what a model is asked for one question before it, and a document's preparation is"
        " shared by all questions on it. Reused replies count as if they had been asked for now. Embedding is"
        " left out.",
    ),
    "beside-papers": TableRow(
        "Next to published numbers",
        lambda data: papers.published_comparison(data.frame, data.numbers),
        paper="any",
    ),
    "u-niah-table-1": TableRow("u-niah, table 1: LC and RAG by needle set", papers.u_niah_1, paper="u-niah"),
    "u-niah-table-2": TableRow(
        "u-niah, table 2: how retrieved text is organised", papers.u_niah_2, paper="u-niah"
    ),
    "u-niah-table-3": TableRow("u-niah, table 3: error patterns", papers.u_niah_3, paper="u-niah"),
    "u-niah-table-4": TableRow("u-niah, table 4: needles in needles", papers.u_niah_4, paper="u-niah"),
    "u-niah-win-rates": TableRow(
        "u-niah, sections 5.1.2 and 5.3.1: win rates", papers.u_niah_win_rates, paper="u-niah"
    ),
    "lc-vs-rag": TableRow("Which side is right, and which is better", papers.lc_vs_rag),
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
    if row := TABLES.get(name):
        return Table.of(name, row.title, row.make(data), row.note)
    if name not in ADDED:
        raise UnknownName("table", name, table_names())
    make = ADDED.find(name, "table")
    try:
        return Table.of(name, (make.__doc__ or name).partition("\n")[0], make(data.frame))
    except Exception as error:
        problem = f"the table {name} of {ADDED.package(name)} cannot be made: {error_line(error)}."
        raise UserError(problem, "Mend that package.") from error


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
    numbers = published(paper) if paper else ()
    data = TableData(data.frame, data.samples, numbers, data.preparations)
    of_paper = {"", *(number.paper for number in numbers), *(["any"] if paper else [])}
    for name in (*(name for name, row in TABLES.items() if row.paper in of_paper), *ADDED):
        try:
            if (table := make_table(name, data)).rows:
                yield table
        except UserError as error:
            if name in TABLES:
                raise
            say(error.message)


def left_out_tables(left_out: Sequence[LeftOut], avoided: Sequence[Avoided]) -> list[Table]:
    """What a suite asks for and did not get: cases left out, and sentences left out of cases."""
    import pandas as pd

    made = []
    if left_out:
        keys = ["needle_set", "haystack", "context_length", "reason"]
        cases = pd.DataFrame([[getattr(each, key) for key in keys] for each in left_out], columns=keys)
        counted = cases.groupby(keys, sort=False, dropna=False).size().rename("cases").reset_index()
        one = len(left_out) == 1
        title = (
            f"{len(left_out):,} case{'' if one else 's'} left out: {'it' if one else 'they'} cannot be built"
        )
        made.append(Table.of("left-out", title, counted))
    if avoided:
        dropped = pd.DataFrame(avoided)
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
