"""The lines of a question set and of the documents beside it, read and checked.

Neither file is held in memory: it is read once for where its lines begin, and a document when it is needed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, TypeVar

import orjson
from pydantic import Field, ValidationError

from niah.cases.sample import GivenDocument
from niah.errors import ConfigError, UnknownName, did_you_mean
from niah.file_mistakes import first_mistake
from niah.files import FileModel, NonEmptyText
from niah.haystacks.documents import is_shipped
from niah.haystacks.prose import without_front_matter
from niah.haystacks.world import is_world
from niah.paths import shipped

DOCUMENTS = ".documents.jsonl"
"""How the file of the documents ends that lies beside a question set."""

UNFILLED = "REPLACE:"
"""How what is to be replaced begins, in the lines that ``niah questions init`` writes."""

_OPTIONS_SHOWN = 26
"""As many as there are letters to name them by."""


UNANSWERABLE = "unanswerable"
"""The kind of a question that the document does not answer: it has no reference answer."""


class QuestionLine(FileModel):
    """One line of a question set.

    ``answers`` are reference answers, the fullest first; they may be left out where ``answer_index`` says
    which of the ``options`` is right, from 0, or where ``kind`` is "unanswerable"; several that are options
    are all right. ``evidence`` quotes the passages of the document that hold the answer. ``source`` says
    where a question comes from, ``citation`` what to cite for it. ``withheld`` says that the right answer is
    not public, so that there is none here.
    ``canary`` is for training corpora, and not read.
    """

    id: NonEmptyText
    question: NonEmptyText
    document: NonEmptyText | None = None
    document_id: NonEmptyText | None = None
    answers: tuple[NonEmptyText, ...] = ()
    options: Annotated[tuple[NonEmptyText, ...], Field(min_length=2, max_length=_OPTIONS_SHOWN)] = ()
    answer_index: Annotated[int, Field(ge=0)] | None = None
    kind: NonEmptyText | None = None
    source: NonEmptyText | None = None
    evidence: tuple[NonEmptyText, ...] = ()
    licence: NonEmptyText | None = None
    citation: NonEmptyText | None = None
    withheld: bool = False
    canary: str = ""


class DocumentLine(FileModel):
    """One line of the file of documents beside a question set."""

    id: NonEmptyText
    text: NonEmptyText
    title: str = ""


@dataclass(frozen=True)
class GivenQuestion:
    """A line of a question set that was checked, without its document's text.

    Attributes:
        number: of the line.
        line: with answers and, where it has options, the place of the right one.
        source: its document.
    """

    number: int
    line: QuestionLine
    source: GivenDocument


M = TypeVar("M", bound=FileModel)


def document_text(source: GivenDocument) -> str:
    """The text of a given document, as it is. Raises ConfigError or UnknownName."""
    path = _existing(source.path)
    if path.suffix != ".jsonl":
        return _plain_text(path, _stamp(path))
    return _document(path, source.document_id, _stamp(path)).text


def load_questions(path: Path) -> list[GivenQuestion]:
    """The lines of a question set, every one checked but for its evidence. Raises ConfigError."""
    questions: list[GivenQuestion] = []
    for question in given_questions(path):
        if isinstance(question, ConfigError):
            raise question
        questions.append(question)
    if not questions:
        raise no_question(path)
    return questions


def no_question(path: Path) -> ConfigError:
    """What is wrong with a question set without a line."""
    return ConfigError(path, "", "holds no question.", 'Write one JSON object a line: {"id": ...}.')


def given_questions(path: Path) -> Iterator[GivenQuestion | ConfigError]:
    """What each line of a question set holds, or what is wrong with it; evidence is not looked for.

    Raises ConfigError where nothing can be read.
    """
    beside = path.with_name(path.stem + DOCUMENTS)
    reading = _Reading(path, beside, _index(beside, _stamp(beside)) if beside.is_file() else {})
    for number, _, raw in _lines(path):
        try:
            yield reading.question(number, raw)
        except ConfigError as error:
            yield error


class _Reading:
    """A question set line by line: what the lines before have taken."""

    def __init__(self, path: Path, beside: Path, known: Mapping[str, int]) -> None:
        self._path, self._beside, self._known = path, beside, known
        self._lines: dict[str, int] = {}
        self._inline: dict[str, str] = {}
        self._sources: dict[str, GivenDocument] = {}

    def question(self, number: int, raw: bytes) -> GivenQuestion:
        """The question of one line. Raises ConfigError."""
        path = self._path
        line = _parsed(path, number, raw, QuestionLine)
        earlier = self._lines.setdefault(id_without_spaces(line.id), number)
        if earlier != number:
            problem = f"{line.id!r} is also the id of line {earlier}."
            raise line_error(path, number, "id", problem, "Give each question its own.")
        _check_filled(path, number, line)
        line = _with_answers(path, number, line)
        if (line.document is None) == (line.document_id is None):
            both = "has both a document and a document_id." if line.document else "has no document."
            raise line_error(
                path, number, "", both, "Write the text as document, or its name as document_id."
            )
        if line.document is not None:
            digest = text_digest(line.document)
            # The same text in several lines is one document, called by the first question about it.
            source = GivenDocument(_as_stored(path), self._inline.setdefault(digest, line.id), digest)
            return GivenQuestion(number, line.model_copy(update={"document": None}), source)
        name = line.document_id or ""
        source = self._sources.get(name) or _source(path, number, name, self._beside, self._known)
        self._sources[name] = source
        return GivenQuestion(number, line, source)


def _check_filled(path: Path, number: int, line: QuestionLine) -> None:
    """Raise ConfigError for what still stands as the template has it."""
    said = {"question": (line.question,), "answers": line.answers, "evidence": line.evidence}
    left = [key for key, texts in said.items() if any(text.startswith(UNFILLED) for text in texts)]
    if left:
        problem = "is still to be filled in." if len(left) == 1 else "are still to be filled in."
        remedy = f"Replace what begins with {UNFILLED}, or take the line out."
        raise line_error(path, number, ", ".join(left), problem, remedy)


def _with_answers(path: Path, number: int, line: QuestionLine) -> QuestionLine:
    """The line with both its answers and, where it has options, the place of the right one."""
    twice = [option for option, times in Counter(line.options).items() if times > 1]
    if twice:
        raise line_error(path, number, "options", f"{twice[0]!r} stands twice.", "Take one out.")
    none_is_given = {"withheld": line.withheld, "kind": line.kind == UNANSWERABLE}
    for key, said in none_is_given.items():
        if said and (line.answers or line.answer_index is not None):
            problem = f"is {'true' if key == 'withheld' else UNANSWERABLE}, and there is an answer."
            raise line_error(path, number, key, problem, "Take one of them out.")
    if line.withheld:
        return line
    if not line.options:
        if line.answer_index is not None:
            raise line_error(
                path, number, "answer_index", "counts options, and there are none.", "Add options."
            )
        if not line.answers and line.kind != UNANSWERABLE:
            remedy = "Add one, or write kind: unanswerable."
            raise line_error(path, number, "answers", "holds no answer.", remedy)
        return line
    if line.answer_index is None:
        right = [place for place, option in enumerate(line.options) if option in line.answers]
        if len(right) > 1 and set(line.answers) <= set(line.options):
            return line
        if len(right) != 1:
            problem = "is missing, and the answers are not the text of one option."
            raise line_error(
                path, number, "answer_index", problem, "Write the place of the right one, from 0."
            )
        line = line.model_copy(update={"answer_index": right[0]})
    index = line.answer_index
    assert index is not None
    if index >= len(line.options):
        problem = f"is {index}, and there are {len(line.options)} options."
        raise line_error(path, number, "answer_index", problem, "Count from 0.")
    others = [option for option in line.options if option in line.answers and option != line.options[index]]
    if others:
        problem = f"is {index}, which is {line.options[index]!r}, and the answers say {others[0]!r}."
        raise line_error(path, number, "answer_index", problem, "Take one of them out.")
    return line if line.answers else line.model_copy(update={"answers": (line.options[index],)})


def _source(path: Path, number: int, name: str, beside: Path, known: Mapping[str, int]) -> GivenDocument:
    """Where the document of that id lies."""
    if name in known:
        row = _document(beside, name, _stamp(beside))
        return GivenDocument(_as_stored(beside), name, text_digest(row.text), row.title)
    haystack, _, document = name.partition("/")
    file = shipped("haystacks") / haystack / f"{document}.md"
    if is_shipped(haystack) and document and file.is_file():
        if is_world(file.parent):
            problem = f"{haystack!r} is a world: its documents are other ones for every seed."
            raise line_error(path, number, "document_id", problem, "Name a document of another haystack.")
        return GivenDocument(_as_stored(file), name, text_digest(_plain_text(file, _stamp(file))))
    problem = f"no document called {name!r}"
    if is_shipped(haystack):
        near = did_you_mean(name, [f"{haystack}/{path.stem}" for path in file.parent.glob("*.md")])
        raise line_error(path, number, "document_id", f"{problem}.", near if near.startswith("Did") else "")
    if not known:
        problem = f"{problem}, and no file {beside.name} beside the questions"
    remedy = did_you_mean(name, known) if 0 < len(known) < 20 else f"Write it as a line of {beside.name}."
    raise line_error(path, number, "document_id", f"{problem}.", remedy)


def id_without_spaces(id: str) -> str:
    """A question's id as a part of its sample's: without spaces."""
    return re.sub(r"\s+", "-", id)


def evidence_spans(path: Path, question: GivenQuestion, text: str) -> Iterator[tuple[int, int] | ConfigError]:
    """Where each quoted passage stands first in the document, or that it does not; white space may differ."""
    for place, quote in enumerate(question.line.evidence):
        found = re.search(r"\s+".join(map(re.escape, quote.split())), text) if quote.strip() else None
        if found is None:
            problem = f"the document {question.source.document_id!r} does not hold {quote[:60]!r}."
            key = f"evidence.{place}"
            yield line_error(path, question.number, key, problem, "Quote it word for word, or leave it out.")
        else:
            yield found.span()


def _lines(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Number, offset in bytes and text of the lines that hold something."""
    try:
        with path.open("rb") as file:
            offset = 0
            for number, raw in enumerate(file, start=1):
                text = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
                if text.strip():
                    yield number, offset + len(raw) - len(text), text
                offset += len(raw)
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}.", "Check the path.") from None


