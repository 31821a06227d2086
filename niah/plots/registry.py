"""Every figure of a report, in the order in which it shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from niah.cases.case import Case
from niah.errors import UserError
from niah.needles.load import load_needle_set
from niah.plots.figures import (
    beside_papers,
    distractors,
    effective_length,
    error_types,
    frontier,
    missing_and_extra,
    nested,
    noise_ratio,
    organisation,
    outcomes,
    rag_minus_lc,
    retrieval_by_length,
    score_by_depth,
    score_by_length,
)
from niah.plots.figures.figure_data import FigureData, figure_data
from niah.plots.figures.heatmaps import heatmap_matrix, heatmaps
from niah.plots.kit.saved_figure import RenderedFigure, SavedFigure, save_figure
from niah.plots.kit.theme import themed
from niah.reference.numbers import published
from niah.runs.trial import TrialRecord

FIGURES: tuple[Callable[[FigureData], Iterator[RenderedFigure]], ...] = (
    score_by_length.paint,
    heatmap_matrix.paint,
    heatmaps.paint,
    score_by_depth.paint,
    rag_minus_lc.paint,
    effective_length.paint,
    nested.paint,
    distractors.paint,
    beside_papers.paint,
    retrieval_by_length.paint,
    organisation.paint,
    error_types.paint,
    missing_and_extra.paint,
    noise_ratio.paint,
    outcomes.paint,
    frontier.paint_tokens,
    frontier.paint_cost,
)


def draw_figures(
    records: Sequence[TrialRecord],
    folder: Path,
    cases: Mapping[str, Case] | None = None,
    paper: str | None = None,
) -> list[SavedFigure]:
    """Draw every figure that the records allow: NAME.svg, NAME.png and NAME.csv in ``folder``.

    Figures without data are left out. The same records give the same bytes, in any order.

    Args:
        records: of one run, or several.
        folder: is made if need be.
        cases: the recipes by case id (``RunStore.cases``), which tell of distractors.
        paper: whose published numbers stand beside the run's; every paper's without it.

    Raises UnknownName or ConfigError for a paper that cannot be read.
    """
    if not records:
        return []
    nested = nested_sets({(r.needle_set, r.seed) for r in records})
    data = figure_data(records, cases or {}, nested, published(paper))
    with themed():
        return [save_figure(rendered, folder) for paint in FIGURES for rendered in paint(data)]


def nested_sets(drawn: Iterable[tuple[str, int]]) -> frozenset[str]:
    """Which needle sets, given with a seed, have needles inside long passages; one not at hand has none."""
    return frozenset(name for name, seed in dict(sorted(drawn)).items() if _is_nested(name, seed))


def _is_nested(name: str, seed: int) -> bool:
    try:
        return bool(load_needle_set(name, seed).passages)
    except UserError:
        return False
