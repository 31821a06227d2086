"""Full context against retrieval over given documents.

long-context-vs-rag, tables 4 to 6 and figures 3, 4, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import categorical, category_codes, row_groups
from niah.analysis.stats import SHARES, mean_interval
from niah.analysis.tables.rag_papers.both_sides import BothSides, both_sides
from niah.analysis.tables.table import Table, TableValue
from niah.cases.questions.datasets import knowledge_source

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

FACETS = ("question_set", "source", "knowledge_source", "question_type", "kind")
"""What questions are told apart by."""

COUNTED = ("lc_correct", "rag_correct", "both", "only_lc", "only_rag", "neither", "lc_better", "rag_better")
SHARED = ("lc_correct", "rag_correct", "only_lc", "only_rag", "lc_better", "rag_better")

_RULES = (
    "Pairs are a trial with retrieval and the one with full context of the same question, reader and repeat,"
    " both scored; over given documents alone. A side is better where it alone is correct, or where neither"
    " is and its F1 is higher (long-context-vs-rag, section 4.3)."
)


def lc_vs_rag(frame: DataFrame) -> Table:
    """Pairs that both, one side alone, or neither get right: all, and by set, source, type and kind."""
    given = _given(frame)
    sides = both_sides(given)
    return Table(
        name="lc-vs-rag",
        title="Which side is correct, and which is better",
        columns=("reader", "strategy", "by", "part", "pairs", *COUNTED),
        rows=tuple(_counts(given, sides)),
        note=f"{_RULES} {_judged_by(sides)}",
    )


def lc_vs_rag_shares(frame: DataFrame) -> Table:
    """The shares of these with intervals for new documents."""
    given = _given(frame)
    sides = both_sides(given)
    return Table(
        name="lc-vs-rag-shares",
        title="Shares of questions that one side is correct or better on",
        columns=("reader", "strategy", "by", "part", "what", "share", "low", "high", "pairs", "documents"),
        rows=tuple(_shares(given, sides)),
        note=f"{_RULES} low and high: 95 % interval for new documents of these question sets, from documents;"
        f" empty with one. {_judged_by(sides)}",
    )


def _given(frame: DataFrame) -> DataFrame:
    """The trials over given documents, with the paper's sources of knowledge (figures 3 and 6)."""
    given = frame[frame["origin"] == "given"]
    named = zip(given["question_set"], given["source"], strict=True)
    known = [knowledge_source(_text(name), _text(source)) for name, source in named]
    # Where the questions themselves say as much, it is no facet of its own.
    is_new = known != [_text(source) for source in given["source"]]
    return given.assign(knowledge_source=categorical(known if is_new else [None] * len(known)))


def _text(value: object) -> str | None:
    """A facet of a trial; None, as frames write what is not there, of one without."""
    return value if isinstance(value, str) else None


def _counts(frame: DataFrame, sides: BothSides) -> Iterator[tuple[TableValue, ...]]:
    for names, members in _parts(frame, sides):
        yield (*names, len(members), *(int(sides.parts[part][members].sum()) for part in COUNTED))


def _shares(frame: DataFrame, sides: BothSides) -> Iterator[tuple[TableValue, ...]]:
    clusters = np.asarray(frame["cluster"])
    for names, members in _parts(frame, sides):
        shared = clusters[sides.rows[members]]
        for part in SHARED:
            found = mean_interval(sides.parts[part][members], shared, scale=SHARES)
            yield (*names, part, found.estimate, found.low, found.high, found.n, found.clusters)


def _parts(
    frame: DataFrame, sides: BothSides
) -> Iterator[tuple[tuple[str, str, str, str], NDArray[np.intp]]]:
    """Reader, strategy, facet and part of it, with places in ``sides.rows``: all, then each facet's parts.

    A facet of which these trials have one part alone says nothing new, and is left out.
    """
    pairs = frame.iloc[sides.rows]
    for (reader, strategy), rows in row_groups(pairs, "reader", "strategy"):
        yield (reader, strategy, "all", "all"), rows
        for facet in FACETS:
            if len(set(category_codes(pairs, facet)[rows]) - {-1}) > 1:
                for (part,), members in row_groups(pairs, facet, rows=rows):
                    yield (reader, strategy, facet.replace("_", " "), part), members


def _judged_by(sides: BothSides) -> str:
    if sides.judges:
        return f"Correct and F1 are by {', '.join(sides.judges)}."
    return "No metric judged the answers: a score of 10 is correct, and the score stands for F1."
