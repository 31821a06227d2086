"""What must hold of a family before anything is drawn: its slots, its templates, its story."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from niah.errors import ConfigError, did_you_mean
from niah.haystacks.world import PERSON, lexicon_kinds
from niah.needles.checks import Fault
from niah.needles.families.schema import Family, choices_of
from niah.needles.needle_set import NeedleSet
from niah.needles.stories import TASKS
from niah.text.templates import slots_in

Use = tuple[str, str, frozenset[str]]  # the key of a template, the template, and the slots that it may use
_IN_TEXTS = dict.fromkeys(("needles", "older", "medium", "easy"), "") | {"tally.entries": "words"}
_IN_TEXTS |= {"chain.links": "this next", "chain.ends": "this value", "graph.edges": "this next"}
"""By block, what templates know besides the slots of `set` and `each`."""
_ABOUT = {"chain": "start value", "graph": "start", "repeated": "words"}
_ABOUT |= {"conversation": "form topic ordinal code piece"}
_ABOUT_COMPUTED = {"count": {"counted"}, "commonest": set[str](), "sums": {"totals"}}
"""What question and answer know besides, by a family's parts and what is computed ({{ value }} of others)."""
_POOLS = ("openings", "middles", "closings")


def faults_of(family: Family) -> Iterator[Fault]:
    """All that is wrong with a family, each by its key."""
    return chain(_slots(family), _templates(family), _story(family))


def check_draws(path: Path, drawn: Sequence[NeedleSet]) -> None:
    """Raise ConfigError where the sets, one size and many seeds, all have the same answer."""
    answers = {frozenset(element.name for element in each.elements) for each in drawn}
    if len(answers) == 1 and next(iter(answers)):
        problem = f"each of {len(drawn)} seeds draws the same answer, {drawn[0].answer!r}."
        raise ConfigError(path, "element", problem, "Draw it from a lexicon, or from more choices.")


def template_words(family: Family) -> str:
    """All that templates and choices say, but for those asked for; no element may be part of it."""
    sources = [source for _, source, _ in _uses(family)]
    asked = {family.element, family.key}
    each = [slot for name, slot in family.each.items() if name not in asked]
    slots = (*family.set.values(), *each, *family.passage_slots.values())
    return " . ".join((*sources, *(choice for slot in slots for choice in choices_of(slot))))


def _unknown(what: str, names: Mapping[str, str], known: Collection[str]) -> Iterator[Fault]:
    """A fault for each of ``names``, by key, that is not ``known``."""
    for key, name in names.items():
        if name and name not in known:
            yield key, f"no {what} is called {name!r}. {did_you_mean(name, known)}"


def _slots(family: Family) -> Iterator[Fault]:
    kinds = lexicon_kinds()
    blocks = (("set", family.set), ("each", family.each), ("passages.each", family.passage_slots))
    for where, slot in [(f"{block}.{name}", slot) for block, of in blocks for name, slot in of.items()]:
        if isinstance(slot, str):
            yield from _unknown("lexicon", {where: slot}, kinds)
        else:
            for kind in slot.joined:
                yield from _unknown("lexicon", {f"{where}.joined": kind}, set(kinds) - {PERSON})
    links, graph, compute, talk = family.chain, family.graph, family.compute, family.conversation
    named = {"element": family.element, "key": family.key} | ({"graph.name": graph.name} if graph else {})
    named |= {"chain.name": links.name, "chain.value": links.value} if links else {}
    named |= {"compute.of": compute.of, "compute.by": compute.by} if compute else {}
    named |= {f"conversation.marks.{place}": name for place, name in enumerate(talk.marks if talk else ())}
    changed = {f"change.{place}": name for place, name in enumerate(family.change)}
    yield from _unknown("slot under `each`", named, family.each)
    yield from _unknown("slot under `set`", changed, family.set)
    for name in family.change:
        if len(set(choices_of(family.set[name]))) == 1:
            yield f"set.{name}.one_of", f"`change` draws {name!r} anew, and it has one choice only."
    if family.passages_of and not family.passages:
        yield "passages_of", "that family has no passages. Name one that has."
    if compute is None:
        return
    # A count is of choices, of something else than the element; all else is about numbers or dates.
    slot, where = family.each[compute.of], f"each.{compute.of}"
    if compute.is_count:
        if len(set(choices_of(slot))) < 2:
            yield where, "`compute` counts one of its choices, and it has not two. List them under `one_of`."
        if compute.of == family.element:
            yield "element", "is the slot that `compute` counts. Name the town, and not the salt that it has."
    elif isinstance(slot, str) or not (slot.number or (slot.date and not compute.by)):
        what = "number" if compute.by else "number and no date"
        yield where, f"`compute` works with it, and it is no {what}. Write {{number: [100, 999]}}, say."


