"""Needle sets as people write them: what the YAML may hold, and what each key means."""

from __future__ import annotations

import re
from string import ascii_uppercase
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from niah.file_mistakes import as_yaml
from niah.files import FileModel
from niah.needles.needle_set import Hardness, QuestionKind

LETTERS = (
    "The question puts a letter before each option: (A) yes, (B) no. An answer may then be a letter. Where it"
    " writes them itself, letters count without this."
)
NAME = r"^[a-z0-9]+(-[a-z0-9]+)*$"


def _joined(text: str) -> str:
    return " ".join(text.split())


OneLine = Annotated[str, Field(min_length=1), AfterValidator(_joined)]
"""Prose; however it is wrapped in the file, it becomes one line."""


def _is_name(text: str) -> str:
    if not re.fullmatch(NAME, text):
        raise ValueError(f"{as_yaml(text)} is no name. Write lower-case words joined by hyphens.")
    return text


Name = Annotated[
    str,
    Field(description="Lower-case words joined by hyphens.", json_schema_extra={"pattern": NAME}),
    AfterValidator(_is_name),
]


def _has_letters(text: str) -> str:
    if not re.search(r"\w", text):
        raise ValueError(f"{as_yaml(text)} has no letter and no digit. Write what the element answers for.")
    return text


class ElementFile(FileModel):
    """One piece of an answer."""

    name: str = Field(min_length=1, description="As the text has it.")
    aliases: tuple[str, ...] = Field(default=(), description="Other ways to write it that count as well.")


class KeyedElementFile(ElementFile):
    """An element of the answer; a wrong one has no key."""

    key: Annotated[str, AfterValidator(_has_letters)] = Field(
        default="",
        json_schema_extra={"pattern": r"\w"},
        description="What it answers for (copper gate), where the question asks for several things by name.",
    )
    derived: bool = Field(
        default=False,
        description="It follows from the needles that list it and need not stand in them: a count, a yes.",
    )


class NeedleFile(FileModel):
    """A text that carries elements of the answer, or only bears on it."""

    id: Name | None = Field(default=None, description="Default: needle-1, needle-2 ...")
    text: OneLine = Field(description="What goes into the haystack.")
    elements: tuple[str, ...] | None = Field(
        default=None,
        description="Names of the elements it carries; [] for a link of a chain, or for supporting text. "
        "Default: those that its text mentions.",
    )
    inside: str = Field(
        default="", description="Id of the passage that holds the text word for word, in whole sentences."
    )


class PassageFile(FileModel):
    """A long passage with several nested needles, or one, or none."""

    id: Name
    text: OneLine = Field(description="What goes into the haystack, its needles included.")
    elements: tuple[ElementFile, ...] = Field(
        default=(), description="Wrong elements that it mentions outside its needles."
    )


class DistractorFile(FileModel):
    """Text that looks like a needle and answers another question: written, or made from a needle."""

    id: Name
    text: OneLine | None = Field(default=None, description="What goes into the haystack.")
    from_: str | None = Field(
        default=None, alias="from", description="Id of the needle that it is made from, in place of a text."
    )
    change: dict[str, str] = Field(
        default={}, description="With `from`: phrases of that needle, each with what takes its place."
    )
    elements: tuple[ElementFile, ...] = Field(
        default=(), description="The wrong answers that it would plant in a misled reader."
    )
    hardness: Hardness | None = Field(
        default=None,
        description="hard: a needle with one attribute changed. medium: the same in other words. easy: only "
        "the same matter. Default: hard with `from`, otherwise medium.",
    )

    @model_validator(mode="after")
    def _written_or_made(self) -> DistractorFile:
        if (self.text is None) == (self.from_ is None):
            raise ValueError("needs either a text or a needle that it is made from. Give `text`, or `from`.")
        if (self.from_ is None) != (not self.change):
            raise ValueError("`from` and `change` go together. Say which phrases of the needle change.")
        return self


class NeedleSetFile(FileModel):
    """A needle set as people write it. The file's name is the set's name."""

    description: str = Field(default="", description="One line for people.")
    kind: QuestionKind | None = Field(
        default=None,
        description="What the question asks of a reader. Default: single where one needle carries "
        "the answer, else multi-needle.",
    )
    question: str = Field(min_length=1, description="Asked after the context.")
    answer: str = Field(min_length=1, description="The reference answer, in full sentences.")
    answer_tokens: int = Field(default=256, ge=8, description="Room that an answer needs.")
    elements: tuple[KeyedElementFile, ...] = Field(
        default=(),
        description="What a complete answer names; none if the kind is unanswerable. Default, of a single "
        "needle: the answer.",
    )
    options: tuple[str, ...] = Field(
        default=(),
        description="The answers to choose from, in quotes (['yes', 'no']); the one element is one of them. "
        "They are put after the question, unless it names them itself.",
    )
    letters: bool = Field(default=False, description=LETTERS)
    ordered: bool = Field(
        default=False,
        description="The question asks for the elements in an order, and they are listed in it; an answer "
        "that gives them in another is not right.",
    )
    needles: tuple[NeedleFile, ...] = Field(
        default=(), description="Where the elements stand; none if the kind is unanswerable."
    )
    passages: tuple[PassageFile, ...] = Field(
        default=(), description="Long passages, if the needles are nested inside some."
    )
    distractors: tuple[DistractorFile, ...] = Field(
        default=(), description="Texts that mislead; a suite takes as many as it asks for, in this order."
    )
    traps: tuple[ElementFile, ...] = Field(
        default=(), description="Wrong elements that the needles themselves mention."
    )

    @model_validator(mode="after")
    def _letters_of_options(self) -> NeedleSetFile:
        if not self.letters:
            return self
        if not self.options:
            raise ValueError("`letters` are those of `options`, and there are none. List them.")
        if len(self.options) > len(ascii_uppercase):
            raise ValueError(
                f"there are more `options` than letters, {len(self.options)}. Leave `letters` out."
            )
        if single := [option for option in self.options if re.fullmatch(r"\s*[A-Za-z]\s*", option)]:
            raise ValueError(f"the option {as_yaml(single[0])} is a letter itself. Leave `letters` out.")
        return self
