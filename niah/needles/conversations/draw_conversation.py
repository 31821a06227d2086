"""Like asks and their replies, one of which is asked for, and turns that are near them.

After MRCR (OpenAI's of 2025, and arXiv:2409.12640): all replies are written in one way, so that nothing but
the order tells the one that is asked for from the others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from string import ascii_letters, digits

from niah.needles.conversations.schema import ConversationFile
from niah.needles.element_finder import ElementFinder
from niah.needles.families.writer import FamilyDraw, TemplateWriter
from niah.needles.needle_set import Distractor, Element, Needle, NeedleSet
from niah.text.templates import render_line

MARKER = 10
"""Characters of the code that an answer begins with, as in MRCR."""

_TURNS = 1200
"""In one instance of the rest of a conversation, about 100,000 tokens."""

_MIDDLES = (1, 3)
"""Sentences between the first and the last: pieces of many lengths make exact counts come out."""

_ROOM = 400
"""Tokens for a piece, and half as many again."""

_NEAR = 0.5
"""Share of the other turns that have the form or the topic of what is asked for."""

_Subject = tuple[str, str]
"""A form and a topic."""


@dataclass(frozen=True)
class _Turn:
    """An ask with its reply.

    Attributes:
        text: both, on one line.
        piece: the reply.
        marks: what tells it from other pieces.
    """

    text: str
    piece: str
    marks: tuple[Element, ...]


def draw_conversation(
    writer: TemplateWriter, conversation: ConversationFile, k: int, near: int
) -> FamilyDraw:
    """``k`` turns with the same ask, one of them asked for, and ``near`` hard distractors: near asks."""
    rng = writer.values.random("conversation")
    form, topic = rng.choice(list(conversation.forms)), rng.choice(conversation.topics)
    turns = [_turn(writer, conversation, (form, topic), fresh=True) for _ in range(k)]
    others = [
        _turn(writer, conversation, _beside(rng, conversation, (form, topic), near=True), fresh=True)
        for _ in range(near)
    ]
    at = rng.randrange(k)
    asked = turns[at]
    code = "".join(rng.choices(ascii_letters + digits, k=MARKER))
    return FamilyDraw(
        elements=asked.marks,
        needles=tuple(
            Needle(f"turn-{place + 1}", turn.text, tuple(mark.name for mark in turn.marks if turn is asked))
            for place, turn in enumerate(turns)
        ),
        traps=tuple(mark for turn in turns if turn is not asked for mark in turn.marks),
        hard=tuple(
            Distractor(f"hard-{place + 1}", turn.text, turn.marks, "hard")
            for place, turn in enumerate(others)
        ),
        extra={
            "form": form,
            "topic": topic,
            "ordinal": _ordinal(at + 1),
            "code": code,
            "piece": asked.piece,
        },
        answer_tokens=_ROOM,
    )


def further_turns(writer: TemplateWriter, conversation: ConversationFile, drawn: NeedleSet) -> list[str]:
    """Turns of the rest of a conversation, about so many: none with the ask of ``drawn``, or its marks."""
    asks = {
        (form, topic): _ask(conversation, (form, topic))
        for form in conversation.forms
        for topic in conversation.topics
    }
    asked = next(subject for subject, ask in asks.items() if drawn.needles[0].text.startswith(ask))
    rng = writer.values.random("further")
    mentioned = ElementFinder((*drawn.elements, *drawn.traps))
    turns = (
        _turn(writer, conversation, _beside(rng, conversation, asked, near=rng.random() < _NEAR)).text
        for _ in range(_TURNS)
    )
    return [turn for turn in dict.fromkeys(turns) if not mentioned(turn)]


def _beside(rng: random.Random, conversation: ConversationFile, asked: _Subject, *, near: bool) -> _Subject:
    """Another form and topic; ``near``: one of the two is that which is asked for."""
    forms = [form for form in conversation.forms if form != asked[0]]
    topics = [topic for topic in conversation.topics if topic != asked[1]]
    if not near:
        return rng.choice(forms), rng.choice(topics)
    return (asked[0], rng.choice(topics)) if rng.random() < 0.5 else (rng.choice(forms), asked[1])


def _ask(conversation: ConversationFile, subject: _Subject) -> str:
    form, topic = subject
    ask = render_line(conversation.forms[form].ask, {"topic": topic})
    return f"{conversation.user} {ask} {conversation.assistant}"


def _turn(
    writer: TemplateWriter, conversation: ConversationFile, subject: _Subject, *, fresh: bool = False
) -> _Turn:
    """A turn; ``fresh``: its marks are nobody else's."""
    values, each = {"topic": subject[1]}, writer.family.each
    for mark in conversation.marks:
        draw = writer.values.fresh if fresh else writer.values.plain
        values[mark] = draw(mark, each[mark])
    piece = " ".join(_sentences(writer, conversation, subject[0], values))
    marks = tuple(Element(values[mark]) for mark in conversation.marks)
    return _Turn(f"{_ask(conversation, subject)} {piece}", piece, marks)


def _sentences(
    writer: TemplateWriter, conversation: ConversationFile, name: str, values: Mapping[str, str]
) -> Iterator[str]:
    form = conversation.forms[name]
    openings = writer.templates(f"{name}|openings", form.openings)
    middles = writer.templates(f"{name}|middles", form.middles)
    closings = writer.templates(f"{name}|closings", form.closings)
    between = writer.values.random("middles").randint(*_MIDDLES)
    for template in (next(openings), *islice(middles, between), next(closings)):
        yield writer.write(template, values).text


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