def _parsed(path: Path, number: int, raw: bytes, model: type[M]) -> M:
    try:
        raw.decode()
        data = orjson.loads(raw)
    except UnicodeDecodeError:
        raise line_error(path, number, "", "is not UTF-8 text.", "Save the file as UTF-8.") from None
    except orjson.JSONDecodeError as error:
        problem = f"is not JSON: {error.msg}."
        raise line_error(path, number, "", problem, "Write one JSON object a line.") from None
    if not isinstance(data, dict):
        raise line_error(path, number, "", "is not a JSON object.", 'Write one a line: {"id": ...}.')
    if twice := _key_twice(raw, data):
        raise line_error(path, number, twice, "stands twice.", "Take one out.")
    if None in data.values():  # as data frames write what is not there
        data = {key: value for key, value in data.items() if value is not None}
        raw = orjson.dumps(data)
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        mistake = first_mistake(model, data, error.errors())
        raise line_error(path, number, mistake.key, mistake.problem, mistake.remedy) from None


def _key_twice(raw: bytes, data: dict[str, object]) -> str:
    """A key that stands twice in a line, of which a JSON reader keeps the last value; "" where none does."""
    if all(raw.count(f'"{key}"'.encode()) < 2 for key in data):  # a document may be long
        return ""
    pairs: list[tuple[str, object]] = json.loads(raw, object_pairs_hook=list)
    return next((key for key, times in Counter(key for key, _ in pairs).items() if times > 1), "")


