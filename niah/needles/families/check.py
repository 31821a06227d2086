"""What must hold of a family before anything is drawn: its slots, its templates, its question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from niah.errors import ConfigError, did_you_mean
from niah.haystacks.lexicons import PERSON, lexicon_kinds
from niah.needles.checks import Fault
from niah.needles.families.schema import Compute, Family, choices_of
from niah.needles.needle_set import NeedleSet
from niah.needles.stories import TASKS
from niah.text.templates import slots_in

Use = tuple[str, str, frozenset[str]]
"""The key of a template, the template, and the slots that it may use."""

_ABOUT_COMPUTED = {"count": {"counted"}, "commonest": set[str](), "sums": {"totals"}}
"""What question and answer know besides, by what is computed; {{ value }} of all other ways."""


def check_family(family: Family) -> Iterator[Fault]:
    """What is wrong with a family, the first thing first."""
    yield from _slots(family)
    yield from _templates(family)
    yield from _story(family)


def template_words(family: Family) -> str:
    """All that the family's templates and choices say; no element may be part of it.

    The choices of what is asked for are not among them: each is drawn once, and by nothing else.
    """
    sources = [source for _, source, _ in _uses(family)]
    asked = {family.element, family.key}
    each = [slot for name, slot in family.each.items() if name not in asked]
    slots = (*family.set.values(), *each, *family.passage_slots.values())
    return " . ".join((*sources, *(choice for slot in slots for choice in choices_of(slot))))


def _unknown(what: str, names: Iterable[tuple[str, str]], known: Iterable[str]) -> Iterator[Fault]:
    """A fault for each of ``names``, by key, that is not ``known``."""
    known = list(known)
    for key, name in names:
        if name and name not in known:
            yield key, f"no {what} {name!r}.", did_you_mean(name, known)


def _slots(family: Family) -> Iterator[Fault]:
    kinds = lexicon_kinds()
    blocks = {"set": family.set, "each": family.each, "passages.each": family.passage_slots}
    slots = [(f"{block}.{name}", slot) for block, each in blocks.items() for name, slot in each.items()]
    lexicons = [(key, slot) for key, slot in slots if isinstance(slot, str)]
    joined = [
        (f"{key}.joined", kind) for key, slot in slots if not isinstance(slot, str) for kind in slot.joined
    ]
    yield from _unknown("lexicon is called", lexicons, kinds)
    yield from _unknown("lexicon is called", joined, [name for name in kinds if name != PERSON])
    chain, graph, compute, talk = family.chain, family.graph, family.compute, family.conversation
    named = [("element", family.element), ("key", family.key)]
    named += [("graph.name", graph.name)] if graph else []
    named += [("chain.name", chain.name), ("chain.value", chain.value)] if chain else []
    named += [("compute.of", compute.of), ("compute.by", compute.by)] if compute else []
    named += [(f"conversation.marks.{place}", name) for place, name in enumerate(talk.marks)] if talk else []
    changed = [(f"change.{place}", name) for place, name in enumerate(family.change)]
    yield from _unknown("slot under `each` is called", named, family.each)
    yield from _unknown("slot under `set` is called", changed, family.set)
    for name in family.change:
        if len(set(choices_of(family.set[name]))) == 1:
            problem = f"`change` draws {name!r} anew, and it has one choice only."
            yield f"set.{name}.one_of", problem, "Give it another, or take it out of `change`."
    if compute:
        yield from _computed_slot(family, compute)


def _computed_slot(family: Family, compute: Compute) -> Iterator[Fault]:
    """A count is of choices, of something else than the element; all else is about numbers or dates."""
    slot, where = family.each[compute.of], f"each.{compute.of}"
    drawn = None if isinstance(slot, str) else slot
    number = "Write for instance {number: [100, 999]}."
    if compute.answer == "sums" and (drawn is None or drawn.number is None):
        yield where, "`compute` adds it up, and it is no number.", number
    if not compute.is_count and (drawn is None or not drawn.is_ordered):
        yield where, "`compute` compares it, and it is no number and no date.", number
    if compute.is_count and len(set(choices_of(slot))) < 2:
        yield where, "`compute` counts one of its choices, and it has not two.", "List them under `one_of`."
    if compute.is_count and compute.of == family.element:
        yield "element", "is the slot that `compute` counts.", "Name the town, and not the salt that it has."


def _templates(family: Family) -> Iterator[Fault]:
    from jinja2 import TemplateSyntaxError

    computed = (family.compute.of, family.compute.by) if family.compute else ()
    # The element of a tally comes in by way of {{ words }}.
    needed = {family.element, *family.change, *computed} - {"", family.element if family.tally else ""}
    for key, source, known in _uses(family):
        try:
            used = slots_in(source)
        except TemplateSyntaxError as error:
            problem = f"is no template: {str(error.message).rstrip('.')}."
            yield key, problem, "Slots look like this: {{ town }}."
            return
        for name in sorted(used - known):
            yield key, f"unknown slot {name!r}.", did_you_mean(name, known)
        if key.startswith(("needles.", "tally.entries.")):
            for name in sorted(needed - used):
                problem = f"does not use the slot {name!r}."
                yield key, problem, "Without it a near miss would read like a needle."
            if family.key and family.key not in used:
                problem = f"does not use the slot {family.key!r}, which is the key."
                yield key, problem, "Without it nobody knows whose element it is."


def _uses(family: Family) -> Iterator[Use]:
    """Every template of a family."""

    def numbered(block: str, sources: Sequence[str], known: frozenset[str]) -> Iterator[Use]:
        return ((f"{block}.{place}", source, known) for place, source in enumerate(sources))

    shared = frozenset(family.set)
    texts = shared | set(family.each)
    about = shared | {"k", "elements", "keys"}
    chain, talk, passages = family.chain, family.conversation, family.passages
    if chain or family.graph:
        about |= {"start", "value"} if chain else {"start"}
    if family.compute:
        about |= _ABOUT_COMPUTED.get(family.compute.answer, {"value"})
    if talk:
        about |= {"form", "topic", "ordinal", "code", "piece"}
    if not family.riddles and not family.story:
        yield "question", family.question, about
        yield "answer", family.answer, about
    for block in ("needles", "older", "medium", "easy"):
        yield from numbered(block, getattr(family, block), texts)
    if chain:
        yield from numbered("chain.links", chain.links, texts | {"this", "next"})
        yield from numbered("chain.ends", chain.ends, texts | {"this", "value"})
    if family.graph:
        yield from numbered("graph.edges", family.graph.edges, texts | {"this", "next"})
    for name, form in talk.forms.items() if talk else ():
        where = f"conversation.forms.{name}"
        yield f"{where}.ask", form.ask, frozenset({"topic"})
        for block in ("openings", "middles", "closings"):
            yield from numbered(f"{where}.{block}", getattr(form, block), texts | {"topic"})
    if family.story:
        task = TASKS[family.story.task]
        for name, sources in family.story.tell.items():
            if name in task.tell:  # ``_story`` names the others
                yield from numbered(f"story.tell.{name}", sources, shared | task.tell[name])
        for name, ask in family.story.asks.items():
            if name in task.asks:
                known = shared | task.asks[name] | {"k"}
                yield f"story.asks.{name}.question", ask.question, known
                yield f"story.asks.{name}.answer", ask.answer, known | {"elements"}
    if family.tally:
        yield from numbered("tally.entries", family.tally.entries, texts | {"words"})
    for place, riddle in enumerate(family.riddles):
        where = f"riddles.{place}"
        yield f"{where}.question", riddle.question, shared
        yield f"{where}.answer", riddle.answer, shared | {family.element}
        yield f"{where}.needle", riddle.needle, texts
        yield from numbered(f"{where}.hard", riddle.hard, texts)
    for block in ("openings", "middles", "closings") if passages else ():
        known = shared | set(family.passage_slots)
        for key, source, _ in numbered(f"passages.{block}", getattr(passages, block), known):
            yield "passages_of" if family.passages_of else key, source, known


def _story(family: Family) -> Iterator[Fault]:
    """What the story's task needs and the family does not give."""
    story = family.story
    if story is None:
        return
    task = TASKS[story.task]
    for block, given, needed in (("tell", set(story.tell), task.tell), ("asks", set(story.asks), task.asks)):
        yield from _unknown(
            f"{block} of {story.task} is called", ((f"story.{block}", name) for name in given), needed
        )
        for name in sorted(set(needed) - given):
            yield f"story.{block}.{name}", "is missing.", f"Its slots: {', '.join(sorted(needed[name]))}."
    for name, templates in story.tell.items():
        for place, source in enumerate(templates or ("",)):
            for lost in sorted(task.tell[name] - slots_in(source)):
                yield f"story.tell.{name}.{place}", f"does not use the slot {lost!r}.", "Put it in."
    for name, least in task.slots.items():
        slot = family.each.get(name)
        choices = len(set(choices_of(slot)))
        if not least and (slot is None or choices):
            yield (
                f"each.{name}",
                "is no lexicon, and the task needs names of its own.",
                "Say for instance given.",
            )
        if choices < least:
            problem = f"has {choices} choices, and the task {story.task} needs {least}."
            yield f"each.{name}", problem, "List them under `one_of`."
    pairs = {len(choices_of(family.each[name])) for name, least in task.slots.items() if least}
    if story.task == "motives" and len(pairs) > 1:
        yield (
            "each.state",
            "states, places and things go in pairs, and are not as many.",
            "List as many of each.",
        )


def check_draws(path: Path, drawn: Sequence[NeedleSet]) -> None:
    """Raise ConfigError where the sets, one size and many seeds, all have the same answer."""
    answers = {frozenset(element.name for element in each.elements) for each in drawn}
    if len(answers) == 1 and next(iter(answers)):
        problem = f"each of {len(drawn)} seeds draws the same answer, {drawn[0].answer!r}."
        raise ConfigError(
            path, "element", problem, "Draw it from a lexicon, from numbers or from more choices."
        )
