"""Published datasets: how a loader is written and registered, and the rows of published files.

A loader is a function under ``dataset`` that yields the questions of one row (``loaders_qa``,
``loaders_long``, ``loaders_synthetic``). Files are JSON, JSON lines or Parquet, on this machine or on the
Hugging Face hub.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeVar

import orjson

from niah.cases.questions.question_set import DocumentLine
from niah.errors import ConfigError, UserError
from niah.file_mistakes import as_yaml
from niah.plugins.optional import require

_T = TypeVar("_T")

AS_PUBLISHED = "Name the file as it was published."
_HUB = re.compile(r"hub:(?P<id>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w.~-]+))?(?:/(?P<file>[^?#]+))?", re.ASCII)
_REVISIONS = {"~parquet": "refs/convert/parquet"}
_READ = (".jsonl", ".json", ".parquet")
_PARQUET_BATCH = 64
"""Rows that are unpacked at once: each may hold a book."""


class RowError(Exception):
    """A mistake in one row: where ("line 3"), the key inside it, what is wrong, what to do."""

    def __init__(self, where: str, key: str, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.where, self.key, self.problem, self.remedy = where, key, problem, remedy

    def about(self, file: Path) -> ConfigError:
        """The same as an error about a file."""
        where = f"{self.where}, {self.key}" if self.key else self.where
        return ConfigError(file, where, self.problem, self.remedy)


class Row:
    """One object of a published file; its values are checked when they are read.

    Attributes:
        data: what it holds.
        where: which row it is: "line 3".
        path: of its file.
        number: from 1, over all files.
    """

    def __init__(self, data: Any, where: str, path: Path, number: int, at: str = "") -> None:
        self.data, self.where, self.path, self.number, self._at = data, where, path, number, at
        if not isinstance(data, Mapping):
            raise RowError(where, at, "is not a JSON object.", AS_PUBLISHED)

    def error(self, key: str, problem: str, remedy: str = AS_PUBLISHED) -> RowError:
        """A mistake in the value of ``key``."""
        return RowError(self.where, f"{self._at}.{key}".strip("."), problem, remedy)

    def text(self, key: str, default: str | None = None) -> str:
        """The text of ``key``; the default where it is missing or empty. Raises RowError."""
        value = self._value(key, str, default, "a text")
        if default is None and not value.strip():
            raise self.error(key, "is empty.", "Take the row out.")
        return value or str(default)

    def integer(self, key: str, default: int | None = None) -> int:
        """The whole number of ``key``, or the default. Raises RowError."""
        return self._value(key, int, default, "a whole number")

    def flag(self, key: str, default: bool = False) -> bool:
        """Whether ``key`` is true. Raises RowError."""
        return self._value(key, bool, default, "true or false")

    def values(self, key: str, default: Sequence[Any] | None = None) -> list[Any]:
        """The values of ``key``: of a list, of JSON in a text, or the rows of columns of one length.

        {"a": [1, 2], "b": [3, 4]} is [{"a": 1, "b": 3}, {"a": 2, "b": 4}]. Raises RowError.
        """
        value = self.data.get(key)
        if isinstance(value, str) and value.lstrip().startswith("["):
            try:
                value = orjson.loads(value)
            except orjson.JSONDecodeError:
                raise self.error(key, "is not a JSON list.") from None
        if isinstance(value, Mapping) and all(isinstance(column, list) for column in value.values()):
            if len(set(map(len, value.values()))) > 1:
                raise self.error(key, "has columns of several lengths.")
            value = [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
        if value is None and default is not None:
            return [*default]
        if value is not None and not isinstance(value, list | tuple):
            raise self.error(key, f"should be a list (given: {as_yaml(value)}).")
        if default is None and not value:
            raise self.error(key, "is missing." if value is None else "is empty.")
        return [*(value or ())]

    def texts(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """The list of texts of ``key``, or the default. Raises RowError."""
        values = self.values(key, default)
        for place, value in enumerate(values):
            if not isinstance(value, str):
                raise self.error(f"{key}.{place}", f"should be a text (given: {as_yaml(value)}).")
        return tuple(values)

    def rows(self, key: str, default: Sequence[Any] | None = None) -> list[Row]:
        """The objects of the list ``key``. Raises RowError."""
        at = f"{self._at}.{key}".strip(".")
        return [
            Row(each, self.where, self.path, self.number, f"{at}.{place}")
            for place, each in enumerate(self.values(key, default))
        ]

    def row(self, key: str, *, optional: bool = False) -> Row:
        """The object of ``key``; an empty one where it is optional and missing. Raises RowError."""
        value = self.data.get(key)
        if value is None and not optional:
            raise self.error(key, "is missing.")
        inner = f"{self._at}.{key}".strip(".")
        return Row({} if value is None else value, self.where, self.path, self.number, inner)

    def _value(self, key: str, kind: type[_T], default: _T | None, noun: str) -> _T:
        value = self.data.get(key)
        if value is None:
            if default is None:
                raise self.error(key, "is missing.")
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(key, f"should be {noun} (given: {as_yaml(value)}).")
        return value


@dataclass(frozen=True)
class Asked:
    """A question of a row with its document, and what keeps rules from judging it ("" where nothing does)."""

    document: DocumentLine
    values: Mapping[str, Any]
    note: str = ""


def ask(document: DocumentLine, note: str = "", **values: Any) -> Asked:
    """A question about the document; keys are those of a question set's line."""
    return Asked(document, values, note)


