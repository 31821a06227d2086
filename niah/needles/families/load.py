"""Family files: found, read, and every template checked before anything is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from niah.errors import ConfigError, UnknownName, did_you_mean
from niah.files import checked_model, find, load_mapping, yaml_names
from niah.haystacks.lexicons import PERSON, lexicon_kinds
from niah.needles.conversations.schema import ConversationFile
from niah.needles.families.schema import ComputeFile, FamilyFile, PassagesFile, Slots
from niah.needles.stories.check_story import check_story, story_templates
from niah.paths import shipped
from niah.text.templates import slots_in
from niah.yaml_file import line_of_key

# Where a template stands in the file, the template, and the slots that it may use.
_Use = tuple[str, str, frozenset[str]]

_COMPUTED = {"count": {"counted"}, "commonest": set[str](), "sums": {"totals"}}
"""What question and answer know besides, by what is computed; {{ value }} of all other ways."""


def family_folders() -> list[Path]:
    """Where families are looked for: the working folder's ``needles/families/``, then what ships."""
    return [Path("needles") / "families", shipped("needles") / "families"]


def family_names() -> list[str]:
    """The families that a bare name can mean."""
    return yaml_names(family_folders())


@lru_cache(maxsize=256)
def load_family(name: str) -> tuple[Path, FamilyFile]:
    """A family by name or path, and its file. Raises UnknownName or ConfigError."""
    path = find("needle family", name, family_folders())
    family = checked_model(path, _with_like(path, load_mapping(path, FamilyFile)), FamilyFile)
    if family.passages_of:
        family = family.model_copy(update={"passages": _passages_of(path, family.passages_of)})
    _check_slots(path, family)
    _check_templates(path, family)
    if family.story:
        check_story(path, family, family.story)
    return path, family


def _with_like(path: Path, data: dict[Any, Any]) -> dict[Any, Any]:
    """What a family's file holds, and under it what the family holds that it is ``like``."""
    name = data.get("like")
    if not isinstance(name, str) or not name:
        return data
    try:
        other = load_mapping(find("needle family", name, family_folders()), FamilyFile)
    except UnknownName as error:
        raise ConfigError(path, "like", error.message, error.remedy) from None
    if "like" in other:
        problem = f"the family {name!r} is itself like another."
        raise ConfigError(path, "like", problem, f"Say `like: {other['like']}`.")
    return {**other, **data}


def template_words(family: FamilyFile) -> str:
    """All that the family's templates and choices say; no element may be part of it.

    The choices of what is asked for are not among them: each is drawn once, and by nothing else.
    """
    sources = [source for _, source, _ in _uses(family)]
    asked = {family.element, family.key}
    each = [slot for name, slot in family.each.items() if name not in asked]
    slots = (*family.set.values(), *each, *_passage_slots(family).values())
    choices = [choice for slot in slots if not isinstance(slot, str) for choice in slot.one_of]
    return " . ".join((*sources, *choices))


def _passages_of(path: Path, name: str) -> PassagesFile:
    try:
        _, other = load_family(name)
    except UnknownName as error:
        raise ConfigError(path, "passages_of", error.message, error.remedy) from None
    if other.passages is None:
        raise ConfigError(path, "passages_of", f"the family {name!r} has no passages.", "Name one that has.")
    return other.passages


def _check_slots(path: Path, family: FamilyFile) -> None:
    for block, slots in (
        ("set", family.set),
        ("each", family.each),
        ("passages.each", _passage_slots(family)),
    ):
        for name, slot in slots.items():
            if isinstance(slot, str) and slot not in lexicon_kinds():
                problem = f"{_line(path, (*block.split('.'), name))}no lexicon is called {slot!r}."
                raise ConfigError(path, f"{block}.{name}", problem, did_you_mean(slot, lexicon_kinds()))
            for kind in () if isinstance(slot, str) else slot.joined:
                _check_joined(path, f"{block}.{name}", kind)
    named = [("element", family.element), ("key", family.key)]
    if family.graph:
        named.append(("graph.name", family.graph.name))
    if family.chain:
        named += [("chain.name", family.chain.name), ("chain.value", family.chain.value)]
    if family.compute:
        named += [("compute.of", family.compute.of), ("compute.by", family.compute.by)]
    for key, name in named:
        _check_declared(path, key, name, "each", family.each)
    for position, name in enumerate(family.conversation.marks if family.conversation else ()):
        _check_declared(path, f"conversation.marks.{position}", name, "each", family.each)
    for position, name in enumerate(family.change):
        _check_declared(path, f"change.{position}", name, "set", family.set)
        slot = family.set[name]
        if not isinstance(slot, str) and slot.one_of and len(set(slot.one_of)) < 2:
            problem = f"{_line(path, ('set', name))}`change` draws {name!r} anew, and it has one choice only."
            raise ConfigError(
                path, f"set.{name}.one_of", problem, "Give it another, or take it out of `change`."
            )
    if family.compute:
        _check_computed_slot(path, family, family.compute)


def _check_computed_slot(path: Path, family: FamilyFile, compute: ComputeFile) -> None:
    """A count is of choices, of something else than the element; all else compares numbers."""
    slot = family.each[compute.of]
    drawn = None if isinstance(slot, str) else slot
    where = _line(path, ("each", compute.of))
    if compute.answer == "sums" and (drawn is None or drawn.number is None):
        problem = f"{where}`compute` adds it up, and it is no number."
        raise ConfigError(path, f"each.{compute.of}", problem, "Write for instance {number: [100, 999]}.")
    if not compute.is_count and (drawn is None or not drawn.is_ordered):
        problem = f"{where}`compute` compares it, and it is no number and no date."
        raise ConfigError(path, f"each.{compute.of}", problem, "Write for instance {number: [100, 999]}.")
    if compute.is_count and (drawn is None or len(set(drawn.one_of)) < 2):
        problem = f"{where}`compute` counts one of its choices, and it has not two."
        raise ConfigError(path, f"each.{compute.of}", problem, "Write for instance {one_of: [salt, wool]}.")
    if compute.is_count and compute.of == family.element:
        problem = f"{_line(path, ('element',))}is the slot that `compute` counts."
        raise ConfigError(path, "element", problem, "Name what has the choice, the town and not the salt.")


