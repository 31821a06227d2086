"""Published datasets made question sets (``niah import``): loaders, rows of published files, the import.

A loader, a function of ``loaders``, yields the questions of a row; whatever it raises becomes a mistake in
that row. ``datasets.yaml`` describes them. Files are JSON, JSON lines, CSV or Parquet, here or on the hub.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from pydantic import BaseModel, ValidationError

from niah.cases.questions.question_set import (
    DocumentLine,
    QuestionLine,
    check_question_set_name,
    csv_rows,
    write_question_set,
)
from niah.errors import ConfigError, UserError, counted
from niah.files import FileModel, first_mistake, parse_yaml
from niah.haystacks.structure import json_lines
from niah.registry import load_reference, require
from niah.weights import asking_hub

AS_PUBLISHED = "Name the file as it was published."
_HUB = re.compile(r"hub:(?P<id>[\w.-]+/[\w.-]+)(?:/(?P<file>[^?#]+))?", re.ASCII)
_READ = (".jsonl", ".json", ".csv", ".parquet")


class Row(dict[str, Any]):
    """One object of a published file, where it is ("line 3"), and its number, from 1 over all files."""

    def __init__(self, data: Mapping[str, Any], where: str, path: Path, number: int) -> None:
        super().__init__(data)
        self.where, self.path, self.number = where, path, number


class Asked(NamedTuple):
    """A question of a row, with the keys of a question set's line."""

    document: DocumentLine
    values: Mapping[str, Any]
    note: str = ""  # what keeps rules from judging it


def ask(about: DocumentLine | str, note: str = "", **values: Any) -> Asked:
    """A question about a document or a text; what is None or () is left out."""
    given = {key: value for key, value in values.items() if value is not None and value != ()}
    return Asked(document(about) if isinstance(about, str) else about, given, note)


def document(text: str, title: str = "", id: str = "") -> DocumentLine:
    """A document; without an id, the same text is the same document."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return DocumentLine(id=id or f"text-{digest}", text=text, title=title)


def distinct(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts, each once, without empty ones."""
    return tuple(dict.fromkeys(filter(None, texts)))