def document(text: str, title: str = "", id: str = "") -> DocumentLine:
    """A document; without an id, the same text is the same document."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return DocumentLine(id=id or f"text-{digest}", text=text, title=title)


Loader = Callable[[Row], Iterator[Asked]]


@dataclass(frozen=True)
class Dataset:
    """A published dataset.

    Attributes:
        name: on the command line.
        description: one line: which files.
        licence: of every question whose row names no other.
        citation: of every question.
        load: yields the questions of a row.
        by_id: the key of a row's id where a file may be one object of rows by id; "" where none is.
    """

    name: str
    description: str
    licence: str
    citation: str
    load: Loader
    by_id: str = ""


DATASETS: dict[str, Dataset] = {}
"""By name; filled by the loaders, which ``niah.cases.questions.importing`` imports."""


def dataset(
    name: str, description: str, *, licence: str, cite: str, by_id: str = ""
) -> Callable[[Loader], Loader]:
    """Register a loader under a name."""

    def register(load: Loader) -> Loader:
        DATASETS[name] = Dataset(name, description, licence, cite, load, by_id)
        return load

    return register


def published_rows(paths: Sequence[Path], about: Path, by_id: str = "") -> Iterator[Row]:
    """The rows of files: JSON lines, a JSON list, one object (or one of rows by id), or Parquet.

    Raises RowError or ConfigError about ``about``.
    """
    number = 0
    for path in paths:
        for place, data in _data(path, about, by_id):
            number += 1
            yield Row(data, place if len(paths) == 1 else f"{path.name}, {place}", path, number)


def _data(path: Path, about: Path, by_id: str) -> Iterator[tuple[str, Any]]:
    if not path.is_file():  # such as a device, which may never end
        raise ConfigError(about, "", "is no file.", AS_PUBLISHED)
    with path.open("rb") as file:
        if file.read(4) == b"PAR1":
            yield from _parquet_rows(path, about)
            return
    raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    try:
        whole = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        if raw.lstrip().startswith(b"["):
            raise _no_json(about, "", error) from None
    else:
        if isinstance(whole, list):
            yield from ((f"entry {number}", entry) for number, entry in enumerate(whole, start=1))
        elif (
            by_id
            and whole
            and isinstance(whole, dict)
            and all(isinstance(one, dict) for one in whole.values())
        ):
            yield from ((f"entry {id!r}", {by_id: id, **row}) for id, row in whole.items())
        else:
            yield "line 1", whole
        return
    for number, line in enumerate(raw.split(b"\n"), start=1):
        if line.strip():
            try:
                yield f"line {number}", orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise _no_json(about, f"line {number}", error) from None


def _no_json(about: Path, where: str, error: Exception) -> ConfigError:
    reason = str(error).partition(": line")[0]
    remedy = "Name the file as it was published: JSON lines, a JSON list, or Parquet."
    return ConfigError(about, where, f"is not JSON: {reason}.", remedy)


def _parquet_rows(path: Path, about: Path) -> Iterator[tuple[str, Any]]:
    require("pyarrow", f"{about}, a Parquet file,", extra="parquet", instead="write its rows as JSON")
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    number = 0
    try:
        with ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_PARQUET_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield f"row {number}", row
    except (ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        problem = f"is a Parquet file that cannot be read: {reason}."
        raise ConfigError(about, "", problem, "Fetch it again.") from None


def name_of_files(files: Sequence[str]) -> Path:
    """What mistakes in these files are about."""
    return Path(files[0]) if len(files) == 1 else Path(f"{len(files)} files")


def local_files(names: Sequence[str]) -> list[Path]:
    """The files of these names on this machine; those of the hub are in its cache. Raises UserError.

    ``hub:OWNER/NAME/FILE`` is one file of a dataset, with * in FILE all that match, ``hub:OWNER/NAME`` its
    only file that can be read; ``OWNER/NAME@REVISION`` is another revision, ``@~parquet`` the hub's
    Parquet files.
    """
    return [path for name in names for path in (_fetched(name) if name.startswith("hub:") else [Path(name)])]


def _fetched(name: str) -> list[Path]:
    import httpx
    from huggingface_hub import HfApi, hf_hub_download
    from huggingface_hub.errors import (
        GatedRepoError,
        HFValidationError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    found = _HUB.fullmatch(name)
    if found is None:
        raise UserError(f"{name!r} is no file on the hub.", "Write hub:OWNER/NAME or hub:OWNER/NAME/FILE.")
    endpoint, pattern = os.environ.get("HF_ENDPOINT"), found["file"]
    where: dict[str, Any] = {"repo_id": found["id"], "repo_type": "dataset"}
    where["revision"] = _REVISIONS.get(found["revision"], found["revision"])
    try:
        files = sorted(
            each for each in HfApi(endpoint=endpoint).list_repo_files(**where) if each.endswith(_READ)
        )
        meant = [each for each in files if pattern is None or fnmatchcase(each, pattern)]
        if len(meant) == 1 or (meant and pattern):
            return [Path(hf_hub_download(filename=each, endpoint=endpoint, **where)) for each in meant]
    except GatedRepoError:
        remedy = "Accept its terms on the hub and run `hf auth login`, or download the file and import that."
        raise UserError(f"{name} is not open to all.", remedy) from None
    except (RepositoryNotFoundError, RevisionNotFoundError):
        raise UserError(f"{name} is not on the hub, or private.", "Check its name; case counts.") from None
    except (httpx.HTTPError, httpx.InvalidURL, OSError, HFValidationError, ValueError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        remedy = "Try again, or download the file and import that."
        raise UserError(f"{name} cannot be fetched: {reason}.", remedy) from None
    if not files:
        problem = f"{name} has no JSON and no Parquet file."
        raise UserError(problem, f"Try hub:{found['id']}@~parquet, what the hub makes of it.")
    problem = f"{name} means {'none' if pattern else 'all'} of {len(files)} files: {', '.join(files[:8])}"
    raise UserError(f"{problem}{' ...' if len(files) > 8 else '.'}", "Name one of them; with a * several.")


_SOURCES = {
    "Wikipedia": "2wikimultihopqa 2wikimhqa 2wikimqa hotpotqa musique naturalquestion natural_question nq",
    "story": "narrativeqa quality novelqa novelqa-gen",
    "paper or report": "qasper multifieldqa multifieldqa_en",
    "dialogue": "toeflqa toefl-qa tpo multidoc2dial multidoc_qa",
    "course website": "coursera",
}
_SOURCE_OF = {name: source for source, names in _SOURCES.items() for name in names.split()}


def knowledge_source(question_set: str | None, source: str | None) -> str | None:
    """What the contexts of a question set are, as long-context-vs-rag (figures 3 and 6) has it.

    Where the paper has no such set, the questions' own source. Names of the same sets in LongBench and L-Eval
    count too (github.com/lixinze777/LC_VS_RAG).
    """
    for name in (question_set, source):
        plain = re.sub(r"_e$", "", (name or "").rpartition("/")[2].lower())
        if known := _SOURCE_OF.get(plain) or _SOURCE_OF.get(plain.partition(".")[0]):
            return known
    return source
