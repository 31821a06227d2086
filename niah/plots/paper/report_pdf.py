"""The report as one PDF: the answers, every figure as vectors, every table; no browser is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from niah import __version__
from niah.analysis.causes.causes import causes
from niah.analysis.tables.table import Table
from niah.files import atomic_write
from niah.plots.headlines.best_reader import best_reader
from niah.plots.headlines.cause_words import cause_words
from niah.plots.headlines.crossover_words import CrossoverWords
from niah.plots.headlines.headline import Headline, headlines
from niah.plots.headlines.since_words import since_words
from niah.plots.html.notes import run_note
from niah.plots.kit.lettering import wrapped
from niah.plots.kit.page import Page, drawn_for
from niah.plots.kit.saved_figure import RenderedFigure
from niah.plots.kit.theme import QUIET, themed
from niah.plots.paper.sheets import Sheets
from niah.plots.paper.stacked import FIGURE_WIDTH, stacked
from niah.plots.registry import rendered_figures
from niah.plots.table_columns import Column, columns_of
from niah.plots.table_words import note_of
from niah.reference.numbers import published
from niah.runs.file.read_model import RunContents

if TYPE_CHECKING:
    from matplotlib.backends.backend_pdf import PdfPages
    from pandas import DataFrame

MOST_ROWS = 300
"""Rows of a table that are printed; CSV has all."""

_CAPTION = 10.0
_ABOVE, _LINE = 0.06, 0.19
"""Inches above a caption, and of each of its lines."""


def write_report_pdf(
    path: Path,
    runs: Sequence[RunContents],
    frames: Sequence[DataFrame],
    frame: DataFrame,
    tables: Sequence[Table],
    reference: str | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Write the PDF to ``path``, whole or not at all. The same runs give the same bytes.

    Args:
        path: its folder is made if need be.
        runs: at least one.
        frames: of each run's trials.
        frame: of all of them.
        tables: in the order of a report.
        reference: a paper whose published numbers stand beside the runs'; every paper's without it.
        say: is called with a line for each figure of an installed package that cannot be drawn.
    """
    import matplotlib
    from matplotlib.backends.backend_pdf import PdfPages

    title = " · ".join(run.name for run in runs)
    drawn, figures = BytesIO(), []
    with themed(), drawn_for(Page(FIGURE_WIDTH)):
        matplotlib.rcParams["pdf.fonttype"] = 42  # text stays text
        with PdfPages(drawn, metadata={"CreationDate": None}) as pdf:
            room = _answers(Sheets(pdf), title, runs, frames)
            for rendered in rendered_figures(frame, published(reference), say=say):
                figures.append(pdf.get_pagecount())
                _figure(pdf, rendered)
            _tables(Sheets(pdf), tables)
    content = stacked(drawn.getvalue(), figures, title, f"niah {__version__}", room)
    with atomic_write(path) as file:
        file.write(content)


def _answers(sheets: Sheets, title: str, runs: Sequence[RunContents], frames: Sequence[DataFrame]) -> float:
    """The first pages; how many inches are left on the last one of them."""
    sheets.text(title, 17, bold=True)
    for run, frame in zip(runs, frames, strict=True):
        note = run_note(run)
        facts = (
            f"{len(run.records):,} trials",
            note.started,
            note.versions,
            note.scored_by and f"scores of {note.scored_by}",
            note.judges and f"judge {note.judges}",
        )
        sheets.space()
        if len(runs) > 1:
            sheets.text(run.name, 14, bold=True)
        sheets.text(" · ".join(filter(None, facts)), 8.5, quiet=True)
        if readers := best_reader(frame):
            sheets.text(f"{readers}.")
        if len(runs) == 1:
            sheets.text(f"Since when: {since_words(run.path)}.")
        found = causes(frame, run.samples)
        for line in headlines(frame):
            why = [cause_words(frame, found, line.reader, name)[0] for name in line.strategies]
            _reader(sheets, line, [*filter(None, why)])
    room = sheets.room
    sheets.close()
    return room


def _reader(sheets: Sheets, line: Headline, why: Sequence[str]) -> None:
    sheets.space(0.25)
    sheets.keep(2.5)
    sheets.text(line.reader, 13, bold=True)
    if line.crossover:
        _crossover(sheets, line.crossover)
    best = f"{line.best}, " if line.best else ""
    sheets.text(f"Best overall: {best}{line.standing}.")
    for blind in line.blind:
        says = (blind.says, blind.weakest and f"weakest {blind.weakest}", blind.depths)
        sheets.text(f"Blind spots: {'; '.join(filter(None, says))}.")
    for sentence in why:
        sheets.text(f"Why: {sentence}.")
    if line.limits:
        sheets.text(f"{line.limits_name}: {line.limits[0].lower()}{line.limits[1:]}.")
    for sentence in line.unsure:
        sheets.text(f"Too uncertain to say: {sentence[0].lower()}{sentence[1:]}.")
    if line.empty:
        sheets.text(f"{line.empty}.")
    sheets.text(f"{line.not_scored or 'Not scored: none'}.")
    if line.took:
        sheets.text(f"It took {line.took}.")


def _crossover(sheets: Sheets, said: CrossoverWords) -> None:
    sheets.text(f"{said.finding}.", 10.5, bold=True)
    if said.advice:
        price = f" {said.advice_price}." if said.advice_price else ""
        tag = "Recommended" if said.is_decided else "Not decided"
        then = f" {said.next_step}." if said.next_step else ""
        sheets.text(f"{tag}: {said.advice[0].lower()}{said.advice[1:]}.{price}{then}")
    sheets.space(0.06)
    heads = (
        *("length", "full context", "retrieval", "lead (95\u00a0%)"),
        *("full context reads", "retrieval reads", "send"),
    )
    rows = [
        (
            *(each.length, each.context, each.retrieval, each.lead or "–"),
            *(each.context_takes or "–", each.retrieval_takes or "–", each.send or "–"),
        )
        for each in said.lengths
    ]
    columns = zip(heads, zip(*rows, strict=True), [False, *[True] * 5, False], strict=True)
    sheets.table([Column(head, cells, right) for head, cells, right in columns])
    units = "prompt tokens and USD" if said.is_priced else "prompt tokens"
    other = "".join(f" {each}." for each in (said.together, said.other_questions) if each)
    sheets.text(
        f"Mean scores; {said.strategy}'s lead with its interval; what a question reads in {units}.{other}",
        8,
        quiet=True,
    )
    sheets.space(0.06)


def _figure(pdf: PdfPages, rendered: RenderedFigure) -> None:
    """A page as large as the figure and its caption, which stands below."""
    from matplotlib.transforms import Bbox

    figure = rendered.figure
    width, height = figure.get_size_inches()
    left = 0.2
    lines = wrapped(rendered.caption, _CAPTION, width - 2 * left)
    for place, line in enumerate(lines):
        down = (_ABOVE + _LINE * place) / height
        figure.text(left / width, -down, line, va="top", fontsize=_CAPTION, color=QUIET)
    pdf.savefig(figure, bbox_inches=Bbox.from_extents(0, -_ABOVE - _LINE * len(lines), width, height))


def _tables(sheets: Sheets, tables: Sequence[Table]) -> None:
    for table in tables:
        sheets.space(0.3)
        sheets.table(columns_of(table, MOST_ROWS), table.title)
        if len(table.rows) > MOST_ROWS:
            sheets.text(
                f"The first {MOST_ROWS} of {len(table.rows):,} rows; {table.name}.csv has all.", 8, quiet=True
            )
        if table.note:
            sheets.text(note_of(table), 8, quiet=True)
    sheets.close()
