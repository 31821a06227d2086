"""Suites: grids of cases, and question sets, with every name resolved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from niah.cases.case import AccidentRule, Case, check_case_count, id_part
from niah.cases.left_out import SkipRule
from niah.cases.questions.importing import command_to_import
from niah.cases.questions.question_set import QuestionSets, question_set_path
from niah.cases.suite_files.checks import (
    check_case_ids,
    check_grid,
    check_haystack,
    check_haystacks,
    check_named_parts,
    check_structure,
)
from niah.cases.suite_files.grid import cases_of, count_of_cases, within_bounds
from niah.cases.suite_files.reserve import reserved_tokens
from niah.cases.suite_files.suite_file import SuiteFile
from niah.errors import ConfigError, UnknownName, UserError
from niah.files import find, load_yaml, yaml_names
from niah.needles.load import load_needle_set
from niah.paths import places
from niah.text.tokenizer import check_tokenizer


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
    path = _suite_file(name)
    if path.suffix == ".jsonl":
        problem = f"{path} holds questions, and is no suite."
        raise UserError(problem, f"Write a suite of one line, `questions: [{name}]`, and name that.")
    suite = load_yaml(path, SuiteFile)
    check_grid(path, suite)
    keys = frozenset(suite.model_fields_set)
    said = {key: value for key, value in vars(instead).items() if value is not None}
    if instead.tokenizer is not None:
        check_tokenizer(instead.tokenizer)
    if instead.haystack is None:
        check_haystacks(path, suite)
    else:
        with _names_of_the_command_line():
            check_haystack(instead.haystack)
        said["haystacks"] = (said.pop("haystack"),)
        said["exceptions"] = {
            name: exception.model_copy(update={"haystack": None})
            for name, exception in suite.exceptions.items()
        }
    with _names_of_the_command_line():
        for needle_set in instead.needle_sets or ():
            load_needle_set(needle_set, suite.seeds[0])
    suite = _narrowed(path, suite.model_copy(update=said), instead)
    check_structure(path, suite)
    check_case_ids(path, suite)
    if not is_sound:
        check_named_parts(path, suite)
    check_case_count(path, "", count_of_cases(suite))
    suite = suite.model_copy(update={"reserve": reserved_tokens(path, suite)})
    questions = QuestionSets(_question_files(path, suite), suite.tokenizer, suite.prompt)
    return Suite(tuple(cases_of(suite)), questions, suite.skip, keys)


def _suite_file(name: str) -> Path:
    """The suite's. Raises UserError, which says what to do where the name is a question set's."""
    try:
        return find("suite", name, suite_folders())
    except UnknownName:
        try:
            question_set_path(name)
        except UserError:
            pass
        else:
            remedy = f"Write a suite of one line, `questions: {name}`, as cases/{name}.yaml, and name that."
            raise UserError(f"{name} is a question set, and no suite.", remedy) from None
        raise


@contextmanager
def _names_of_the_command_line() -> Iterator[None]:
    """A name there that stands for nothing is no mistake of the suite's."""
    try:
        yield
    except UnknownName as error:
        raise UserError(error.message, error.remedy) from None


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
        if any(within_bounds(suite, name, length) for length in suite.lengths)
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
