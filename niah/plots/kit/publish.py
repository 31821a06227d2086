"""A finished figure goes to disk: SVG, PNG and the numbers behind it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.tables.table import Table
from niah.plots.kit.rendered_figure import Drawn
from niah.plots.kit.theme import save
from niah.plots.table_files import as_csv

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 110


@dataclass(frozen=True)
class RenderedFigure:
    """A figure that has not been written yet; the words are those of ``Drawn``."""

    name: str
    title: str
    caption: str
    group: str
    figure: Figure
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | bool | None, ...], ...]


def publish(painted: RenderedFigure, folder: Path) -> Drawn:
    """Write NAME.svg, NAME.png and NAME.csv into ``folder``. Call it inside ``themed``."""
    png, svg = save(painted.figure, folder, painted.name, dpi=_DPI)
    table = Table(painted.name, painted.title, painted.columns, painted.rows, painted.caption)
    (folder / f"{painted.name}.csv").write_bytes(as_csv(table).encode())
    return Drawn(painted.name, painted.title, painted.caption, painted.group, svg, png, table)
