"""Axes of figures: context lengths, scores, shares, counts, names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, inf, log10
from typing import TYPE_CHECKING, Literal

import numpy as np

from niah.judges.verdict import HIGHEST, LOWEST
from niah.plots.kit.lettering import fitted, width_of
from niah.plots.kit.page import page
from niah.plots.kit.score_scale import in_its_words, score_ticks
from niah.plots.kit.theme import QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GRID = "#e3e6e8"
TICK = 9.5
_NAMES_OF_PAGE = 0.3
"""So much of a narrow page's width goes to the names of rows at most."""


def plain(axes: Axes, grid: Literal["x", "y", "both"] = "y") -> None:
    """Grid lines in place of a frame."""
    axes.grid(axis=grid, color=GRID, linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, pad=5, labelsize=TICK)
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)


def length_place(length: float) -> float:
    """Where a context length stands on the x axis: its binary logarithm."""
    return float(np.log2(max(length, 1)))


def x_lengths(axes: Axes, lengths: Mapping[int, str], inches: float) -> None:
    """An x axis of context lengths, log2, labelled as far as there is room; every one may have a grid line.

    ``lengths`` are in tokens, rising, each with its label.
    """
    places = [length_place(length) for length in lengths]
    margin = max(0.25, (places[-1] - places[0]) * 0.04)
    axes.set_xlim(places[0] - margin, places[-1] + margin)
    per_inch = (places[-1] - places[0] + 2 * margin) / inches
    label_x(axes, places, thinned(list(lengths.values()), [place / per_inch for place in places]))
    axes.axhline(axes.get_ylim()[0], color=QUIET, linewidth=0.8, zorder=1)


def x_depths(axes: Axes, depths: Sequence[float], inches: float) -> None:
    """An x axis of depths in %, labelled as far as there is room."""
    low, high = min(depths), max(depths)
    margin = max(2.0, (high - low) * 0.04)
    axes.set_xlim(low - margin, high + margin)
    per_inch = (high - low + 2 * margin) / inches
    label_x(axes, depths, thinned([f"{depth:g}" for depth in depths], [d / per_inch for d in depths]))


def label_x(axes: Axes, places: Sequence[float], labels: Sequence[str]) -> None:
    """Labels of an x axis on one base line, whatever the height of their letters.

    Those that are "" stand for grid lines alone, where there are any.
    """
    has_lines = axes.xaxis.get_tick_params().get("gridOn", False)
    ticks = [(place, label) for place, label in zip(places, labels, strict=True) if label or has_lines]
    axes.set_xticks([place for place, _ in ticks], [label for _, label in ticks])
    for text in axes.get_xticklabels():
        text.set_verticalalignment("baseline")
    axes.tick_params(axis="x", pad=5 + TICK)


def thinned(labels: Sequence[str], places: Sequence[float], points: float = TICK) -> list[str]:
    """The labels, "" for those that would touch another; the last ones and the first are kept first.

    Args:
        labels: one each.
        places: of their middles, in inches, rising.
        points: their type size.
    """
    halves = [width_of(label, points) / 2 + 0.035 for label in labels]
    order = sorted(range(len(labels)), key=lambda i: _worth(labels[i], i, len(labels)))
    kept: list[int] = []
    for i in order:
        if all(abs(places[i] - places[j]) >= halves[i] + halves[j] for j in kept):
            kept.append(i)
    return [label if i in kept else "" for i, label in enumerate(labels)]


def _worth(label: str, index: int, count: int) -> tuple[int, int]:
    """The ends first, then powers of two, then all from the right."""
    number = label.rstrip("kM")
    power = number.isdigit() and int(number) & (int(number) - 1) == 0
    return (0 if index in (0, count - 1) else 1 if power else 2, -index)


def lowest_score(least: float) -> int:
    """Where an axis of scores may begin: the whole number below the ``least`` value, 7 at most.

    Else a figure of tens alone would have no height, and one of 9.8 and 10 would make much of little.
    """
    return max(LOWEST, min(7, floor(least)))


