"""Runs for outsiders: JSON lines or CSV, a row a trial."""

from __future__ import annotations

import csv
import io
from dataclasses import is_dataclass
from typing import IO, TYPE_CHECKING, Literal

import orjson

from niah.files import without_formula
from niah.runs.trial import EXPORTED

if TYPE_CHECKING:
    from pandas import DataFrame

Format = Literal["jsonl", "csv"]


def export(trials: DataFrame, file: IO[bytes], form: Format) -> None:
    """Write the trials; what has parts is JSON inside a CSV field."""
    told = trials[[*EXPORTED]].itertuples(index=False, name=None)
    rows = (dict(zip(EXPORTED, row, strict=True)) for row in told)
    if form == "jsonl":
        for row in rows:
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
        return
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    writer = csv.DictWriter(text, EXPORTED)
    writer.writeheader()
    for row in rows:
        writer.writerow({name: without_formula(_flat(value)) for name, value in row.items()})
    text.detach()


def _flat(value: object) -> object:
    has_parts = isinstance(value, dict | list | tuple) or is_dataclass(value)
    return orjson.dumps(value).decode() if has_parts else value
