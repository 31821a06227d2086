"""What tables are made of: a table's rows, the trials, and the columns that pairs and lengths need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from niah.analysis.lengths import octave
from niah.reference.numbers import ReferenceNumber

if TYPE_CHECKING:
    from pandas import DataFrame, Series

    from niah.analysis.causes.causes import Cause
    from niah.cases.sample import Sample
    from niah.runs.preparation.preparer import PreparationCall

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
        rows = (
            tuple(None if value is None or value != value else _plain(value) for value in row)
            for row in frame.itertuples(index=False, name=None)
        )
        return Table(name, title, tuple(map(str, frame.columns)), tuple(rows), note)


def _plain(value: Any) -> TableValue:
    return value.item() if hasattr(value, "item") else value  # type: ignore[no-any-return]


@dataclass(frozen=True)
class TableData:
    """What tables are made of.

    Attributes:
        frame: of trials, see ``niah.analysis.frame``.
        samples: of the same, by sample id.
        numbers: published ones, to stand next to the run's.
        preparations: calls of models that prepared.
        causes: why answers of the same trials went wrong, where they have been found.
    """

    frame: DataFrame
    samples: Mapping[str, Sample]
    numbers: Sequence[ReferenceNumber] = ()
    preparations: Sequence[PreparationCall] = ()
    causes: Mapping[str, Cause] | None = None

    @cached_property
    def planted(self) -> DataFrame:
        """The trials of needles."""
        return self.frame[self.frame["origin"] != "given"]


def lc_scores(frame: DataFrame) -> Series[float]:
    """By row, full context's score on the same question, reader and repeat.

    NaN in rows that are no pair: without retrieval, or where one of the two trials is not scored.
    """
    whole = frame[frame["sends_context"] & frame["scored"]].drop_duplicates("question", keep="last")
    scores = frame["question"].map(whole.set_index("question")["score"]).astype(float)
    return scores.where(frame["retrieves"] & frame["scored"])


def length_column(frame: DataFrame) -> Series[int]:
    """By row, the length that was asked for; of given documents the upper border of its band, 2k to 4k."""
    given = frame["origin"] == "given"
    return frame["context_length"].where(~given, frame["context_length"].map(octave)).astype(int)


def sets_column(frame: DataFrame) -> Series[str]:
    """By row, the needle sets that are asked at the same lengths and depths, which can be taken together."""
    asked = frame[["needle_set", "question_set", "context_length", "depth"]].drop_duplicates()
    names = asked["needle_set"].astype(object).fillna(asked["question_set"].astype(object)).fillna("")
    where = asked.assign(
        name=names, place=asked["context_length"].astype(str) + "/" + asked["depth"].astype(str)
    )
    where = where[where["depth"].notna()]
    grids = where.groupby("name")["place"].agg(frozenset)
    told: dict[str, str] = {}
    for _, alike in grids.groupby(grids):
        sets = sorted(alike.index)
        told |= dict.fromkeys(sets, ", ".join(sets) if len(sets) <= 3 else f"{len(sets)} sets from {sets[0]}")
    own = frame["needle_set"].astype(object).fillna(frame["question_set"].astype(object)).fillna("")
    return own.map(lambda name: told.get(name, name))
