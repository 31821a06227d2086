"""Every figure of a report, in the order in which it shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.plots.figures.beside_papers import draw_beside_papers
from niah.plots.figures.effective_length import draw_effective_lengths
from niah.plots.figures.errors import (
    draw_error_types,
    draw_missing_and_extra,
    draw_noise_ratio,
    draw_outcomes,
)
from niah.plots.figures.figure_data import FigureData, figure_data
from niah.plots.figures.frontier import draw_score_by_cost, draw_score_by_tokens
from niah.plots.figures.heatmaps.heatmap_matrix import draw_heatmap_matrix
from niah.plots.figures.heatmaps.heatmaps import draw_heatmaps
from niah.plots.figures.needles_and_distractors import draw_distractors, draw_needle_in_needle
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
from niah.plots.kit.saved_figure import RenderedFigure, SavedFigure, save_figure
from niah.plots.kit.theme import themed
from niah.reference.numbers import ReferenceNumber, published

if TYPE_CHECKING:
    from pandas import DataFrame

OF_NEEDLES: tuple[Callable[[FigureData], Iterator[RenderedFigure]], ...] = (
    draw_figure_4,
    draw_figure_5,
    draw_figure_6,
    draw_figure_7,
    draw_figure_8,
    draw_figure_10,
    draw_figure_11,
    draw_figure_13,
    draw_figure_14,
)
"""Those of u-niah, whose questions are about needles."""

FIGURES: tuple[Callable[[FigureData], Iterator[RenderedFigure]], ...] = (
    draw_score_by_length,
    draw_score_by_kind,
    draw_heatmap_matrix,
    draw_heatmaps,
    draw_score_by_depth,
    draw_rag_minus_lc,
    draw_effective_lengths,
    draw_needle_in_needle,
    draw_distractors,
    draw_beside_papers,
    draw_retrieval_by_length,
    draw_context_organisation,
    draw_error_types,
    draw_missing_and_extra,
    draw_noise_ratio,
    draw_outcomes,
    draw_score_by_tokens,
    draw_score_by_cost,
    *OF_NEEDLES,
)


def draw_figures(frame: DataFrame, folder: Path, paper: str | None = None) -> list[SavedFigure]:
    """Draw every figure that the trials allow: NAME.svg, NAME.png and NAME.csv in ``folder``.

    Figures without data are left out. The same trials give the same bytes, in any order.

    Args:
        frame: of trials, see ``trial_frame``.
        folder: is made if need be.
        paper: whose published numbers stand beside the run's; every paper's without it.

    Raises UnknownName or ConfigError for a paper that cannot be read.
    """
    if frame.empty:
        return []
    numbers = published(paper)
    with themed():
        return [save_figure(rendered, folder) for rendered in rendered_figures(frame, numbers)]


def rendered_figures(frame: DataFrame, numbers: Sequence[ReferenceNumber] = ()) -> Iterator[RenderedFigure]:
    """The figures, drawn as they are asked for; ``numbers`` stand beside the run's."""
    planted = frame[frame["origin"] != "given"]
    data = figure_data(frame, numbers)
    of_needles = data if len(planted) == len(frame) else figure_data(planted, numbers)
    for draw in FIGURES:
        yield from draw(of_needles if draw in OF_NEEDLES else data)
