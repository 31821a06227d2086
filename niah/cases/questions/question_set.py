"""Question sets: questions over given documents, as JSON lines or CSV (docs/suites-and-questions.md).

A document is in its question's line, or named by an id: of a line in NAME.documents.jsonl next to it, or of a
document of a haystack that ships. It is not changed, and read when it is needed.
"""

from __future__ import annotations

import csv
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, islice
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

import orjson
from pydantic import AfterValidator, Field, ValidationError, model_validator

from niah.cases.sample import GivenDocument
from niah.errors import ConfigError, NiahError, UnknownName, UserError, did_you_mean
from niah.files import (
    FileModel,
    WrittenText,
    atomic_write,
    check_each_once,
    check_free,
    find,
    first_mistake,
    places,
    shipped,
    yaml_names,
)
from niah.haystacks.documents import is_shipped, read_source
from niah.haystacks.structure import FileState, json_lines, state_of
from niah.haystacks.world import is_world
from niah.registry import Registry

DOCUMENTS = ".documents.jsonl"  # how the name of the file of documents next to a question set ends
UNANSWERABLE = "unanswerable"  # the kind of a question that its document does not answer
_OWN = (".jsonl", ".csv")
_MOST_MISTAKES = 50  # of one line that are said: more are another format's


class QuestionLine(FileModel):
    """One question of a set, with its document or the document's id, and its right answers if it has any."""

    id: WrittenText
    question: WrittenText
    document: WrittenText | None = None
    document_id: WrittenText | None = None
    answers: tuple[WrittenText, ...] = ()  # the fullest first
    options: Annotated[
        tuple[WrittenText, ...], Field(min_length=2, max_length=26), AfterValidator(check_each_once)
    ] = ()
    answer_index: Annotated[int, Field(ge=0)] | None = None  # which of the options is right, from 0
    kind: WrittenText | None = None
    source: WrittenText | None = None  # where it comes from
    evidence: tuple[WrittenText, ...] = ()  # quotes of the document that hold the answer
    licence: WrittenText | None = None
    citation: WrittenText | None = None  # what to cite
    canary: str = ""  # is not read

    @property
    def right(self) -> tuple[str, ...]:
        """The right options; none of a free answer."""
        if self.answer_index is not None:
            return (self.options[self.answer_index],)
        return tuple(option for option in self.options if option in self.answers)

    @property
    def references(self) -> tuple[str, ...]:
        """The reference answers; of several right options all of them together first."""
        several = ("; ".join(self.right), *self.right) if len(self.right) > 1 else ()
        return several or self.answers or self.right

    @model_validator(mode="after")
    def _document_and_answer(self) -> Self:
        """One document, and answers that agree with each other."""
        if (self.document is None) == (self.document_id is None):
            what = "has no document" if self.document is None else "has both a document and a document_id"
            raise ValueError(f"{what}. Write the text as document, or its name as document_id.")
        index, named = self.answer_index, [option for option in self.options if option in self.answers]
        answered = bool(self.answers) or index is not None
        if index is not None and index >= len(self.options):
            raise ValueError(f"answer_index: is {index}, and there are {len(self.options)} options.")
        if answered and self.kind == UNANSWERABLE:
            raise ValueError(f"kind: is {UNANSWERABLE}, and there is an answer. Take one of them out.")
        if not answered and self.kind != UNANSWERABLE:
            raise ValueError("answers: holds no answer. Add one, or write kind: unanswerable.")
        if index is not None and not set(named) <= {self.options[index]}:
            problem = f"is {index}, {self.options[index]!r}, and the answers say {named[0]!r}"
            raise ValueError(f"answer_index: {problem}. Take one of them out.")
        unclear = not named or 1 < len(named) < len(set(self.answers))
        if answered and self.options and index is None and unclear:
            problem = "is missing, and the answers are not the text of one option"
            raise ValueError(f"answer_index: {problem}. Write the place of the right one, from 0.")
        return self


class DocumentLine(FileModel):
    """One line of the file of documents next to a question set."""

    id: WrittenText
    text: WrittenText
    title: str = ""


