"""QASPER: questions about whole papers on language processing, by people who read title and abstract alone.

Two forms are read. The authors' files (``qasper-dev-v0.3.json``) are one JSON object of papers by their ids:
``title``, ``abstract``, ``full_text`` (a list of sections with ``section_name`` and ``paragraphs``) and
``qas`` (a list of ``question``, ``question_id`` and ``answers``). The rows of allenai/qasper on the Hugging
Face hub have an ``id`` and the same in columns: ``full_text`` is two lists, ``qas`` three.

As the authors' evaluator reads them, an annotator's answer is what was marked (spans, joined by commas),
written, Yes or No, or that there is none. A question that some could answer and others not may be answered
either way; one that nobody could is ``unanswerable``. Evidence are the annotators' paragraphs, but for
figures and tables, which the text does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    RowMistake,
    rows_of_columns,
)
from niah.cases.questions.question_lines import DocumentLine
from niah.files import NonEmptyText

_NOBODY = "Unanswerable"
_FIGURE = "FLOAT SELECTED"
"""How evidence that is a figure or a table begins."""


class _Answer(PublishedRow):
    unanswerable: bool
    extractive_spans: tuple[str, ...]
    yes_no: bool | None
    free_form_answer: str
    evidence: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What the evaluator calls answers of this form."""
        if self.unanswerable:
            return "unanswerable"
        if self.extractive_spans:
            return "extractive"
        return "abstractive" if self.free_form_answer.strip() else "boolean"

    @property
    def text(self) -> str:
        """What it says."""
        said = {
            "unanswerable": _NOBODY,
            "extractive": ", ".join(self.extractive_spans),
            "abstractive": self.free_form_answer,
            "boolean": "Yes" if self.yes_no else "No",
        }
        return said[self.kind].strip()


class _Given(PublishedRow):
    answer: _Answer


class _Question(PublishedRow):
    question: NonEmptyText
    question_id: NonEmptyText
    answers: tuple[_Given, ...]


class _Section(PublishedRow):
    section_name: str | None
    paragraphs: tuple[str, ...]


class _Row(PublishedRow):
    id: NonEmptyText
    title: NonEmptyText
    abstract: str
    full_text: tuple[_Section, ...]
    qas: tuple[_Question, ...]

    @classmethod
    def as_published(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """The hub's row with sections, questions and answers as lists of objects."""
        sections, questions = rows_of_columns(data.get("full_text")), rows_of_columns(data.get("qas"))
        if isinstance(questions, list):
            questions = [_with_single_answers(asked) for asked in questions]
        changed = {"full_text": sections, "qas": questions}
        return {**data, **{key: value for key, value in changed.items() if key in data}}


def _with_single_answers(asked: Any) -> Any:
    """{"answers": {"answer": [{...}, {...}]}} of the hub as {"answers": [{"answer": {...}}, ...]}."""
    answers = asked.get("answers") if isinstance(asked, Mapping) else None
    if not (isinstance(answers, Mapping) and isinstance(answers.get("answer"), list)):
        return asked
    return {**asked, "answers": rows_of_columns({"answer": answers["answer"]})}


def load_qasper(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """The questions about each paper. Raises RowMistake."""
    for row in rows:
        paper: _Row = row.value
        document = DocumentLine(id=paper.id, text=_text(paper), title=paper.title)
        words = " ".join(document.text.split())
        for number, asked in enumerate(paper.qas):
            given = [each.answer for each in asked.answers]
            if not given:
                remedy = "Import the train or the dev split, or take the question out."
                raise RowMistake(row.where, f"qas.{number}.answers", "is empty.", remedy)
            known = [answer for answer in given if not answer.unanswerable]
            quoted = dict.fromkeys(quote for answer in known for quote in answer.evidence)
            yield row.ask(
                document,
                id=asked.question_id,
                question=asked.question,
                answers=_texts([*known, *given]) if known else (),
                kind=known[0].kind if known else "unanswerable",
                source="paper",
                evidence=tuple(quote for quote in quoted if _stands_in(quote, words)),
            )


def _texts(answers: Iterable[_Answer]) -> tuple[str, ...]:
    """What they say, each once: those who know first."""
    return tuple(dict.fromkeys(answer.text for answer in answers if answer.text))


def _stands_in(quote: str, words: str) -> bool:
    plain = " ".join(quote.split())
    return bool(plain) and not plain.startswith(_FIGURE) and plain in words


def _text(paper: _Row) -> str:
    """Title, abstract and sections under their names, with a blank line between paragraphs."""
    sections = (
        part
        for section in paper.full_text
        for part in ((section.section_name or "").replace(" ::: ", ": "), *section.paragraphs)
    )
    return "\n\n".join(part.strip() for part in (paper.title, paper.abstract, *sections) if part.strip())


QASPER = PublishedDataset(
    "qasper",
    "QASPER, train or dev, or the hub's rows: qasper-dev-v0.3.json",
    "CC BY 4.0",
    "Dasigi et al. (2021), A Dataset of Information-Seeking Questions and Answers Anchored in Research "
    "Papers, NAACL. arXiv:2105.03011",
    _Row,
    load_qasper,
    by_id="id",
)
