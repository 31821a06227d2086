"""A table's rows under named columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame

TableValue = str | int | float | bool | None  # none is a number that is not known, or does not exist; never 0


@dataclass(frozen=True)
class Table:
    """Rows under named columns."""

    name: str  # of its files, without ending ("win-rates")
    title: str  # one line for people
    columns: tuple[str, ...]  # one name each, with the unit where there is one ("latency_s")
    rows: tuple[tuple[TableValue, ...], ...]  # as wide as ``columns``
    note: str = ""  # what must be known to read it

    @staticmethod
    def of(name: str, title: str, frame: DataFrame, note: str = "") -> Table:
        """A table of a DataFrame's rows; what is missing there is None."""

        def plain(value: Any) -> TableValue:
            found: TableValue = value.item() if hasattr(value, "item") else value
            return None if value is None or value != value else found

        rows = (tuple(map(plain, row)) for row in frame.itertuples(index=False, name=None))
        return Table(name, title, tuple(map(str, frame.columns)), tuple(rows), note)
