"""What must hold of every needle set before it can be trusted."""

from __future__ import annotations

import re
from pathlib import Path

from niah.errors import ConfigError
from niah.needles.element_finder import ElementFinder
from niah.needles.kinds import check_kind
from niah.needles.needle_set import Element, Needle, NeedleSet, Passage


def check_needle_set(path: Path, needle_set: NeedleSet) -> None:
    """Raise ConfigError, with file, key and remedy, for the first thing that is wrong with ``needle_set``."""
    mentioned = ElementFinder(needle_set.stated)
    _check_names(path, needle_set)
    _check_order(path, needle_set)
    _check_options(path, needle_set)
    check_kind(path, needle_set)
    _check_needles(path, needle_set, mentioned)
    _check_distractors(path, needle_set, mentioned)
    _check_traps(path, needle_set)
    _check_keys(path, needle_set)
    check_nesting(path, needle_set, mentioned)


def _check_names(path: Path, needle_set: NeedleSet) -> None:
    for key, ids in (
        ("elements", [element.name for element in needle_set.elements]),
        ("needles", [needle.id for needle in needle_set.needles]),
        ("passages", [passage.id for passage in needle_set.passages]),
        ("distractors", [distractor.id for distractor in needle_set.distractors]),
    ):
        seen: set[str] = set()
        for position, name in enumerate(ids):
            if name in seen:
                raise ConfigError(path, f"{key}.{position}", f"{name!r} stands twice.", "Rename one.")
            seen.add(name)


def _check_order(path: Path, needle_set: NeedleSet) -> None:
    if not needle_set.ordered:
        return
    if len(needle_set.elements) < 2:
        problem = "there is no order of fewer than two elements."
        raise ConfigError(path, "ordered", problem, "Take it out, or list the elements.")
    if any(element.key for element in needle_set.elements):
        problem = "elements with keys are told apart by those, in any order."
        raise ConfigError(path, "ordered", problem, "Take it out, or take out the keys.")


def _check_options(path: Path, needle_set: NeedleSet) -> None:
    """Raise ConfigError unless the one element is one of the options, which are told apart by their names."""
    options = needle_set.options
    if not options:
        return
    for position, option in enumerate(options):
        if not option.strip() or option.casefold() in {other.casefold() for other in options[:position]}:
            problem = f"{option!r} stands twice." if option.strip() else "is empty."
            raise ConfigError(path, f"options.{position}", problem, "Write another answer, or take it out.")
    if len(options) < 2:
        raise ConfigError(path, "options", "there is nothing to choose from.", "Write two at least.")
    if len(needle_set.elements) != 1 or needle_set.elements[0].name not in options:
        problem = f"one of the options is the answer: {', '.join(options)}."
        raise ConfigError(path, "elements", problem, "List that one, as it is written there, and no other.")


def _check_needles(path: Path, needle_set: NeedleSet, mentioned: ElementFinder) -> None:
    known = {element.name for element in needle_set.elements}
    stated = {element.name for element in needle_set.stated}
    carried: set[str] = set()
    for position, needle in enumerate(needle_set.needles):
        where = f"needles.{position}"
        for name in needle.elements:
            if name not in known:
                problem = f"names {name!r}, which is not under elements."
                raise ConfigError(path, f"{where}.elements", problem, "Add it there, or correct the name.")
        held = mentioned(needle.text)
        for name in needle.elements:
            if name in stated and name not in held:
                problem = f"lists the element {name!r} but mentions neither it nor an alias."
                remedy = "Write it into the text, or add an alias; or say `derived: true` if it only follows."
                raise ConfigError(path, f"{where}.text", problem, remedy)
        for name in held:
            if name not in needle.elements:
                problem = f"the text mentions {name!r}, which is not listed."
                raise ConfigError(path, f"{where}.elements", problem, "List it, or reword the text.")
        carried.update(needle.elements)
    for position, element in enumerate(needle_set.elements):
        if element.name not in carried:
            problem = f"no needle carries {element.name!r}."
            raise ConfigError(path, f"elements.{position}", problem, "Add a needle for it.")


def _check_distractors(path: Path, needle_set: NeedleSet, mentioned: ElementFinder) -> None:
    for position, distractor in enumerate(needle_set.distractors):
        for name in mentioned(distractor.text):
            raise ConfigError(
                path,
                f"distractors.{position}.text",
                f"{distractor.id!r} mentions {name!r}, which is part of the right answer.",
                "A distractor must never help: reword it, or change that phrase too.",
            )


