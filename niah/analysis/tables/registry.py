"""Every table of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from niah.analysis.causes.cause_tables import errors_by_cause, known_cases
from niah.analysis.causes.causes import Cause
from niah.analysis.causes.distractors_chosen import distractors_chosen
from niah.analysis.crossover import crossover_table
from niah.analysis.frame import data_frame
from niah.analysis.patterns import Pattern, find_patterns, pattern_table
from niah.analysis.preparation.preparation_table import preparation_table
from niah.analysis.tables.calibration import corrected_differences, corrected_means, label_agreement
from niah.analysis.tables.judge_tables import (
    agreement_table,
    metrics_by_length,
    metrics_table,
    unsure_table,
)
from niah.analysis.tables.published_comparison import published_comparison
from niah.analysis.tables.question_words import question_words
from niah.analysis.tables.rag_papers.beside_paper import beside_paper
from niah.analysis.tables.rag_papers.lc_vs_rag import lc_vs_rag, lc_vs_rag_shares
from niah.analysis.tables.rag_papers.overlaps import overlaps
from niah.analysis.tables.rag_papers.systems_by_budget import systems_by_budget
from niah.analysis.tables.score_tables import (
    mean_scores,
    scores_by,
    scores_by_length,
    scores_by_needle_set_and_length,
)
from niah.analysis.tables.summary import outcome_table, resource_table
from niah.analysis.tables.table import Table
from niah.analysis.tables.u_niah.findings import findings, table_3
from niah.analysis.tables.u_niah.score_tables import table_1, table_2, table_4
from niah.analysis.tables.u_niah.win_rates import pooled_win_rates
from niah.analysis.tables.win_rates import win_lose, win_rates
from niah.analysis.trial_columns import TrialColumns, Trials
from niah.cases.sample import Sample
from niah.plugins.registry import Registry, error_line
from niah.reference.numbers import ReferenceNumber, published
from niah.runs.preparation.preparer import PreparationCall

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class TableData:
    """What tables are made of.

    Attributes:
        trials: a frame of them, see ``trial_frame``, or plain columns, which small tables count faster.
        samples: of the same, by sample id.
        numbers: published ones, to stand beside the run's.
        preparations: calls of models that prepared.
        found_causes: of the same trials, where somebody has found them; see ``causes``.
    """

    trials: Trials
    samples: Mapping[str, Sample]
    numbers: Sequence[ReferenceNumber] = ()
    preparations: Sequence[PreparationCall] = ()
    found_causes: Mapping[str, Cause] | None = None

    @cached_property
    def frame(self) -> DataFrame:
        """The trials, see ``trial_frame``."""
        return data_frame(self.trials) if isinstance(self.trials, TrialColumns) else self.trials

    @cached_property
    def planted(self) -> DataFrame:
        """The trials of needles: u-niah's tables are of these."""
        return self.frame[self.frame["origin"] != "given"]

    @cached_property
    def patterns(self) -> list[Pattern]:
        """Which errors come with what."""
        return find_patterns(self.frame, self.samples)


MakeTable = Callable[[TableData], Table]


def _make_table(name: str, made: object) -> MakeTable:
    """A function of the trials' data. Raises TypeError for what is none."""
    if not callable(made):
        raise TypeError("it is no function of TableData that returns a Table")
    return made


def _as(source: Callable[..., Table], make: MakeTable) -> MakeTable:
    """``make`` with the docstring of ``source``, which it calls."""
    make.__doc__ = source.__doc__
    return make


