"""Suites: YAML grids of cases, and question sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from niah.cases.case import (
    AccidentRule,
    AnyHardness,
    Case,
    DistractorDepth,
    Mode,
    NeedleOrder,
    check_case_count,
    id_part,
)
from niah.cases.left_out import SkipRule
from niah.cases.prompts import prompt_names
from niah.cases.question_sets import QuestionSets, question_set_path
from niah.cases.questions.published.set_names import command_to_import
from niah.errors import ConfigError, HaystackError, NeedleError, UnknownName, UserError, did_you_mean
from niah.files import FileModel, check_each_once, find, load_yaml, yaml_names
from niah.haystacks.documents import haystack_names, haystack_path, is_entries, load_documents
from niah.haystacks.structure import Structure
from niah.haystacks.world import is_world
from niah.needles.entries import check_has_entries, has_entries
from niah.needles.load import load_needle_set
from niah.paths import places
from niah.text.tokenizer import check_tokenizer
from niah.text.tokenizers.chat_template import chat_template_tokens

Depth = Annotated[float, Field(ge=0, le=100)]
Length = Annotated[int, Field(ge=16)]
Reserve = Annotated[int, Field(ge=0)] | Literal["template"]


_GRID = ("haystacks", "needle_sets", "lengths", "depths")
"""What a grid of cases must have; a suite without question sets must have one."""

_OF_BOTH = {"description", "questions", "tokenizer", "prompt"}
"""What a suite of question sets alone may have."""


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


@dataclass(frozen=True)
class Suite:
    """A suite with every name resolved.

    Attributes:
        cases: of its grid, in its lists' order.
        question_sets: beside them or alone.
        skip: what becomes of cases that cannot be built.
        keys: those that the file has.
    """

    cases: tuple[Case, ...]
    question_sets: QuestionSets = field(default_factory=QuestionSets)
    skip: SkipRule = "nothing"
    keys: frozenset[str] = frozenset()


@dataclass(frozen=True)
class InsteadOfSuite:
    """What a command line says in place of a suite's own keys; None where it says nothing.

    Attributes:
        haystack: the only one, in place of all; a name or path.
        tokenizer: whose tokens count.
        skip: what becomes of cases that cannot be built.
        accidents: what becomes of haystack sentences that answer by accident.
        reserve: tokens kept for a chat template, or that the tokenizer's own is to be counted.
        needle_sets, lengths, depths: of the grid.
    """

    haystack: str | None = None
    tokenizer: str | None = None
    skip: SkipRule | None = None
    accidents: AccidentRule | None = None
    reserve: int | Literal["template"] | None = None
    needle_sets: tuple[str, ...] | None = None
    lengths: tuple[int, ...] | None = None
    depths: tuple[float, ...] | None = None


def suite_folders() -> list[Path]:
    """Where suites are looked for: the working folder's ``cases/``, then what ships."""
    return places("cases")


def suite_names() -> list[str]:
    """The suites that a bare name can mean."""
    return yaml_names(suite_folders())


def load_suite(name: str, instead: InsteadOfSuite | None = None, *, is_sound: bool = False) -> Suite:
    """The suite of that name or path, with what the command line says in its place.

    Raises UserError; needle sets, tokenizer and prompt are known to exist, haystacks to be readable.

    Args:
        name: of the suite, or its path.
        instead: what the command line says.
        is_sound: whether its needle sets are known to be drawn without fault, as those are of what ships.
    """
    instead = instead or InsteadOfSuite()
    path = find("suite", name, suite_folders())
    if path.suffix == ".jsonl":
        problem = f"{path} holds questions, and is no suite."
        raise UserError(problem, f"Write a suite of one line, `questions: [{name}]`, and name that.")
    suite = load_yaml(path, SuiteFile)
    _check_grid(path, suite)
    keys = frozenset(suite.model_fields_set)
    said = {key: value for key, value in vars(instead).items() if value is not None}
    if instead.tokenizer is not None:
        check_tokenizer(instead.tokenizer)
    if instead.haystack is None:
        _check_haystacks(path, suite)
    else:
        _check_haystack(instead.haystack)
        said["haystacks"] = (said.pop("haystack"),)
        said["exceptions"] = {
            name: exception.model_copy(update={"haystack": None})
            for name, exception in suite.exceptions.items()
        }
    for needle_set in instead.needle_sets or ():
        load_needle_set(needle_set, suite.seeds[0])
    suite = _narrowed(path, suite.model_copy(update=said), instead)
    _check_structure(path, suite)
    if not is_sound:
        _check_names(path, suite)
    check_case_count(path, "", _count_of_cases(suite))
    suite = suite.model_copy(update={"reserve": _reserve(path, suite)})
    questions = QuestionSets(_question_files(path, suite), suite.tokenizer, suite.prompt)
    return Suite(tuple(_cases(suite)), questions, suite.skip, keys)


