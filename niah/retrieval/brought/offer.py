"""Reads what a retriever of the user's own returns. Pure.

* a list of numbers, or ``{"scores": [...]}``: one for each chunk, the higher the better
* ``{"order": [...]}``: chunks' numbers from 0, the best first
* a list of chunks, or ``{"chunks": [...]}``, the best first: texts, or what holds one: a mapping with
  ``text``, ``page_content``, ``content`` or ``index``; LangChain's documents; LlamaIndex's nodes, with scores
  or without; pairs of such a chunk and its score

Chunks that are left out are not retrieved. One that stands there twice counts where it stands first. A text
is that chunk which says the same, or the first that it is a part of; white space does not count. What is none
of the chunks is foreign: it is counted, and not sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from niah.file_mistakes import counted
from niah.retrieval.retriever import Offer

_FORMS = ("scores", "order", "chunks")
_TEXTS = ("text", "page_content", "content")


def read_offer(reply: object, texts: Sequence[str]) -> Offer:
    """What is offered of the chunks ``texts``. Raises ValueError, with what is wrong."""
    form, given = _form_of(reply)
    match form:
        case "scores":
            return _scored(given, len(texts))
        case "order":
            return _ordered([_number(one) for one in given], len(texts))
        case _:
            places = _Places(texts)
            return _ordered([places.of(one) for one in given], len(texts))


def _form_of(reply: object) -> tuple[str, list[Any]]:
    if isinstance(reply, Mapping):
        forms = [form for form in _FORMS if reply.get(form) is not None]
        if len(forms) != 1:
            raise ValueError(f"it returned {_keys(reply)}, and not one of scores, order and chunks")
        return forms[0], _listed(reply[forms[0]], forms[0])
    given = _listed(reply, "reply")
    return ("scores" if given and all(map(_is_number, given)) else "chunks"), given


def _listed(value: object, what: str) -> list[Any]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise ValueError(f"its {what} is {kind_in_words(value)}, not a list")
    return list(value)


def _keys(reply: Mapping[Any, Any]) -> str:
    return f"a mapping with {', '.join(map(str, list(reply)[:5]))}" if reply else "an empty mapping"


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _scored(given: list[Any], count: int) -> Offer:
    if len(given) != count:
        raise ValueError(f"it gave {counted(len(given), 'score')} for {counted(count, 'chunk')}")
    if not all(map(_is_number, given)):
        raise ValueError("it gave a score that is no number")
    scores = np.array(given, dtype=np.float64)
    if not np.isfinite(scores).all():
        raise ValueError("it gave a score that is not a finite number")
    return Offer(scores, count)


def _number(value: object) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise ValueError(f"its order holds {kind_in_words(value)}, not a chunk's number")
    return int(value)


def _ordered(places: Sequence[int | None], count: int) -> Offer:
    """Chunks by their places, the best first; a place that there is not is foreign."""
    known = list(dict.fromkeys(place for place in places if place is not None and 0 <= place < count))
    foreign = sum(place is None or not 0 <= place < count for place in places)
    scores = np.zeros(count)
    scores[known] = np.arange(len(known), 0, -1)
    return Offer(scores, len(known), foreign)


class _Places:
    """Where the chunks stand, by what they say."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [_plain(text) for text in texts]
        self._whole = {text: place for place, text in reversed(list(enumerate(self._texts)))}

    def of(self, chunk: object) -> int | None:
        """The place of what was returned; None for what is none of the chunks."""
        if isinstance(chunk, tuple | list) and len(chunk) == 2 and _is_number(chunk[1]):
            chunk = chunk[0]
        if isinstance(chunk, Mapping) and chunk.get("index") is not None:
            return _number(chunk["index"])
        text = _plain(text_of(chunk))
        if not text or text in self._whole:
            return self._whole.get(text)
        return next((place for place, whole in enumerate(self._texts) if text in whole), None)


def kind_in_words(value: object) -> str:
    """What a value is, for people who may not write Python: "nothing", "true", "a number", "a list"."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    kinds: tuple[tuple[type[Any], str], ...] = (
        (Real, "a number"),
        (str, "a text"),
        (Mapping, "a mapping"),
        (list, "a list"),
    )
    return next((words for kind, words in kinds if isinstance(value, kind)), f"a {type(value).__name__}")


def _plain(text: str) -> str:
    return " ".join(text.split())


def text_of(chunk: Any) -> str:
    """The text of a chunk as libraries hold it. Raises ValueError where there is none."""
    if isinstance(chunk, str):
        return chunk
    if isinstance(chunk, Mapping):
        found = next((chunk[key] for key in _TEXTS if isinstance(chunk.get(key), str)), None)
    else:
        node = getattr(chunk, "node", chunk)
        found = next(
            (getattr(node, key) for key in _TEXTS if isinstance(getattr(node, key, None), str)), None
        )
        if found is None and callable(content := getattr(node, "get_content", None)):
            found = content()
    if not isinstance(found, str):
        raise ValueError(f"a chunk that it returned is {kind_in_words(chunk)}, and holds no text")
    return found