_Line = TypeVar("_Line", QuestionLine, DocumentLine)


@dataclass(frozen=True)
class GivenQuestion:
    """A checked line of a question set: its number, what it says (without the text), and its document."""

    number: int
    line: QuestionLine
    source: GivenDocument


@dataclass(frozen=True)
class QuestionSetFormat:
    """A format of files that hold questions, added by a package (entry point ``niah.question_sets``)."""

    suffix: str  # how its files end: ".xml"
    description: str  # one line for people
    read: Callable[[Path], Iterable[Mapping[str, Any]]]  # the questions of a file, as JSON lines have them
    name: str = ""  # filled in from the entry point


def _format(name: str, made: object) -> QuestionSetFormat:
    if not isinstance(made, QuestionSetFormat):
        raise TypeError("it is no niah.plugins.QuestionSetFormat")
    if not made.suffix.startswith(".") or made.suffix in (*_OWN, ".md", ".txt"):
        raise ValueError(f"its files end in {made.suffix!r}, which is no ending of its own")
    return replace(made, name=name)


FORMATS: Registry[QuestionSetFormat] = Registry("question_sets", {}, _format)
"""Those that installed packages add to JSON lines and CSV."""


def _places() -> tuple[list[Path], tuple[str, ...]]:
    """Folders of question sets, the working folder's and what ships, and how their files end."""
    return places("cases/questions"), (*_OWN, *(form.suffix for form in FORMATS.values()))


def question_set_names() -> list[str]:
    """The question sets that a bare name can mean."""
    return yaml_names(*_places())


def question_set_path(name: str) -> Path:
    """The file of a question set by name or path. Raises UnknownName."""
    try:
        return find("question set", name, *_places())
    except UnknownName as error:
        error.remedy = f"{error.remedy} niah import makes one of your copy of a published set.".strip()
        raise


def check_question_set_name(out: Path) -> None:
    """Raise UserError where ``out`` is no name of a question set to write, or is there already."""
    if out.suffix != ".jsonl" or out.name.endswith(DOCUMENTS):
        raise UserError(f"{out} is no name of a question set.", "Write NAME.jsonl.")
    check_free(out)


def write_question_set(
    out: Path, questions: Iterable[QuestionLine], documents: Iterable[DocumentLine]
) -> None:
    """Write questions to ``out``, documents next to it: both or none. Raises UserError if there."""

    def dumped(lines: Iterable[QuestionLine] | Iterable[DocumentLine]) -> bytes:
        made = (line.model_dump(exclude_defaults=True) for line in lines)
        return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in made)

    documents_path, texts = out.with_name(out.stem + DOCUMENTS), dumped(documents)
    if documents_path.exists() and documents_path.read_bytes() != texts:
        check_free(documents_path)
    with atomic_write(out) as asked, atomic_write(documents_path) as stored:
        stored.write(texts)
        asked.write(dumped(questions))


def given_questions(path: Path) -> Iterator[GivenQuestion | ConfigError]:
    """What each line of a question set holds, or what is wrong with it. Raises ConfigError."""
    numbers, inline, sources = dict[str, int](), dict[str, str](), dict[str, GivenDocument]()
    number = 0
    for number, row in _rows(path):
        try:
            line = _parsed(path, number, row, QuestionLine)
            if (earlier := numbers.setdefault(id_without_spaces(line.id), number)) != number:
                problem = f"{line.id!r} is also the id of line {earlier}."
                raise line_error(path, number, "id", problem, "Give each question its own.")
            if line.document is not None:
                # The same text in several lines is one document, called by the first question about it.
                digest = text_digest(line.document)
                source = GivenDocument(_stored(path), inline.setdefault(digest, line.id), digest)
                line = line.model_copy(update={"document": None})
            else:
                name = line.document_id or ""
                if name not in sources:
                    sources[name] = _source(path, number, name)
                source = sources[name]
            yield GivenQuestion(number, line, source)
        except ConfigError as error:
            yield from (error, *error.others)
    if not number:
        raise ConfigError(path, "", "holds no question.", 'Write one JSON object a line: {"id": ...}.')


