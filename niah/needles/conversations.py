"""Conversations of like asks and replies, which nothing but their order tells apart (MRCR, 2409.12640)."""

from __future__ import annotations

import random
import re
from itertools import islice
from string import ascii_letters, digits
from typing import NamedTuple

from niah.needles.families.schema import Conversation
from niah.needles.families.writer import FamilyDraw, TemplateWriter, distractors_of, needles_of
from niah.needles.needle_set import Element, ElementFinder, NeedleSet
from niah.text.templates import render_line

_MARKER = 10  # characters of the code that an answer begins with, as in MRCR
_TURNS = 1200  # in one instance of the rest of a conversation, about 100,000 tokens
_MIDDLES = (1, 3)  # sentences between the first and the last; many lengths make exact counts come out
_ROOM = 400  # tokens for a piece, and half as many again
_NEAR = 0.5  # share of the other turns that have the form or the topic of what is asked for
_Subject = tuple[str, str]  # a form and a topic


class _Turn(NamedTuple):
    text: str  # the ask with its reply, on one line
    piece: str  # the reply alone
    marks: tuple[Element, ...]  # what tells it from other replies


def draw_conversation(writer: TemplateWriter, talk: Conversation, k: int, near: int) -> FamilyDraw:
    """``k`` turns with the same ask, one of them asked for, and ``near`` hard distractors: near asks."""
    rng = writer.values.random("conversation")
    form, topic = subject = rng.choice(list(talk.forms)), rng.choice(talk.topics)
    turns = [_turn(writer, talk, subject, fresh=True) for _ in range(k)]
    others = [_turn(writer, talk, _another(rng, talk, subject, near=True), fresh=True) for _ in range(near)]
    at = rng.randrange(k)
    asked = turns[at]
    code = "".join(rng.choices(ascii_letters + digits, k=_MARKER))
    extra = {"form": form, "topic": topic, "ordinal": ordinal(at + 1), "code": code, "piece": asked.piece}
    carried = [tuple(mark.name for mark in turn.marks if turn is asked) for turn in turns]
    return FamilyDraw(
        elements=asked.marks,
        needles=needles_of("turn", [turn.text for turn in turns], carried),
        traps=tuple(mark for turn in turns if turn is not asked for mark in turn.marks),
        hard=distractors_of([turn.text for turn in others], [turn.marks for turn in others]),
        extra=extra,
        answer_tokens=_ROOM,
    )


def ordinal(number: int) -> str:
    """A whole number as a place in a list: 1st, 12th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def further_turns(writer: TemplateWriter, talk: Conversation, drawn: NeedleSet) -> list[str]:
    """Turns of the rest of a conversation, about so many: none with the ask of ``drawn``, or its marks."""
    subjects = ((form, topic) for form in talk.forms for topic in talk.topics)
    asked = next(each for each in subjects if drawn.needles[0].text.startswith(_ask(talk, each)))
    rng = writer.values.random("further")
    mentioned = ElementFinder((*drawn.elements, *drawn.traps))
    turns = (
        _turn(writer, talk, _another(rng, talk, asked, near=rng.random() < _NEAR)).text for _ in range(_TURNS)
    )
    return [turn for turn in dict.fromkeys(turns) if not mentioned(turn)]


def _another(rng: random.Random, talk: Conversation, asked: _Subject, *, near: bool) -> _Subject:
    """Another form and topic; ``near``: one of the two is that which is asked for."""
    forms = [form for form in talk.forms if form != asked[0]]
    topics = [topic for topic in talk.topics if topic != asked[1]]
    if not near:
        return rng.choice(forms), rng.choice(topics)
    return (asked[0], rng.choice(topics)) if rng.random() < 0.5 else (rng.choice(forms), asked[1])


def _ask(talk: Conversation, subject: _Subject) -> str:
    form, topic = subject
    return f"User: {render_line(talk.forms[form].ask, {'topic': topic})} Assistant:"


def _turn(writer: TemplateWriter, talk: Conversation, subject: _Subject, *, fresh: bool = False) -> _Turn:
    """A turn; ``fresh``: its marks are no one else's."""
    name, topic = subject
    values, each, form = {"topic": topic}, writer.family.each, talk.forms[name]
    for mark in talk.marks:
        values[mark] = writer.values.value(mark, each[mark], fresh=fresh)
    between = writer.values.random("middles").randint(*_MIDDLES)
    templates = list[str]()
    for pool, count in (("openings", 1), ("middles", between), ("closings", 1)):
        templates += islice(writer.templates(f"{name}|{pool}", getattr(form, pool)), count)
    piece = " ".join([writer.write(template, values).text for template in templates])
    marks = tuple(Element(values[mark]) for mark in talk.marks)
    return _Turn(f"{_ask(talk, subject)} {piece}", piece, marks)


# A turn a line, as `recall` writes them; messages one below the other, as the published MRCR is imported.
_LINES = re.compile(r"^User: (?P<user>.+?) Assistant: (?P<reply>.+)$", re.MULTILINE)
_BLOCKS = re.compile(r"(?ms)^user: (?P<user>.*?)\n\nassistant: (?P<reply>.*?)(?=\n\nuser: |\Z)")


def as_turns(before: str, context: str, after: str) -> tuple[str, ...]:
    """What user and assistant say by turns, ``before`` and ``after`` with the user's; () without turns."""
    pattern = _LINES if _LINES.search(context) else _BLOCKS
    messages, waiting, at = list[str](), [before.strip()], 0
    for turn in pattern.finditer(context):
        waiting += [context[at : turn.start()].strip(), turn["user"]]
        messages += ["\n\n".join(filter(None, waiting)), turn["reply"]]
        waiting, at = [], turn.end()
    if not messages:
        return ()
    return (*messages, "\n\n".join(filter(None, [context[at:].strip(), after.strip()])))
