"""Colours and marks: a strategy looks the same in every figure of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from niah.judges.error_types import ErrorType
from niah.plots.kit.theme import PALETTE, PAPER
from niah.runs.trial import Outcome
from niah.strategies.axes.retrieval_plan import RetrievalPlan
from niah.strategies.named import WHOLE_CONTEXT
from niah.strategies.strategy import strategy_of

Dash = str | tuple[float, tuple[float, ...]]

BLACK, GREY, PALE, AREA = "#000000", "#767676", "#a8a8a8", "#dfe3e6"
# Okabe and Ito's colours, which the colour-blind can tell apart, without yellow (too pale on white); then two
# of Tol's, which differ from them in lightness.
BLUE, VERMILION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
SKY, ORANGE, WINE, OLIVE = "#56b4e9", "#e69f00", "#882255", "#86862d"
CATEGORIES = (BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, WINE, OLIVE)

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p", "<", ">", "h")
_MARKED = 6
_TOGETHER = 5
# Of the palette: the palest shades cannot be seen on white, the darkest not on dark paper.
_LIGHTEST, _DARKEST = 0.8, 0.3
_REVERSE: Dash = (0, (4, 1.6))

ERRORS: Mapping[ErrorType, tuple[str, str]] = {
    "correct": (AREA, "correct"),
    "missing_only": (BLUE, "missing only"),
    "wrong_only": (VERMILION, "wrong only"),
    "missing_and_wrong": (PURPLE, "missing and wrong"),
    "self_doubt_complete": (SKY, "self-doubt, complete"),
    "self_doubt_incomplete": (ORANGE, "self-doubt, incomplete"),
    "taken_back": (GREEN, "taken back"),
    "wrong_answer": (WINE, "wrong answer"),
    "nonsense": ("#4d4d4d", "nonsense"),
    "empty": (OLIVE, "empty"),
    "other": ("#4d4d4d", "other"),
}
"""Each error type's colour, and its name for people."""

OUTCOME_COLOURS: Mapping[Outcome, str] = {
    "refused": PURPLE,
    "truncated": ORANGE,
    "overflow": BLUE,
    "reader_error": VERMILION,
    "preparation_error": WINE,
    "judge_error": GREEN,
    "not_run": "#d0d4d8",
}


@dataclass(frozen=True)
class Style:
    """How a line, and its points, are drawn; ``filled`` markers or hollow ones."""

    colour: str
    dash: Dash = "-"
    marker: str = "o"
    filled: bool = True

    @property
    def line(self) -> dict[str, Any]:
        """matplotlib's properties of a line with points."""
        return {
            "color": self.colour,
            "linestyle": self.dash,
            "linewidth": 1.6,
            "marker": self.marker,
            "markersize": 5.0,
            "markerfacecolor": self.colour if self.filled else PAPER,
            "markeredgecolor": PAPER if self.filled else self.colour,
            "markeredgewidth": 0.6 if self.filled else 1.3,
        }


def strategy_styles(strategies: Sequence[str]) -> dict[str, Style]:
    """A style for each strategy.

    Two that differ in norm and reverse order alone share their colour; the reverse one is dashed and hollow.
    Two names of the same strategy (``topk`` and ``minilm/top-auto/norm``) look different all the same.
    """
    families = list(dict.fromkeys(_family(name) for name in strategies if name not in WHOLE_CONTEXT))
    styles: dict[str, Style] = {}
    for name in strategies:
        style = _style(name, families)
        if style in styles.values():
            families.append(name)
            style = replace(_nth(len(families) - 1), dash=style.dash, filled=style.filled)
        styles[name] = style
    return styles


def plain_styles(names: Sequence[str]) -> dict[str, Style]:
    """A style for each of some names that are no strategies."""
    return {name: _nth(index) for index, name in enumerate(names)}


def length_styles(lengths: Iterable[int]) -> dict[int, Style]:
    """A style for each context length: light for the short, dark for the long, one hue scale throughout."""
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    rising = sorted(lengths)
    shades = colormaps[PALETTE](np.linspace(_LIGHTEST, _DARKEST, len(rising)))
    colours = [to_hex(shade) for shade in shades]
    return {
        length: Style(colour, marker="" if len(rising) > _MARKED else marker)
        for length, colour, marker in zip(rising, colours, cycle(_MARKERS))
    }


def few_in_focus(styles: Mapping[int, Style], worst: int) -> dict[int, Style]:
    """Of more than five lengths the shortest, the longest and the ``worst``, with their styles.

    Where the worst is an end, the middle stands for the others. More lines than that are a tangle in which
    nobody finds the one that dips.
    """
    lengths = sorted(styles)
    if len(lengths) <= _TOGETHER:
        return dict(styles)
    ends = {lengths[0], lengths[-1]}
    focus = ends | {lengths[(len(lengths) - 1) // 2] if worst in ends else worst}
    return {length: replace(style, marker="") for length, style in styles.items() if length in focus}


def plan_of(strategy: str) -> RetrievalPlan | None:
    """What a strategy retrieves; None for a whole-context one, or a name that this version cannot read."""
    return strategy_of(strategy).retrieval


def _family(strategy: str) -> str:
    known = strategy_of(strategy)
    if (plan := known.retrieval) is None:
        return strategy
    order = "" if known.best_first or known.best_last else plan.order
    return f"{plan.unordered}/{order}"


def _style(strategy: str, families: Sequence[str]) -> Style:
    known = strategy_of(strategy)
    if known.sends_context:
        return Style(BLACK)
    if known.is_ceiling:
        return Style(GREY, (0, (5, 1.5)), "s")
    if known.is_floor:
        return Style(PALE, (0, (1.2, 1.2)), "^")
    reverse = known.best_last
    style = _nth(families.index(_family(strategy)))
    return replace(style, dash=_REVERSE if reverse else "-", filled=not reverse)


def _nth(index: int) -> Style:
    """A colour and a mark by their place; 88 are different."""
    return Style(CATEGORIES[index % len(CATEGORIES)], marker=_MARKERS[index % len(_MARKERS)])
