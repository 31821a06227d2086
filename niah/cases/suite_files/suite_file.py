"""The keys of a suite's file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from niah.cases.case import AccidentRule, AnyHardness, DistractorDepth, Mode, NeedleOrder
from niah.cases.left_out import SkipRule
from niah.cases.suite_files.context_lengths import LEAST_LENGTH, LENGTH_PATTERN, length_of
from niah.files import FileModel, check_each_once
from niah.haystacks.structure import Structure

Depth = Annotated[float, Field(ge=0, le=100)]


def _as_length(value: object) -> object:
    """A text such as 4k as the tokens that it means; a number in quotes as it is. Raises ValueError."""
    if not isinstance(value, str) or value.isdecimal():
        return value
    tokens = length_of(value)
    if tokens is None:
        raise ValueError(f"should be {LEAST_LENGTH} tokens or more, such as 4096 or 4k (given: {value!r}).")
    return tokens


_Text = Annotated[str, Field(pattern=LENGTH_PATTERN)]
WRITTEN_LENGTH = BeforeValidator(_as_length, json_schema_input_type=int | _Text)
"""Reads "4k" as 4,096 where a file gives tokens."""

Length = Annotated[int, Field(ge=LEAST_LENGTH), WRITTEN_LENGTH]
Reserve = Annotated[int, Field(ge=0)] | Literal["template"]


def _as_tuple(value: object) -> object:
    """One name alone as a list of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


class ExceptionFile(FileModel):
    """What holds for one needle set in place of what the suite says: its haystack, its distractors."""

    haystack: str | None = None
    distractors: int | None = Field(default=None, ge=0)
    distractor_hardness: AnyHardness | None = None


class SuiteFile(FileModel):
    """A grid, every combination of its lists being one case; or question sets; or both.

    ``haystacks`` and ``questions`` are names, or paths from the working folder. Beside others, the haystack
    ``entries`` is for the needle sets that have entries, and these are in no other.
    ``lengths`` are in tokens; 4k are 4,096.
    ``shortest`` begins the lengths of single needle sets later, ``longest`` ends them earlier.
    ``distractors`` is a number for every needle set, at most what each has; where they stand and how hard
    they are, the next two keys say. ``repeat`` lets a haystack that is too short begin again.
    ``skip: impossible`` leaves out the cases that cannot be built, where the first would be an error;
    ``structure`` says how the haystacks are read: prose, lines or keep; without it that is found out.
    ``accidents: avoid`` leaves haystack sentences that answer by accident out of the background. ``reserve``
    is how many tokens of each length are kept for the reader's chat template; ``template`` counts it.
    ``exceptions`` say for single needle sets that they are asked in another haystack, and nowhere else, or
    with another number or hardness of distractors.
    """

    description: str = ""
    haystacks: Annotated[tuple[str, ...], Field(min_length=1)] = ()
    needle_sets: Annotated[tuple[str, ...], Field(min_length=1)] = ()
    lengths: Annotated[tuple[Length, ...], Field(min_length=1)] = ()
    depths: Annotated[tuple[Depth, ...], Field(min_length=1)] = ()
    questions: Annotated[
        tuple[str, ...],
        Field(min_length=1),
        BeforeValidator(_as_tuple, json_schema_input_type=str | tuple[str, ...]),
    ] = ()
    shortest: dict[str, Length] = Field(default_factory=dict)
    longest: dict[str, Length] = Field(default_factory=dict)
    seeds: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1)] = (1,)
    tokenizer: str = "cl100k"
    mode: Mode = "exact"
    order: NeedleOrder = "listed"
    distractors: int = Field(default=0, ge=0)
    distractor_depth: DistractorDepth = "spread"
    distractor_hardness: AnyHardness = "any"
    repeat: bool = False
    prompt: str = "u-niah"
    skip: SkipRule = "nothing"
    accidents: AccidentRule = "stop"
    reserve: Reserve = 0
    structure: Structure | None = None
    exceptions: dict[str, ExceptionFile] = Field(default_factory=dict)

    @field_validator("haystacks", "needle_sets", "lengths", "depths", "questions", "seeds")
    @classmethod
    def _each_once(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        check_each_once(values)
        return values