def _narrowed(path: Path, suite: SuiteFile, instead: InsteadOfSuite) -> SuiteFile:
    """Without the needle sets that have none of the lengths asked for, by ``shortest`` and ``longest``, and
    without what these say of others. Raises UserError where none is left.
    """
    if all(each is None for each in (instead.needle_sets, instead.lengths, instead.depths)):
        return suite
    if not suite.needle_sets:
        problem = f"{path} is a suite of question sets alone, which have no needle sets, lengths or depths."
        raise UserError(problem, "Leave these out, or name a suite with needle sets.")
    left = tuple(
        name
        for name in suite.needle_sets
        if any(_within_bounds(suite, name, length) for length in suite.lengths)
    )
    if not left:
        lengths = ", ".join(map(str, suite.lengths))
        problem = f"none of the needle sets of {path} is asked at {lengths} tokens."
        raise UserError(problem, "Its keys shortest and longest say at which they are.")
    bounds = {
        key: {name: bound for name, bound in getattr(suite, key).items() if name in left}
        for key in ("shortest", "longest", "exceptions")
    }
    return suite.model_copy(update={"needle_sets": left, **bounds})


def load_grid(name: str, instead: InsteadOfSuite | None = None) -> Suite:
    """A suite that has cases. Raises UserError, also for one of question sets alone."""
    suite = load_suite(name, instead)
    if not suite.cases:
        problem = f"the suite {name} holds no cases: its questions are over given documents."
        raise UserError(problem, "Name a suite with needle_sets.")
    return suite


def _count_of_cases(suite: SuiteFile) -> int:
    """At most, before what does not go together is left out."""
    lists = (_every_haystack(suite), suite.seeds, suite.needle_sets, suite.lengths, suite.depths)
    return prod(map(len, lists))


def _cases(suite: SuiteFile) -> Iterator[Case]:
    shared = suite.model_dump(include={field.name for field in fields(Case)})
    for haystack, seed, needle_set, length, depth in product(
        _every_haystack(suite), suite.seeds, suite.needle_sets, suite.lengths, suite.depths
    ):
        if _within_bounds(suite, needle_set, length) and _go_together(suite, haystack, needle_set):
            exception = suite.exceptions.get(needle_set, ExceptionFile())
            own = exception.model_dump(exclude={"haystack"}, exclude_none=True)
            yield Case(
                needle_set=needle_set,
                haystack=haystack,
                context_length=length,
                depth=depth,
                seed=seed,
                **{**shared, **own},
            )


def _every_haystack(suite: SuiteFile) -> tuple[str, ...]:
    """The suite's haystacks, then those that are for single needle sets."""
    of_some = (exception.haystack for exception in suite.exceptions.values() if exception.haystack)
    return tuple(dict.fromkeys((*suite.haystacks, *of_some)))


def _reserve(path: Path, suite: SuiteFile) -> int:
    """Tokens that are kept of each length. Raises ConfigError."""
    if suite.reserve == "template":
        tokens = chat_template_tokens(suite.tokenizer)
        if tokens is None:
            problem = f"counts the chat template of {suite.tokenizer}, and none that can be counted is known."
            remedy = (
                "Write how many tokens it adds, or take the tokenizer of the model: a .gguf, or its folder."
            )
            raise ConfigError(path, "reserve", problem, remedy)
        return tokens
    least = min(suite.lengths, default=suite.reserve + 1)
    if suite.reserve >= least:
        problem = f"keeps {suite.reserve} tokens of a length of {least}."
        raise ConfigError(path, "reserve", problem, "Write fewer.")
    return suite.reserve


def _check_grid(path: Path, suite: SuiteFile) -> None:
    """All of a grid or, where there are question sets, none of it."""
    written = suite.model_fields_set
    if suite.questions and not suite.needle_sets:
        for key in sorted(written - _OF_BOTH):
            raise ConfigError(path, key, "says something of needle sets, and there are none.", "Take it out.")
        return
    for key in _GRID:
        if key not in written:
            remedy = (
                "Add it." if key in ("lengths", "depths") else "Add it, or questions in place of the grid."
            )
            raise ConfigError(path, key, "is missing.", remedy)


def _question_files(path: Path, suite: SuiteFile) -> tuple[Path, ...]:
    files: dict[str, Path] = {}
    for position, name in enumerate(suite.questions):
        key = f"questions.{position}"
        try:
            file = question_set_path(name)
        except UnknownName as error:
            if command := command_to_import(name):
                problem = f"the question set {name!r} is not imported yet."
                raise ConfigError(path, key, problem, f"From your own copy: {command}") from None
            raise ConfigError(path, key, error.message, error.remedy) from None
        other = files.setdefault(id_part(file.stem), file)
        if other != file:
            problem = f"{str(file)!r} and {str(other)!r} are both {id_part(file.stem)!r} in sample ids."
            raise ConfigError(path, key, problem, "Rename one of them.")
    return tuple(files.values())


