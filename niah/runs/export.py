"""Runs for outsiders: JSON lines or CSV, a row a trial."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import is_dataclass
from typing import IO, Literal

import orjson

from niah.files import without_formula
from niah.runs.trial import EXPORTED, TrialRecord

Format = Literal["jsonl", "csv"]


def export(records: Iterable[TrialRecord], file: IO[bytes], form: Format) -> None:
    """Write the records; what has parts is JSON inside a CSV field."""
    rows = ({name: getattr(record, name) for name in EXPORTED} for record in records)
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