_OURS: dict[str, MakeTable] = {
    "mean-scores": _as(mean_scores, lambda of: mean_scores(of.frame)),
    "crossover": _as(crossover_table, lambda of: crossover_table(of.frame)),
    "scores-by-length": _as(scores_by_length, lambda of: scores_by_length(of.trials)),
    "scores-by-needle-set-and-length": _as(
        scores_by_needle_set_and_length, lambda of: scores_by_needle_set_and_length(of.trials)
    ),
    "metrics": _as(metrics_table, lambda of: metrics_table(of.trials)),
    "metrics-by-length": _as(metrics_by_length, lambda of: metrics_by_length(of.trials)),
    "win-rates": _as(win_rates, lambda of: win_rates(of.trials)),
    "win-lose": _as(win_lose, lambda of: win_lose(of.trials)),
    "lc-vs-rag": _as(lc_vs_rag, lambda of: lc_vs_rag(of.frame)),
    "lc-vs-rag-shares": _as(lc_vs_rag_shares, lambda of: lc_vs_rag_shares(of.frame)),
    "lc-vs-rag-beside-paper": _as(beside_paper, lambda of: beside_paper(of.frame, of.numbers)),
    "systems-by-budget": _as(systems_by_budget, lambda of: systems_by_budget(of.frame)),
    "overlaps": _as(overlaps, lambda of: overlaps(of.frame)),
    "scores-by-kind": _as(scores_by, lambda of: scores_by(of.trials, "kind")),
    "scores-by-haystack": _as(scores_by, lambda of: scores_by(of.trials, "haystack")),
    "scores-by-needle-set": _as(scores_by, lambda of: scores_by(of.trials, "needle_set")),
    "scores-by-question-set": _as(scores_by, lambda of: scores_by(of.trials, "question_set")),
    "scores-by-source": _as(scores_by, lambda of: scores_by(of.trials, "source")),
    "question-words": _as(question_words, lambda of: question_words(of.trials, of.samples)),
    "error-patterns": _as(pattern_table, lambda of: pattern_table(of.patterns)),
    "causes": _as(errors_by_cause, lambda of: errors_by_cause(of.trials, of.samples, of.found_causes)),
    "known-without-context": _as(known_cases, lambda of: known_cases(of.trials, of.samples)),
    "distractors-chosen": _as(distractors_chosen, lambda of: distractors_chosen(of.trials, of.samples)),
    "judge-agreement": _as(agreement_table, lambda of: agreement_table(of.trials)),
    "label-agreement": _as(label_agreement, lambda of: label_agreement(of.trials)),
    "corrected-means": _as(corrected_means, lambda of: corrected_means(of.trials)),
    "corrected-differences": _as(corrected_differences, lambda of: corrected_differences(of.trials)),
    "unsure": _as(unsure_table, lambda of: unsure_table(of.trials)),
    "outcomes": _as(outcome_table, lambda of: outcome_table(of.trials)),
    "resources": _as(resource_table, lambda of: resource_table(of.trials)),
    "preparation": _as(preparation_table, lambda of: preparation_table(of.frame, of.preparations)),
    "beside-papers": _as(published_comparison, lambda of: published_comparison(of.trials, of.numbers)),
    "u-niah-table-1": _as(table_1, lambda of: table_1(of.planted)),
    "u-niah-table-2": _as(table_2, lambda of: table_2(of.planted, of.numbers)),
    "u-niah-table-3": _as(table_3, lambda of: table_3(of.planted, of.patterns, of.numbers)),
    "u-niah-table-4": _as(table_4, lambda of: table_4(of.planted)),
    "u-niah-win-rates": _as(pooled_win_rates, lambda of: pooled_win_rates(of.planted, of.numbers)),
    "u-niah-findings": _as(findings, lambda of: findings(of.planted, of.numbers)),
}

TABLES: Registry[MakeTable] = Registry("tables", _OURS, _make_table)
"""In the order of a report; those of packages at the end."""


def report_tables(
    frame: DataFrame,
    samples: Mapping[str, Sample],
    paper: str | None = None,
    say: Callable[[str], None] = lambda line: None,
    preparations: Sequence[PreparationCall] = (),
    found_causes: Mapping[str, Cause] | None = None,
) -> list[Table]:
    """The tables that have something to say of the trials, in the order of a report.

    Args:
        frame: of one run, finished or not, or of several side by side.
        samples: of the same, by sample id.
        paper: whose published numbers stand beside the run's; every paper's without it.
        say: is called with a line for each table of an installed package that cannot be made.
        preparations: calls of models that prepared for the runs.
        found_causes: of all the trials, where they are known; see ``causes``.

    Raises UnknownName or ConfigError for a paper that cannot be read.
    """
    data = TableData(frame, samples, published(paper), preparations, found_causes)
    for line in TABLES.problems():
        say(line)
    made = (made_table(name, data, say) for name in TABLES)
    return [table for table in made if table is not None and table.rows]


def made_table(name: str, data: TableData, say: Callable[[str], None] = lambda line: None) -> Table | None:
    """One table; None, and a line, where it is another package's and fails: the other tables are made.

    Raises UnknownName.
    """
    make = TABLES.find(name, "table")
    if name in TABLES.own:
        return make(data)
    try:
        table: object = make(data)
        if isinstance(table, Table):
            return table
        raise TypeError(f"it gives a {type(table).__name__}, not a Table")
    except Exception as error:
        say(f"the table {name} of {TABLES.package(name)} cannot be made: {error_line(error)}.")
        return None
