"""Finished figures on disk: SVG, PNG and the numbers behind them, under names that are safe everywhere."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from niah.analysis.tables.table import Table
from niah.files import naming_what_is_full
from niah.plots.kit.sheets.sheet import title_points
from niah.plots.kit.theme import save
from niah.plots.table_files import as_csv

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 110
# File systems take 255 bytes, of which others put some before and behind.
_LONGEST = 150

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True)
class RenderedFigure:
    """A figure in memory, with what is said of it.

    Attributes:
        name: of its files, without ending ("score-by-length").
        title: one line for people.
        caption: what it shows and how to read it, one or two sentences.
        group: the chapter of a report that it belongs to ("Scores", "Retrieval", "Errors", "Cost").
        figure: drawn, not yet written.
        columns, rows: every number that is drawn.
    """

    name: str
    title: str
    caption: str
    group: str
    figure: Figure
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | bool | None, ...], ...]


@dataclass(frozen=True)
class SavedFigure:
    """A figure on disk; the words are those of ``RenderedFigure``.

    Attributes:
        name, title, caption, group: as of the rendered figure.
        svg, png: its files.
        table: every number that is drawn.
        title_points: how far down the drawing its title reaches, so that a page which says it may cut it off.
    """

    name: str
    title: str
    caption: str
    group: str
    svg: Path
    png: Path
    table: Table
    title_points: float = 0.0


def save_figure(rendered: RenderedFigure, folder: Path) -> SavedFigure:
    """Write NAME.svg, NAME.png and NAME.csv into ``folder``. Call it inside ``themed``."""
    png, svg = save(rendered.figure, folder, rendered.name, dpi=_DPI)
    table = Table(rendered.name, rendered.title, rendered.columns, rendered.rows, rendered.caption)
    with naming_what_is_full(str(path := folder / f"{rendered.name}.csv")):
        path.write_bytes(as_csv(table).encode())
    reach = title_points(rendered.figure)
    return SavedFigure(
        rendered.name, rendered.title, rendered.caption, rendered.group, svg, png, table, reach
    )


def file_stem(name: str) -> str:
    """``name`` in lower-case ASCII letters, digits, full stops and single hyphens; may be empty."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9.]+", "-", plain).strip("-.")


def unique_stems(names: Mapping[_Key, Iterable[str]]) -> dict[_Key, str]:
    """A file stem for each key: the stems of its names joined by "--".

    Keys whose stems would be the same or too long, or that have a name without a single letter to keep, get a
    digest of their names as well, all of them, so that a stem does not depend on the others' order.
    """
    parts = {key: tuple(name) for key, name in names.items()}
    stems = {key: "--".join(file_stem(part) for part in part_names) for key, part_names in parts.items()}
    shared = Counter(stems.values())
    unique = {}
    for key, stem in stems.items():
        if shared[stem] == 1 and len(stem) <= _LONGEST and all(map(file_stem, parts[key])):
            unique[key] = stem
        else:
            digest = hashlib.sha256("\0".join(parts[key]).encode()).hexdigest()[:8]
            unique[key] = f"{stem[:_LONGEST]}-{digest}"
    return unique
