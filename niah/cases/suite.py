"""Suites: YAML grids of cases."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from niah.cases.case import Case, Mode, Order
from niah.cases.prompts import prompt_names
from niah.errors import ConfigError, UnknownName, did_you_mean
from niah.files import FileModel, find, load_yaml, names_in
from niah.haystacks.documents import haystack_names
from niah.needles.load import load_needle_set
from niah.paths import shipped
from niah.text.tokenizer import tokenizer_names

Depth = Annotated[float, Field(ge=0, le=100)]
Length = Annotated[int, Field(ge=16)]


class Suite(FileModel):
    """A grid: every combination of its lists is one case.

    ``longest`` ends the lengths of single needle sets earlier; ``distractors`` is a number for every
    needle set, at most what each has.
    """

    description: str = ""
    haystacks: tuple[str, ...] = Field(min_length=1)
    needle_sets: tuple[str, ...] = Field(min_length=1)
    lengths: tuple[Length, ...] = Field(min_length=1)
    depths: tuple[Depth, ...] = Field(min_length=1)
    longest: dict[str, Length] = Field(default_factory=dict)
    seeds: tuple[Annotated[int, Field(ge=0)], ...] = (1,)
    tokenizer: str = "cl100k"
    mode: Mode = "exact"
    order: Order = "listed"
    distractors: int = Field(default=0, ge=0)
    prompt: str = "u-niah"

    @field_validator("haystacks", "needle_sets", "lengths", "depths", "seeds")
    @classmethod
    def _each_once(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        for position, value in enumerate(values):
            if value in values[:position]:
                raise ValueError(f"{value!r} stands twice. Take one out.")
        return values


def suite_folders() -> list[Path]:
    """Where suites are looked for: the working folder's ``cases/``, then what ships."""
    return [Path("cases"), shipped("cases")]


def suite_names() -> list[str]:
    """The suites that a bare name can mean."""
    return names_in(suite_folders())


def load_suite(name: str) -> list[Case]:
    """The cases of a suite by name or path, in the order of the file's lists.

    Raises UnknownName or ConfigError; needle sets, haystacks, tokenizer and prompt are known to exist.
    """
    path = find("suite", name, suite_folders())
    suite = load_yaml(path, Suite)
    _check_names(path, suite)
    return [
        Case(
            needle_set=needle_set,
            haystack=haystack,
            context_length=length,
            depth=depth,
            seed=seed,
            tokenizer=suite.tokenizer,
            mode=suite.mode,
            order=suite.order,
            distractors=suite.distractors,
            prompt=suite.prompt,
        )
        for haystack, seed, needle_set, length, depth in product(
            suite.haystacks, suite.seeds, suite.needle_sets, suite.lengths, suite.depths
        )
        if length <= suite.longest.get(needle_set, length)
    ]


def _check_names(path: Path, suite: Suite) -> None:
    for position, name in enumerate(suite.needle_sets):
        try:
            load_needle_set(name)
        except UnknownName as error:
            raise ConfigError(path, f"needle_sets.{position}", error.message, error.remedy) from None
    for name, length in suite.longest.items():
        _check_known(path, f"longest.{name}", "needle set of this suite", name, list(suite.needle_sets))
        if length < min(suite.lengths):
            problem = f"leaves no length: {length} is below them all."
            raise ConfigError(path, f"longest.{name}", problem, "Raise it.")
    for position, name in enumerate(suite.haystacks):
        _check_known(path, f"haystacks.{position}", "haystack", name, haystack_names())
    _check_known(path, "tokenizer", "tokenizer", suite.tokenizer, tokenizer_names())
    if not Path(suite.prompt).is_file():
        _check_known(path, "prompt", "prompt template", suite.prompt, prompt_names())


def _check_known(path: Path, key: str, kind: str, name: str, known: list[str]) -> None:
    if name not in known:
        raise ConfigError(path, key, f"no {kind} called {name!r}.", did_you_mean(name, known))
