"""Needle sets from YAML, checked until a set can be trusted."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pydantic import Field, field_validator

from niah.errors import ConfigError
from niah.files import FileModel, find, load_yaml, names_in
from niah.needles.needle_set import Distractor, Element, Needle, NeedleSet
from niah.paths import shipped
from niah.text.mentions import mentions

_NAME = r"^[a-z0-9]+(-[a-z0-9]+)*$"


class _ElementFile(FileModel):
    name: str = Field(min_length=1)
    aliases: tuple[str, ...] = ()


class _KeyedElementFile(_ElementFile):
    """An element of the answer; a distractor's has no key."""

    key: str = Field(default="", pattern=r"\w")


class _NeedleFile(FileModel):
    id: str = Field(pattern=_NAME)
    text: str = Field(min_length=1)
    elements: tuple[str, ...] = Field(min_length=1)

    @field_validator("text")
    @classmethod
    def _one_line(cls, text: str) -> str:
        return " ".join(text.split())


class _DistractorFile(FileModel):
    id: str = Field(pattern=_NAME)
    text: str = Field(min_length=1)
    elements: tuple[_ElementFile, ...] = ()

    @field_validator("text")
    @classmethod
    def _one_line(cls, text: str) -> str:
        return " ".join(text.split())


class NeedleSetFile(FileModel):
    """A needle set as people write it. The file's name is the set's name."""

    description: str = ""
    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    answer_tokens: int = Field(default=256, ge=8)
    elements: tuple[_KeyedElementFile, ...] = Field(min_length=1)
    needles: tuple[_NeedleFile, ...] = Field(min_length=1)
    distractors: tuple[_DistractorFile, ...] = ()


def needle_folders() -> list[Path]:
    """Where needle sets are looked for: the working folder's ``needles/``, then what ships."""
    return [Path("needles"), shipped("needles")]


def needle_set_names() -> list[str]:
    """The needle sets that a bare name can mean."""
    return names_in(needle_folders())


@lru_cache(maxsize=256)
def load_needle_set(name: str, seed: int) -> NeedleSet:
    """The needle set of that name or path, as ``seed`` draws it. Raises UnknownName or ConfigError."""
    path = find("needle set", name, needle_folders())
    file = load_yaml(path, NeedleSetFile)
    needle_set = NeedleSet(
        name=path.stem,
        question=file.question.strip(),
        answer=" ".join(file.answer.split()),
        elements=tuple(Element(e.name, e.aliases, " ".join(e.key.split())) for e in file.elements),
        needles=tuple(Needle(needle.id, needle.text, needle.elements) for needle in file.needles),
        distractors=tuple(
            Distractor(d.id, d.text, tuple(Element(e.name, e.aliases) for e in d.elements))
            for d in file.distractors
        ),
        answer_tokens=file.answer_tokens,
    )
    _check(path, needle_set)
    return needle_set


def _check(path: Path, needle_set: NeedleSet) -> None:
    _check_names(path, needle_set)
    _check_needles(path, needle_set)
    _check_distractors(path, needle_set)
    _check_keys(path, needle_set)


def _check_names(path: Path, needle_set: NeedleSet) -> None:
    for key, ids in (
        ("elements", [element.name for element in needle_set.elements]),
        ("needles", [needle.id for needle in needle_set.needles]),
        ("distractors", [distractor.id for distractor in needle_set.distractors]),
    ):
        for position, name in enumerate(ids):
            if name in ids[:position]:
                raise ConfigError(path, f"{key}.{position}", f"{name!r} stands twice.", "Rename one.")


def _check_needles(path: Path, needle_set: NeedleSet) -> None:
    known = {element.name: element for element in needle_set.elements}
    carried = set()
    for position, needle in enumerate(needle_set.needles):
        for name in needle.elements:
            if name not in known:
                raise ConfigError(
                    path,
                    f"needles.{position}.elements",
                    f"names {name!r}, which is not under elements.",
                    "Add it there, or correct the name.",
                )
        for element in needle_set.elements:
            _check_carries(path, position, needle, element)
        carried |= set(needle.elements)
    for position, element in enumerate(needle_set.elements):
        if element.name not in carried:
            raise ConfigError(
                path, f"elements.{position}", f"no needle carries {element.name!r}.", "Add a needle for it."
            )


def _check_carries(path: Path, position: int, needle: Needle, element: Element) -> None:
    listed = element.name in needle.elements
    held = mentions(needle.text, element.names)
    if listed and not held:
        raise ConfigError(
            path,
            f"needles.{position}.text",
            f"lists the element {element.name!r} but mentions neither it nor an alias.",
            "Write it into the text, or add an alias.",
        )
    if held and not listed:
        raise ConfigError(
            path,
            f"needles.{position}.elements",
            f"the text mentions {element.name!r}, which is not listed.",
            "List it, or reword the text.",
        )


def _check_distractors(path: Path, needle_set: NeedleSet) -> None:
    for position, distractor in enumerate(needle_set.distractors):
        for element in needle_set.elements:
            if mentions(distractor.text, element.names):
                raise ConfigError(
                    path,
                    f"distractors.{position}.text",
                    f"mentions {element.name!r}, which is part of the right answer.",
                    "A distractor must never help: reword it.",
                )


def _check_keys(path: Path, needle_set: NeedleSet) -> None:
    keys = [element.key.casefold() for element in needle_set.elements]
    if not any(keys):
        return
    for position, element in enumerate(needle_set.elements):
        where = f"elements.{position}.key"
        if not element.key:
            raise ConfigError(
                path, where, "is missing; other elements have one.", "Give every element a key, or none."
            )
        if keys[position] in keys[:position]:
            raise ConfigError(
                path, where, f"{element.key!r} stands twice.", "Each element needs its own key."
            )
        if not mentions(needle_set.question, [element.key]):
            raise ConfigError(
                path, where, f"the question does not mention {element.key!r}.", "Ask for it, or mend the key."
            )
        _check_carriers(path, element, needle_set)


def _check_carriers(path: Path, element: Element, needle_set: NeedleSet) -> None:
    """A needle that carries an element must say what it answers for."""
    for position, needle in enumerate(needle_set.needles):
        if element.name in needle.elements and not mentions(needle.text, [element.key]):
            raise ConfigError(
                path,
                f"needles.{position}.text",
                f"carries {element.name!r} but does not mention its key, {element.key!r}.",
                "Write it into the text, or correct the key.",
            )
