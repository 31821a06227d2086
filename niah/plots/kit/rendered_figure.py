"""A figure that has been drawn, with the numbers behind it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from niah.analysis.tables.table import Table


@dataclass(frozen=True)
class Drawn:
    """One figure on disk.

    Attributes:
        name: of its files, without ending ("score-by-length").
        title: one line for people.
        caption: what it shows and how to read it, one or two sentences.
        group: the chapter of a report that it belongs to ("Scores", "Retrieval", "Errors", "Cost").
        svg, png: its files.
        table: every number that is drawn.
    """

    name: str
    title: str
    caption: str
    group: str
    svg: Path
    png: Path
    table: Table
