"""How RAG errs in section 5.2's experiments: error types by needle set, elements by scope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.tables.u_niah.settings import PAPER_SCOPES, needle_sets, organised, scope_names
from niah.judges.error_types import PAPER_ERROR_TYPES, ErrorType
from niah.plots.figures.charts.bars import stack_across
from niah.plots.figures.charts.estimates import names_in, round_value
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.u_niah.spreads import (
    GROUP,
    SPREAD_COLUMNS,
    Spread,
    Spreads,
    draw_spread,
    reader_label,
    readers_by_size,
    score_spreads,
)
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import name_y, names_width, plain, x_lengths, x_shares, y_shares
from niah.plots.kit.sheets.key import Swatch
from niah.plots.kit.sheets.layout import SheetLayout, row_panels
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import ERRORS, plain_styles
from niah.plots.kit.theme import QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray
    from pandas import DataFrame

_SIX: tuple[ErrorType, ...] = PAPER_ERROR_TYPES[1:]
_ALL = "all readers"
_MEASURES = {"n_missing": "missing elements", "n_wrong": "extra elements"}


def draw_figure_10(data: FigureData) -> Iterator[RenderedFigure]:
    """Error types under perfect retrieval, as shares of the errors: a panel per needle set, readers down."""
    kinds = _six(data.frame)
    complete = (data.frame["retrieval_completeness"] == 1).to_numpy(dtype=np.bool_)
    which = organised(data.frame) & complete & (kinds >= 0)
    sets = needle_sets(data.frame, which)
    if len(sets) < 2 and len(set(data.frame["reader"][which])) < 2:
        return
    readers = readers_by_size(data, sorted(set(data.frame["reader"][which])))
    asked, read = (data.frame[name].astype(object).to_numpy() for name in ("needle_set", "reader"))
    counts = {
        (name, reader): np.bincount(
            kinds[which & (asked == name) & ((read == reader) | (reader == _ALL))], minlength=len(_SIX)
        )
        for name in sets
        for reader in (_ALL, *readers)
    }
    labels = [_ALL, *(reader_label(data, name) for name in readers)]
    layout = row_panels(sets, names_width(labels), 0.32 * len(labels))
    title = "u-niah, figure 10: error types under perfect retrieval"
    there = np.any([own > 0 for own in counts.values()], axis=0)
    key = [
        (ERRORS[kind][1], Swatch(ERRORS[kind][0]))
        for kind, is_there in zip(_SIX, there, strict=True)
        if is_there
    ]
    subtitle = "share of the errors of RAG whose prompt held every needle, %, by the paper’s six types"
    sheet = new_sheet(layout, title, subtitle, key)
    for index, name in enumerate(sets):
        own = np.array([counts[name, reader] for reader in (_ALL, *readers)])
        total = own.sum(axis=1, keepdims=True)
        axes = sheet.named_rows(index, name, f"n = {int(total[0, 0]):,} errors", labels)
        x_shares(axes)
        stack_across(axes, own / np.where(total, total, np.nan), [ERRORS[kind][0] for kind in _SIX])
        for place, number in enumerate(total[:, 0]):
            text = f"n {number:,}" if number else "none"
            axes.text(1.015, place, text, va="center", fontsize=8.5, color=QUIET)
    sheet.name_x("share of errors")
    yield RenderedFigure(
        "u-niah-figure-10",
        title,
        "Of the answers that err although nothing was lost in retrieval, how many err in which way. Shares "
        "are of errors, not of answers: a reader with few errors has the same width as one with many.",
        GROUP,
        sheet.figure,
        ("needle_set", "reader", "n", *_SIX),
        tuple(
            (*key, int(own.sum()), *(round_value(n / own.sum()) for n in own))
            for key, own in counts.items()
            if own.sum()
        ),
    )


@dataclass(frozen=True)
class _Elements:
    """Missing and extra elements, in shares of those asked for.

    Attributes:
        found: by measure, then by scope, reader and length.
        readers, scopes: in the order of rows and columns.
        lengths: with their labels.
    """

    found: Mapping[str, Spreads]
    readers: Sequence[str]
    scopes: Sequence[str]
    lengths: Mapping[int, str]

    @property
    def drawn(self) -> Mapping[str, str]:
        """The measures that any answer has, with their words; where none has any, all of them."""
        there = {
            column: says
            for column, says in _MEASURES.items()
            if any(point.mean for point in self.found[column].values())
        }
        return there or _MEASURES

    @property
    def left_out(self) -> str:
        """What is said of the measures that are not drawn."""
        absent = (says for column, says in _MEASURES.items() if column not in self.drawn)
        return " ".join(f"No answer has {says}." for says in absent)

    def line(self, column: str, scope: str, reader: str) -> dict[int, Spread]:
        """A reader's points over length, without their deviations."""
        places = {length: (scope, reader, length) for length in self.lengths}
        own = self.found[column]
        return {length: own[place]._replace(sd=None) for length, place in places.items() if place in own}


