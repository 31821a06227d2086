"""Shares of questions that each side gets right, beside those of long-context-vs-rag's table 4."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from niah.analysis.frame import category_names, row_groups
from niah.analysis.tables.rag_papers.both_sides import both_sides
from niah.analysis.tables.table import Table, TableValue
from niah.reference.numbers import ReferenceNumber
from niah.strategies.strategy import strategy_of

if TYPE_CHECKING:
    from pandas import DataFrame

_PAPER, _KEPT = "long-context-vs-rag", "questions kept"
_PRINTED = {
    "correct": ("lc_correct", "rag_correct"),
    "correct by this side only": ("only_lc", "only_rag"),
    "better than the other side": ("lc_better", "rag_better"),
}
"""What a printed metric is of full context, and of retrieval, here."""

_NOTE = (
    "Question sets are matched by name. published: printed counts over the questions kept (table 3). There"
    " retrieval is RAPTOR, the reader is GPT-4o, questions that it knows are left out, and sets are several"
    " times as large: look at the shape."
)


def beside_table_4(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> Table:
    """One row per reader, retrieving strategy, question set of the paper and printed share."""
    return Table(
        name="lc-vs-rag-beside-paper",
        title="Which side is correct, beside the published numbers",
        columns=("reader", "strategy", "question_set", "what", "pairs", "share", "published", "difference"),
        rows=tuple(_rows(frame[frame["origin"] == "given"], numbers)),
        note=_NOTE,
    )


def _rows(frame: DataFrame, numbers: Sequence[ReferenceNumber]) -> Iterator[tuple[TableValue, ...]]:
    printed = _shares(numbers)
    names = {name: _plain(name) for name in category_names(frame, "question_set")}
    sides = both_sides(frame)
    pairs = frame.iloc[sides.rows]
    for (reader, strategy, asked), rows in row_groups(pairs, "reader", "strategy", "question_set"):
        for part, published in printed.get(names[asked], {}).items():
            share = float(sides.parts[part][rows].mean())
            yield reader, strategy, asked, part, len(rows), share, published, share - published


def _shares(numbers: Sequence[ReferenceNumber]) -> dict[str, dict[str, float]]:
    """By question set and part: printed counts over the questions kept."""
    own = [each for each in numbers if each.paper == _PAPER and each.dataset]
    kept = {each.dataset: each.value for each in own if each.metric == _KEPT}
    shares: dict[str, dict[str, float]] = {}
    for each in own:
        if each.metric in _PRINTED and each.source == "table 4":
            part = _PRINTED[each.metric][not strategy_of(each.strategy or "").sends_context]
            shares.setdefault(_plain(each.dataset or ""), {})[part] = each.value / kept[each.dataset]
    return shares


def _plain(name: str) -> str:
    """Letters and digits alone: "MultiFieldQA" and "multifield-qa" are the same."""
    return "".join(letter for letter in name.lower() if letter.isalnum())