def listed(value: Any) -> list[Any]:
    """A list, also one that is JSON in a text, or the columns of a table. Raises ValueError or TypeError."""
    if isinstance(value, str):
        value = orjson.loads(value)
    if isinstance(value, Mapping):
        value = [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
    if not isinstance(value, list):
        raise TypeError(f"{str(value)[:60]!r} is no list")
    return value


class Dataset(FileModel):
    """A published dataset: which files its loader reads, and what is stored with its questions."""

    description: str
    licence: str
    citation: str
    source: str | None = None  # of questions that say none
    by_id: str = ""  # the key of a row's id where a file may be one object of rows by id
    companion: str = ""  # the file next to it with what its rows speak of


@cache
def datasets() -> dict[str, Dataset]:
    """The published datasets by name."""
    rows = parse_yaml(Path(__file__).with_name("datasets.yaml"))
    return {name: Dataset(**row) for name, row in rows.items()}


class Imported(NamedTuple):
    """How many questions over how many documents were written, their licences, and notes, a line each."""

    questions: int
    documents: int
    licences: tuple[str, ...]
    notes: tuple[str, ...]


def import_questions(name: str, files: Sequence[str], out: Path) -> Imported:
    """Write the questions of a dataset's files to ``out``, documents next to it. Raises UserError."""
    check_question_set_name(out)
    chosen, about = datasets()[name], name_of_files(files)
    load: Callable[[Row], Iterator[Asked]] = load_reference(f"{__package__}.loaders:{name.replace('-', '_')}")
    stored: dict[str, Any] = chosen.model_dump(include={"licence", "citation", "source"})
    questions: dict[str, tuple[str, QuestionLine]] = {}
    documents: dict[str, tuple[str, DocumentLine]] = {}
    notes: dict[str, list[str]] = {}
    per_document = Counter[str]()
    for row in published_rows(local_files(files, chosen.companion), about, chosen.by_id):
        with mistakes_in(row, about, QuestionLine):
            for text, values, note in load(row):
                per_document[text.id] += 1
                given = stored | {"id": f"{text.id}_{per_document[text.id]}", **values}
                line = QuestionLine(document_id=text.id, **given)
                where, first = documents.setdefault(text.id, (row.where, text))
                if first.text != text.text:
                    raise ValueError(f"has another text for the document {text.id!r} than {where}")
                where, first_line = questions.setdefault(line.id, (row.where, line))
                if first_line is not line:
                    raise ValueError(f"gives the question {line.id!r}, which {where} gives too")
                if note:
                    notes.setdefault(note, []).append(line.id)
    if not questions:
        raise ConfigError(about, "", "holds no question.", f"Name a file of {chosen.description}")
    lines = [line for _, line in questions.values()]
    write_question_set(out, lines, [text for _, text in documents.values()])
    licences = tuple(dict.fromkeys(line.licence or "" for line in lines))
    said = tuple(f"{counted(len(ids), 'question')} ({ids[0]} ...): {note}" for note, ids in notes.items())
    return Imported(len(questions), len(documents), licences, said)


@contextmanager
def mistakes_in(row: Row, about: Path, model: type[BaseModel]) -> Iterator[None]:
    """Raise ConfigError about ``about`` that names the row, whatever goes wrong with it meanwhile."""
    try:
        yield
    except KeyError as error:
        raise ConfigError(about, f"{row.where}, {error.args[0]}", "is missing.", AS_PUBLISHED) from None
    except ValidationError as error:
        key, (_, problem, _) = error.errors()[0]["loc"], first_mistake(model, {}, error.errors())
        where = ", ".join(filter(None, (row.where, ".".join(map(str, key)))))
        raise ConfigError(about, where, problem, "Correct the row, or take it out.") from None
    except ValueError as error:
        raise ConfigError(about, row.where, f"{str(error).rstrip('.')}.", AS_PUBLISHED) from None
    except Exception as error:  # of literals and archives too: RecursionError, zlib.error ...
        problem = f"is not as it was published: {type(error).__name__}: {error}."
        raise ConfigError(about, row.where, problem, AS_PUBLISHED) from None


def published_rows(paths: Sequence[Path], about: Path, by_id: str = "") -> Iterator[Row]:
    """The rows of files: JSON (lines, a list, one object), CSV or Parquet. Raises ConfigError."""
    number = 0
    for path in paths:
        if not path.is_file():  # such as a device, which may never end
            raise ConfigError(about, "", "is no file.", AS_PUBLISHED)
        with path.open("rb") as file:
            is_parquet = file.read(4) == b"PAR1"
        if path.suffix == ".csv":
            rows: Iterator[tuple[str, Any]] = ((f"line {line}", row) for line, row in csv_rows(path))
        else:
            rows = _parquet_rows(path, about) if is_parquet else _json_rows(path, about, by_id)
        for place, data in rows:
            number += 1
            where = place if len(paths) == 1 else f"{path.name}, {place}"
            if isinstance(data, ConfigError):
                raise data
            if not isinstance(data, dict):
                raise ConfigError(about, where, "is not a JSON object.", AS_PUBLISHED)
            yield Row(data, where, path, number)


def _json_rows(path: Path, about: Path, by_id: str) -> Iterator[tuple[str, Any]]:
    """Places and objects: of one JSON document, or else of one a line."""
    raw = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    try:
        whole = orjson.loads(raw) if raw.strip() else []
    except orjson.JSONDecodeError:
        yield from ((f"line {number}", row) for number, row in json_lines(about, raw.split(b"\n")))
        return
    if isinstance(whole, list):
        yield from ((f"entry {number}", entry) for number, entry in enumerate(whole, start=1))
    elif by_id and isinstance(whole, dict) and all(isinstance(one, dict) for one in whole.values()):
        yield from ((f"entry {id!r}", {by_id: id, **row}) for id, row in whole.items())
    else:
        yield "line 1", whole


def _parquet_rows(path: Path, about: Path) -> Iterator[tuple[str, Any]]:
    require("pyarrow", f"{about}, a Parquet file,", extra="parquet", instead="write its rows as JSON")
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(path) as file:
            batches = file.iter_batches(batch_size=64)  # each row may hold a book
            rows = (row for batch in batches for row in batch.to_pylist())
            yield from ((f"row {number}", row) for number, row in enumerate(rows, start=1))
    except (ArrowException, OSError) as error:
        problem = f"is a Parquet file that cannot be read: {str(error).splitlines()[0].rstrip('.')}."
        raise ConfigError(about, "", problem, "Fetch it again.") from None


def name_of_files(files: Sequence[str]) -> Path:
    """What mistakes in these files are about."""
    return Path(files[0]) if len(files) == 1 else Path(f"{len(files)} files")


def local_files(names: Sequence[str], companion: str = "") -> list[Path]:
    """The files of these names on this machine, those of the hub from its cache. Raises UserError.

    ``hub:OWNER/NAME/FILE`` is one file of a dataset, with * all that match, ``hub:OWNER/NAME`` its only file.
    """
    found = (_fetched(name, companion) if name.startswith("hub:") else [Path(name)] for name in names)
    return list(chain.from_iterable(found))


def _fetched(name: str, companion: str) -> list[Path]:
    from huggingface_hub import HfApi, hf_hub_download

    found = _HUB.fullmatch(name)
    if found is None:
        raise UserError(f"{name!r} is no file on the hub.", "Write hub:OWNER/NAME or hub:OWNER/NAME/FILE.")
    where: dict[str, Any] = {"repo_id": found["id"], "repo_type": "dataset"}
    remedy = "Check its name, run `hf auth login` where it is private, or download it and import the file."
    with asking_hub(name, remedy):
        every = HfApi().list_repo_files(**where)
        files = sorted(each for each in every if each.endswith(_READ))
        meant = [each for each in files if fnmatchcase(each, found["file"] or "*")]
        if len(meant) == 1 or (meant and found["file"]):
            wanted = [*meant, companion] if companion else meant
            paths = [Path(hf_hub_download(filename=each, **where)) for each in wanted]
            return paths[: len(meant)]
    shown, end = ", ".join(files[:8]) or "no JSON, CSV or Parquet", " ..." if len(files) > 8 else "."
    problem = f"{name} means {len(meant)} of its {len(files)} files: {shown}{end}"
    raise UserError(problem, "Name one of them, or several with a *.")


_SOURCES = {
    "Wikipedia": "2wikimultihopqa 2wikimhqa 2wikimqa hotpotqa musique naturalquestion natural_question nq",
    "story": "narrativeqa quality novelqa",
    "paper or report": "qasper multifieldqa multifieldqa_en",
    "dialogue": "toeflqa toefl-qa tpo multidoc2dial multidoc_qa",
    "course website": "coursera",
}
_SOURCE_OF = {name: source for source, names in _SOURCES.items() for name in names.split()}


def knowledge_source(question_set: str | None, source: str | None) -> str | None:
    """What the contexts of a question set are (long-context-vs-rag, figure 3), or ``source``."""
    for name in (question_set, source):
        plain = re.sub(r"_e$", "", (name or "").rpartition("/")[2].lower())
        if known := _SOURCE_OF.get(plain) or _SOURCE_OF.get(plain.partition(".")[0]):
            return known
    return source


QUESTION_TYPES = ("how", "why", "what", "when", "where", "which", "who", "other")


def question_type(question: str) -> str:
    """The first of ``QUESTION_TYPES`` among a question's words (long-context-vs-rag, section 5.3)."""
    words = {re.sub("^who(m|se|ever)$", "who", word) for word in re.findall(r"\w+", question.lower())}
    return next((kind for kind in QUESTION_TYPES if kind in words), "other")
