"""Suites: YAML grids of cases."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from niah.cases.case import AnyHardness, Case, DistractorDepth, Mode, NeedleOrder, id_part
from niah.cases.prompts import prompt_names
from niah.errors import ConfigError, HaystackError, NeedleError, UnknownName, UserError, did_you_mean
from niah.files import FileModel, find, load_yaml, names_in
from niah.haystacks.documents import haystack_names, haystack_path, load_documents
from niah.needles.load import load_needle_set
from niah.paths import shipped
from niah.text.tokenizer import check_tokenizer

Depth = Annotated[float, Field(ge=0, le=100)]
Length = Annotated[int, Field(ge=16)]


class Suite(FileModel):
    """A grid: every combination of its lists is one case.

    ``haystacks`` are names that ship, or paths from the working folder.
    ``longest`` ends the lengths of single needle sets earlier. ``distractors`` is a number for every
    needle set, at most what each has; where they stand and how hard they are, the next two keys say.
    ``repeat`` lets a haystack begin again where it is shorter than a context.
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
    order: NeedleOrder = "listed"
    distractors: int = Field(default=0, ge=0)
    distractor_depth: DistractorDepth = "spread"
    distractor_hardness: AnyHardness = "any"
    repeat: bool = False
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


def load_suite(name: str, haystack: str | None = None, tokenizer: str | None = None) -> list[Case]:
    """The cases of a suite by name or path, in the order of the file's lists.

    ``haystack``, a name or path, and ``tokenizer`` take the place of the suite's own. Raises UserError;
    needle sets, tokenizer and prompt are known to exist, haystacks to be readable.
    """
    path = find("suite", name, suite_folders())
    suite = load_yaml(path, Suite)
    if tokenizer is not None:
        check_tokenizer(tokenizer)
        suite = suite.model_copy(update={"tokenizer": tokenizer})
    if haystack is None:
        _check_haystacks(path, suite)
    else:
        _check_haystack(haystack)
        suite = suite.model_copy(update={"haystacks": (haystack,)})
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
            distractor_depth=suite.distractor_depth,
            distractor_hardness=suite.distractor_hardness,
            repeat=suite.repeat,
        )
        for haystack, seed, needle_set, length, depth in product(
            suite.haystacks, suite.seeds, suite.needle_sets, suite.lengths, suite.depths
        )
        if length <= suite.longest.get(needle_set, length)
    ]


def _check_names(path: Path, suite: Suite) -> None:
    for position, name in enumerate(suite.needle_sets):
        try:
            load_needle_set(name, suite.seeds[0])
        except (UnknownName, NeedleError) as error:
            raise ConfigError(path, f"needle_sets.{position}", error.message, error.remedy) from None
    for name, length in suite.longest.items():
        _check_known(path, f"longest.{name}", "needle set of this suite", name, list(suite.needle_sets))
        if length < min(suite.lengths):
            problem = f"leaves no length: {length} is below them all."
            raise ConfigError(path, f"longest.{name}", problem, "Raise it.")
    try:
        check_tokenizer(suite.tokenizer)
    except UserError as error:
        raise ConfigError(path, "tokenizer", error.message, error.remedy) from None
    if suite.prompt and Path(suite.prompt).is_dir():
        problem = f"{suite.prompt} is a folder, not a prompt template."
        raise ConfigError(path, "prompt", problem, "Name a file in it.")
    if not Path(suite.prompt).is_file():
        _check_known(path, "prompt", "prompt template", suite.prompt, prompt_names())


def _check_haystacks(path: Path, suite: Suite) -> None:
    words: dict[str, str] = {}
    for position, name in enumerate(suite.haystacks):
        key = f"haystacks.{position}"
        try:
            _check_haystack(name)
        except UnknownName as error:
            raise ConfigError(path, key, error.message, error.remedy) from None
        other = words.setdefault(id_part(name), name)
        if other != name:
            problem = f"{name!r} and {other!r} are both {id_part(name)!r} in case ids."
            raise ConfigError(path, key, problem, "Rename one of them.")


def _check_haystack(name: str) -> None:
    """A name that ships, or a path with text whose word in case ids is not the name of other text."""
    if name in haystack_names():
        return
    word = id_part(name)
    if word in haystack_names() and not haystack_path(name).samefile(haystack_path(word)):
        problem = f"{name!r} would be {word!r} in case ids, a haystack that ships."
        raise HaystackError(problem, "Rename the folder or file.")
    load_documents(name)


def _check_known(path: Path, key: str, kind: str, name: str, known: list[str]) -> None:
    if name not in known:
        raise ConfigError(path, key, f"no {kind} called {name!r}.", did_you_mean(name, known))