def draw_figure_11(data: FigureData) -> Iterator[RenderedFigure]:
    """Missing and extra elements over context length, in % of those asked for: a column per scope."""
    elements = _elements(data)
    if len(elements.readers) < 2 or len(elements.lengths) < 2:
        return
    title = "u-niah, figure 11: missing and extra elements over context length"
    yield RenderedFigure(
        "u-niah-figure-11",
        title,
        "How much of what was asked for an answer leaves out, and how much it adds, in each scope: more is "
        "retrieved from left to right, and with it more noise.",
        GROUP,
        _elements_sheet(data, elements, title),
        ("measure", "scope", "reader", "context_length", *SPREAD_COLUMNS),
        tuple(
            (measure, scope, reader, data.length_value(length), *point.row)
            for column, measure in _MEASURES.items()
            for (scope, reader, length), point in elements.found[column].items()
        ),
    )


def _elements(data: FigureData) -> _Elements:
    """Of section 5.2's experiments."""
    import pandas as pd

    scopes = pd.Categorical(scope_names(data.frame), categories=list(PAPER_SCOPES))
    frame = data.frame.assign(scope=scopes)
    in_experiment = organised(frame)
    found = {
        column: score_spreads(
            frame,
            np.where(in_experiment, frame[column] / frame["n_elements"], np.nan),
            *("scope", "reader", "length"),
        )
        for column in _MEASURES
    }
    missing = found["n_missing"]
    return _Elements(
        found,
        readers_by_size(data, names_in(missing, 1)),
        [scope for scope in PAPER_SCOPES if scope in names_in(missing, 0)],
        {length: data.lengths[length] for length in sorted(names_in(missing, 2))},
    )


def _elements_sheet(data: FigureData, elements: _Elements, title: str) -> Figure:
    """A row a measure, a column a scope, a line a reader."""
    width = {1: 6.8, 2: 4.7, 3: 3.3}[len(elements.scopes)]
    layout = SheetLayout(len(elements.drawn), len(elements.scopes), width, 2.0)
    styles = plain_styles(elements.readers)
    key = [(reader_label(data, reader), styles[reader]) for reader in elements.readers]
    subtitle = "mean share of the elements asked for, norm and reverse order together"
    sheet = new_sheet(layout, title, subtitle, key, elements.left_out)
    for row, (column, measure) in enumerate(elements.drawn.items()):
        highest = max(0.05, *(point.mean for point in elements.found[column].values()))
        for across, scope in enumerate(elements.scopes):
            axes = sheet.panel(row, across, scope if row == 0 else "", measure)
            plain(axes)
            y_shares(axes, 0.0, highest, labelled=across == 0)
            x_lengths(axes, elements.lengths, sheet.layout.width)
            for reader in elements.readers:
                if line := elements.line(column, scope, reader):
                    draw_spread(axes, styles[reader], line, data.length_places(elements.lengths))
            if across == 0:
                name_y(axes, measure)
    sheet.name_x("context length (tokens)")
    return sheet.figure


def _six(frame: DataFrame) -> NDArray[np.int64]:
    """Shape (n,): each row's place among the paper's six error types; -1 where it is correct or unknown."""
    kinds = frame["error_type"].astype(object).to_numpy()
    wrong = frame["n_wrong"].to_numpy(dtype=np.float64) > 0
    places: dict[str, int] = {name: place for place, name in enumerate(_SIX)}
    # What the paper does not tell apart: an answer withdrawn, and one that is wrong altogether.
    places |= {"taken_back": places["self_doubt_complete"], "nonsense": places["other"]}
    places["empty"] = places["other"]
    plain = np.array([places.get(kind, -1) for kind in kinds], dtype=np.int64)
    invented = np.where(wrong, places["missing_and_wrong"], places["other"])
    return np.where(kinds == "wrong_answer", invented, plain)