def _check_traps(path: Path, needle_set: NeedleSet) -> None:
    """Raise ConfigError for a trap that is a right element too, or that no needle or passage mentions."""
    right = {name.casefold() for element in needle_set.elements for name in element.names}
    texts = [*(needle.text for needle in needle_set.needles), *(p.text for p in needle_set.passages)]
    finder = ElementFinder(needle_set.traps)
    mentioned = {name for text in texts for name in finder(text)}
    for position, trap in enumerate(needle_set.traps):
        for name in trap.names:
            if name.casefold() in right:
                problem = f"{name!r} is part of the right answer."
                raise ConfigError(path, f"traps.{position}", problem, "Take it out of one of the two.")
        if trap.name not in mentioned:
            problem = f"no needle or passage mentions {trap.name!r}."
            raise ConfigError(path, f"traps.{position}", problem, "Correct the name, or take it out.")


def _check_keys(path: Path, needle_set: NeedleSet) -> None:
    if not any(element.key for element in needle_set.elements):
        return
    seen: set[str] = set()
    finder = ElementFinder(Element(element.key) for element in needle_set.elements if element.key)
    asked = set(finder(needle_set.question))
    for position, element in enumerate(needle_set.elements):
        where = f"elements.{position}.key"
        if not element.key:
            problem = "is missing; other elements have one."
            raise ConfigError(path, where, problem, "Give every element a key, or none.")
        if element.key.casefold() in seen:
            problem = f"{element.key!r} stands twice."
            raise ConfigError(path, where, problem, "Each element needs its own key.")
        seen.add(element.key.casefold())
        if element.key not in asked:
            problem = f"the question does not mention {element.key!r}."
            raise ConfigError(path, where, problem, "Ask for it, or mend the key.")
    _check_carriers(path, needle_set, finder)


def _check_carriers(path: Path, needle_set: NeedleSet, keys_in: ElementFinder) -> None:
    """A needle that carries an element must say what it answers for."""
    keys = {element.name: element.key for element in needle_set.stated}
    for position, needle in enumerate(needle_set.needles):
        said = keys_in(needle.text)
        for name in needle.elements:
            if name in keys and keys[name] not in said:
                raise ConfigError(
                    path,
                    f"needles.{position}.text",
                    f"carries {name!r} but does not mention its key, {keys[name]!r}.",
                    "Write it into the text, or correct the key.",
                )


_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s*\Z")

_Span = tuple[int, int]


def check_nesting(path: Path, needle_set: NeedleSet, mentioned: ElementFinder) -> None:
    """Raise ConfigError unless every nested needle stands once, whole and apart in its passage."""
    if not needle_set.passages and not any(needle.inside for needle in needle_set.needles):
        return
    passages = {passage.id: passage for passage in needle_set.passages}
    spans: dict[str, list[_Span]] = {name: [] for name in passages}
    for position, needle in enumerate(needle_set.needles):
        where = f"needles.{position}.inside"
        if not needle.inside:
            problem = "is missing; the set has passages."
            raise ConfigError(path, where, problem, "Put every needle inside a passage, or none.")
        if needle.inside not in passages:
            problem = f"no passage is called {needle.inside!r}."
            raise ConfigError(path, where, problem, f"Passages: {', '.join(passages) or 'none'}.")
        span = _span_in(path, position, needle, passages[needle.inside])
        if any(start < span[1] and span[0] < end for start, end in spans[needle.inside]):
            problem = f"overlaps another needle in the passage {needle.inside!r}."
            raise ConfigError(path, f"needles.{position}.text", problem, "Keep them apart.")
        spans[needle.inside].append(span)
    for position, passage in enumerate(needle_set.passages):
        for name in mentioned(_without(passage.text, spans[passage.id])):
            problem = f"mentions {name!r} outside its needles."
            raise ConfigError(path, f"passages.{position}.text", problem, "Reword it there.")


def _span_in(path: Path, position: int, needle: Needle, passage: Passage) -> _Span:
    where = f"needles.{position}.text"
    times = passage.text.count(needle.text)
    if times != 1:
        problem = f"occurs {times} times in the passage {passage.id!r}, not once."
        raise ConfigError(path, where, problem, "Copy the sentence from the passage word for word.")
    start = passage.text.index(needle.text)
    before = passage.text[:start]
    if (before and not _SENTENCE_END.search(before)) or not _SENTENCE_END.search(needle.text):
        problem = f"is not made of whole sentences of the passage {passage.id!r}."
        raise ConfigError(path, where, problem, "Start and end it where a sentence does.")
    return start, start + len(needle.text)


def _without(text: str, spans: list[_Span]) -> str:
    """``text`` with a full stop for each span, so that what stood around it does not run together."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} . {text[end:]}"
    return text