def _source(path: Path, number: int, name: str) -> GivenDocument:
    """The document of that id. Raises ConfigError."""
    documents_path = path.with_name(path.stem + DOCUMENTS)
    known = _documents(documents_path, state_of(documents_path)) if documents_path.is_file() else {}
    if name in known:
        return GivenDocument(_stored(documents_path), name, text_digest(known[name].text))
    haystack, _, document = name.partition("/")
    file, ships = shipped("haystacks") / haystack / f"{document}.md", is_shipped(haystack)
    if ships and document and file.is_file():
        if is_world(file.parent):
            problem = f"{haystack!r} is a world: its documents are other ones for every seed."
            raise line_error(path, number, "document_id", problem, "Name a document of another haystack.")
        return GivenDocument(_stored(file), name, text_digest(read_source(file)[0][1]))
    files = [f"{haystack}/{each.stem}" for each in file.parent.glob("*.md")] if ships else []
    remedy = did_you_mean(name, files or known) or f"Write it as a line of {documents_path.name}."
    raise line_error(path, number, "document_id", f"no document called {name!r}.", remedy)


def document_text(source: GivenDocument) -> str:
    """The text of a given document, as it is. Raises ConfigError or UnknownName."""
    path = source.path
    if not path.exists() and not path.is_absolute() and path.parts[0] in ("haystacks", "cases"):
        path = shipped(path.parts[0]).joinpath(*path.parts[1:])
    if path.suffix == ".md":
        return read_source(path)[0][1]
    known = _documents(path, state_of(path))
    if source.document_id not in known:
        raise UnknownName("document", source.document_id, [])
    return known[source.document_id].text


def check_questions(path: Path) -> Iterator[UserError]:
    """Everything that keeps a set from being asked, line by line. Raises ConfigError: nothing can be read."""
    for question in given_questions(path):
        if isinstance(question, ConfigError):
            yield question
        elif question.line.evidence:
            try:
                evidence_spans(path, question, document_text(question.source))
            except UserError as error:
                yield error


def evidence_spans(path: Path, question: GivenQuestion, text: str) -> list[tuple[int, int]]:
    """Where each quoted passage is first in the document; white space may differ. Raises ConfigError."""
    spans = list[tuple[int, int]]()
    for place, quote in enumerate(question.line.evidence):
        found = re.search(r"\s+".join(map(re.escape, quote.split())), text) if quote.strip() else None
        if found is None:
            problem = f"the document {question.source.document_id!r} does not hold {quote[:60]!r}."
            remedy = "Quote it word for word, or leave it out."
            raise line_error(path, question.number, f"evidence.{place}", problem, remedy)
        spans.append(found.span())
    return spans


@lru_cache(maxsize=2)
def _documents(path: Path, state: FileState) -> dict[str, DocumentLine]:
    """The documents of a file by their ids: of a question set, those in its lines. Raises ConfigError."""
    found: dict[str, DocumentLine] = {}
    for number, row in _rows(path):
        if path.name.endswith(DOCUMENTS):
            line = _parsed(path, number, row, DocumentLine)
            if found.setdefault(line.id, line) is not line:
                problem = f"another line has the id {line.id!r}."
                raise line_error(path, number, "id", problem, "Give each line its own.")
        elif isinstance(row, Mapping) and isinstance(row.get("document"), str):
            id = str(row.get("id"))
            found.setdefault(id, DocumentLine.model_construct(id=id, text=row["document"]))
    return found


def _rows(path: Path) -> Iterator[tuple[int, object]]:
    """Number and content of each line that is not empty, or what is wrong with it. Raises ConfigError."""
    form = next((form for form in FORMATS.values() if form.suffix == path.suffix), None)
    try:
        if form:
            yield from enumerate(_rows_of_package(path, form), start=1)
        elif path.suffix == ".csv":
            for number, row in csv_rows(path):  # an unknown column is one of every line, and is said once
                if strange := [name for name in row if name not in QuestionLine.model_fields]:
                    remedy = did_you_mean(strange[0], QuestionLine.model_fields)
                    raise line_error(path, 1, strange[0], "unknown column.", remedy)
                yield number, row
        else:
            with path.open("rb") as file:
                yield from json_lines(path, file)
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}.", "Check the path.") from None


