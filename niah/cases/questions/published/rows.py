"""The rows of published files: JSON lines, a JSON list, an object of rows by their ids, or Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from niah.cases.questions.published.dataset import NumberedRow, PublishedRow, RowMistake
from niah.errors import ConfigError
from niah.file_mistakes import first_mistake
from niah.plugins.optional import require

_PARQUET = b"PAR1"
_AS_PUBLISHED = "Name the file as it was published."
_BATCH = 64
"""Rows of a Parquet file that are unpacked at once: each may hold a book."""


def published_rows(
    paths: Sequence[Path], model: type[PublishedRow], called: Path, by_id: str = ""
) -> Iterator[NumberedRow]:
    """The rows of files, each checked.

    Args:
        paths: the files, in their order.
        model: what each row holds.
        called: what mistakes are told of.
        by_id: the key under which a row gets its id where a file is one object of rows by id; "" where files
            of the dataset are no such objects.

    Raises RowMistake or ConfigError.
    """
    for path in paths:
        for place, data in _data(path, called, by_id):
            where = place if len(paths) == 1 else f"{path.name}, {place}"
            if not isinstance(data, Mapping):
                raise RowMistake(where, "", "is not a JSON object.", _AS_PUBLISHED)
            data = model.as_published(data)
            try:
                yield NumberedRow(where, model.model_validate_json(orjson.dumps(data, default=str)), path)
            except ValidationError as error:
                mistake = first_mistake(model, data, error.errors())
                remedy = _AS_PUBLISHED if mistake.remedy == "Add it." else mistake.remedy
                raise RowMistake(where, mistake.key, mistake.problem, remedy) from None


def _data(path: Path, called: Path, by_id: str) -> Iterator[tuple[str, Any]]:
    """What each row of a file holds, and which it is."""
    if not path.is_file():  # such as a device, which may never end
        raise ConfigError(called, "", "is no file.", _AS_PUBLISHED)
    with path.open("rb") as file:
        if file.read(len(_PARQUET)) == _PARQUET:
            yield from _parquet_rows(path, called)
            return
    raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    if raw.lstrip().startswith(b"["):
        entries = _parsed(called, "", raw)
        yield from ((f"entry {number}", entry) for number, entry in enumerate(entries, start=1))
        return
    if by_id and (rows := _rows_by_id(raw)) is not None:
        yield from ((f"entry {id!r}", {by_id: id, **row}) for id, row in rows.items())
        return
    for number, line in enumerate(raw.split(b"\n"), start=1):
        if line.strip():
            yield f"line {number}", _parsed(called, f"line {number}", line)


def _rows_by_id(raw: bytes) -> Mapping[str, Mapping[str, Any]] | None:
    """The rows of a file that is one object of them; None of any other file."""
    try:
        rows = orjson.loads(raw)
    except orjson.JSONDecodeError:  # several lines, or nothing
        return None
    is_of_rows = isinstance(rows, dict) and rows and all(isinstance(row, dict) for row in rows.values())
    return rows if is_of_rows else None


def _parquet_rows(path: Path, called: Path) -> Iterator[tuple[str, Any]]:
    require("pyarrow", f"{called}, a Parquet file,", extra="parquet", instead="write its rows as JSON")
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    number = 0
    try:
        with ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield f"row {number}", row
    except (ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        problem = f"is a Parquet file that cannot be read: {reason}."
        raise ConfigError(called, "", problem, "Fetch it again.") from None


def _parsed(path: Path, where: str, raw: bytes) -> Any:
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        remedy = "Name the file as it was published: JSON lines, a JSON list, or Parquet."
        raise ConfigError(path, where, f"is not JSON: {error.msg}.", remedy) from None
