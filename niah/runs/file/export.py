"""Runs for outsiders: one line of JSON, or one row of CSV, per trial."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import IO, Literal

import orjson

from niah.runs.trial import TrialRecord

Format = Literal["jsonl", "csv"]


def export(records: Iterable[TrialRecord], file: IO[bytes], form: Format) -> None:
    """Write the records; lists stand as JSON inside a CSV field."""
    if form == "jsonl":
        for record in records:
            file.write(orjson.dumps(asdict(record), option=orjson.OPT_APPEND_NEWLINE))
        return
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    writer = csv.DictWriter(text, [field.name for field in fields(TrialRecord)])
    writer.writeheader()
    for record in records:
        writer.writerow({key: _flat(value) for key, value in asdict(record).items()})
    text.detach()


def _flat(value: object) -> object:
    return orjson.dumps(value).decode() if isinstance(value, dict | list | tuple) else value