def _rows_of_package(path: Path, form: QuestionSetFormat) -> list[object]:
    try:
        return [orjson.loads(orjson.dumps(dict(row))) for row in form.read(path)]
    except (NiahError, OSError):
        raise
    except Exception as error:  # whatever a package's reader does with a file
        problem = f"cannot be read as {form.name}: {type(error).__name__}: {error}."
        raise ConfigError(path, "", problem, "Correct the file, or the package that reads it.") from error


def csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The line where each row of a table ends, and its cells by column; "|" separates several answers."""
    csv.field_size_limit(sys.maxsize)
    begins = 1  # the line where a row does, which a quote left open takes to the end of the file
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            file.seek(0)
            table = csv.DictReader(file, delimiter=max(",;\t", key=first.count), strict=True)
            begins += bool(table.fieldnames)
            for name, times in Counter(filter(None, table.fieldnames or ())).items():
                if times > 1:
                    raise line_error(path, 1, name, "several columns have this name.", "Rename the others.")
            for cells in table:
                if None in cells:
                    problem = "has more cells than there are columns."
                    raise line_error(path, table.line_num, "", problem, "Put texts with commas in quotes.")
                row: dict[str, Any] = {str(key): value for key, value in cells.items() if value}
                for key in {"answers", "options", "evidence"} & row.keys():
                    row[key] = [part.strip() for part in row[key].split("|")]
                if re.fullmatch(r"\d{1,9}", row.get("answer_index", "")):
                    row["answer_index"] = int(row["answer_index"])
                if row:
                    yield table.line_num, row
                begins = table.line_num + 1
    except UnicodeDecodeError:
        raise ConfigError(path, "", "is not UTF-8 text.", "Save the file as CSV in UTF-8.") from None
    except csv.Error as error:
        remedy = "Correct the row that begins there: is every quote closed?"
        raise line_error(path, begins, "", f"is not CSV: {error}.", remedy) from None


def _parsed(path: Path, number: int, row: object, model: type[_Line]) -> _Line:
    if isinstance(row, ConfigError):
        raise row
    if not isinstance(row, Mapping):
        raise line_error(path, number, "", "is not a JSON object.", 'Write one a line: {"id": ...}.')
    data = {key: value for key, value in row.items() if value is not None}  # as data frames write
    try:
        return model.model_validate_json(orjson.dumps(data))
    except ValidationError as error:
        errors = error.errors()
        if any(one["type"] == "extra_forbidden" for one in errors):  # a misspelt key is also a missing one
            errors = [one for one in errors if one["type"] != "missing"]
        by_key = (list(own) for _, own in groupby(errors, key=lambda one: one["loc"][:1]))
        some = islice(by_key, _MOST_MISTAKES)
        mistakes = [line_error(path, number, *first_mistake(model, data, own)) for own in some]
        mistakes[0].others = mistakes[1:]
        raise mistakes[0] from None


def _stored(path: Path) -> Path:
    """The path; of what ships, below the folder that ships, which is elsewhere on another machine."""
    for folder in ("haystacks", "cases"):
        if path.is_relative_to(shipped(folder)):
            return Path(folder) / path.relative_to(shipped(folder))
    return path


def text_digest(text: str) -> str:
    """The sha256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def id_without_spaces(id: str) -> str:
    """A question's id as a part of its sample's."""
    return re.sub(r"\s+", "-", id)


def line_error(path: Path, number: int, key: str, problem: str, remedy: str = "") -> ConfigError:
    """A mistake in a line of ``path``, in the key or in all of it."""
    return ConfigError(path, f"line {number}, {key}" if key else f"line {number}", problem, remedy)
