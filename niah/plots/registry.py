"""Every figure of a report, in the order in which it shows them."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from niah.errors import UserError
from niah.plots.figures.beside_papers import draw_beside_papers
from niah.plots.figures.effective_length import draw_effective_lengths
from niah.plots.figures.errors import (
    draw_error_types,
    draw_missing_and_extra,
    draw_noise_ratio,
)
from niah.plots.figures.figure_data import FigureData, ReportFigure, figure_data
from niah.plots.figures.frontier import draw_score_by_cost, draw_score_by_tokens
from niah.plots.figures.heatmaps.heatmap_matrix import draw_heatmap_matrix
from niah.plots.figures.heatmaps.heatmaps import draw_heatmaps
from niah.plots.figures.needles_and_distractors import draw_distractors, draw_needle_in_needle
from niah.plots.figures.outcomes import draw_outcomes
from niah.plots.figures.rag_papers.breakdowns import (
    draw_lc_vs_rag_figure_3,
    draw_lc_vs_rag_figure_4,
    draw_lc_vs_rag_figure_6,
    draw_lc_vs_rag_figure_7,
)
from niah.plots.figures.rag_papers.budgets import draw_score_by_budget, draw_score_by_budget_cost
from niah.plots.figures.retrieval import draw_context_organisation, draw_retrieval_by_length
from niah.plots.figures.scores import (
    draw_rag_minus_lc,
    draw_score_by_depth,
    draw_score_by_kind,
    draw_score_by_length,
)
from niah.plots.figures.u_niah.differences import draw_figure_7, draw_figure_8, draw_figure_14
from niah.plots.figures.u_niah.errors import draw_figure_10, draw_figure_11
from niah.plots.figures.u_niah.whole_context import (
    draw_figure_4,
    draw_figure_5,
    draw_figure_6,
    draw_figure_13,
)
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.score_scale import SCORED_BY, scored_by
from niah.plugins.registry import Registry, error_line
from niah.reference.numbers import ReferenceNumber, published

if TYPE_CHECKING:
    from pandas import DataFrame

_OTHER_STEMS = ("needle-sets",)
"""What figures of several may be called like, beside the names of ``FIGURES``."""


def _report_figure(name: str, made: object) -> ReportFigure:
    """A function of the trials' data as a figure. Raises TypeError for what is neither."""
    if isinstance(made, ReportFigure):
        return made
    if not callable(made):
        raise TypeError("it is no function of FigureData that yields RenderedFigures")
    return ReportFigure(made)


FIGURES: Registry[ReportFigure] = Registry(
    "figures",
    {
        "score-by-length": ReportFigure(draw_score_by_length, of_scores=True),
        "score-by-kind": draw_score_by_kind,
        "heatmap-matrix": ReportFigure(draw_heatmap_matrix, of_scores=True),
        "heatmaps": ReportFigure(draw_heatmaps, of_scores=True),
        "score-by-depth": ReportFigure(draw_score_by_depth, of_scores=True),
        "rag-minus-lc": ReportFigure(draw_rag_minus_lc, of_scores=True),
        "effective-length": ReportFigure(draw_effective_lengths, of_scores=True),
        "needle-in-needle": draw_needle_in_needle,
        "distractors": draw_distractors,
        "beside-papers": draw_beside_papers,
        "retrieval-by-length": draw_retrieval_by_length,
        "context-organisation": draw_context_organisation,
        "error-types": draw_error_types,
        "missing-and-extra": draw_missing_and_extra,
        "noise-ratio": draw_noise_ratio,
        "outcomes": draw_outcomes,
        "score-by-tokens": draw_score_by_tokens,
        "score-by-cost": draw_score_by_cost,
        "score-by-budget": draw_score_by_budget,
        "score-by-budget-cost": draw_score_by_budget_cost,
        "lc-vs-rag-figure-3": draw_lc_vs_rag_figure_3,
        "lc-vs-rag-figure-4": draw_lc_vs_rag_figure_4,
        "lc-vs-rag-figure-6": draw_lc_vs_rag_figure_6,
        "lc-vs-rag-figure-7": draw_lc_vs_rag_figure_7,
        # Those of u-niah, whose questions are about needles.
        "u-niah-figure-4": ReportFigure(draw_figure_4, of_needles=True),
        "u-niah-figure-5": ReportFigure(draw_figure_5, of_needles=True),
        "u-niah-figure-6": ReportFigure(draw_figure_6, of_needles=True),
        "u-niah-figure-7": ReportFigure(draw_figure_7, of_needles=True),
        "u-niah-figure-8": ReportFigure(draw_figure_8, of_needles=True),
        "u-niah-figure-10": ReportFigure(draw_figure_10, of_needles=True),
        "u-niah-figure-11": ReportFigure(draw_figure_11, of_needles=True),
        "u-niah-figure-13": ReportFigure(draw_figure_13, of_needles=True),
        "u-niah-figure-14": ReportFigure(draw_figure_14, of_needles=True),
    },
    _report_figure,
)
"""In the order of a report; those of packages at the end."""

