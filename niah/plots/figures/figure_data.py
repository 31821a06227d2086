"""What figures are drawn from: all trials as a table, and how strategies and lengths are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from niah.analysis.cells import Grid, cells, cells_of_like_sets
from niah.analysis.frame import category_names, is_length_grid, row_groups
from niah.analysis.lengths import length_labels, octave, octave_label
from niah.plots.figures.charts.estimates import Clusters
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import length_place
from niah.plots.kit.styles import Style, strategy_styles
from niah.plugins.registry import described
from niah.reference.numbers import ReferenceNumber
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from pandas import DataFrame


_NAMED_SETS = 2
_COMPARE = "one length may differ from another by what is asked there."


@dataclass(frozen=True)
class FigureData:
    """All trials, and what else figures need.

    Attributes:
        frame: one row a trial, in an order of its own, so that the order of trials changes no figure; see
            ``trial_frame``. Its column ``length`` is what stands on axes of lengths: the context length, or,
            where documents are as long as they are, the upper border of its band.
        lengths: those of the column, rising, each with its label: "4k", or "2k–4k" for a band.
        banded: whether these are bands.
        styles: of the strategies, in their order.
        published: numbers of papers, to stand beside the run's.
    """

    frame: DataFrame
    lengths: Mapping[int, str]
    banded: bool
    styles: Mapping[str, Style]
    published: Sequence[ReferenceNumber] = ()

    @cached_property
    def readers(self) -> tuple[str, ...]:
        """By name."""
        return category_names(self.frame, "reader")

    @cached_property
    def strategies(self) -> tuple[str, ...]:
        """Those without retrieval first."""
        return category_names(self.frame, "strategy")

    @cached_property
    def clusters(self) -> Clusters:
        """What trials of one cluster share, and what intervals over them are for."""
        origins = set(self.frame["origin"].dropna())
        if origins == {"given"}:
            return Clusters("documents", "new documents")
        if "given" in origins:
            return Clusters("needle set × seed, document", "new seeds of these needle sets, new documents")
        if self.frame["seed"].nunique() == 1:
            # Of other seeds one says nothing: what varies is needle sets.
            return Clusters("needle set × seed", "needle sets like these, with this one seed")
        return Clusters("needle set × seed", "new seeds of these needle sets")

    @cached_property
    def grids(self) -> tuple[Grid, ...]:
        """The heatmaps' numbers, a grid per reader and strategy that has been begun."""
        return tuple(grid for grid in cells(self.frame) if grid.begun)

    @cached_property
    def grids_of_like_sets(self) -> tuple[Grid, ...]:
        """The same, where needle sets are asked at other lengths or depths, each group of them apart."""
        return tuple(grid for grid in cells_of_like_sets(self.frame) if grid.begun)

    @cached_property
    def grids_per_set(self) -> tuple[Grid, ...]:
        """The same, a grid per reader, strategy and needle set."""
        return tuple(grid for grid in cells(self.frame, per_needle_set=True) if grid.begun)

    @cached_property
    def uneven_note(self) -> str:
        """Which needle sets are not asked at some lengths, which so have other questions; "" for none."""
        length = self.frame["length"].to_numpy()
        asked = {name: set(length[rows].tolist()) for (name,), rows in row_groups(self.frame, "needle_set")}
        every = set().union(*asked.values())
        lacking = {name: sorted(every - lengths) for name, lengths in asked.items() if every - lengths}
        if self.banded or not lacking:
            return ""
        if len(lacking) > _NAMED_SETS:
            return f"{len(lacking)} of {len(asked)} needle sets are not asked at every length: {_COMPARE}"
        parts = [
            f"{name} not at {', '.join(self.lengths[length] for length in lengths)}"
            for name, lengths in sorted(lacking.items())
        ]
        return f"Not every needle set is asked at every length ({'; '.join(parts)}): {_COMPARE}"

    def key(self, strategies: Iterable[str]) -> list[tuple[str, Style]]:
        """The key to these strategies, in their order, as people say them."""
        present = set(strategies)
        return [(spoken(name), style) for name, style in self.styles.items() if name in present]

    def length_places(self, lengths: Iterable[int]) -> dict[int, float]:
        """Where these lengths stand on the x axis."""
        return {length: length_place(length) for length in lengths}

    def length_value(self, length: int) -> int | str:
        """A length as tables hold it: in tokens, or the name of its band."""
        return self.lengths[length] if self.banded else length


@dataclass(frozen=True)
class ReportFigure:
    """A figure, or several alike, of a report.

    Attributes:
        draw: yields them, as many as the trials have data for; called inside ``themed``.
        of_needles: whether it gets the trials of needles alone, without questions over given documents.
        of_scores: whether it is drawn from the columns of ``score_frame`` alone, and from no paper's numbers.
    """

    draw: Callable[[FigureData], Iterable[RenderedFigure]]
    of_needles: bool = False
    of_scores: bool = False

    @property
    def description(self) -> str:
        """One line for people."""
        return described(self.draw)


def figure_data(frame: DataFrame, published: Sequence[ReferenceNumber] = ()) -> FigureData:
    """The data of at least one trial.

    Args:
        frame: of trials, see ``trial_frame``.
        published: numbers of papers, to stand beside the run's.
    """
    import pandas as pd

    frame = frame.sort_values(["case_id", "strategy", "reader", "repeat", "trial_id"], ignore_index=True)
    # Clusters are numbered as they first appear, and resampling goes by these numbers.
    frame["cluster"] = pd.factorize(frame["cluster"])[0]
    own = frame["context_length"].to_numpy().tolist()
    banded = not is_length_grid(frame)
    if banded:
        own = list(map(octave, own))
        labels = {upper: octave_label(upper) for upper in sorted(set(own))}
    else:
        lengths = sorted(set(own))
        labels = dict(zip(lengths, length_labels(lengths), strict=True))
    frame["length"] = pd.Categorical(own, categories=list(labels))
    styles = strategy_styles(category_names(frame, "strategy"))
    return FigureData(frame, labels, banded, styles, published)
