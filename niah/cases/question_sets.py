"""Question sets: questions over given documents, as JSON lines (docs/questions.md).

A line of NAME.jsonl is one question. Its document stands in the line, or goes by an id: that of a line in
NAME.documents.jsonl beside it, or a document of a haystack that ships ("essays/brine"). Documents stay as
they are: Markdown, tables, code and line breaks are not touched.

Neither file is held in memory: it is read once for where its lines begin, and a document when it is needed.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, TypeVar

import orjson
from pydantic import Field, ValidationError

from niah.cases.case import id_part
from niah.cases.context import Context, Placed
from niah.cases.prompts import PromptTemplate, load_prompt, prompt_tokens
from niah.cases.questions.formats import in_own_form, suffixes
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.errors import CaseError, ConfigError, UnknownName, UserError, did_you_mean
from niah.file_mistakes import first_mistake
from niah.files import FileModel, NonEmptyText, find, yaml_names
from niah.haystacks.documents import haystack_names
from niah.haystacks.prose import without_front_matter
from niah.haystacks.world import is_world
from niah.needles.needle_set import Needle
from niah.paths import shipped
from niah.text.tokenizer import count, get_tokenizer, token_at

DOCUMENTS = ".documents.jsonl"
"""How the file of the documents ends that lies beside a question set."""

_OPTIONS_SHOWN = 26
"""As many as there are letters to name them by."""

_LEAST_ANSWER_TOKENS = 128
_CHOICE_TOKENS = 256
"""Room for a sentence or two that explain the choice, and the choice."""


class QuestionLine(FileModel):
    """One line of a question set.

    ``answers`` are reference answers, the fullest first; they may be left out where ``answer_index`` says
    which of the ``options`` is right, from 0, or where ``kind`` is "unanswerable". ``evidence`` quotes the
    passages of the document that hold the answer. ``source`` says where a question comes from, ``citation``
    what to cite for it. ``canary`` is for training corpora, and not read.
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
    canary: str = ""


class DocumentLine(FileModel):
    """One line of the file of documents beside a question set."""

    id: NonEmptyText
    text: NonEmptyText
    title: str = ""


@dataclass(frozen=True)
class QuestionSets:
    """The question sets of a suite: files, and what all of them are counted and asked with."""

    paths: tuple[Path, ...] = ()
    tokenizer: str = "cl100k"
    prompt: str = "u-niah"

    def samples(self) -> list[Sample]:
        """The samples of all sets. Raises UserError, which names file, line and key."""
        return [
            sample for path in self.paths for sample in question_samples(path, self.tokenizer, self.prompt)
        ]


@dataclass(frozen=True)
class _Question:
    """A line that was checked, without its document's text."""

    number: int
    line: QuestionLine
    source: GivenDocument


M = TypeVar("M", bound=FileModel)


def question_folders() -> list[Path]:
    """Where question sets are looked for: the working folder's ``cases/questions/``, then what ships."""
    return [Path("cases/questions"), shipped("cases") / "questions"]


def question_set_names() -> list[str]:
    """The question sets that a bare name can mean."""
    return [name for name in yaml_names(question_folders(), suffixes()) if not name.endswith(".documents")]


def question_set_path(name: str) -> Path:
    """The file of a question set by name or path, in niah's own form. Raises UnknownName or ConfigError."""
    return in_own_form(find("question set", name, question_folders(), suffixes()))


def describe_question_set(name: str) -> str:
    """One line: how many questions over how many documents, where from, on what terms, and what to cite."""
    questions = _questions(question_set_path(name))
    documents = len({(question.source.path, question.source.document_id) for question in questions})
    choices = sum(bool(question.line.options) for question in questions)
    counted = f"{len(questions)} questions ({choices} multiple choice) over {documents} documents"
    sources = dict.fromkeys(question.line.source for question in questions if question.line.source)
    licences = dict.fromkeys(question.line.licence for question in questions if question.line.licence)
    citations = dict.fromkeys(question.line.citation for question in questions if question.line.citation)
    return "; ".join([counted, *sources, *licences, *citations])


def question_samples(path: Path, tokenizer: str, prompt: str) -> list[Sample]:
    """The samples of a question set, in the order of its lines.

    Raises ConfigError, which names file, line and key, UnknownName or UserError.
    """
    template = load_prompt(prompt)
    questions = _questions(path)
    samples: dict[int, Sample] = {}
    # Document by document, since the texts of the last few alone are kept.
    for question in sorted(questions, key=lambda one: (one.source.path, one.source.document_id)):
        try:
            samples[question.number] = _sample(path, question, tokenizer, template, prompt)
        except CaseError as error:
            raise _error(path, question.number, "question", error.message, error.remedy) from None
    return [samples[question.number] for question in questions]


