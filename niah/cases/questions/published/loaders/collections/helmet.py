"""HELMET: the files in the data of github.com/princeton-nlp/HELMET, as its data.py reads them.

* ``kilt/*.jsonl`` (Natural Questions, HotpotQA, TriviaQA, PopQA): ``question``, ``answers`` and ``ctxs``,
  passages with ``title`` and ``text``;
* ``ruler/*/*.jsonl``: ``context``, ``query`` or ``question``, ``answer`` or ``outputs``;
* ``json_kv/*.jsonl``: ``context``, ``question`` (a key) and ``answer`` (its value);
* ``alce/*.json``: ``question``, ``docs``, and as the answer ``answer`` (ASQA) or lists of names (QAMPARI);
* ``msmarco/*.jsonl``: ``query``, and ``ctxs`` with ``id`` and ``label`` (0 for no use, up to 3), to rank:
  the answer is the ids of those of some use with their labels, "12 (3) > 7 (1)", for ``ndcg-10``.

Questions are numbered, since one stands there with its answer at several depths. HELMET asks for a ranking of
all passages; here the ten best are asked for, by which both measure. What HELMET reads from elsewhere
(InfiniteBench, NarrativeQA, QASPER) has formats of its own here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    RowMistake,
    document_line,
)
from niah.files import NonEmptyText

_Texts = Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
_REMEDY = "Name the file as it was published."
# RULER's tasks by what their rows hold beside the context, as HELMET words them.
_MOST_COMMON = "What are the ten words that appear most often in the list above?"
_MAGIC = "What are all the special magic {kind} for {query} that the text mentions?"
_VARIABLES = "Find all variables that are assigned the value {query} in the text above."
_RANK = (
    "Which ten of the documents above have most to do with the query? Rank them by their IDs, the best "
    "first, in the form ID3 > ID1 > ID2, and write nothing else. Query: {query}"
)


class _Passage(PublishedRow):
    text: NonEmptyText
    title: str = ""
    id: Annotated[str, Field(pattern=r"^\d{1,18}$")] | None = None
    label: Annotated[int, Field(ge=0, le=999)] | None = None


class _Row(PublishedRow):
    question: str | None = None
    query: str | None = None
    answers: _Texts | tuple[_Texts, ...] | None = None
    answer: NonEmptyText | _Texts | None = None
    outputs: _Texts | None = None
    ctxs: Annotated[tuple[_Passage, ...], Field(min_length=1)] | None = None
    docs: Annotated[tuple[_Passage, ...], Field(min_length=1)] | None = None
    context: NonEmptyText | None = None
    type_needle_v: str | None = None
    num_v: int | None = None


def load_helmet(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row, over all of its passages or its context. Raises RowMistake."""
    for number, row in enumerate(rows, start=1):
        value: _Row = row.value
        if value.ctxs and any(each.label is not None for each in value.ctxs):
            yield _ranking(row, value, value.ctxs, f"helmet-{number}")
            continue
        passages = value.ctxs or value.docs
        yield row.ask(
            document_line(_joined(passages) if passages else _needed(row, "context", value.context)),
            id=f"helmet-{number}",
            question=_asked(row, value),
            answers=_answers(row, value),
            kind=_task(row),
            source="Wikipedia" if passages else "HELMET",
        )


def _ranking(row: NumberedRow, value: _Row, passages: tuple[_Passage, ...], id: str) -> Imported:
    """Passages under their ids, and the ids of those that have to do with the query. Raises RowMistake."""
    for place, passage in enumerate(passages):
        if passage.id is None or passage.label is None:
            key = "id" if passage.id is None else "label"
            raise RowMistake(row.where, f"ctxs.{place}.{key}", "is missing.", _REMEDY)
    ids = [each.id or "" for each in passages]
    if twice := next((each for each, times in Counter(ids).items() if times > 1), None):
        raise RowMistake(row.where, "ctxs", f"holds the id {twice} twice.", _REMEDY)
    relevant = sorted((each for each in passages if each.label), key=lambda each: -(each.label or 0))
    if not relevant:
        problem = "holds no passage with a label above 0: nothing to rank."
        raise RowMistake(row.where, "ctxs", problem, "Take the row out.")
    text = "\n\n".join(f"[ID: {each.id}] {_titled(each)}" for each in passages)
    query = _needed(row, "query", value.query)
    return row.ask(
        document_line(text),
        id=id,
        question=_RANK.format(query=query),
        answers=(" > ".join(f"{each.id} ({each.label})" for each in relevant),),
        kind=row.file,
        source="web",
    )


def _task(row: NumberedRow) -> str:
    """What the file is of: of RULER's ("ruler/qa_1/validation_65536.jsonl") its folder says so."""
    return row.path.parent.name if row.file.startswith("validation_") else row.file


def _asked(row: NumberedRow, value: _Row) -> str:
    """The question; RULER's rows hold what it is about."""
    if value.query and value.num_v is not None:
        return _VARIABLES.format(query=value.query)
    if value.query and value.type_needle_v:
        return _MAGIC.format(kind=value.type_needle_v, query=value.query)
    if value.context and not value.question and not value.query and _task(row) == "cwe":
        return _MOST_COMMON
    return _needed(row, "question", value.question or value.query)


def _answers(row: NumberedRow, value: _Row) -> tuple[str, ...]:
    """References, each once. A list of RULER's, and of QAMPARI's names, is one answer that wants all."""
    if value.ctxs:
        if not value.answers:
            raise RowMistake(row.where, "answers", "is missing.", _REMEDY)
        return tuple(dict.fromkeys(_first_names(value.answers)))
    if value.answers:
        return (", ".join(_first_names(value.answers)),)
    wanted = value.answer or value.outputs
    if not wanted:
        raise RowMistake(row.where, "answer", "is missing.", _REMEDY)
    is_asked_for_one = _task(row).startswith("qa") or isinstance(wanted, str)
    texts = (wanted,) if isinstance(wanted, str) else wanted
    return tuple(dict.fromkeys(texts)) if is_asked_for_one else (", ".join(texts),)


def _first_names(answers: tuple[str | tuple[str, ...], ...]) -> Iterator[str]:
    """Each answer by the first of its names, where it has several."""
    return (each if isinstance(each, str) else each[0] for each in answers)


def _joined(passages: tuple[_Passage, ...]) -> str:
    return "\n\n".join(map(_titled, passages))


def _titled(passage: _Passage) -> str:
    return f"{passage.title}\n{passage.text}" if passage.title else passage.text


def _needed(row: NumberedRow, key: str, text: str | None) -> str:
    if not text or not text.strip():
        raise RowMistake(row.where, key, "is missing.", _REMEDY)
    return text


HELMET = PublishedDataset(
    "helmet",
    "HELMET's own files: kilt/nq-dev-multikilt_1000_k220_dep6.jsonl, ruler/, json_kv/, alce/, msmarco/",
    "that of the dataset that the question's kind names",
    "Yen et al. (2025), HELMET: How to Evaluate Long-Context Language Models Effectively and Thoroughly. "
    "ICLR 2025, arXiv:2410.02694; and the dataset that the question's kind names",
    _Row,
    load_helmet,
)
