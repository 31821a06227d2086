"""What may be wrong with a suite's file, by its keys: each check raises ConfigError."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from niah.cases.case import depth_part, id_part
from niah.cases.prompts import prompt_names
from niah.cases.suite_files.grid import every_haystack, within_bounds
from niah.cases.suite_files.suite_file import SuiteFile
from niah.errors import (
    ConfigError,
    HaystackError,
    NeedleError,
    UnknownName,
    UserError,
    did_you_mean,
    listing_of,
)
from niah.haystacks.documents import haystack_path, is_entries, is_shipped, load_documents
from niah.haystacks.world import is_world
from niah.needles.entries import check_has_entries
from niah.needles.load import load_needle_set
from niah.text.tokenizer import check_tokenizer

_Value = TypeVar("_Value", str, float)

_GRID = ("haystacks", "needle_sets", "lengths", "depths")
"""What a grid of cases must have; a suite without question sets must have one."""

_OF_BOTH = {"description", "questions", "tokenizer", "prompt"}
"""What a suite of question sets alone may have."""


def check_grid(path: Path, suite: SuiteFile) -> None:
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


def check_haystacks(path: Path, suite: SuiteFile) -> None:
    """They can be read, and differ in case ids."""
    for position, name in enumerate(suite.haystacks):
        key = f"haystacks.{position}"
        try:
            check_haystack(name)
        except UnknownName as error:
            raise ConfigError(path, key, error.message, error.remedy) from None
    _check_differ(path, "haystacks", suite.haystacks, id_part, "Rename one of them.")


def check_case_ids(path: Path, suite: SuiteFile) -> None:
    """No two cases have one id: a run file would keep the answers to one of them."""
    _check_differ(path, "needle_sets", suite.needle_sets, id_part, "Rename one of them.")
    _check_differ(path, "depths", suite.depths, depth_part, "Take one out.")


def _check_differ(
    path: Path, key: str, values: Sequence[_Value], part: Callable[[_Value], str], remedy: str
) -> None:
    """Their parts of case ids are not the same."""
    parts: dict[str, _Value] = {}
    for position, value in enumerate(values):
        other = parts.setdefault(part(value), value)
        if other != value:
            problem = f"{value!r} and {other!r} are both {part(value)!r} in case ids."
            raise ConfigError(path, f"{key}.{position}", problem, remedy)


def check_haystack(name: str) -> None:
    """A name that ships, or a path with text whose word in case ids is not the name of other text."""
    if is_shipped(name) or is_entries(name):
        return
    word = id_part(name)
    if is_entries(word) or (is_shipped(word) and not haystack_path(name).samefile(haystack_path(word))):
        problem = f"{name!r} would be {word!r} in case ids, a haystack that ships."
        raise HaystackError(problem, "Rename the folder or file.")
    load_documents(name)


def check_structure(path: Path, suite: SuiteFile) -> None:
    """A world's sentences are composed of templates: no structure but its own can be read in it."""
    if suite.structure in (None, "prose"):
        return
    texts = [name for name in every_haystack(suite) if not is_entries(name)]
    if worlds := [name for name in texts if is_world(haystack_path(name))]:
        problem = f"{suite.structure} cannot be read in {worlds[0]}, whose texts have slots: they are prose."
        raise ConfigError(
            path, "structure", problem, "Take it out, or ask for that haystack in another suite."
        )


def check_named_parts(path: Path, suite: SuiteFile) -> None:
    """Needle sets, tokenizer and prompt are there, and what is said of single needle sets is of its own."""
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
            if not any(within_bounds(suite, name, length) for length in suite.lengths):
                where = "above" if key == "shortest" else "below"
                other = suite.longest if key == "shortest" else suite.shortest
                problem = f"leaves no length: {bound} is {where} them all."
                if name in other:
                    problem = f"leaves no length between {bound} and {other[name]}."
                raise ConfigError(
                    path, f"{key}.{name}", problem, "Raise it." if key == "longest" else "Lower it."
                )


def _check_exceptions(path: Path, suite: SuiteFile) -> None:
    """Exceptions are of needle sets of the suite, and their haystacks can be read."""
    for name, exception in suite.exceptions.items():
        _check_known(path, f"exceptions.{name}", "needle set of this suite", name, list(suite.needle_sets))
        if exception.haystack is None:
            continue
        try:
            check_haystack(exception.haystack)
            if is_entries(exception.haystack):
                check_has_entries(name)
        except (UnknownName, NeedleError) as error:
            where = f"exceptions.{name}.haystack"
            raise ConfigError(path, where, error.message, error.remedy) from None


def _check_known(path: Path, key: str, kind: str, name: str, known: list[str]) -> None:
    if name not in known:
        remedy = did_you_mean(name, known, listing_of(kind))
        raise ConfigError(path, key, f"no {kind} called {name!r}.", remedy)