def given_context(sample: Sample, source: GivenDocument) -> Context:
    """The context of a given sample: its document, read again.

    Raises CaseError where the document is gone, or is another one than when the sample was resolved.
    """
    try:
        text = document_text(source)
    except UserError as error:
        problem = f"{sample.sample_id}: its document cannot be read any more: {error.message}"
        raise CaseError(problem, "Put the file back.") from None
    if _digest(text) != sample.sha256:
        raise CaseError(
            f"{sample.sample_id}: its document {source.document_id!r} has changed since the run was planned.",
            "Start a new run, or put the old file back.",
        )
    return Context(text, sample.needles, sample.distractors, sample.tokens, sample.prompt_tokens)


def document_text(source: GivenDocument) -> str:
    """The text of a given document, as it is. Raises ConfigError or UnknownName."""
    path = _existing(source.path)
    if path.suffix != ".jsonl":
        return _plain_text(path, _stamp(path))
    return _document(path, source.document_id, _stamp(path)).text


def _questions(path: Path) -> list[_Question]:
    """The lines of a question set, every one checked but for its evidence."""
    beside = path.with_name(path.stem + DOCUMENTS)
    known = _index(beside, _stamp(beside)) if beside.is_file() else {}
    questions: list[_Question] = []
    lines: dict[str, int] = {}
    inline: dict[str, str] = {}
    sources: dict[str, GivenDocument] = {}
    for number, _, raw in _lines(path):
        line = _parsed(path, number, raw, QuestionLine)
        earlier = lines.setdefault(_spelled(line.id), number)
        if earlier != number:
            problem = f"{line.id!r} is also the id of line {earlier}."
            raise _error(path, number, "id", problem, "Give each question its own.")
        line = _with_answers(path, number, line)
        if (line.document is None) == (line.document_id is None):
            both = "has both a document and a document_id." if line.document else "has no document."
            raise _error(path, number, "", both, "Write the text as document, or its name as document_id.")
        if line.document is not None:
            digest = _digest(line.document)
            # The same text in several lines is one document, called by the first question about it.
            source = GivenDocument(_as_stored(path), inline.setdefault(digest, line.id), digest)
            line = line.model_copy(update={"document": None})
        else:
            name = line.document_id or ""
            source = sources.get(name) or _source(path, number, name, beside, known)
            sources[name] = source
        questions.append(_Question(number, line, source))
    if not questions:
        raise ConfigError(path, "", "holds no question.", 'Write one JSON object a line: {"id": ...}.')
    return questions


def _with_answers(path: Path, number: int, line: QuestionLine) -> QuestionLine:
    """The line with both its answers and, where it has options, the place of the right one."""
    if not line.options:
        if line.answer_index is not None:
            raise _error(path, number, "answer_index", "counts options, and there are none.", "Add options.")
        if not line.answers and line.kind != "unanswerable":
            remedy = "Add one, or write kind: unanswerable."
            raise _error(path, number, "answers", "holds no answer.", remedy)
        return line
    twice = [option for option, times in Counter(line.options).items() if times > 1]
    if twice:
        raise _error(path, number, "options", f"{twice[0]!r} stands twice.", "Take one out.")
    if line.answer_index is None:
        right = [place for place, option in enumerate(line.options) if option in line.answers]
        if len(right) != 1:
            problem = "is missing, and the answers are not the text of one option."
            raise _error(path, number, "answer_index", problem, "Write the place of the right one, from 0.")
        line = line.model_copy(update={"answer_index": right[0]})
    index = line.answer_index
    assert index is not None
    if index >= len(line.options):
        problem = f"is {index}, and there are {len(line.options)} options."
        raise _error(path, number, "answer_index", problem, "Count from 0.")
    return line if line.answers else line.model_copy(update={"answers": (line.options[index],)})


def _source(path: Path, number: int, name: str, beside: Path, known: Mapping[str, int]) -> GivenDocument:
    """Where the document of that id lies."""
    if name in known:
        row = _document(beside, name, _stamp(beside))
        return GivenDocument(_as_stored(beside), name, _digest(row.text), row.title)
    haystack, _, document = name.partition("/")
    file = shipped("haystacks") / haystack / f"{document}.md"
    if haystack in haystack_names() and document and file.is_file():
        if is_world(file.parent):
            problem = f"{haystack!r} is a world: its documents are other ones for every seed."
            raise _error(path, number, "document_id", problem, "Name a document of another haystack.")
        return GivenDocument(_as_stored(file), name, _digest(_plain_text(file, _stamp(file))))
    problem = f"no document called {name!r}"
    if haystack in haystack_names():
        near = did_you_mean(name, [f"{haystack}/{path.stem}" for path in file.parent.glob("*.md")])
        raise _error(path, number, "document_id", f"{problem}.", near if near.startswith("Did") else "")
    if not known:
        problem = f"{problem}, and no file {beside.name} beside the questions"
    remedy = did_you_mean(name, known) if 0 < len(known) < 20 else f"Write it as a line of {beside.name}."
    raise _error(path, number, "document_id", f"{problem}.", remedy)


