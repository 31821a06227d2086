"""Formats of question sets, by how their files end.

A package adds one with an entry point of the group ``niah.question_sets`` that names a
``QuestionSetFormat``. Its files are read once, into niah's own form (``niah.cases.question_sets``), which is
kept in the cache.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from niah import paths
from niah.errors import ConfigError, NiahError
from niah.files import atomic_write
from niah.plugins.registry import Registry

OWN_SUFFIX = ".jsonl"


@dataclass(frozen=True)
class QuestionSetFormat:
    """A format of files that hold questions.

    Attributes:
        suffix: how its files end: ".csv".
        description: one line for people.
        read: gives the questions of a file, each as a line of JSON would have it: id, question, answers,
            document ... (the docs' page Own questions).
        name: what it is called; filled in from the entry point.
    """

    suffix: str
    description: str
    read: Callable[[Path], Iterable[Mapping[str, Any]]]
    name: str = ""


def _format(name: str, made: object) -> QuestionSetFormat:
    if not isinstance(made, QuestionSetFormat):
        raise TypeError("it is no niah.cases.questions.formats.QuestionSetFormat")
    if not made.suffix.startswith(".") or (made.suffix == OWN_SUFFIX) != (name == "jsonl"):
        raise ValueError(f"its files end in {made.suffix!r}, which is no ending of its own")
    return replace(made, name=name)


def _json_lines(path: Path) -> Iterable[Mapping[str, Any]]:
    return map(orjson.loads, filter(bytes.strip, path.read_bytes().splitlines()))


FORMATS: Registry[QuestionSetFormat] = Registry(
    "question_sets",
    {"jsonl": QuestionSetFormat(OWN_SUFFIX, "JSON lines, a question each: niah's own", _json_lines)},
    _format,
)


_TABLES = {".csv", ".tsv", ".xls", ".xlsx", ".ods"}
_AS_LINES = (
    "Write a JSON object for each row, with id, question, document_id and answers; "
    "the docs' page Own questions has the lines of Python that do (From a table)."
)


def suffixes() -> tuple[str, ...]:
    """How files of question sets may end, ours first."""
    return tuple(dict.fromkeys(form.suffix for form in FORMATS.values()))


def in_own_form(path: Path) -> Path:
    """The question set as JSON lines: the file itself, or what its format makes of it, in the cache.

    Raises ConfigError where its format cannot read it.
    """
    form = next((form for form in FORMATS.values() if form.suffix == path.suffix), None)
    if form is None and path.suffix.lower() in _TABLES:
        raise ConfigError(path, "", "is a table, and a question set is JSON lines.", _AS_LINES)
    if form is None or form.suffix == OWN_SUFFIX:
        return path
    try:
        lines = [orjson.dumps(dict(line), option=orjson.OPT_APPEND_NEWLINE) for line in form.read(path)]
    except NiahError:
        raise
    except Exception as error:
        problem = f"cannot be read as {form.name}: {type(error).__name__}: {error}."
        raise ConfigError(path, "", problem, "Mend the file, or the package that reads it.") from error
    digest = hashlib.sha256(b"".join(lines)).hexdigest()[:16]
    kept = paths.cache() / "question-sets" / digest / f"{path.stem}{OWN_SUFFIX}"
    if not kept.exists():
        with atomic_write(kept) as file:
            file.writelines(lines)
    return kept
