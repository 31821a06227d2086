"""What somebody asks of one figure as a file, checked, and the file written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.frame import category_names, trial_frame
from niah.errors import UnknownName, UserError
from niah.plots.kit.score_scale import mark_metric
from niah.plots.one_figure.figure_file import STYLES, FigureFormat, FigureLook, inches, write_figure
from niah.plots.one_figure.figure_needs import NEEDS
from niah.plots.registry import FIGURES, figure_names
from niah.runs.file.read_model import RunContents

if TYPE_CHECKING:
    from pandas import DataFrame

FIGURE_FORMATS: tuple[FigureFormat, ...] = ("pdf", "svg", "png")
_PLAIN = FigureLook().style
_LEAST_DPI, _MOST_DPI = 20, 2400


def figure_look(style: str, width: str | None, titled: bool, dpi: int | None) -> FigureLook:
    """What somebody wants of a figure, checked. Raises UserError.

    Args:
        style: a name of ``STYLES``.
        width: with its unit, such as "3.3in" or "84mm".
        titled: whether title and subtitle stand above it.
        dpi: dots an inch of a PNG.
    """
    if style not in STYLES:
        raise UnknownName("style", style, STYLES)
    if dpi is not None and not _LEAST_DPI <= dpi <= _MOST_DPI:
        raise UserError(f"{dpi} dots an inch cannot be drawn.", f"From {_LEAST_DPI} to {_MOST_DPI}.")
    return FigureLook(style, inches(width) if width is not None else None, titled, dpi)


def trials_of(run: RunContents, readers: Sequence[str], strategies: Sequence[str]) -> DataFrame:
    """The run's trials of these readers and strategies; of all where none is named. Raises UnknownName."""
    frame = trial_frame(run.records, run.samples, run.traits)
    mark_metric(frame, [run])
    for column, kind, names in (("reader", "reader", readers), ("strategy", "strategy", strategies)):
        known = category_names(frame, column)
        for name in names:
            if name not in known:
                raise UnknownName(kind, name, known)
        if names:
            frame = frame[frame[column].isin(names)]
            frame[column] = frame[column].cat.remove_unused_categories()
    return frame


def write_run_figure(
    frame: DataFrame, run: Path, name: str, out: Path | None, kind: str | None, look: FigureLook
) -> Path:
    """Draw one figure of a run's trials into a file; returns the file.

    Args:
        frame: of the trials to draw.
        run: their run file.
        name: of the figure.
        out: the file to write, of which the ending says the format; NAME.FORMAT here without it,
            NAME--STYLE.FORMAT in another style than a report's.
        kind: the format; PDF where neither says.
        look: how it is to look.

    Raises UnknownName for a figure that there is not, UserError for a format that there is not, where the run
    has no trials for it, and where it has several of that name, OSError for a file that cannot be written.
    """
    path, wanted = figure_target(name, out, kind, look.style)
    if len(several := figure_names(frame, name)) > 1:
        raise UserError(
            f"{run} has {len(several)} figures {name}: {', '.join(several)}.", "Name one of them."
        )
    if not write_figure(frame, name, path, wanted, look):
        raise no_trials_for(run, name)
    return path


def no_trials_for(run: Path, name: str) -> UserError:
    """What to say where a run has nothing for a figure that there is."""
    says = FIGURES.package(name) or "The docs' page Figures"
    needs = NEEDS.get(name) or f"{says} says which trials it needs."
    return UserError(f"{run} has no trials for the figure {name}.", needs)


def write_run_figures(
    frame: DataFrame, run: Path, name: str, out: Path | None, kind: str | None, look: FigureLook
) -> list[Path]:
    """The same, where no file is named all of those that a report has one of for each reader, or the like.

    Args:
        frame, run, name, out, kind, look: as for ``write_run_figure``.
    """
    several = [] if out else figure_names(frame, name)
    names = several if len(several) > 1 else [name]
    return [write_run_figure(frame, run, each, out, kind, look) for each in names]


def figure_target(
    name: str, out: Path | None, kind: str | None = None, style: str = _PLAIN
) -> tuple[Path, FigureFormat]:
    """The file to write and its format, for that style; see ``write_run_figure``. Raises UserError."""
    ending = out.suffix.lower().removeprefix(".") if out is not None else ""
    wanted = (kind or ending or "pdf").lower()
    if wanted not in FIGURE_FORMATS:
        raise UserError(f"there is no format {wanted}.", f"There are {', '.join(FIGURE_FORMATS)}.")
    if ending in FIGURE_FORMATS and ending != wanted:
        raise UserError(f"{out} ends in .{ending}, and the format is {wanted}.", "Leave one of them out.")
    if ending not in ("", wanted):
        raise UserError(
            f"{out} ends in .{ending}, and {wanted.upper()} would be written.", f"End it in .{wanted}."
        )
    path = out or Path(f"{name}{'' if style == _PLAIN else f'--{style}'}.{wanted}")
    if path.is_dir():
        raise UserError(f"{path} is a folder.", f"Name a file in it: {path / name}.{wanted}")
    return path, wanted
