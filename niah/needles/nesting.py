"""Nested needles: short ones that stand word for word inside long passages."""

from __future__ import annotations

import re
from pathlib import Path

from niah.errors import ConfigError
from niah.needles.mentioned import Mentioned
from niah.needles.needle_set import Needle, NeedleSet, Passage

_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s*\Z")

_Span = tuple[int, int]


def check_nesting(path: Path, needle_set: NeedleSet, mentioned: Mentioned) -> None:
    """Raise ConfigError unless every nested needle stands once, whole and apart in its passage."""
    if not needle_set.passages and not any(needle.inside for needle in needle_set.needles):
        return
    passages = {passage.id: passage for passage in needle_set.passages}
    spans: dict[str, list[_Span]] = {name: [] for name in passages}
    for position, needle in enumerate(needle_set.needles):
        where = f"needles.{position}.inside"
        if not needle.inside:
            problem = "is missing; the set has passages."
            raise ConfigError(path, where, problem, "Put every needle inside a passage, or none.")
        if needle.inside not in passages:
            problem = f"no passage is called {needle.inside!r}."
            raise ConfigError(path, where, problem, f"Passages: {', '.join(passages) or 'none'}.")
        span = _span_in(path, position, needle, passages[needle.inside])
        if any(start < span[1] and span[0] < end for start, end in spans[needle.inside]):
            problem = f"overlaps another needle in the passage {needle.inside!r}."
            raise ConfigError(path, f"needles.{position}.text", problem, "Keep them apart.")
        spans[needle.inside].append(span)
    for position, passage in enumerate(needle_set.passages):
        for name in mentioned(_without(passage.text, spans[passage.id])):
            problem = f"mentions {name!r} outside its needles."
            raise ConfigError(path, f"passages.{position}.text", problem, "Reword it there.")


def _span_in(path: Path, position: int, needle: Needle, passage: Passage) -> _Span:
    where = f"needles.{position}.text"
    times = passage.text.count(needle.text)
    if times != 1:
        problem = f"occurs {times} times in the passage {passage.id!r}, not once."
        raise ConfigError(path, where, problem, "Copy the sentence from the passage word for word.")
    start = passage.text.index(needle.text)
    before = passage.text[:start]
    if (before and not _SENTENCE_END.search(before)) or not _SENTENCE_END.search(needle.text):
        problem = f"is not made of whole sentences of the passage {passage.id!r}."
        raise ConfigError(path, where, problem, "Start and end it where a sentence does.")
    return start, start + len(needle.text)


def _without(text: str, spans: list[_Span]) -> str:
    """``text`` with a full stop for each span, so that what stood around it does not run together."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} . {text[end:]}"
    return text
