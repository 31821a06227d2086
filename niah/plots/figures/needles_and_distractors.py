"""What needles in long passages do, and what distractors do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from niah.plots.figures.charts.bars import draw_dots
from niah.plots.figures.charts.estimates import (
    ESTIMATE_COLUMNS,
    interval_label,
    means,
    n_label,
    names_in,
    row_of,
    trials_label,
    value_range,
)
from niah.plots.figures.charts.lines import curves_of, draw_curves
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import lowest_score, name_y, names_width, plain, x_scores, y_scores
from niah.plots.kit.sheets.layout import SheetLayout, row_panels
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import BLUE, VERMILION, Style
from niah.strategies.strategy import spoken

_PLAIN, _NESTED = "plain needles", "nested needles"
_NESTED_KEY = ((_PLAIN, Style(BLUE, filled=False)), (_NESTED, Style(VERMILION, marker="s")))
_HARDNESS = ("easy", "medium", "hard", "any")
_NO_DISTRACTOR = "none"
_WIDTHS = {1: 6.4, 2: 4.7, 3: 3.3, 4: 2.5}


def draw_needle_in_needle(data: FigureData) -> Iterator[RenderedFigure]:
    """Sets whose needles hide in long passages against plain ones (u-niah, figures 13 and 14).

    One figure, where both kinds of sets were asked at the same lengths.
    """
    import pandas as pd

    kinds = data.frame["nested"].map({False: _PLAIN, True: _NESTED})
    frame = data.frame.assign(needles=pd.Categorical(kinds, categories=[_PLAIN, _NESTED]))
    scored = frame[frame["scored"]]
    common = set.intersection(
        *(set(scored["length"][scored["needles"] == kind]) for kind in (_PLAIN, _NESTED))
    )
    score = np.where(frame["length"].isin(common), frame["score"], np.nan)
    found = means(frame, score, "reader", "strategy", "needles")
    if not found:
        return
    readers = names_in(found, 0)
    names = [name for name in data.strategies if name in names_in(found, 1)]
    spoken_names = list(map(spoken, names))
    layout = row_panels(readers, names_width(spoken_names), 0.34 * len(names) + 0.15)
    title = "Needle in needle"
    subtitle = "mean score over the lengths that both kinds of needle sets have · " + interval_label(
        found, "whiskers", data.clusters
    )
    sheet = new_sheet(layout, title, subtitle, _NESTED_KEY)
    lowest = lowest_score(value_range(found.values())[0])
    for index, reader in enumerate(readers):
        own = {key[1:]: point for key, point in found.items() if key[0] == reader}
        axes = sheet.named_rows(index, reader, trials_label(own), spoken_names)
        x_scores(axes, lowest)
        draw_dots(axes, [(style, [own.get((name, kind)) for name in names]) for kind, style in _NESTED_KEY])
    sheet.name_x("mean score")
    yield RenderedFigure(
        "needle-in-needle",
        title,
        "Nested needles stand inside long passages, unevenly, so that retrieval must cut them; plain ones "
        "stand alone. The sets ask different questions: compare the gap of strategies, not the gap itself.",
        "Scores",
        sheet.figure,
        ("reader", "strategy", "nested", *ESTIMATE_COLUMNS),
        tuple((*key[:2], key[2] == _NESTED, *row_of(point)) for key, point in found.items()),
    )


def draw_distractors(data: FigureData) -> Iterator[RenderedFigure]:
    """Mean score over the number of distractors: a row per reader, a column per hardness.

    One figure; contexts without distractors stand in every column.
    """
    import pandas as pd

    planted = data.frame["n_distractors"].where(data.frame["origin"] != "given")
    asked = sorted(planted.dropna().unique())
    if len(asked) < 2:  # as in most runs, which have nothing to show here
        return
    hardness = data.frame["distractor_hardness"].astype(object).where(planted > 0, _NO_DISTRACTOR)
    frame = data.frame.assign(
        planted=pd.Categorical(planted, categories=asked),
        hardness=pd.Categorical(hardness, categories=[_NO_DISTRACTOR, *_HARDNESS]),
    )
    found = means(frame, "score", "reader", "hardness", "strategy", "planted")
    numbers = sorted(names_in(found, 3))
    columns = [name for name in _HARDNESS if name in names_in(found, 1)]
    if len(numbers) < 2 or not columns:
        return
    readers = names_in(found, 0)
    layout = SheetLayout(len(readers), len(columns), _WIDTHS[len(columns)], 2.0, gap=0.3)
    title = "The effect of distractors"
    subtitle = "mean score over the number of distractors, by their hardness · " + interval_label(
        found, "bands", data.clusters
    )
    sheet = new_sheet(layout, title, subtitle, data.key(names_in(found, 2)))
    lowest = lowest_score(value_range(found.values())[0])
    places = {number: float(place) for place, number in enumerate(numbers)}
    for row, reader in enumerate(readers):
        for column, hard in enumerate(columns):
            drawn = [(reader, _NO_DISTRACTOR), (reader, hard)]
            own = {key[2:]: point for key, point in found.items() if key[:2] in drawn}
            facts = f"{hard} distractors · {n_label(own)}"
            axes = sheet.panel(row, column, reader if column == 0 else "", facts, span=len(columns))
            plain(axes)
            y_scores(axes, lowest, labelled=column == 0)
            axes.set_xlim(-0.3, len(numbers) - 0.7)
            axes.set_xticks(range(len(numbers)), [f"{number:g}" for number in numbers])
            draw_curves(axes, curves_of(data.styles, own, places))
            if column == 0:
                name_y(axes, "mean score")
    sheet.name_x("distractors in the context")
    yield RenderedFigure(
        "distractors",
        title,
        "Distractors look like needles and answer another question: hard ones differ from a needle in one "
        "attribute, medium ones say it in other words, easy ones are only about the same matter.",
        "Scores",
        sheet.figure,
        ("reader", "hardness", "strategy", "distractors", *ESTIMATE_COLUMNS),
        tuple(
            (reader, None if hard == _NO_DISTRACTOR else hard, strategy, int(number), *row_of(point))
            for (reader, hard, strategy, number), point in found.items()
        ),
    )