def _sample(
    path: Path, question: _Question, tokenizer_name: str, template: PromptTemplate, prompt: str
) -> Sample:
    line, source = question.line, question.source
    options = line.options
    template.check_options(options)
    text = document_text(source)
    tokenizer = get_tokenizer(tokenizer_name)
    evidence = _evidence(path, question, text, tokenizer_name)
    key = AnswerKey(
        name=line.id,
        question=line.question,
        references=line.answers,
        options=options,
        answer_index=line.answer_index,
        needles=tuple(Needle(placed.id, placed.text, ()) for placed in evidence),
        kind=line.kind,
        answer_tokens=_answer_tokens(line, tokenizer_name),
    )
    return Sample(
        sample_id=_sample_id(path, line.id, tokenizer_name, prompt),
        origin="given",
        key=key,
        source=source,
        prompt=prompt,
        tokenizer=tokenizer_name,
        tokens=len(_starts(source, tokenizer_name)),
        prompt_tokens=prompt_tokens(template, line.question, text[:200], text[-200:], tokenizer, options),
        sha256=source.sha256,
        fingerprint=_digest(repr((key, source.sha256, template.identity)))[:20],
        needles=evidence,
        question_set=path.stem,
        source_name=line.source,
        licence=line.licence,
    )


def _sample_id(path: Path, id: str, tokenizer: str, prompt: str) -> str:
    """Set and question, and what is not as usual."""
    parts = [id_part(path.stem), _spelled(id)]
    if tokenizer != "cl100k":
        parts.append(f"t-{id_part(tokenizer)}")
    if prompt != "u-niah":
        parts.append(f"p-{id_part(prompt)}")
    return "_".join(parts)


def _spelled(id: str) -> str:
    """A question's id as a part of its sample's: without spaces."""
    return re.sub(r"\s+", "-", id)


def _answer_tokens(line: QuestionLine, tokenizer: str) -> int:
    """Room for twice the longest reference answer, and for a short one at least a few sentences."""
    if line.options:
        return _CHOICE_TOKENS
    longest = max((count(get_tokenizer(tokenizer), answer) for answer in line.answers), default=0)
    return max(_LEAST_ANSWER_TOKENS, 2 * longest)


def _evidence(path: Path, question: _Question, text: str, tokenizer: str) -> tuple[Placed, ...]:
    """Where the quoted passages stand first in the document, in its order; white space may differ."""
    spans: list[tuple[int, int]] = []
    for place, quote in enumerate(question.line.evidence):
        found = re.search(r"\s+".join(map(re.escape, quote.split())), text) if quote.strip() else None
        if found is None:
            problem = f"the document {question.source.document_id!r} does not hold {quote[:60]!r}."
            key = f"evidence.{place}"
            raise _error(path, question.number, key, problem, "Quote it word for word, or leave it out.")
        spans.append(found.span())
    starts = _starts(question.source, tokenizer)
    placed: list[Placed] = []
    for number, (start, end) in enumerate(sorted(set(spans)), start=1):
        token = token_at(starts, text, start)
        placed.append(Placed(f"evidence-{number}", text[start:end], (), start, end, token, token))
    return tuple(placed)


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
        data = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        problem = f"is not JSON: {error.msg}."
        raise _error(path, number, "", problem, "Write one JSON object a line.") from None
    if not isinstance(data, dict):
        raise _error(path, number, "", "is not a JSON object.", 'Write one a line: {"id": ...}.')
    if None in data.values():  # as data frames write what is not there
        data = {key: value for key, value in data.items() if value is not None}
        raw = orjson.dumps(data)
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        mistake = first_mistake(model, data, error.errors())
        raise _error(path, number, mistake.key, mistake.problem, mistake.remedy) from None


@lru_cache(maxsize=16)
def _index(path: Path, stamp: tuple[int, int]) -> dict[str, int]:
    """Where the line of each id begins: documents of a file of documents, or questions with theirs."""
    model = DocumentLine if path.name.endswith(DOCUMENTS) else QuestionLine
    offsets: dict[str, int] = {}
    for number, offset, raw in _lines(path):
        line = _parsed(path, number, raw, model)
        assert isinstance(line, DocumentLine | QuestionLine)
        if line.id in offsets:
            problem = f"another line has the id {line.id!r}."
            raise _error(path, number, "id", problem, "Give each line its own.")
        offsets[line.id] = offset
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


@lru_cache(maxsize=4)
def _starts(source: GivenDocument, tokenizer: str) -> list[int]:
    starts: list[int] = get_tokenizer(tokenizer).starts(document_text(source)).tolist()
    return starts


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


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _error(path: Path, number: int, key: str, problem: str, remedy: str = "") -> ConfigError:
    return ConfigError(path, f"line {number}, {key}" if key else f"line {number}", problem, remedy)
