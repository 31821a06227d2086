"""Family files by name, read again when they have changed, and what must hold before anything is drawn."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from niah.errors import ConfigError, UnknownName, did_you_mean
from niah.files import checked_model, find, load_mapping, locate, shipped, yaml_names
from niah.haystacks.structure import FileState, state_of
from niah.haystacks.world import PERSON, lexicon_kinds
from niah.needles.checks import Fault
from niah.needles.families.schema import Family, choices_of
from niah.needles.needle_set import NeedleSet
from niah.needles.stories import TASKS
from niah.text.templates import slots_in

_ASKED_IN = "-asked-in-"


def family_folders() -> list[Path]:
    """Where families are looked for: the working folder's ``needles/families/``, then what ships."""
    return [Path("needles") / "families", shipped("needles") / "families"]


def family_names() -> dict[str, Path]:
    """The families that a bare name can mean, with their files."""
    files = dict[str, Path]()
    for name in yaml_names(folders := family_folders()):
        path = find("needle family", name, folders)
        files |= dict.fromkeys([f"{name}-{one}" for one in languages_of(path)] or [name], path)
    return dict(sorted(files.items()))


def find_family(name: str) -> tuple[Path, str]:
    """The file of a family by name or path, and its language where it has several. Raises UnknownName."""
    folders, parts = family_folders(), name.split("-")
    if path := locate(name, folders):
        return path, ""
    for count in range(1, len(parts)):
        stem, language = "-".join(parts[:count]), "-".join(parts[count:])
        if (path := locate(stem, folders)) and language in languages_of(path):
            return path, language
    raise UnknownName("needle family", name, family_names())


def languages_of(path: Path) -> list[str]:
    """What a family's file is drawn in: "de", "de-asked-in-en", or its wordings; none without either."""
    if not re.search(rb"^(languages|wordings):", path.read_bytes(), re.MULTILINE):
        return []
    return [language for language in _by_language(path, state_of(path)) if language]


@lru_cache(maxsize=256)
def _by_language(path: Path, state: FileState) -> dict[str, dict[Any, Any]]:
    """What a family's file says, by language or wording; by "" all of it. Raises ConfigError."""
    data = load_mapping(path, Family)
    said, languages, across = {"": data}, data.get("languages"), data.get("across")
    if isinstance(wordings := data.get("wordings"), dict):
        return said | {str(name): data | {"question": question} for name, question in wordings.items()}
    if not isinstance(languages, dict):
        return said
    shared = {key: value for key, value in data.items() if key not in ("languages", "across")}
    # A mistake in one language is no hindrance to a list of names: ``_family`` finds it.
    known = {name: own if isinstance(own, dict) else {} for name, own in languages.items()}
    for name, own in known.items():
        both = [key for key in own if isinstance(own[key], dict) and isinstance(shared.get(key), dict)]
        said[name] = shared | own | {key: {**shared[key], **own[key]} for key in both}
    if not isinstance(across, str) or across not in known:
        return said
    for pair in ((name, across) for name in known if name != across):
        for hidden, asked in (pair, pair[::-1]):
            description = f"{path.stem}-{hidden}, with the question of {path.stem}-{asked}."
            own = {key: known[asked][key] for key in ("question", "answer") if key in known[asked]}
            said[f"{hidden}{_ASKED_IN}{asked}"] = said[hidden] | own | {"description": description}
    return said


def load_family(name: str) -> tuple[Path, Family]:
    """A family by name or path, and its file. Raises UnknownName or ConfigError."""
    path, language = find_family(name)
    pools_of, lender = _by_language(path, state_of(path))[language].get("passages_of"), None
    if isinstance(pools_of, str) and pools_of:
        try:
            own, languages = find_family(pools_of)
            lender = _family(own, languages, state_of(own), None)  # who borrows itself lends none
        except UnknownName as error:
            raise ConfigError(path, "passages_of", error.message, error.remedy) from None
    return path, _family(path, language, state_of(path), lender)


@lru_cache(maxsize=256)
def _family(path: Path, language: str, state: FileState, lender: Family | None) -> Family:
    """The family of a file in one language, checked, with the passages that another lends it."""
    said = _by_language(path, state)
    languages, across = said[""].get("languages"), said[""].get("across")
    if isinstance(languages, dict):
        if across not in (None, *languages):
            problem = f"no language is called {across!r}. {did_you_mean(str(across), languages)}"
            raise ConfigError(path, "across", problem)
        for name in filter(None, language.split(_ASKED_IN)):
            if not isinstance(languages[name], dict):
                raise ConfigError(path, f"languages.{name}", "should be a mapping of keys to values.")
    if not language and len(said) > 1:
        names = ", ".join(f"{path.stem}-{one}" for one in [*said][1:6])
        key = "languages" if "languages" in said[""] else "wordings"
        raise ConfigError(path, key, "holds several families.", f"Ask for one by its name: {names}.")
    try:
        family = checked_model(path, said[language], Family)
    except ConfigError as error:
        problem = error.message.removeprefix(f"{path}: {error.key}: ")
        raise ConfigError(path, _where(path, language, error.key), problem, error.remedy) from None
    if lender:
        family = family.model_copy(update={"passages": lender.passages})
    for fault, problem in chain(_slots(family), _templates(family), _story(family)):
        raise ConfigError(path, _where(path, language, fault), problem)
    name = f"{path.stem}-{language}" if language else path.stem
    return family.named(name, path.stem if family.wordings else name)


def _where(path: Path, language: str, key: str) -> str:
    """A key of a family as the file has it: in the block of the language, where it is written there."""
    languages = _by_language(path, state_of(path))[""].get("languages", {}) if language else {}
    hidden = language.partition(_ASKED_IN)[0]
    return f"languages.{hidden}.{key}" if key.partition(".")[0] in languages.get(hidden, {}) else key


Use = tuple[str, str, frozenset[str]]  # the key of a template, the template, and the slots that it may use
_ABOUT_COMPUTED = {"count": {"counted"}, "commonest": set[str](), "sums": {"totals"}}
"""What question and answer know besides, by what is computed; {{ value }} of all other ways."""
_POOLS = ("openings", "middles", "closings")


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
    links, talk, passages = family.chain, family.conversation, family.passages
    if links or family.graph:
        about |= {"start", "value"} if links else {"start"}
    if family.compute:
        about |= _ABOUT_COMPUTED.get(family.compute.answer, {"value"})
    if family.repeated:
        about |= {"words"}
    if talk:
        about |= {"form", "topic", "ordinal", "code", "piece"}
    if not family.riddles and not family.story:
        yield from ((f"wordings.{name}", text, about) for name, text in family.wordings.items())
        if not family.wordings:
            yield "question", family.question, about
        yield "answer", family.answer, about
    for block in ("needles", "older", "medium", "easy"):
        yield from numbered(block, getattr(family, block), texts)
    if links:
        yield from numbered("chain.links", links.links, texts | {"this", "next"})
        yield from numbered("chain.ends", links.ends, texts | {"this", "value"})
    if family.repeated:
        yield "repeated.text", family.repeated.text, texts | {"words"}
    if family.graph:
        yield from numbered("graph.edges", family.graph.edges, texts | {"this", "next"})
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
    if family.tally:
        yield from numbered("tally.entries", family.tally.entries, texts | {"words"})
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
