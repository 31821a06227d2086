"""What is wrong with answers: types, elements, noise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import category_codes
from niah.analysis.stats import mean_interval
from niah.judges.error_types import ERROR_TYPE_NAMES, error_types_among
from niah.plots.figures.charts.bars import stack_across, usual_count
from niah.plots.figures.charts.estimates import (
    ESTIMATE_COLUMNS,
    Estimates,
    interval_label,
    mean_count,
    means,
    n_label,
    names_in,
    round_value,
    row_of,
    value_range,
)
from niah.plots.figures.charts.line_names import line_ends, name_lines, with_room_for_names
from niah.plots.figures.charts.lines import curves_of, draw_curves
from niah.plots.figures.figure_data import FigureData
from niah.plots.figures.scores import LENGTH_COLUMNS, few_bands_note, names_with_band, rows_over_lengths
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import (
    lowest_score,
    name_y,
    names_width,
    plain,
    thinned,
    x_lengths,
    x_shares,
    y_numbers,
    y_scores,
)
from niah.plots.kit.sheets.key import Swatch
from niah.plots.kit.sheets.layout import SheetLayout, reader_panels, row_panels
from niah.plots.kit.sheets.sheet import Sheet, new_sheet
from niah.plots.kit.styles import ERRORS, Style, plain_styles
from niah.plots.kit.theme import QUIET
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray
    from pandas import Categorical, DataFrame

_ELEMENTS = {"n_missing": "missing elements", "n_wrong": "extra elements"}
_LEAST_ELEMENTS = 0.1
_VISIBLE = 0.005
"""A share that is less is no wider than a hair."""

# In percent; closer where retrieval of long contexts has its noise.
_NOISE_EDGES = (0, 20, 40, 60, 80, 90, 95, 98, 100)
_NOISE_STEP = 20
_NOISE_MIDDLES = {at: sum(edges) / 2 for at, edges in enumerate(pairwise(_NOISE_EDGES))}
_FEW_READERS, _FEW_TRIALS = 3, 5
_UNCOUNTED = "questions whose elements nobody has written down"
_NOISE_MEASURES = {
    "score": "mean score",
    "n_missing": "missing elements an answer",
    "n_wrong": "extra elements an answer",
}


def draw_error_types(data: FigureData) -> Iterator[RenderedFigure]:
    """Error types by strategy and reader (u-niah, figure 10).

    One figure of all answers whose elements are known; and one of perfect retrieval, where errors are the
    reader's own.
    """
    frame = data.frame
    known = (frame["error_type"].notna() & frame["n_missing"].notna()).to_numpy()
    complete = (frame["retrieval_completeness"] == 1).to_numpy()
    title, says = "Error types under perfect retrieval", "answers whose prompt held every needle"
    for rendered in (
        _error_types(data, known, "error-types", "Error types", "all scored answers"),
        _error_types(data, known & complete, "error-types-complete", title, says),
    ):
        if rendered:
            yield rendered


def _error_types(
    data: FigureData, which: NDArray[np.bool_], name: str, title: str, says: str
) -> RenderedFigure | None:
    if not which.any():
        return None
    codes = [category_codes(data.frame, column)[which] for column in ("reader", "strategy", "error_type")]
    counts = np.zeros((len(data.readers), len(data.strategies), len(ERROR_TYPE_NAMES)), dtype=np.int64)
    np.add.at(counts, tuple(codes), 1)
    named = {kind for kind, n in zip(ERROR_TYPE_NAMES, counts.sum(axis=(0, 1)), strict=True) if n}
    kinds = error_types_among(named)
    counts = counts[..., [ERROR_TYPE_NAMES.index(kind) for kind in kinds]]
    readers = np.flatnonzero(counts.any(axis=(1, 2)))
    strategies = np.flatnonzero(counts.any(axis=(0, 2)))
    names = [spoken(data.strategies[i]) for i in strategies]
    layout = row_panels([data.readers[i] for i in readers], names_width(names), 0.3 * len(names))
    colours = [ERRORS[kind][0] for kind in kinds]
    shares = counts / np.where((n := counts.sum(axis=2, keepdims=True)), n, np.nan)
    seen = np.nanmax(shares, axis=(0, 1)) >= _VISIBLE
    key = [
        (ERRORS[kind][1], Swatch(ERRORS[kind][0]))
        for kind, is_seen in zip(kinds, seen, strict=True)
        if is_seen
    ]
    note = "" if seen.all() else "Types of which no row has half a percent are in the table alone."
    sheet = new_sheet(layout, title, f"share of {says}, %", key, note)
    for index, reader in enumerate(readers):
        own = counts[reader][strategies]
        total = own.sum(axis=1, keepdims=True)
        most, others = usual_count(total[:, 0].tolist())
        facts = f"n = {most:,} answers a row{', or as it says' if others else ''}"
        axes = sheet.named_rows(index, data.readers[reader], facts, names)
        x_shares(axes)
        stack_across(axes, own / np.where(total, total, np.nan), colours)
        for place, number in others.items():
            text = f"n {number:,}" if number else "none"
            axes.text(1.015, place, text, va="center", fontsize=8.5, color=QUIET)
    sheet.name_x("share of answers")
    return RenderedFigure(
        name,
        title,
        "How answers err, of those that were scored. Self-doubt hedges, or declines to tell; what the "
        "endpoint refused has no score and is not here. “Wrong” names what the reference does not have. A "
        "wrong answer names nothing that is right or planted, nonsense names nothing, an empty one says "
        "nothing; the paper’s “other” is all three.",
        "Errors",
        sheet.figure,
        ("reader", "strategy", "n", *kinds),
        tuple(
            (data.readers[i], data.strategies[j], int(n), *(round_value(c / n) for c in counts[i, j]))
            for i in readers
            for j in strategies
            if (n := counts[i, j].sum())
        ),
    )


def draw_missing_and_extra(data: FigureData) -> Iterator[RenderedFigure]:
    """Missing and extra elements over context length (u-niah, figure 11).

    One figure, of answers whose elements are known: a row per reader, missing elements on the left and wrong
    ones on the right.
    """
    by = ("reader", "strategy", "length")
    found = {column: means(data.frame, column, *by, interval=mean_count) for column in _ELEMENTS}
    missing = found["n_missing"]
    if not missing:
        return
    readers = names_in(missing, 0)
    lengths = {length: data.lengths[length] for length in sorted(names_in(missing, 2))}
    drawn = {name: measure for name, measure in _ELEMENTS.items() if _are_any(found[name])} or _ELEMENTS
    # A row per reader with both measures beside each other; of one measure, readers as in other figures.
    layout = (
        SheetLayout(len(readers), len(drawn), 4.7, 1.9, gap=0.6)
        if len(drawn) > 1
        else reader_panels(readers, 2.1)
    )
    title = "Missing and extra elements over context length"
    bands = interval_label(missing, "bands", data.clusters)
    # What all panels show is said once.
    alone = next(iter(drawn.values())) if len(drawn) == 1 else ""
    subtitle = (
        f"mean number {'of ' * bool(alone)}{alone}{' ' * bool(alone)}an answer, of scored answers · {bands}"
    )
    key = data.key(names_in(missing, 1))
    named = with_room_for_names(layout, [name for name, _ in key])
    none = _none_note(_ELEMENTS[name] for name in _ELEMENTS if name not in drawn)
    note = " ".join(filter(None, (none, data.uneven_note)))
    sheet = new_sheet(named or layout, title, subtitle, () if named else key, note)
    for column, (name, measure) in enumerate(drawn.items()):
        highest = max(value_range(found[name].values())[1], _LEAST_ELEMENTS)
        for place, reader in enumerate(readers):
            own = {key[1:]: point for key, point in found[name].items() if key[0] == reader}
            heading = reader if column == 0 else ""
            at = (place, column) if len(drawn) > 1 else divmod(place, sheet.layout.columns)
            axes = sheet.panel(
                *at,
                heading,
                " · ".join(filter(None, ("" if alone else measure, n_label(own)))),
                span=len(drawn),
            )
            plain(axes)
            y_numbers(axes, 0, highest)
            x_lengths(axes, lengths, sheet.layout.width)
            banded = names_with_band(own, best=min)
            curves = curves_of(data.styles, own, data.length_places(lengths), banded)
            draw_curves(axes, curves)
            if named:
                name_lines(axes, line_ends(curves, spoken), sheet.layout.width, layout.height)
            if at[1] == 0:
                name_y(axes, "elements an answer")
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "missing-and-extra",
        title,
        "How many elements of the reference an answer leaves out, and how many it names that are wrong. "
        "Sets with more needles have more to miss, so compare lines, not heights of different runs."
        + few_bands_note(missing),
        "Errors",
        sheet.figure,
        ("measure", *LENGTH_COLUMNS),
        tuple(
            (measure, *row)
            for name, measure in _ELEMENTS.items()
            for row in rows_over_lengths(data, found[name])
        ),
    )


def _are_any(found: Estimates) -> bool:
    """Whether any mean is more than nought."""
    return any(point.estimate for point in found.values())


def _none_note(measures: Iterable[str]) -> str:
    """That no answer has what is not drawn; "" where all is."""
    return " ".join(f"No answer has {measure.removesuffix(' an answer')}." for measure in measures)


def draw_noise_ratio(data: FigureData) -> Iterator[RenderedFigure]:
    """What noise among the retrieved chunks does to answers (u-niah, figure 12).

    One figure, of complete retrieval: score, missing and wrong elements, a line per reader. Sets that ask for
    few elements and for many stand in rows of their own: the more a set asks for, the less of what is
    retrieved is noise, and the more an answer can miss.
    """
    found = _noise_means(data.frame)
    if not found["score"]:
        return
    styles = plain_styles(data.readers)
    present = [name for name in data.readers if name in names_in(found["score"], 1)]
    title = "The effect of noise among what is retrieved"
    # Bands of many readers would hide one another.
    banded = present if len(present) <= _FEW_READERS else ()
    told = interval_label(found["score"], "bands and whiskers", data.clusters)
    bands = told if banded else "no bands of so many readers"
    subtitle = f"RAG trials whose retrieval was complete, by noise ratio · {bands}"
    drawn = {name: points for name, points in found.items() if name == "score" or _are_any(points)}
    rows = names_in(found["score"], 0)
    layout = SheetLayout(len(rows), len(drawn), 3.3, 2.2, gap=0.6)
    key = [(name, styles[name]) for name in present]
    sheet = new_sheet(layout, title, subtitle, key, _noise_notes(found, drawn))
    for row, asked in enumerate(rows):
        for column, name in enumerate(drawn):
            _noise_panel(sheet, (row, column), asked, name, drawn, styles, banded)
    sheet.name_x("noise ratio: retrieved chunks without a needle (%)")
    yield RenderedFigure(
        "noise-ratio",
        title,
        "Only trials that retrieved every needle, so that what gets worse to the right is the reader's "
        "doing. Long contexts and generous scopes are the noisy ones: noise and length rise together. A "
        "point stands in the middle of its bin; compare within a row.",
        "Errors",
        sheet.figure,
        ("measure", "asked", "reader", "noise_from_percent", "noise_to_percent", *ESTIMATE_COLUMNS),
        tuple(
            (
                *(_NOISE_MEASURES[name], asked, reader),
                *(_NOISE_EDGES[place], _NOISE_EDGES[place + 1], *row_of(point)),
            )
            for name, estimates in found.items()
            for (asked, reader, place), point in estimates.items()
        ),
    )


def _noise_means(frame: DataFrame) -> dict[str, Estimates]:
    """Of each measure, by how many elements were asked for, reader and place of the bin of noise."""
    import pandas as pd

    noise = frame["noise_ratio"].where(frame["retrieval_completeness"] == 1)
    bins = range(len(_NOISE_EDGES) - 1)
    places = pd.cut(100 * noise, _NOISE_EDGES, include_lowest=True, labels=list(bins))
    binned = frame.assign(noise_bin=places, asked=_asked(frame))
    return {
        name: means(
            *(binned, name, "asked", "reader", "noise_bin"),
            interval=mean_count if name in _ELEMENTS else mean_interval,
        )
        for name in _NOISE_MEASURES
    }


def _noise_notes(found: Mapping[str, Estimates], drawn: Mapping[str, Estimates]) -> str:
    """What the sheet of noise leaves out; "" for nothing."""
    counts = [point.n for points in drawn.values() for point in points.values()]
    few = min(counts) < _FEW_TRIALS <= max(counts)
    notes = (
        _none_note(_NOISE_MEASURES[name] for name in found if found[name] and name not in drawn),
        f"Points of fewer than {_FEW_TRIALS} trials are in the table alone." if few else "",
    )
    return " ".join(filter(None, notes))


def _noise_panel(
    sheet: Sheet,
    at: tuple[int, int],
    asked: str,
    measure: str,
    drawn: Mapping[str, Estimates],
    styles: Mapping[str, Style],
    banded: Sequence[str],
) -> None:
    """One measure of the questions for so many elements, over noise; nothing where there is no answer."""
    row, column = at
    every = {key[1:]: point for key, point in drawn[measure].items() if key[0] == asked}
    own = {key: point for key, point in every.items() if point.n >= _FEW_TRIALS} or every
    if not own:
        return
    facts = f"{_NOISE_MEASURES[measure]} · {n_label(own)}"
    axes = sheet.panel(row, column, "" if column else asked, facts, span=1 if column else len(drawn))
    plain(axes)
    if column:
        y_numbers(axes, 0, max(value_range(own.values())[1], _LEAST_ELEMENTS))
    else:
        y_scores(axes, lowest_score(value_range(drawn["score"].values())[0]))
        name_y(axes, "mean score")
    _x_noise(axes, sheet.layout.width)
    draw_curves(axes, curves_of(styles, own, _NOISE_MIDDLES, banded), apart=False)


def _asked(frame: DataFrame) -> Categorical[str]:
    """How many elements each trial's question asks for, in bands each twice as wide as the last, in words."""
    import pandas as pd

    elements = frame["n_elements"].to_numpy(dtype=np.float64)
    known = ~np.isnan(elements)
    bands = np.full(len(elements), -1)
    bands[known] = np.log2(np.maximum(elements[known], 1)).astype(int)
    labels = {-1: _UNCOUNTED}
    for band in np.unique(bands[known]):
        own = elements[bands == band]
        low, high = int(own.min()), int(own.max())
        span = f"{low}" if low == high else f"{low}–{high}"
        labels[int(band)] = f"questions for {span} element{'s' if high > 1 else ''}"
    order = [labels[band] for band in sorted(labels) if band >= 0]
    return pd.Categorical([labels[int(band)] for band in bands], categories=[*order, _UNCOUNTED])


def _x_noise(axes: Axes, inches: float) -> None:
    """Noise from 0 to 100 %, to scale, with the bins' edges."""
    axes.set_xlim(_NOISE_EDGES[0], _NOISE_EDGES[-1])
    # Even steps are named alone: the edges near 100 stand too close to be.
    names = [str(edge) if edge % _NOISE_STEP == 0 else "" for edge in _NOISE_EDGES]
    edges = thinned(names, [edge * inches / 100 for edge in _NOISE_EDGES])
    axes.set_xticks(_NOISE_EDGES, edges)
