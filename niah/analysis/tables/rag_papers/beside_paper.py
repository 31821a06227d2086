"""Shares of questions that each side gets right, next to those that long-context-vs-rag prints.

Table 4 is about full context and RAPTOR, by question set; tables 5 and 6 have six retrievers over all sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from niah.analysis.frame import category_names, row_groups
from niah.analysis.tables.rag_papers.both_sides import both_sides
from niah.analysis.tables.table import Table, TableValue
from niah.reference.numbers import ReferenceNumber
from niah.strategies.strategy import strategy_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pandas import DataFrame

_PAPER, _ALL, _READER = "long-context-vs-rag", "all", "gpt-4o"
_TABLE_4 = {
    "correct": ("lc_correct", "rag_correct"),
    "correct by this side only": ("only_lc", "only_rag"),
    "better than the other side": ("lc_better", "rag_better"),
}
"""What table 4's metrics are of full context, and of retrieval, here."""

_TABLES_5_AND_6 = {
    "correct": "rag_correct",
    "correct by RAG only": "only_rag",
    "better by RAG": "rag_better",
}

_NOTE = (
    "published: of the same retriever, and in table 6 of the same reader (else GPT-4o). Table 4 (RAPTOR, by"
    " question set): printed counts over the questions kept (table 3). Tables 5 and 6 (all sets): printed"
    " counts over the questions that the printed percentage implies. There questions that the reader knows"
    " are left out, and sets are larger: look at the shape."
)


def beside_paper(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> Table:
    """One row per reader, retrieving strategy that the paper has too, question set and printed share."""
    columns = ("reader", "strategy", "question_set", "what", "pairs", "share", "published", "difference")
    return Table(
        name="lc-vs-rag-beside-paper",
        title="Which side is correct, next to the published numbers",
        columns=(*columns, "source"),
        rows=tuple(_rows(frame[frame["origin"] == "given"], numbers)),
        note=_NOTE,
    )


def _rows(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> Iterator[tuple[TableValue, ...]]:
    own = [each for each in numbers if each.paper == _PAPER]
    by_set, over_all = _table_4(own), _tables_5_and_6(own)
    names = {name: _plain(name) for name in category_names(frame, "question_set")}
    sides = both_sides(frame)
    pairs = frame.iloc[sides.rows]

    def row(
        of: tuple[TableValue, ...], part: str, members: NDArray[np.intp], published: float, source: str
    ) -> tuple[TableValue, ...]:
        share = float(sides.parts[part][members].mean())
        return (*of, part, len(members), share, published, share - published, source)

    for (reader, strategy), rows in row_groups(pairs, "reader", "strategy"):
        printed = _printed_name(strategy)
        for (_, _, asked), members in row_groups(pairs, "reader", "strategy", "question_set", rows=rows):
            shares = by_set.get(names[asked], {}) if printed == "raptor" else {}
            for part, share in shares.items():
                yield row((reader, strategy, asked), part, members, share, "table 4")
        for part in _TABLES_5_AND_6.values():
            found = over_all.get((reader, printed, part)) or over_all.get((_READER, printed, part))
            if found:
                yield row((reader, strategy, _ALL), part, rows, *found)


def _printed_name(strategy: str) -> str | None:
    """What the paper calls the strategy's retriever; None for one that it has not got."""
    known = strategy_of(strategy)
    for printed, begins in {"raptor": "raptor", "tree-index": "tree-index"}.items():
        if known.definition.startswith(begins):
            return printed
    if "@sentence-window" in known.definition:
        return "window-parsing"
    name = (known.retriever or "").rpartition("/")[2]
    return name if name in ("bm25", "contriever", "text-embedding-3-small") else None


def _table_4(numbers: Sequence[ReferenceNumber]) -> dict[str, dict[str, float]]:
    """By question set and part: printed counts over the questions kept."""
    kept = {each.dataset: each.value for each in numbers if each.metric == "questions kept"}
    shares: dict[str, dict[str, float]] = {}
    for each in numbers:
        if each.metric in _TABLE_4 and each.source == "table 4" and each.dataset:
            part = _TABLE_4[each.metric][not strategy_of(each.strategy or "").sends_context]
            shares.setdefault(_plain(each.dataset), {})[part] = each.value / kept[each.dataset]
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


def _plain(name: str) -> str:
    """Letters and digits alone: "MultiFieldQA" and "multifield-qa" are the same."""
    return "".join(letter for letter in name.lower() if letter.isalnum())
