"""What tables are made of, and a table's rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from niah.reference.numbers import ReferenceNumber

if TYPE_CHECKING:
    from pandas import DataFrame

    from niah.cases.sample import Sample
    from niah.runs.trial import PreparationCall

TableValue = str | int | float | bool | None
"""None is a number that is not known, or does not exist; never 0."""


@dataclass(frozen=True)
class Table:
    """Rows under named columns.

    Attributes:
        name: of its files, without ending ("win-rates").
        title: one line for people.
        columns: one name each, with the unit where there is one ("latency_s").
        rows: as wide as ``columns``.
        note: what must be known to read it.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[TableValue, ...], ...]
    note: str = ""

    @staticmethod
    def of(name: str, title: str, frame: DataFrame, note: str = "") -> Table:
        """A table of a DataFrame's rows; what is missing there is None."""

        def plain(value: object) -> TableValue:
            missing = value is None or value != value
            return None if missing else value.item() if hasattr(value, "item") else value  # type: ignore[return-value]

        rows = (tuple(map(plain, row)) for row in frame.itertuples(index=False, name=None))
        return Table(name, title, tuple(map(str, frame.columns)), tuple(rows), note)


@dataclass(frozen=True)
class TableData:
    """What tables are made of.

    Attributes:
        frame: of trials, see ``niah.analysis.frame``; with the column ``cause`` where causes were found.
        samples: of the same, by sample id.
        numbers: published ones, to stand next to the run's.
        preparations: calls of models that prepared.
    """

    frame: DataFrame
    samples: Mapping[str, Sample]
    numbers: Sequence[ReferenceNumber] = ()
    preparations: Sequence[PreparationCall] = ()