OF_SCORES = tuple(name for name in FIGURES.own if FIGURES[name].of_scores)
"""Figures that need no more than ``score_frame`` has."""


def rendered_figures(
    frame: DataFrame,
    numbers: Sequence[ReferenceNumber] = (),
    names: Iterable[str] | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[RenderedFigure]:
    """The figures, drawn as they are asked for. Call it inside ``themed``.

    Args:
        frame: of trials.
        numbers: of papers, that stand beside the run's.
        names: of ``FIGURES``, each asked for when those before it are drawn; all without them.
        say: is called with a line for each figure of an installed package that cannot be drawn.
    """
    planted = frame[frame["origin"] != "given"]
    data = figure_data(frame, numbers)
    of_needles = data if len(planted) == len(frame) else figure_data(planted, numbers)
    for name in FIGURES if names is None else names:
        figure = FIGURES[name]
        own = of_needles if figure.of_needles else data
        with scored_by(frame.attrs.get(SCORED_BY, "")):
            is_ours = name in FIGURES.own
            drawn = list(figure.draw(own)) if is_ours else _drawn_by_package(name, figure, own, say)
        yield from drawn
        del drawn
        if not gc.isenabled():  # every figure is full of circles, and whoever does not collect has many
            gc.collect(0)  # what is none by now stays: to look at all again takes longer than to keep it


def _drawn_by_package(
    name: str, figure: ReportFigure, data: FigureData, say: Callable[[str], None]
) -> list[RenderedFigure]:
    """What another package draws; nothing, and a line, where it fails: the other figures are drawn."""
    try:
        drawn = list(figure.draw(data))
        for one in drawn:
            if not isinstance(one, RenderedFigure):
                raise TypeError(f"it gives a {type(one).__name__}, not a RenderedFigure")
            if any(len(row) != len(one.columns) for row in one.rows):
                raise ValueError(f"a row of {one.name} has not as many values as there are columns")
        # A reader's name in it, such as openai/gpt-4o, would be a folder.
        return [replace(one, name=re.sub(r"[/\\\0]+", "-", one.name)) for one in drawn]
    except Exception as error:
        say(f"the figure {name} of {FIGURES.package(name)} cannot be drawn: {error_line(error)}.")
        return []


def _refuse(line: str) -> NoReturn:
    """Where one figure is asked for, that it fails is the answer."""
    raise UserError(line, "Mend that package.")


def figure_names(frame: DataFrame, name: str) -> list[str]:
    """What those are called that ``name`` stands for: itself, or the figures of its several readers.

    None where the trials have nothing for it. Raises UnknownName, and UserError where a package's fails.
    """
    from niah.plots.kit.theme import themed

    with themed():
        found = figure_named(frame, name)
        if found is None or found.name == name or not FIGURES.get(name):
            return [found.name] if found else []
        return [one.name for one in rendered_figures(frame, published(None), (name,), _refuse)]


def figure_named(frame: DataFrame, name: str) -> RenderedFigure | None:
    """One figure: the first of those that ``FIGURES`` has by that name, or one that a report calls so.

    None where the trials have nothing for it. Call it inside ``themed``. Raises UnknownName, and UserError
    where it is a package's and fails.
    """
    if FIGURES.get(name):
        drawn = list(rendered_figures(frame, published(None), (name,), _refuse))
        exact = (one for one in drawn if one.name == name)
        if len(drawn) < 2:
            return next(iter(drawn), None)
        # Of several that are called after what they show, a report may have another by the very name.
        others = (one for one in rendered_figures(frame, published(None)) if one.name == name)
        return next(exact, None) or next(others, drawn[0])
    starts = (*FIGURES, *_OTHER_STEMS)
    if not any(name.startswith(f"{start}-") for start in starts):
        FIGURES.find(name, "figure")
    added = [start for start in FIGURES.added if name.startswith(f"{start}-")]
    for one in rendered_figures(frame, published(None), added, _refuse):
        if one.name == name:
            return one
    return next((one for one in rendered_figures(frame, published(None)) if one.name == name), None)