def _check_names(path: Path, suite: SuiteFile) -> None:
    only_entries = bool(suite.haystacks) and all(map(is_entries, suite.haystacks))
    for position, name in enumerate(suite.needle_sets):
        try:
            _check_needle_set(name, suite)
            if only_entries:
                check_has_entries(name)
        except (UnknownName, NeedleError) as error:
            raise ConfigError(path, f"needle_sets.{position}", error.message, error.remedy) from None
    _check_length_bounds(path, suite)
    _check_exceptions(path, suite)
    try:
        check_tokenizer(suite.tokenizer)
    except UserError as error:
        raise ConfigError(path, "tokenizer", error.message, error.remedy) from None
    if suite.prompt and Path(suite.prompt).is_dir():
        problem = f"{suite.prompt} is a folder, not a prompt template."
        raise ConfigError(path, "prompt", problem, "Name a file in it.")
    if not Path(suite.prompt).is_file():
        _check_known(path, "prompt", "prompt template", suite.prompt, prompt_names())


def _check_needle_set(name: str, suite: SuiteFile) -> None:
    """Raise what the first seed makes of a needle set, unless another makes one that can be asked for."""
    try:
        load_needle_set(name, suite.seeds[0])
    except (ConfigError, NeedleError):
        if suite.skip == "nothing" or not any(_can_be_drawn(name, seed) for seed in suite.seeds[1:]):
            raise


def _can_be_drawn(name: str, seed: int) -> bool:
    try:
        load_needle_set(name, seed)
    except (ConfigError, NeedleError):
        return False
    return True


def _check_length_bounds(path: Path, suite: SuiteFile) -> None:
    """``shortest`` and ``longest`` are of needle sets of the suite, and leave each a length."""
    for key, bounds in (("shortest", suite.shortest), ("longest", suite.longest)):
        for name, bound in bounds.items():
            _check_known(path, f"{key}.{name}", "needle set of this suite", name, list(suite.needle_sets))
            if not any(_within_bounds(suite, name, length) for length in suite.lengths):
                where = "above" if key == "shortest" else "below"
                other = suite.longest if key == "shortest" else suite.shortest
                problem = f"leaves no length: {bound} is {where} them all."
                if name in other:
                    problem = f"leaves no length between {bound} and {other[name]}."
                raise ConfigError(
                    path, f"{key}.{name}", problem, "Raise it." if key == "longest" else "Lower it."
                )


def _within_bounds(suite: SuiteFile, needle_set: str, length: int) -> bool:
    """Whether ``shortest`` and ``longest`` leave the needle set that length."""
    return suite.shortest.get(needle_set, length) <= length <= suite.longest.get(needle_set, length)


def _go_together(suite: SuiteFile, haystack: str, needle_set: str) -> bool:
    """Beside other haystacks, `entries` is for needle sets that have some, and the others for the rest.

    A needle set that is an exception is in its own haystack alone.
    """
    exception = suite.exceptions.get(needle_set)
    if exception and exception.haystack:
        return haystack == exception.haystack
    if haystack not in suite.haystacks:
        return False
    if len(set(suite.haystacks)) == 1 or not any(map(is_entries, suite.haystacks)):
        return True
    return is_entries(haystack) == has_entries(needle_set)


def _check_haystacks(path: Path, suite: SuiteFile) -> None:
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


def _check_exceptions(path: Path, suite: SuiteFile) -> None:
    """Exceptions are of needle sets of the suite, and their haystacks can be read."""
    for name, exception in suite.exceptions.items():
        _check_known(path, f"exceptions.{name}", "needle set of this suite", name, list(suite.needle_sets))
        if exception.haystack is None:
            continue
        try:
            _check_haystack(exception.haystack)
            if is_entries(exception.haystack):
                check_has_entries(name)
        except (UnknownName, NeedleError) as error:
            where = f"exceptions.{name}.haystack"
            raise ConfigError(path, where, error.message, error.remedy) from None


def _check_structure(path: Path, suite: SuiteFile) -> None:
    """A world's sentences are composed of templates: no structure but its own can be read in it."""
    texts = [name for name in _every_haystack(suite) if not is_entries(name)]
    worlds = [name for name in texts if is_world(haystack_path(name))]
    if suite.structure not in (None, "prose") and worlds:
        problem = f"{suite.structure} cannot be read in {worlds[0]}, whose texts have slots: they are prose."
        raise ConfigError(
            path, "structure", problem, "Take it out, or ask for that haystack in another suite."
        )


def _check_haystack(name: str) -> None:
    """A name that ships, or a path with text whose word in case ids is not the name of other text."""
    if name in haystack_names() or is_entries(name):
        return
    word = id_part(name)
    if is_entries(word) or (
        word in haystack_names() and not haystack_path(name).samefile(haystack_path(word))
    ):
        problem = f"{name!r} would be {word!r} in case ids, a haystack that ships."
        raise HaystackError(problem, "Rename the folder or file.")
    load_documents(name)


def _check_known(path: Path, key: str, kind: str, name: str, known: list[str]) -> None:
    if name not in known:
        raise ConfigError(path, key, f"no {kind} called {name!r}.", did_you_mean(name, known))
