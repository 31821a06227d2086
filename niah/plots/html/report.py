"""The report that people click through: one HTML file that needs no network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah import __version__
from niah.analysis.causes.causes import Cause, causes
from niah.analysis.cells import groups_of_like_sets
from niah.analysis.tables.table import Table
from niah.plots.headlines.best_reader import best_reader
from niah.plots.headlines.headline import headlines, took_words
from niah.plots.headlines.since_words import since_words
from niah.plots.html.answers import AnswerCard, answer_card
from niah.plots.html.blocks import answer_limit, blocks
from niah.plots.html.index import PageTrial, index_of, page_trials, table_data
from niah.plots.html.notes import run_note
from niah.plots.html.packing import packed, packed_bytes
from niah.plots.html.page import write_report_html
from niah.plots.kit.dark import ON_DARK_PAPER
from niah.plots.kit.saved_figure import SavedFigure
from niah.plots.kit.theme import SHADES
from niah.plots.verdicts import Banner
from niah.runs.file.read_model import RunContents

if TYPE_CHECKING:
    from pandas import DataFrame

_PIXELS_A_POINT = 4 / 3
_WIDE = 1100
_VIEW_BOX = re.compile(rb'(?: height="[\d.]+(?:pt)?")? viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')
"""Pixels: a wider figure's letters are too small to read in half of a page, so it stands across all of it."""


@dataclass(frozen=True)
class PageParts:
    """What a page says of its trials, whatever figures and tables stand beside.

    Attributes:
        runs: at least one; trials of several stand apart.
        trials: as the page sorts them.
        index: what filters and heatmaps need, see ``index_of``.
        answers: of each run its name, who is its best reader, and a card for each reader.
        took: of each run, what was paid for, see ``took_words``.
        blocks: the long texts, packed: the place of the first trial, and the block.
        tables: in the order of the page, see ``table_data``.
    """

    runs: Sequence[RunContents]
    trials: Sequence[PageTrial]
    index: Mapping[str, Any]
    answers: Sequence[tuple[str, str, Sequence[AnswerCard]]]
    took: Sequence[str]
    blocks: Sequence[tuple[int, str]]
    tables: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class PageFigure:
    """A figure as a page has it.

    Attributes:
        group: its chapter.
        shown: what the template says of it.
        numbers: what is drawn, see ``table_data``.
    """

    group: str
    shown: Mapping[str, Any]
    numbers: Mapping[str, Any]


def page_parts(
    runs: Sequence[RunContents],
    frame: DataFrame,
    found: Mapping[str, Cause] | None = None,
    tables: Sequence[Table] = (),
) -> PageParts:
    """What a page says without its figures: a large run's are drawn meanwhile.

    Args:
        runs: at least one.
        frame: of all their trials, one run after the other; see ``trial_frame``.
        found: why answers of all of them went wrong, where somebody knows; see ``causes``.
        tables: in the order of the page.
    """
    trials = page_trials(runs)
    frames = list(run_frames(runs, frame))
    if found is not None and len(runs) == 1:  # those of several may have the same trials
        why = [found]
    else:
        why = [causes(own, run.samples) for run, own in zip(runs, frames, strict=True)]
    answers = [
        (run.name, best_reader(own), [answer_card(run.name, line, own, whys) for line in headlines(own)])
        for run, own, whys in zip(runs, frames, why, strict=True)
    ]
    index = index_of(runs, trials, why, groups_of_like_sets(frame))
    took = [took_words(own) for own in frames]
    told = list(map(table_data, tables))
    return PageParts(runs, trials, index, answers, took, list(blocks(runs, trials)), told)


def write_report_page(
    folder: Path,
    title: str,
    parts: PageParts,
    figures: Sequence[PageFigure],
    banner: Banner | None = None,
    version: str = "",
) -> Path:
    """Write ``folder``/index.html, whole or not at all; returns its path.

    Args:
        folder: made if need be.
        title: of the page.
        parts: of the runs that it shows, see ``page_parts``.
        figures: in the order of the page, see ``page_figure``; those of one group make a chapter.
        banner: what the page says first, of a night.
        version: of a page that is served, which asks for a newer one; "" for a page on disk.
    """
    runs, trials = parts.runs, parts.trials
    index = {
        **parts.index,
        "title": title,
        "palette": SHADES,
        "on_dark": dict(ON_DARK_PAPER),
        "figures": [figure.numbers for figure in figures],
        "tables": parts.tables,
    }
    path = folder / "index.html"
    write_report_html(
        path,
        {
            "title": title,
            "version": __version__,
            "count": len(trials),
            "took": parts.took,
            "banner": banner,
            "answers": parts.answers,
            "since": since_words(runs[0].path) if len(runs) == 1 else "",
            "notes": [run_note(run) for run in runs],
            "cut": answer_limit(trials),
            "finished": sum(trial.record.outcome != "not_run" for trial in trials),
            "live_version": version,
            "chapters": _chapters(figures),
            "tables": parts.tables,
            "index": packed(index),
            "blocks": parts.blocks,
        },
        served=bool(version),
    )
    return path


def run_frames(runs: Sequence[RunContents], frame: DataFrame) -> Iterator[DataFrame]:
    """The rows of each run, of a frame that has one run after the other."""
    start = 0
    for run in runs:
        yield frame.iloc[start : start + len(run.records)]
        start += len(run.records)


def _chapters(figures: Sequence[PageFigure]) -> list[dict[str, Any]]:
    """Figures by group, groups in the order of their first figure."""
    groups = list(dict.fromkeys(figure.group for figure in figures))
    numbered = sorted(enumerate(figures), key=lambda item: groups.index(item[1].group))
    return [
        {"group": group, "figures": [{"place": place, **figure.shown} for place, figure in members]}
        for group, members in groupby(numbered, key=lambda item: item[1].group)
    ]


def page_figure(figure: SavedFigure) -> PageFigure:
    """The figure as a page has it, packed."""
    svg, width, height = _without_title(figure.svg.read_bytes(), figure.title_points)
    shown = {
        "name": figure.name,
        "title": figure.title,
        "caption": figure.caption,
        "width": width,
        "height": height,
        "is_wide": width > _WIDE,
        "svg": packed_bytes(svg),
    }
    return PageFigure(figure.group, shown, table_data(figure.table))


def _without_title(svg: bytes, title_points: float) -> tuple[bytes, int, int]:
    """A drawing below its title, which the page says itself; with its size in the page's pixels.

    The page must know that beforehand, so that it does not jump when a figure is unpacked.
    """
    box = _VIEW_BOX.search(svg)
    if box is None:
        return svg, round(480.0 * _PIXELS_A_POINT), round(300.0 * _PIXELS_A_POINT)
    width, height = float(box["width"]), float(box["height"])
    if title_points:
        height -= title_points
        seen = f' height="{height:g}pt" viewBox="0 {title_points:g} {width:g} {height:g}"'
        svg = svg[: box.start()] + seen.encode() + svg[box.end() :]
    return svg, round(width * _PIXELS_A_POINT), round(height * _PIXELS_A_POINT)
