"""What a heatmap's cell says, as far as its size has room."""

from __future__ import annotations

from dataclasses import dataclass, replace

from niah.analysis.cells import Cell
from niah.plots.kit.labels import SHORT_OUTCOMES, mean_label, outcome_label
from niah.plots.kit.lettering import width_of
from niah.plots.kit.theme import POINTS_PER_INCH

# A digit's width and a line's height in ems.
_EM, _LEADING = 0.64, 1.15
# The type sizes of n and of a word, as shares of a mean's; the least that can be read, in points.
_SMALLER, _SMALL, _SMALLEST = 0.62, 0.8, 5.0
# Of a cell's width and height, how much its text may fill.
_ACROSS, _DOWN = 0.92, 0.86
_LONG_LINE = len("truncated")
_NEVER = "no trial"


@dataclass(frozen=True)
class CellLine:
    """A line of text, its type size in points, and how far below the cell's middle its own is, in inches.

    One that is ``turned`` reads upwards.
    """

    text: str
    points: float
    below: float = 0.0
    turned: bool = False


def cell_lines(
    cell: Cell,
    width: float,
    height: float,
    usual: int | None = None,
    *,
    alike: int = 1,
) -> tuple[CellLine, ...]:
    """The text of a cell of so many inches, without the number of trials where that is the ``usual`` one.

    A mean, and how many trials it is of where the cell is large enough; or why there is none, in words, with
    how many trials that kept from a score: "reader error 2 of 3". Of so many cells ``alike`` below one
    another, all without a score for one reason, it is said once.
    """
    if cell.mean is not None:
        return _scored(cell, width, height, usual)
    return _missing(cell, width, height, alike)


def why_missing(cell: Cell) -> str:
    """What kept a cell from being scored, in short lines: "truncated 3", "reader error 2 of 3"."""
    if cell.hindrance is None:
        return _NEVER
    outcome, count = cell.hindrance
    words = outcome_label(outcome)
    if len(words) > _LONG_LINE:
        words = words.replace(" ", "\n")
    return f"{words}\n{count}" + (f" of {cell.trials}" if count < cell.trials else "")


def shows_n(width: float, height: float) -> bool:
    """Whether a cell of so many inches has room to say how many trials there are."""
    return _SMALLER * _above(width, height) >= _SMALLEST


def _scored(cell: Cell, width: float, height: float, usual: int | None) -> tuple[CellLine, ...]:
    assert cell.mean is not None
    mean = mean_label(cell.mean)
    points = _above(width, height)
    if not shows_n(width, height):
        return (_narrowed(CellLine(mean, _alone(width, height)), width),)
    if cell.n == usual and not cell.partial:
        return (_narrowed(CellLine(mean, points), width),)
    n = f"n {cell.n}/{cell.trials}" if cell.partial else f"n {cell.n}"
    lines = CellLine(mean, points, -0.11 * height), CellLine(n, _SMALLER * points, 0.26 * height)
    return tuple(_narrowed(line, width) for line in lines)


def _missing(cell: Cell, width: float, height: float, alike: int) -> tuple[CellLine, ...]:
    if shows_n(width, height):
        lines = why_missing(cell).split("\n")
        most = min(7.5, _DOWN * height * POINTS_PER_INCH / (len(lines) * _LEADING))
        points = min(_narrowed(CellLine(line, most), width).points for line in lines)
        step = points * _LEADING / POINTS_PER_INCH
        return tuple(
            CellLine(line, points, step * (i - (len(lines) - 1) / 2)) for i, line in enumerate(lines)
        )
    points = _SMALL * _alone(width, height)
    words, short = _words(cell)
    if width_of(words, points) <= _ACROSS * width:
        return (CellLine(words, points),)
    tall = min(8.5, 0.6 * width * POINTS_PER_INCH)
    if alike > 1 and width_of(words, tall) <= _ACROSS * height * alike:
        return (CellLine(words, tall, turned=True),)
    return (_narrowed(CellLine(short, points), width),)


def _words(cell: Cell) -> tuple[str, str]:
    """Why there is no score, in a word or two, and shorter."""
    if cell.hindrance is None:
        return _NEVER, "–"
    outcome, _ = cell.hindrance
    return outcome_label(outcome), SHORT_OUTCOMES[outcome]


def _above(width: float, height: float) -> float:
    """The type size of a mean with n below it."""
    return min(11.0, 0.36 * height * POINTS_PER_INCH, width * POINTS_PER_INCH / (4 * _EM))


def _alone(width: float, height: float) -> float:
    """The type size of a mean with nothing below it."""
    return min(9.0, 0.48 * height * POINTS_PER_INCH, width * POINTS_PER_INCH / (3.3 * _EM))


def _narrowed(line: CellLine, width: float) -> CellLine:
    """The line, smaller where the cell is too narrow for it."""
    most = line.points * _ACROSS * width / width_of(line.text, line.points)
    return replace(line, points=min(line.points, most))