def _check_joined(path: Path, key: str, kind: str) -> None:
    if kind not in lexicon_kinds() or kind == PERSON:
        problem = f"{_line(path, key.split('.'))}no lexicon is called {kind!r}."
        known = [name for name in lexicon_kinds() if name != PERSON]
        raise ConfigError(path, f"{key}.joined", problem, did_you_mean(kind, known))


def _check_declared(path: Path, key: str, name: str, block: str, slots: Slots) -> None:
    if name and name not in slots:
        problem = f"{_line(path, key.split('.'))}no slot called {name!r} under `{block}`."
        raise ConfigError(path, key, problem, did_you_mean(name, slots))


def _check_templates(path: Path, family: FamilyFile) -> None:
    from jinja2 import TemplateSyntaxError

    for key, source, known in _uses(family):
        try:
            used = slots_in(source)
        except TemplateSyntaxError as error:
            problem = f"{_line(path, key.split('.'))}is no template: {str(error.message).rstrip('.')}."
            raise ConfigError(path, key, problem, "Slots look like this: {{ town }}.") from None
        for name in sorted(used - known):
            problem = f"{_line(path, key.split('.'))}unknown slot {name!r}."
            raise ConfigError(path, key, problem, did_you_mean(name, known))
        if key.startswith(("needles.", "tally.entries.")):
            needed = {family.element, *family.change, *_computed_slots(family)}
            for name in sorted(needed - used - {_tallied(family)}):
                problem = f"{_line(path, key.split('.'))}does not use the slot {name!r}."
                raise ConfigError(path, key, problem, "Without it a near miss would read like a needle.")
            if family.key and family.key not in used:
                problem = (
                    f"{_line(path, key.split('.'))}does not use the slot {family.key!r}, which is the key."
                )
                raise ConfigError(path, key, problem, "Without it nobody knows whose element it is.")


def _computed_slots(family: FamilyFile) -> tuple[str, ...]:
    """The slots that an answer is worked out from."""
    compute = family.compute
    return tuple(filter(None, (compute.of, compute.by))) if compute else ()


def _tallied(family: FamilyFile) -> str:
    """The element of a tally comes in by way of {{ words }}."""
    return family.element if family.tally else ""


def _uses(family: FamilyFile) -> Iterator[_Use]:
    """Every template of a family."""
    shared = frozenset(family.set)
    texts = shared | set(family.each)
    about = shared | {"k", "elements", "keys"}
    if family.chain:
        about |= {"start", "value"}
    if family.graph:
        about |= {"start"}
    if family.compute:
        about |= _COMPUTED.get(family.compute.answer, {"value"})
    if family.conversation:
        about |= {"form", "topic", "ordinal", "code", "piece"}
    chain, tally, passages = family.chain, family.tally, family.passages
    if not family.riddles and not family.story:
        yield "question", family.question, about
        yield "answer", family.answer, about
    for block in ("needles", "older", "medium", "easy", "aliases"):
        yield from _numbered(block, getattr(family, block), texts)
    if chain:
        yield from _numbered("chain.links", chain.links, texts | {"this", "next"})
        yield from _numbered("chain.ends", chain.ends, texts | {"this", "value"})
    if family.graph:
        yield from _numbered("graph.edges", family.graph.edges, texts | {"this", "next"})
    if family.conversation:
        yield from _of_conversation(family.conversation, texts)
    if family.story:
        yield from story_templates(family.story, shared)
    if tally:
        yield from _numbered("tally.entries", tally.entries, texts | {"words"})
    for position, riddle in enumerate(family.riddles):
        where = f"riddles.{position}"
        yield f"{where}.question", riddle.question, shared
        yield f"{where}.answer", riddle.answer, shared | {family.element}
        yield f"{where}.needle", riddle.needle, texts
        yield from _numbered(f"{where}.hard", riddle.hard, texts)
    if passages and not family.passages_of:
        for block in ("openings", "middles", "closings"):
            yield from _numbered(f"passages.{block}", getattr(passages, block), shared | set(passages.each))
    elif passages:
        for block in ("openings", "middles", "closings"):
            known = shared | set(passages.each)
            yield from (("passages_of", source, known) for source in getattr(passages, block))


def _of_conversation(conversation: ConversationFile, texts: frozenset[str]) -> Iterator[_Use]:
    known = texts | {"topic"}
    for name, form in conversation.forms.items():
        where = f"conversation.forms.{name}"
        yield f"{where}.ask", form.ask, frozenset({"topic"})
        for block in ("openings", "middles", "closings"):
            yield from _numbered(f"{where}.{block}", getattr(form, block), known)


def _numbered(block: str, sources: tuple[str, ...], known: frozenset[str]) -> Iterator[_Use]:
    return ((f"{block}.{position}", source, known) for position, source in enumerate(sources))


def _passage_slots(family: FamilyFile) -> Slots:
    return family.passages.each if family.passages else {}


def _line(path: Path, keys: list[str] | tuple[str, ...]) -> str:
    """ "(line 12) ", where the value of that key begins; read anew, since only mistakes need it."""
    return f"(line {line_of_key(path, keys)}) "
