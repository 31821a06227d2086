"""Question sets: questions over given documents, as JSON lines (docs/questions.md).

A line of NAME.jsonl is one question. Its document stands in the line, or goes by an id: that of a line in
NAME.documents.jsonl beside it, or a document of a haystack that ships ("essays/brine"). Documents stay as
they are: Markdown, tables, code and line breaks are not touched.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from niah.cases.case import id_part
from niah.cases.context import Context, Placed
from niah.cases.prompts import PromptTemplate, load_prompt, prompt_tokens
from niah.cases.questions.formats import in_own_form, suffixes
from niah.cases.questions.question_lines import (
    GivenQuestion,
    QuestionLine,
    document_text,
    evidence_spans,
    id_without_spaces,
    line_error,
    load_questions,
    text_digest,
)
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.errors import CaseError, ConfigError, UserError
from niah.file_mistakes import counted
from niah.files import find, yaml_names
from niah.needles.needle_set import Element, Needle
from niah.paths import shipped
from niah.text.tokenizer import count, get_tokenizer, token_at

_LEAST_ANSWER_TOKENS = 128
_CHOICE_TOKENS = 256
"""Room for a sentence or two that explain the choice, and the choice."""


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
    questions = load_questions(question_set_path(name))
    documents = len({(question.source.path, question.source.document_id) for question in questions})
    choices = sum(bool(question.line.options) for question in questions)
    asked, over = counted(len(questions), "question"), counted(documents, "document")
    sources = dict.fromkeys(question.line.source for question in questions if question.line.source)
    licences = dict.fromkeys(question.line.licence for question in questions if question.line.licence)
    citations = dict.fromkeys(question.line.citation for question in questions if question.line.citation)
    return "; ".join([f"{asked} ({choices} multiple choice) over {over}", *sources, *licences, *citations])


def question_samples(path: Path, tokenizer: str, prompt: str) -> list[Sample]:
    """The samples of a question set, in the order of its lines.

    Raises ConfigError, which names file, line and key, UnknownName or UserError.
    """
    template = load_prompt(prompt)
    questions = load_questions(path)
    samples: dict[int, Sample] = {}
    # Document by document, since the texts of the last few alone are kept.
    for question in sorted(questions, key=lambda one: (one.source.path, one.source.document_id)):
        try:
            samples[question.number] = _sample(path, question, tokenizer, template, prompt)
        except CaseError as error:
            raise line_error(path, question.number, "question", error.message, error.remedy) from None
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
    if text_digest(text) != sample.sha256:
        raise CaseError(
            f"{sample.sample_id}: its document {source.document_id!r} has changed since the run was planned.",
            "Start a new run, or put the old file back.",
        )
    return Context(text, sample.needles, sample.distractors, sample.tokens, sample.prompt_tokens)


def _sample(
    path: Path, question: GivenQuestion, tokenizer_name: str, template: PromptTemplate, prompt: str
) -> Sample:
    line, source = question.line, question.source
    options = line.options
    template.check_options(options)
    text = document_text(source)
    tokenizer = get_tokenizer(tokenizer_name)
    evidence = _evidence(path, question, text, tokenizer_name)
    right = [option for option in options if option in line.answers] if line.answer_index is None else []
    key = AnswerKey(
        name=line.id,
        question=line.question,
        references=("; ".join(right), *right) if len(right) > 1 else line.answers,
        options=options,
        answer_index=line.answer_index,
        needles=tuple(Needle(placed.id, placed.text, ()) for placed in evidence),
        elements=tuple(map(Element, right)) if len(right) > 1 else (),
        traps=tuple(Element(option) for option in options if option not in right) if len(right) > 1 else (),
        kind=line.kind,
        answer_tokens=_answer_tokens(line, tokenizer_name),
        withheld=line.withheld,
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
        fingerprint=text_digest(repr((key, source.sha256, template.identity)))[:20],
        needles=evidence,
        question_set=path.stem,
        source_name=line.source,
        licence=line.licence,
    )


def _sample_id(path: Path, id: str, tokenizer: str, prompt: str) -> str:
    """Set and question, and what is not as usual."""
    parts = [id_part(path.stem), id_without_spaces(id)]
    if tokenizer != "cl100k":
        parts.append(f"t-{id_part(tokenizer)}")
    if prompt != "u-niah":
        parts.append(f"p-{id_part(prompt)}")
    return "_".join(parts)


def _answer_tokens(line: QuestionLine, tokenizer: str) -> int:
    """Room for twice the longest reference answer, and for a short one at least a few sentences."""
    if line.options:
        return _CHOICE_TOKENS
    longest = max((count(get_tokenizer(tokenizer), answer) for answer in line.answers), default=0)
    return max(_LEAST_ANSWER_TOKENS, 2 * longest)


def _evidence(path: Path, question: GivenQuestion, text: str, tokenizer: str) -> tuple[Placed, ...]:
    """Where the quoted passages stand first in the document, in its order; white space may differ."""
    spans: list[tuple[int, int]] = []
    for found in evidence_spans(path, question, text):
        if isinstance(found, ConfigError):
            raise found
        spans.append(found)
    starts = _starts(question.source, tokenizer)
    placed: list[Placed] = []
    for number, (start, end) in enumerate(sorted(set(spans)), start=1):
        token = token_at(starts, text, start)
        placed.append(Placed(f"evidence-{number}", text[start:end], (), start, end, token, token))
    return tuple(placed)


@lru_cache(maxsize=4)
def _starts(source: GivenDocument, tokenizer: str) -> list[int]:
    starts: list[int] = get_tokenizer(tokenizer).starts(document_text(source)).tolist()
    return starts
