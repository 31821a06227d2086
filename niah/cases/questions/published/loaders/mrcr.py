"""OpenAI's MRCR: a long conversation with several like requests, one of whose replies is to be repeated.

The rows are those of the dataset openai/mrcr on the Hugging Face hub, as JSON lines: ``prompt`` (the
messages, as JSON in a text), ``answer`` (a marker, then the reply), ``random_string_to_prepend`` (the
marker), ``n_needles``. The last message asks; those before it are the document, and the reply is evidence.
They have no ids, and are numbered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import TypeAdapter, ValidationError

from niah.cases.questions.published.dataset import (
    Imported,
    NumberedRow,
    PublishedDataset,
    PublishedRow,
    RowMistake,
    document_line,
)
from niah.files import NonEmptyText

_CITATION = "OpenAI MRCR (2025), huggingface.co/datasets/openai/mrcr; after MRCR of arXiv:2409.12640"
_LICENCE = "MIT"


class _Message(PublishedRow):
    role: NonEmptyText
    content: str


class _Row(PublishedRow):
    prompt: NonEmptyText
    answer: NonEmptyText
    random_string_to_prepend: str
    n_needles: int


_MESSAGES = TypeAdapter(tuple[_Message, ...])


def load_mrcr(rows: Iterable[NumberedRow]) -> Iterator[Imported]:
    """A question a row, over the conversation before it. Raises RowMistake."""
    for number, row in enumerate(rows, start=1):
        value: _Row = row.value
        *before, last = _messages(row.where, value.prompt)
        document = document_line("\n\n".join(f"{message.role}: {message.content}" for message in before))
        reply = value.answer.removeprefix(value.random_string_to_prepend)
        yield row.ask(
            document,
            id=f"mrcr-{number}",
            question=last.content,
            answers=(value.answer,),
            kind=f"{value.n_needles} needles",
            source="MRCR",
            evidence=(reply,) if reply.strip() and reply in document.text else (),
        )


def _messages(where: str, prompt: str) -> tuple[_Message, ...]:
    try:
        messages = _MESSAGES.validate_json(prompt)
    except ValidationError:
        problem = "is not a JSON list of messages with role and content."
        raise RowMistake(where, "prompt", problem, "Name the file as it was published.") from None
    if len(messages) < 2 or not messages[-1].content.strip():
        raise RowMistake(where, "prompt", "has no conversation and a question after it.", "Take the row out.")
    return messages


MRCR = PublishedDataset("mrcr", "OpenAI MRCR, the hub's rows: .jsonl", _LICENCE, _CITATION, _Row, load_mrcr)