@lru_cache(maxsize=16)
def _index(path: Path, stamp: tuple[int, int]) -> dict[str, int]:
    """Where the line of each id begins: documents of a file of documents, or questions with theirs.

    What is wrong with a question's line is said where questions are read, and hides no other's document.
    """
    is_documents = path.name.endswith(DOCUMENTS)
    model = DocumentLine if is_documents else QuestionLine
    offsets: dict[str, int] = {}
    for number, offset, raw in _lines(path):
        try:
            line = _parsed(path, number, raw, model)
        except ConfigError:
            if is_documents:
                raise
            continue
        assert isinstance(line, DocumentLine | QuestionLine)
        if is_documents and line.id in offsets:
            problem = f"another line has the id {line.id!r}."
            raise line_error(path, number, "id", problem, "Give each line its own.")
        offsets.setdefault(line.id, offset)
    return offsets


@lru_cache(maxsize=4)
def _document(path: Path, document_id: str, stamp: tuple[int, int]) -> DocumentLine:
    offsets = _index(path, stamp)
    if document_id not in offsets:
        raise UnknownName("document", document_id, [])
    with path.open("rb") as file:
        file.seek(offsets[document_id])
        raw = file.readline()
    if path.name.endswith(DOCUMENTS):
        return _parsed(path, 0, raw, DocumentLine)
    line = _parsed(path, 0, raw, QuestionLine)
    return DocumentLine(id=line.id, text=line.document or "")


@lru_cache(maxsize=4)
def _plain_text(path: Path, stamp: tuple[int, int]) -> str:
    """A haystack's document, without the facts that stand before its text."""
    return without_front_matter(path.read_text(encoding="utf-8"))


def _stamp(path: Path) -> tuple[int, int]:
    """Changes with the file."""
    try:
        facts = path.stat()
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}.", "Check the path.") from None
    return facts.st_mtime_ns, facts.st_size


def _as_stored(path: Path) -> Path:
    """What ships goes by its path below the folders that ship: those are elsewhere on another machine."""
    for folder in ("haystacks", "cases"):
        if path.is_relative_to(shipped(folder)):
            return Path(folder) / path.relative_to(shipped(folder))
    return path


def _existing(path: Path) -> Path:
    """The file itself: from the working folder, or of what ships."""
    if not path.exists() and not path.is_absolute() and path.parts[0] in ("haystacks", "cases"):
        return shipped(path.parts[0]).joinpath(*path.parts[1:])
    return path


def text_digest(text: str) -> str:
    """What makes two documents the same."""
    return hashlib.sha256(text.encode()).hexdigest()


def line_error(path: Path, number: int, key: str, problem: str, remedy: str = "") -> ConfigError:
    """A mistake in a line of ``path``, in the key or in all of it."""
    return ConfigError(path, f"line {number}, {key}" if key else f"line {number}", problem, remedy)
