"""What must hold of every needle set, and what its kind demands over and above."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from niah.errors import ConfigError
from niah.files import check_each_once
from niah.needles.needle_set import Element, ElementFinder, NeedleSet
from niah.text.mentions import SMALL_WORDS

Fault = tuple[str, str]  # the key, and what is wrong and to be done
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\s*\Z")


def check_needle_set(path: Path, needle_set: NeedleSet) -> None:
    """Raise ConfigError, with file and key, for all that is wrong with ``needle_set``."""
    faults = list[Fault]()
    for check in (_names, _options, _kind, _needles, _others, _keys, _nesting):
        said = {key for key, _ in faults}
        faults += [fault for fault in check(needle_set) if fault[0] not in said]
    if faults:
        raise ConfigError.of_all(ConfigError(path, *fault) for fault in faults)


def _names(drawn: NeedleSet) -> Iterator[Fault]:
    for key, ids in (
        ("elements", [element.name for element in drawn.elements]),
        ("elements", [element.key.casefold() for element in drawn.elements if element.key]),
        ("needles", [needle.id for needle in drawn.needles]),
        ("passages", [passage.id for passage in drawn.passages]),
        ("distractors", [distractor.id for distractor in drawn.distractors]),
        ("options", [option.casefold() for option in drawn.options]),
    ):
        try:
            check_each_once(ids)
        except ValueError as error:
            yield key, str(error)


def _options(drawn: NeedleSet) -> Iterator[Fault]:
    if len(drawn.options) == 1:
        yield "options", "there is nothing to choose from."
    if drawn.options and (len(drawn.elements) != 1 or drawn.elements[0].name not in drawn.options):
        yield "elements", f"one of the options is the answer: {', '.join(drawn.options)}."


def _kind(drawn: NeedleSet) -> Iterator[Fault]:
    kind, parts = drawn.kind, {"needles": drawn.needles, "elements": drawn.elements}
    if kind == "unanswerable":
        for key in [key for key, there in (parts | {"passages": drawn.passages}).items() if there]:
            yield key, "the kind is unanswerable, so there can be none."
        if not drawn.distractors:
            yield "distractors", "an unanswerable set needs at least one. Write it near the question."
        return
    for key in [key for key, there in parts.items() if not there]:
        yield key, f"there are none, and a {kind} set needs some. Write one, or say `kind: unanswerable`."
    carriers = sum(bool(needle.elements) for needle in drawn.needles)
    if kind == "single" and carriers > 1:
        yield "kind", f"is single, and {carriers} needles carry elements. Say multi-needle."
    elif kind == "latent":
        asked = content_words(drawn.question)
        for place, needle in enumerate(drawn.needles):
            for root, word in content_words(needle.text).items() if needle.elements else ():
                if root in asked:
                    problem = f"shares {word!r} with the question ({asked[root]!r}); the kind is latent."
                    yield f"needles.{place}.text", problem
    rivals = [item for item in drawn.distractors if item.elements]
    if kind == "multi-query":
        for place, element in enumerate(drawn.elements):
            if not element.key:
                yield f"elements.{place}.key", "is missing; the set asks for its elements by key."
        of_asked = ElementFinder(Element(element.key) for element in drawn.elements if element.key)
        if all(of_asked(item.text) for item in rivals):
            yield "distractors", "none is about a key that no one asked for. Add one."
    elif kind in ("multi-key", "conflicting") and not rivals:
        what = "the older statement" if kind == "conflicting" else "another key's value"
        yield "distractors", f"none carries an element, and a {kind} set needs {what}. Add it."


def _needles(drawn: NeedleSet) -> Iterator[Fault]:
    mentioned, carried = ElementFinder(drawn.stated), set[str]()
    known, stated = {each.name for each in drawn.elements}, {each.name for each in drawn.stated}
    for place, needle in enumerate(drawn.needles):
        where, held = f"needles.{place}", mentioned(needle.text)
        for name in needle.elements:
            if name not in known:
                yield f"{where}.elements", f"names {name!r}, which is not under elements. Add it there."
            if name in stated and name not in held:
                problem = f"lists the element {name!r} but mentions neither it nor an alias."
                remedy = "Write it into the text, or say `derived: true` if it only follows."
                yield f"{where}.text", f"{problem} {remedy}"
        for name in held:
            if name not in needle.elements:
                yield f"{where}.elements", f"the text mentions {name!r}, which is not listed."
        carried.update(needle.elements)
    owner = {name.casefold(): one.name for one in drawn.elements for name in one.names}
    for place, element in enumerate(drawn.elements):
        if others := {owner[name.casefold()] for name in element.names} - {element.name}:
            problem = f"{element.name!r} shares a name with {min(others)!r}. Leave the alias out."
            yield f"elements.{place}", problem
        if element.name not in carried:
            yield f"elements.{place}", f"no needle carries {element.name!r}."


def _others(drawn: NeedleSet) -> Iterator[Fault]:
    """No distractor helps, and every trap is wrong and there."""
    mentioned = ElementFinder(drawn.stated)
    for place, distractor in enumerate(drawn.distractors):
        for name in mentioned(distractor.text):
            problem = f"{distractor.id!r} mentions {name!r}, which is part of the right answer."
            yield f"distractors.{place}.text", f"{problem} A distractor must never help: reword it."
    right = {name.casefold() for element in drawn.elements for name in element.names}
    traps = ElementFinder(drawn.traps)
    texts = [needle.text for needle in drawn.needles] + [passage.text for passage in drawn.passages]
    there = {name for text in texts for name in traps(text)}
    for place, trap in enumerate(drawn.traps):
        if not right.isdisjoint(name.casefold() for name in trap.names):
            yield f"traps.{place}", f"{trap.name!r} is part of the right answer."
        if trap.name not in there:
            yield f"traps.{place}", f"no needle or passage mentions {trap.name!r}."


def _keys(drawn: NeedleSet) -> Iterator[Fault]:
    """Every element has a key that is asked for, or none has; its needles say whose element it is."""
    if not any(element.key for element in drawn.elements):
        return
    if drawn.ordered:
        yield "ordered", "elements with keys are told apart by those. Take it out."
    keys_in = ElementFinder(Element(element.key) for element in drawn.elements if element.key)
    asked = set(keys_in(drawn.question))
    for place, element in enumerate(drawn.elements):
        key, where = element.key, f"elements.{place}.key"
        if not key:
            yield where, "is missing; other elements have one."
        elif key not in asked:
            yield where, f"the question does not mention {key!r}."
    keys = {element.name: element.key for element in drawn.stated if element.key}
    for place, needle in enumerate(drawn.needles):
        said = keys_in(needle.text)
        for name in needle.elements:
            if name in keys and keys[name] not in said:
                problem = f"carries {name!r} but does not mention its key, {keys[name]!r}."
                yield f"needles.{place}.text", problem


def _nesting(drawn: NeedleSet) -> Iterator[Fault]:
    """Every nested needle is once, whole and apart in its passage; nothing else there tells an element."""
    passages = {passage.id: passage.text for passage in drawn.passages}
    if not passages and not any(needle.inside for needle in drawn.needles):
        return
    spans: dict[str, list[tuple[int, int]]] = {name: [] for name in passages}
    for place, needle in enumerate(drawn.needles):
        where, inside, text = f"needles.{place}", needle.inside, needle.text
        if inside not in passages:
            problem = f"no passage is called {inside!r}" if inside else "is missing; the set has passages"
            yield f"{where}.inside", f"{problem}. Passages: {', '.join(passages) or 'none'}."
            continue
        whole, copied = passages[inside], "Copy the sentences from the passage word for word."
        if (times := whole.count(text)) != 1:
            yield f"{where}.text", f"occurs {times} times in the passage {inside!r}, not once. {copied}"
            continue
        start = whole.index(text)
        end, before = start + len(text), whole[:start]
        if (before and not _SENTENCE_END.search(before)) or not _SENTENCE_END.search(text):
            yield f"{where}.text", f"is not made of whole sentences of the passage {inside!r}. {copied}"
        if any(first < end and start < last for first, last in spans[inside]):
            yield f"{where}.text", f"overlaps another needle in the passage {inside!r}."
        spans[inside].append((start, end))
    mentioned = ElementFinder(drawn.stated)
    for place, passage in enumerate(drawn.passages):
        rest = passage.text
        for start, end in sorted(spans[passage.id], reverse=True):
            rest = f"{rest[:start]} . {rest[end:]}"
        for name in mentioned(rest):
            yield f"passages.{place}.text", f"mentions {name!r} outside its needles."


_WORD = re.compile(r"[^\W\d_]+|\d+")
_STOP_WORDS = SMALL_WORDS - {"art"} | frozenset(
    _WORD.findall(
        "about above after again against all along also although among another anybody anyone anything "
        "around away back became because been before being below between both but came could did does "
        "doing done down during each either else ever every everybody everyone everything few first "
        "from get goes going got had have having here hers herself himself however indeed instead into "
        "itself just keep last later least less let like made make many more most much must myself "
        "near neither never next nobody none nor nothing now off often once one only onto other others "
        "ours over per perhaps put quite rather said same say says see seen several shall should since "
        "some somebody someone something still such take their theirs themselves there these thing "
        "things those though through till together took toward towards two until upon very way well "
        "went whatever whether which while whoever within without would yet yours"
    )
)


def content_words(text: str) -> dict[str, str]:
    """The Snowball stems of the words that are no stop words, each with the word as ``text`` has it."""
    from snowballstemmer import stemmer

    words = [word for word in _WORD.findall(text) if len(word) > 2 and word.casefold() not in _STOP_WORDS]
    return dict(zip(stemmer("english").stemWords([word.casefold() for word in words]), words, strict=True))
