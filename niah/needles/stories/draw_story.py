"""Needles that tell a story, and distractors that tell another, of other people and things."""

from __future__ import annotations

from niah.needles.families.writer import FamilyDraw, TemplateWriter
from niah.needles.needle_set import Distractor, Element, Needle
from niah.needles.stories.schema import StoryFile
from niah.needles.stories.shapes import SHAPES
from niah.needles.stories.story import Cast, Plot
from niah.needles.stories.tasks import TASKS


def draw_story(writer: TemplateWriter, story: StoryFile, k: int, near: int) -> FamilyDraw:
    """A story of ``k`` facts, and ``near`` hard distractors: facts about a cast of their own.

    Raises NeedleError where no story of that size has a question with one answer, HaystackError where a
    lexicon is used up.
    """
    taken = set[str]()
    make, cast = TASKS[story.task], _cast(writer, taken)
    plot = make(cast, k)
    other = make(_cast(writer, taken), max(near, SHAPES[story.task].fewest))
    told = _tell(writer, story, plot)
    return FamilyDraw(
        # What everybody may say ("loft", "two") follows from the needles and stands in other texts too.
        elements=tuple(Element(name, plot.aliases.get(name, ()), derived=True) for name in plot.answer),
        needles=tuple(
            Needle(f"fact-{place + 1}", text, plot.answer if place in plot.support else ())
            for place, text in enumerate(told)
        ),
        traps=tuple(map(Element, _mentioned(plot))),
        hard=tuple(
            Distractor(f"hard-{place + 1}", text, (), "hard")
            for place, text in enumerate(_tell(writer, story, other)[:near])
        ),
        extra=plot.values,
        question=story.asks[plot.ask].question,
        answer=story.asks[plot.ask].answer,
        ordered=plot.ordered,
        options=plot.options,
        cast=tuple(cast.drawn),
    )


def _cast(writer: TemplateWriter, taken: set[str]) -> Cast:
    slots = writer.family.each
    choices = {name: slot.one_of for name, slot in slots.items() if not isinstance(slot, str) and slot.one_of}
    fresh = writer.values.fresh
    return Cast(writer.values.random("story"), lambda slot: fresh(slot, slots[slot]), choices, taken)


def _tell(writer: TemplateWriter, story: StoryFile, plot: Plot) -> list[str]:
    templates = {name: writer.templates(f"tell|{name}", told) for name, told in story.tell.items()}
    return [writer.write(next(templates[name]), values).text for name, values in plot.events]


def _mentioned(plot: Plot) -> list[str]:
    """The wrong answers that facts mention, each once; none that is right."""
    said = {value for _, values in plot.events for value in values.values()}
    return [name for name in dict.fromkeys(plot.wrong) if name in said and name not in plot.answer]
