"""The lists in an answer: bullets, lines, JSON arrays, and "A, B and C" in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK

_BULLET = lazy_pattern(
    r"([ \t]*)(?:[-*+•·–▪◦‣]|\(?\d{1,3}[.)]|\(?[a-z][.)]|(?=・))(?:[ \t]+|・[ \t]*)(\S.*)\Z"
)
# "Not included:" above a list rules it out.
_DENIED = lazy_pattern(
    r"\b(?:not|no|none|never|neither|nor|without|except|excluded?|excluding|unlike|rather|instead|others?"
    r"|wrong|incorrect|irrelevant|ignored?|distractors?|notes?|sources?|steps?|reasoning)\b|n't"
)
_INDISPENSABLE = re.compile(r"\b(?:cannot|can\s?not|can't|could\s?n't|not)\s+(?:\w+\s+){0,3}without\b")
_BRACKETED = re.compile(r"\([^()\n]{0,200}\)")
_WRAPPED = re.compile(r",[ \t]{0,9}\n[ \t]{0,9}")
# "A; B; C" is a list too where no commas part anything smaller.
_SEMICOLONS = re.compile(r"(?:^|(?<=:))[^,;:.\n]+(?:;[^,;:.\n]+){2,}\.?$", re.MULTILINE)
_BREAK = re.compile(r"[\[\]{}()\n:;]|[.!?](?=\s|\Z)")
_AND = (
    r"(?:and|or|as[ \t]well[ \t]as|plus|und|oder|sowie|et|ou|ainsi[ \t]que|y|e|ed|nonché|oltre[ \t]a"
    r"|así[ \t]como|además[ \t]de|bem[ \t]como|além[ \t]de|и|или|а[ \t]также)"
)
_COMMA = lazy_pattern(rf"[ \t]?,[ \t]*({_AND}[ \t]+)?|[ \t]({_AND})[ \t]+")
_BARE = re.compile(rf"(?:[\w'-]+[ \t]+){{0,4}}{MASK}+(?:s|'s)?")
_BARE_END = re.compile(rf"{MASK}(?:s|'s)?\Z")
# What a sentence goes on with behind its last item: "and salt are all that is used", "werden verwendet".
_PREDICATE = re.compile(
    r"(?<=\w)[ ](?:are|were|sind|waren|wurden|werden|haben|hatten|gehör\w+|sont|étaient|furent|ont|son|eran"
    r"|fueron|han|são|eram|foram|sono|erano|furono|hanno|были)\b.*\Z",
    re.DOTALL,
)
# "Her housekeeper, Mrs Bell" are one item.
_APPOSITION = re.compile(
    r"(?:his|her|their|its|seine?|ihre?|sa|ses|leur|su|sus|seu|sua)[ ][^\W\d_]+(?:[ ][^\W\d_]+)?"
)
_HEAD_END = re.compile(r":|[ \t]-[ \t]|[ \t]?\(|,|[.;](?=\s|\Z)|[ \t]=")


class ListItem(NamedTuple):
    """One item of a list: its words, and whether it names an element, right or wrong."""

    text: str
    known: bool


@dataclass(frozen=True)
class AnswerList:
    """A list that an answer gives.

    Attributes:
        items: in reading order.
        marked: whether bullets, brackets or a colon say that it is a list.
    """

    items: tuple[ListItem, ...]
    marked: bool


@dataclass(frozen=True)
class _Line:
    indent: int
    marked: bool
    text: str


def marked_lines(answer: str) -> tuple[str, list[tuple[int, bool]]]:
    """The lines that are not blank, without bullets, as one text; of each, its indent and if it had one."""
    contents, shapes = [], []
    for line in answer.splitlines():
        if line.strip():
            bullet = _BULLET.match(line.rstrip())
            contents.append(bullet[2] if bullet else line.strip())
            shapes.append((_indent(line), bullet is not None))
    return "\n".join(contents), shapes


def lists_in_lines(masked: str, shapes: Sequence[tuple[int, bool]]) -> Iterator[AnswerList]:
    """Bulleted lists, each of one indent; and lists of bare lines, if all lines are such.

    Args:
        masked: the first of ``marked_lines``, tidied and masked.
        shapes: the second.
    """
    contents = masked.split("\n")
    if len(contents) != len(shapes):  # something struck out ran over lines
        return
    lines = [_Line(*shape, text.strip()) for shape, text in zip(shapes, contents, strict=True)]
    if not any(line.marked for line in lines):
        items = tuple(_list_item(line.text) for line in lines if not line.text.endswith(":"))
        if len(items) > 2 and not any(_DENIED.search(line.text) for line in lines):
            yield AnswerList(items, marked=False)
        return
    yield from _bulleted(lines)


def _bulleted(lines: Sequence[_Line]) -> Iterator[AnswerList]:
    """Runs of bullets by indent: a deeper line belongs to the bullet above, any other ends the list."""
    open_lists: list[tuple[int, bool, list[ListItem]]] = []
    above = ""
    for line in lines:
        while open_lists and (
            open_lists[-1][0] > line.indent or (not line.marked and open_lists[-1][0] == line.indent)
        ):
            yield from _closed(open_lists.pop())
        if line.marked:
            if not open_lists or open_lists[-1][0] < line.indent:
                open_lists.append((line.indent, _DENIED.search(above) is not None, []))
            open_lists[-1][2].append(_list_item(line.text))
        above = line.text
    for bullets in open_lists:
        yield from _closed(bullets)


def _closed(bullets: tuple[int, bool, list[ListItem]]) -> Iterator[AnswerList]:
    _, denied, items = bullets
    if not denied and len(items) > 1:
        yield AnswerList(tuple(items), marked=True)


def lists_in_sentences(masked: str) -> Iterator[AnswerList]:
    """Comma lists: from a first element on up to "and", a bracket or the sentence's end; three items or more.

    Args:
        masked: the answer, tidied and masked.
    """
    text = _BRACKETED.sub("", masked) if "(" in masked else masked
    text = _WRAPPED.sub(", ", text) if "\n" in text else text
    text = _SEMICOLONS.sub(lambda line: line[0].replace(";", ","), text) if ";" in text else text
    if "," not in text:
        return
    start, opener = 0, ""
    for stop in (*_BREAK.finditer(text), None):
        segment = text[start : stop.start() if stop else len(text)].strip()
        if "," in segment:
            yield from _comma_list(segment, opener)
        start, opener = (stop.end(), stop[0]) if stop else (0, "")


def only_list(masked: str) -> list[str]:
    """The items of an answer that is but one "A, B and C", the first with its lead-in; else none."""
    text = masked.strip().rstrip(".!")
    if "," not in text or _BREAK.search(text) or _DENIED.search(text):
        return []
    chunks = list(_chunks(text))
    closed = [place for place, (_, closing) in enumerate(chunks) if closing]
    return [item for item, _ in chunks] if closed == [len(chunks) - 1] else []


def _comma_list(segment: str, opener: str) -> Iterator[AnswerList]:
    if _DENIED.search(_INDISPENSABLE.sub("", segment) if "without" in segment else segment):
        return
    chunks = list(_chunks(segment))
    first = next((place for place, (text, _) in enumerate(chunks) if _BARE_END.search(text)), None)
    opened = opener in ("[", ":")
    begin = 0 if opened or first is None else first
    items = _run(chunks[begin:])
    if first is not None and begin == first and items:
        items = (ListItem(items[0].text, known=True), *items[1:])
    if len(items) > (1 if opener == "[" else 2):
        yield AnswerList(items, marked=opened)


def _run(chunks: Sequence[tuple[str, bool]]) -> tuple[ListItem, ...]:
    """The items up to the one behind "and"; or all."""
    items: list[ListItem] = []
    for place, (text, closing) in enumerate(chunks):
        if place > 1 and not closing and chunks[place - 1][1]:
            break
        is_known = _BARE.fullmatch(text) or (not place and MASK in text)
        is_last = closing or place == len(chunks) - 1
        items.append(ListItem(_PREDICATE.sub("", text) if is_last else text, known=bool(is_known)))
    return tuple(takewhile(lambda item: item.text, items))


def _chunks(segment: str) -> Iterator[tuple[str, bool]]:
    """What stands between commas and "and"s, and whether an "and" stands before it."""
    start, closing = 0, False
    for comma in _COMMA.finditer(segment):
        joined = bool(comma[1] or comma[2])
        if joined or not _APPOSITION.fullmatch(segment, start, comma.start()):
            yield segment[start : comma.start()], closing
            closing = joined
        start = comma.end()
    yield segment[start:], closing


def _list_item(text: str) -> ListItem:
    head = _HEAD_END.search(text)
    return ListItem(text[: head.start()] if head else text, known=MASK in text)


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
