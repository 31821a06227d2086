"""Every table of a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from niah.analysis.causes.cause_tables import errors_by_cause, known_cases
from niah.analysis.causes.distractors_chosen import distractors_chosen
from niah.analysis.patterns.find import find_patterns
from niah.analysis.patterns.pattern_table import pattern_table
from niah.analysis.tables.judge_tables import agreement_table, unsure_table
from niah.analysis.tables.published_comparison import published_comparison
from niah.analysis.tables.question_words import question_words
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
from niah.cases.sample import Sample
from niah.reference.numbers import published

if TYPE_CHECKING:
    from pandas import DataFrame


def report_tables(frame: DataFrame, samples: Mapping[str, Sample], paper: str | None = None) -> list[Table]:
    """The tables that have something to say of the trials, in the order of a report.

    Args:
        frame: of one run, finished or not, or of several side by side.
        samples: of the same, by sample id.
        paper: whose published numbers stand beside the run's; every paper's without it.

    Raises UnknownName or ConfigError for a paper that cannot be read.
    """
    numbers = published(paper)
    patterns = find_patterns(frame, samples)
    planted = frame[frame["origin"] != "given"]  # the paper's tables are of needles
    every = (
        mean_scores(frame),
        scores_by_length(frame),
        scores_by_needle_set_and_length(frame),
        win_rates(frame),
        win_lose(frame),
        scores_by(frame, "kind"),
        scores_by(frame, "haystack"),
        scores_by(frame, "needle_set"),
        scores_by(frame, "question_set"),
        scores_by(frame, "source"),
        question_words(frame, samples),
        pattern_table(patterns),
        errors_by_cause(frame, samples),
        known_cases(frame, samples),
        distractors_chosen(frame, samples),
        agreement_table(frame),
        unsure_table(frame),
        outcome_table(frame),
        resource_table(frame),
        published_comparison(frame, numbers),
        table_1(planted),
        table_2(planted, numbers),
        table_3(planted, patterns, numbers),
        table_4(planted),
        pooled_win_rates(planted, numbers),
        findings(planted, numbers),
    )
    return [table for table in every if table.rows]
