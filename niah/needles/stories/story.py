"""Needles that tell a story, and distractors that tell another, of other people and things."""

from __future__ import annotations

from niah.needles.families.schema import Story, choices_of
from niah.needles.families.writer import FamilyDraw, TemplateWriter, hard_distractors, needles_of
from niah.needles.needle_set import Element
from niah.needles.stories.world import TASKS, Cast, Plot


def draw_story(writer: TemplateWriter, story: Story, k: int, near: int) -> FamilyDraw:
    """A story of ``k`` facts, and ``near`` hard distractors: facts about a cast of their own.

    Raises NeedleError where no story of that size has a question with one answer, HaystackError where a
    lexicon is used up.
    """
    taken, task = set[str](), TASKS[story.task]
    cast = _cast(writer, taken)
    plot = task.make(cast, k)
    other = task.make(_cast(writer, taken), max(near, task.fewest))
    facts = _tell(writer, story, plot)
    carried = [plot.answer if place in plot.support else () for place in range(len(facts))]
    said = {value for _, values in plot.events for value in values.values()}
    wrong = [name for name in dict.fromkeys(plot.wrong) if name in said and name not in plot.answer]
    return FamilyDraw(
        # What everybody may say ("loft", "two") follows from the needles and is in other texts too.
        elements=tuple(Element(name, plot.aliases.get(name, ()), derived=True) for name in plot.answer),
        needles=needles_of("fact", facts, carried),
        traps=tuple(map(Element, wrong)),
        hard=hard_distractors(_tell(writer, story, other)[:near]),
        extra=plot.values,
        question=story.asks[plot.ask].question,
        answer=story.asks[plot.ask].answer,
        ordered=plot.ordered,
        options=plot.options,
        cast=tuple(cast.drawn),
    )


def _cast(writer: TemplateWriter, taken: set[str]) -> Cast:
    slots, fresh = writer.family.each, writer.values.fresh
    choices = {name: choices_of(slot) for name, slot in slots.items() if choices_of(slot)}
    return Cast(writer.values.random("story"), lambda slot: fresh(slot, slots[slot]), choices, taken)


def _tell(writer: TemplateWriter, story: Story, plot: Plot) -> list[str]:
    templates = {name: writer.templates(f"tell|{name}", told) for name, told in story.tell.items()}
    return [writer.write(next(templates[name]), values).text for name, values in plot.events]
