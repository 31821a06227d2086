"""Whether a family gives what its story's task needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from niah.errors import ConfigError, did_you_mean
from niah.needles.families.schema import FamilyFile
from niah.needles.stories.schema import StoryFile
from niah.needles.stories.shapes import SHAPES
from niah.text.templates import slots_in


def story_templates(story: StoryFile, shared: frozenset[str]) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Every template of the task's: its key in the file, the template, and the slots that it may use."""
    shape = SHAPES[story.task]
    for name, templates in story.tell.items():
        if name not in shape.tell:  # ``check_story`` says so
            continue
        known = shared | shape.tell[name]
        yield from ((f"story.tell.{name}.{place}", source, known) for place, source in enumerate(templates))
    for name, ask in story.asks.items():
        if name not in shape.asks:
            continue
        known = shared | shape.asks[name] | {"k"}
        yield f"story.asks.{name}.question", ask.question, known
        yield f"story.asks.{name}.answer", ask.answer, known | {"elements"}


def check_story(path: Path, family: FamilyFile, story: StoryFile) -> None:
    """Raise ConfigError for the first thing that the task needs and the family does not give."""
    shape = SHAPES[story.task]
    for block, given, needed in (
        ("tell", set(story.tell), shape.tell),
        ("asks", set(story.asks), shape.asks),
    ):
        for name in sorted(given - set(needed)):
            problem = f"the task {story.task} has no {name!r}."
            raise ConfigError(path, f"story.{block}.{name}", problem, did_you_mean(name, needed))
        for name in sorted(set(needed) - given):
            slots = ", ".join(sorted(needed[name]))
            problem = f"is missing; the task {story.task} needs it."
            raise ConfigError(path, f"story.{block}.{name}", problem, f"Its slots: {slots}.")
    for name, templates in story.tell.items():
        if not templates:
            raise ConfigError(path, f"story.tell.{name}", "there are none.", "Write one.")
        for place, source in enumerate(templates):
            for slot in sorted(shape.tell[name] - slots_in(source)):
                problem = f"does not use the slot {slot!r}."
                raise ConfigError(path, f"story.tell.{name}.{place}", problem, "Without it the fact is lost.")
    _check_slots(path, family, story.task)


def _check_slots(path: Path, family: FamilyFile, task: str) -> None:
    shape = SHAPES[task]
    for name in sorted(shape.drawn):
        slot = family.each.get(name)
        if slot is None or (not isinstance(slot, str) and slot.one_of):
            problem = "is missing." if slot is None else "is a choice, and the task needs names of its own."
            raise ConfigError(path, f"each.{name}", problem, "Name a lexicon there, such as given.")
    for name, least in shape.chosen.items():
        slot = family.each.get(name)
        there = 0 if slot is None or isinstance(slot, str) else len(set(slot.one_of))
        if there < least:
            problem = f"has {there} choices, and the task {task} needs {least}."
            raise ConfigError(path, f"each.{name}", problem, "List them under `one_of`.")
    if task == "motives":
        sizes = {name: len(slot.one_of) for name, slot in family.each.items() if not isinstance(slot, str)}
        if len({sizes[name] for name in shape.chosen}) > 1:
            problem = "states, places and things go together in pairs, and they are not as many."
            raise ConfigError(path, "each.state", problem, "List as many of each, in one order.")