def lowest_share(least: float) -> float:
    """Where an axis of shares may begin: the quarter below the ``least`` value, a half at most."""
    return min(0.5, max(0.0, floor(4 * least) / 4))


def y_scores(axes: Axes, lowest: int, *, labelled: bool = True) -> None:
    """A y axis of mean scores from ``lowest`` to 10."""
    places, labels = zip(*score_ticks(lowest), strict=True)
    room = (HIGHEST - places[0]) * 0.03
    axes.set_ylim(places[0] - room, HIGHEST + room)
    axes.set_yticks(places, [label if labelled else "" for label in labels])


def y_shares(axes: Axes, lowest: float = 0.0, highest: float = 1.0, *, labelled: bool = True) -> None:
    """A y axis of shares from ``lowest`` to ``highest``, in percent."""
    ticks = round_ticks(lowest, highest, 6)
    room = (ticks[-1] - ticks[0]) * 0.03
    axes.set_ylim(ticks[0] - (room if lowest else 0), ticks[-1] + room)
    axes.set_yticks(ticks, [f"{100 * tick:g} %" if labelled else "" for tick in ticks])


def x_shares(axes: Axes) -> None:
    """An x axis of shares from 0 to 1, in percent; a narrow one names fewer."""
    ticks = [0, 0.25, 0.5, 0.75, 1]
    width = axes.get_window_extent().width / axes.figure.dpi
    axes.set_xlim(0, 1)
    axes.set_xticks(ticks, thinned(["0", "25", "50", "75", "100 %"], [tick * width for tick in ticks]))


def x_scores(axes: Axes, lowest: int) -> None:
    """An x axis of mean scores from ``lowest`` to 10."""
    places, labels = zip(*score_ticks(lowest), strict=True)
    axes.set_xlim(places[0] - 0.2, HIGHEST + 0.2)
    axes.set_xticks(places, labels)


def y_numbers(axes: Axes, low: float, high: float, *, labelled: bool = True) -> None:
    """A y axis from ``low`` to ``high``, with the round numbers between them."""
    ticks = [tick for tick in round_ticks(low, high) if low <= tick <= high]
    room = (high - low) * 0.03
    axes.set_ylim(low - room, high + room)
    axes.set_yticks(ticks, [f"{tick:g}" if labelled else "" for tick in ticks])


def round_ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round numbers that span ``low`` to ``high``, ``most`` of them at most."""
    span = max(high - low, 1e-9)
    power = 10.0 ** floor(log10(span / (most - 1)))
    for factor in (1, 2, 2.5, 5, 10, 20):
        step = factor * power
        first = floor(low / step + 1e-9)
        last = max(first + 1, ceil(high / step - 1e-9))
        if last - first < most:
            break
    return [round(i * step, 10) for i in range(first, last + 1)]


def y_names(axes: Axes, names: Sequence[str], inches: float) -> None:
    """A y axis of names, the first on top, in two lines where they need them; no names where all are ""."""
    texts = [fitted(name, TICK, inches, 2) for name in names] if any(names) else []
    axes.set_yticks(range(len(texts)), [text for text, _ in texts])
    axes.set_ylim(len(names) - 0.5, -0.5)
    for label, (_, size) in zip(axes.get_yticklabels(), texts, strict=True):
        label.set_fontsize(size)
        label.set_linespacing(1.0)


def names_width(names: Sequence[str], widest: float = 2.4) -> float:
    """How much room names need left of a y axis, in inches: as in ``y_names``, or less on a narrow page."""
    most = min(widest, (page().width or inf) * _NAMES_OF_PAGE)
    texts = (fitted(name, TICK, most, 2) for name in names)
    return max(width_of(line, size) for text, size in texts for line in text.split("\n")) + 0.02


def name_y(axes: Axes, name: str) -> None:
    """The y axis's name."""
    axes.set_ylabel(in_its_words(name), fontsize=10, color=QUIET, labelpad=6)
