"""Every table of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from niah.analysis.causes.cause_table import errors_by_cause, known_cases
from niah.analysis.causes.chosen_table import chosen
from niah.analysis.causes.needle_sets_asked import needle_sets_asked
from niah.analysis.columns import columns_of
from niah.analysis.patterns.pattern_table import pattern_table
from niah.analysis.tables.agreement_table import agreement
from niah.analysis.tables.breakdown import by_haystack, by_kind, by_needle_set
from niah.analysis.tables.length_bands import length_bands, length_bands_by_needle_set
from niah.analysis.tables.outcome_table import outcomes
from niah.analysis.tables.published_comparison import beside
from niah.analysis.tables.question_words import question_words
from niah.analysis.tables.resources import resources
from niah.analysis.tables.table import Table
from niah.analysis.tables.win_lose import win_lose
from niah.analysis.tables.win_rates import win_rates
from niah.cases.case import Case
from niah.reference.numbers import published
from niah.runs.trial import TrialRecord


def tables(records: Sequence[TrialRecord], cases: Iterable[Case], paper: str | None = None) -> list[Table]:
    """The tables that have something to say of the records, in the order of a report.

    Args:
        records: of one run, finished or not.
        cases: of the same run.
        paper: whose published numbers stand beside the run's; every paper's without it.

    Raises UnknownName or ConfigError for a paper that cannot be read.
    """
    columns, asked = columns_of(records), needle_sets_asked(records)
    every = (
        length_bands(columns),
        length_bands_by_needle_set(columns),
        win_rates(columns),
        win_lose(columns),
        by_kind(columns, records, asked),
        by_haystack(columns),
        by_needle_set(columns),
        question_words(columns, records, asked),
        pattern_table(records, asked),
        errors_by_cause(records),
        known_cases(records),
        chosen(records, cases, asked),
        agreement(records),
        outcomes(columns),
        resources(columns),
        beside(records, published(paper)),
    )
    return [table for table in every if table.rows]
