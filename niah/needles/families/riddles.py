"""Riddles: a needle that answers a question with no word of it, by way of what everybody knows."""

from __future__ import annotations

from niah.needles.families.writer import FamilyDraw, TemplateWriter
from niah.needles.needle_set import Needle


def draw_riddle(writer: TemplateWriter, near: int) -> FamilyDraw:
    """One of the family's riddles, and ``near`` hard distractors about it."""
    riddles = writer.family.riddles
    riddle = riddles[writer.values.random("riddle").randrange(len(riddles))]
    written = writer.write(riddle.needle)
    element = writer.element(written)
    templates = writer.templates("hard", riddle.hard)
    return FamilyDraw(
        elements=(element,),
        needles=(Needle("needle-1", written.text, (element.name,)),),
        hard=tuple(
            writer.distractor("hard", position, writer.write(next(templates))) for position in range(near)
        ),
        extra={writer.family.element: element.name},
        question=riddle.question,
        answer=riddle.answer,
    )
