"""Reads what a system of the user's own returns. Pure.

A text is the answer. A mapping has ``answer``, and may have ``chunks`` (LangChain's ``context`` or
``source_documents``) that it was found in, and ``usage``: ``prompt_tokens``, ``completion_tokens``, ``cost``
in US dollars. LlamaIndex's responses have ``response`` and ``source_nodes``, LangChain's messages
``content``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Any

from niah.readers.http.outcomes import usage_in
from niah.readers.reader import Usage
from niah.retrieval.brought.offer import kind_in_words, text_of

NO_USAGE = Usage()
_CHUNKS = ("chunks", "context", "source_documents")


@dataclass(frozen=True)
class SystemReply:
    """What a system says of one question.

    Attributes:
        answer: its answer.
        chunks: texts that it was found in, the best first; None where it does not say.
        usage: tokens, as it reports them.
        cost: US dollars, as it reports them; None where it does not.
    """

    answer: str
    chunks: tuple[str, ...] | None = None
    usage: Usage = NO_USAGE
    cost: Decimal | None = None


def read_system_reply(reply: object) -> SystemReply:
    """What a system returned. Raises ValueError, with what is wrong."""
    if isinstance(reply, Mapping):
        chunks = next((reply[key] for key in _CHUNKS if reply.get(key) is not None), None)
        usage = reply.get("usage")
        counts = usage if isinstance(usage, Mapping) else {}
        if "answer" not in reply:
            keys = ", ".join(map(str, reply)) or "none"
            raise ValueError(f"there is no answer in its reply: it has no key answer; its keys: {keys}")
        return SystemReply(
            _answer(reply.get("answer"), "its answer is"),
            _texts(chunks),
            usage_in({"usage": counts}),
            _cost(counts),
        )
    if isinstance(reply, str):
        return SystemReply(_answer(reply, "its reply is"))
    said: Any = getattr(reply, "response", None) or getattr(reply, "content", None)
    if said is None:
        raise ValueError(f"it returned {kind_in_words(reply)}, and neither a text nor a mapping with answer")
    return SystemReply(_answer(said, "its response is"), _texts(getattr(reply, "source_nodes", None)))


def _answer(said: object, where: str) -> str:
    if not isinstance(said, str):
        raise ValueError(f"there is no answer in its reply: {where} {kind_in_words(said)}, not a text")
    # JSON can hold half a character, no file can.
    return said.encode(errors="replace").decode()


def _texts(chunks: object) -> tuple[str, ...] | None:
    if chunks is None:
        return None
    if isinstance(chunks, str | Mapping) or not isinstance(chunks, Iterable):
        raise ValueError(f"its chunks are {kind_in_words(chunks)}, not a list")
    return tuple(text_of(chunk) for chunk in chunks)


def _cost(usage: Mapping[str, Any]) -> Decimal | None:
    cost = usage.get("cost")
    known = isinstance(cost, int | float) and not isinstance(cost, bool) and isfinite(cost) and cost >= 0
    return Decimal(str(cost)) if known else None
