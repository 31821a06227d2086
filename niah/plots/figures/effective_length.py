"""Effective length of each reader with each strategy (design, section 9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from niah.analysis.effective_length import SHARE, EffectiveLength, effective_lengths
from niah.analysis.stats import LEAST_CLUSTERS
from niah.plots.figures.charts.estimates import round_value
from niah.plots.figures.figure_data import FigureData
from niah.plots.kit.labels import mean_label
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.scales import length_place, names_width, x_lengths
from niah.plots.kit.sheets.layout import row_panels
from niah.plots.kit.sheets.sheet import new_sheet
from niah.plots.kit.styles import Style
from niah.plots.kit.theme import QUIET
from niah.plots.table_words import TOO_FEW
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = (
    "reader",
    "strategy",
    "effective_length",
    "low",
    "high",
    "base",
    "shortest",
    "longest",
    "n",
    "clusters",
)


def draw_effective_lengths(data: FigureData) -> Iterator[RenderedFigure]:
    """One figure, where there is more than one length, and all were asked for.

    A reader of too few clusters for any interval has no panel; a note names it.
    """
    lengths = data.lengths
    found = () if data.banded or len(lengths) < 2 else effective_lengths(data.frame)
    if not found:
        return
    known = {one.reader for one in found if one.clusters >= LEAST_CLUSTERS}
    if not known:
        return
    readers = [name for name in data.readers if name in known]
    untold = sorted({one.reader for one in found} - known)
    names = [name for name in data.strategies if any(one.strategy == name for one in found)]
    layout = row_panels(readers, names_width([spoken(name) for name in names]), 0.32 * len(names) + 0.15)
    title = "Effective length"
    note = _key([one for one in found if one.reader in known], max(lengths), untold)
    sheet = new_sheet(layout, title, _subtitle(found, data.clusters.others), note=note)
    for index, reader in enumerate(readers):
        own = {one.strategy: one for one in found if one.reader == reader}
        axes = sheet.named_rows(index, reader, _facts(list(own.values())), list(map(spoken, names)))
        x_lengths(axes, lengths, sheet.layout.width)
        below = _make_room_below(axes)
        for place, name in enumerate(names):
            if name in own:
                _draw(axes, own[name], place, data.styles[name], lengths, below)
    sheet.name_x("context length (tokens)")
    yield RenderedFigure(
        "effective-length",
        title,
        "How long a context may be before the mean score over depths, made to fall with length, is below "
        "85 % of the model's own base: its mean over the whole context at the shortest length. Whiskers: 95 "
        f"% of resampled clusters, for {data.clusters.others}; one that reaches the "
        "left edge says that perhaps not even the shortest length holds.",
        "Scores",
        sheet.figure,
        _COLUMNS,
        tuple(
            (
                one.reader, one.strategy, one.length, one.low, one.high, round_value(one.base), one.shortest,
                one.longest, one.n, one.clusters,
            )
            for one in found
        ),
    )  # fmt: skip


def _subtitle(found: Sequence[EffectiveLength], others: str) -> str:
    drawn = any(one.clusters >= LEAST_CLUSTERS for one in found)
    none = f"no whiskers: below {LEAST_CLUSTERS} clusters"
    whiskers = f"whiskers: 95 % for {others}" if drawn else none
    return f"longest context that keeps {100 * SHARE:.0f} % of the base on the mean of depths · {whiskers}"


def _facts(own: Sequence[EffectiveLength]) -> str:
    bases = sorted({mean_label(one.base) for one in own}, key=float)
    base = bases[0] if len(bases) == 1 else f"{bases[0]}–{bases[-1]}"
    return f"base {base} · n = {sum(one.n for one in own):,} trials"


def _key(drawn: Sequence[EffectiveLength], longest: int, untold: Sequence[str]) -> str:
    """What the marks that are drawn mean, and who has none."""
    said = []
    if any(one.is_known and _is_open(one, longest) for one in drawn):
        said.append("→\u00a0holds at the longest length: may be more.")
    if any(one.length is None for one in drawn):
        said.append("×\u00a0not even the shortest length holds.")
    if not all(one.is_known for one in drawn):
        said.append(f"Hollow, {TOO_FEW}: of so few trials or clusters it could be any length.")
    if untold:
        said.append(f"No panel, {TOO_FEW} throughout: {', '.join(untold)}.")
    return "   ".join(said)


def _is_open(one: EffectiveLength, longest: int) -> bool:
    """Whether it is the longest length that was asked: it may be more."""
    return one.length is not None and one.length == one.longest == longest


def _make_room_below(axes: Axes) -> float:
    """The place for none, left of the shortest length."""
    low, high = axes.get_xlim()
    axes.set_xlim(low - 0.08 * (high - low), high)
    return float(low)


def _draw(
    axes: Axes, one: EffectiveLength, row: int, style: Style, lengths: Mapping[int, str], below: float
) -> None:
    ends = [below if length is None else length_place(length) for length in (one.low, one.length, one.high)]
    if one.clusters >= LEAST_CLUSTERS:
        axes.hlines(row, ends[0], ends[2], colors=style.colour, linewidths=2, alpha=0.5, zorder=2)
    beside: dict[str, Any] = {
        "xycoords": axes.get_yaxis_transform(),
        "va": "center",
        "fontsize": 9,
        "color": QUIET,
    }
    beyond = _is_open(one, max(lengths))
    look = {**style.line, "linestyle": "none", "markersize": 7.5}
    vague = not one.is_known
    if vague:
        look |= {"markerfacecolor": "white", "markeredgecolor": style.colour, "markeredgewidth": 1.2}
    if one.length is None:
        look |= {"marker": "x", "markeredgecolor": style.colour, "markeredgewidth": 1.6}
    axes.plot(ends[1], row, clip_on=False, zorder=3, **look)
    if vague:
        axes.annotate(TOO_FEW, (1.02, row), **beside)
    elif one.length is not None:
        text = lengths[one.length] + (" →" if beyond else "")
        axes.annotate(text, (1.02, row), **beside)