def _templates(family: Family) -> Iterator[Fault]:
    from jinja2 import TemplateSyntaxError

    computed = (family.compute.of, family.compute.by) if family.compute else ()
    # The element of a tally comes in by way of {{ words }}.
    needed = {family.element, *family.change, *computed} - {"", family.element if family.tally else ""}
    needed |= {family.key} - {""}
    for key, source, known in _uses(family):
        try:
            used = slots_in(source)
        except TemplateSyntaxError as error:
            yield key, f"is no template: {str(error.message).rstrip('.')}. Slots are {{{{ town }}}}."
            return
        for name in sorted(used - known):
            yield key, f"unknown slot {name!r}. {did_you_mean(name, known)}"
        lost = needed - used if key.startswith(("needles.", "tally.entries.")) else set[str]()
        for name in sorted(lost | ({"topic"} - used if key.endswith(".ask") else set())):
            yield key, f"does not use the slot {name!r}. Put it in."


def _uses(family: Family) -> Iterator[Use]:
    """Every template of a family."""

    def numbered(block: str, sources: Sequence[str], known: frozenset[str]) -> Iterator[Use]:
        return ((f"{block}.{place}", source, known) for place, source in enumerate(sources))

    shared = frozenset(family.set)
    texts = shared | set(family.each)
    about = shared | {"k", "elements", "keys"}
    about |= {slot for part, slots in _ABOUT.items() if getattr(family, part) for slot in slots.split()}
    if family.compute:
        about |= _ABOUT_COMPUTED.get(family.compute.answer, {"value"})
    if not family.riddles and not family.story:
        yield from ((f"wordings.{name}", text, about) for name, text in family.wordings.items())
        if not family.wordings:
            yield "question", family.question, about
        yield "answer", family.answer, about
    for block, slots in _IN_TEXTS.items():
        part, _, name = block.rpartition(".")
        sources = getattr(getattr(family, part) if part else family, name, ())
        yield from numbered(block, sources, texts | set(slots.split()))
    if family.repeated:
        yield "repeated.text", family.repeated.text, texts | {"words"}
    talk, passages = family.conversation, family.passages
    for name, form in talk.forms.items() if talk else ():
        where = f"conversation.forms.{name}"
        yield f"{where}.ask", form.ask, frozenset({"topic"})
        for block in _POOLS:
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
    for place, riddle in enumerate(family.riddles):
        where = f"riddles.{place}"
        yield f"{where}.question", riddle.question, shared
        yield f"{where}.answer", riddle.answer, shared | {family.element}
        yield f"{where}.needle", riddle.needle, texts
        yield from numbered(f"{where}.hard", riddle.hard, texts)
    for block in _POOLS if passages else ():
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
        for name in given:
            yield from _unknown(f"{block} of {story.task}", {f"story.{block}": name}, needed)
        for name in sorted(set(needed) - given):
            yield f"story.{block}.{name}", f"is missing. Its slots: {', '.join(sorted(needed[name]))}."
    for name, templates in story.tell.items():
        for place, source in enumerate(templates or ("",)):
            for lost in sorted(task.tell[name] - slots_in(source)):
                yield f"story.tell.{name}.{place}", f"does not use the slot {lost!r}. Put it in."
    for name, least in task.slots.items():
        slot = family.each.get(name)
        choices = len(set(choices_of(slot)))
        if not least and (slot is None or choices):
            yield f"each.{name}", "is no lexicon, and the task needs names: write given, for instance."
        if choices < least:
            yield f"each.{name}", f"has {choices} choices, and the task {story.task} needs {least}: `one_of`."
    pairs = {len(choices_of(family.each[name])) for name, least in task.slots.items() if least}
    if story.task == "motives" and len(pairs) > 1:
        yield "each.state", "states, places and things go in pairs. List as many of each."
