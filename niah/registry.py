"""Registries: things of one kind by name, ours and those that installed packages add by entry points.

A package adds to a registry with an entry point of its group, "niah." and the registry's kind. Ours that are
heavy to import are named as MODULE:OBJECT and loaded when they are first asked for. Packages are looked
through only where a name is none of ours, or all names are wanted.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from niah.errors import UnknownName, UserError, did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_Thing = TypeVar("_Thing")

_REGISTRIES = (
    "retrieval.names:RETRIEVERS retrieval.names:RERANKERS strategies.parts:STRATEGIES"
    " strategies.chunkers:CHUNKERS strategies.parts:ORDERS readers.resolve:READERS judges.registry:JUDGES"
    " judges.metrics:METRICS cases.questions.question_set:FORMATS plots.figures:ADDED analysis.tables:ADDED"
)


class Added(NamedTuple):
    """What a package ("niah-extras 0.3") adds, and why it cannot be used, one line; "" if it can."""

    name: str
    package: str
    thing: Any
    problem: str


class Registry(Mapping[str, _Thing]):
    """Things of one kind ("orders") by name: ``own``, as MODULE:OBJECT or themselves, then those of packages.
    ``adapt`` makes one of a name and what was loaded for it, or raises TypeError or ValueError."""

    def __init__(self, kind: str, own: Mapping[str, object], adapt: Callable[[str, object], _Thing]) -> None:
        self.group, self.own, self._adapt = f"niah.{kind}", own, adapt
        self._load: Callable[[str], _Thing] = cache(lambda name: adapt(name, load_reference(own[name])))

    def __getitem__(self, name: str) -> _Thing:
        """The thing of that name. Raises KeyError where there is none that can be used."""
        return self._load(name) if name in self.own else self.added[name]

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in self.added

    def __iter__(self) -> Iterator[str]:
        return iter([*self.own, *self.added])

    def __len__(self) -> int:
        return len(self.own) + len(self.added)

    def find(self, name: str, noun: str) -> _Thing:
        """The thing a user calls so. Raises UnknownName, or UserError where an installed package's fails."""
        if name not in self:
            raise self.failure(name, noun) or UnknownName(noun, name, self)
        return self[name]

    def failure(self, name: str, noun: str) -> UserError | None:
        """The error of a name that an installed package has and that cannot be used; None of any other."""
        for one in self.of_packages:
            if one.name == name and one.problem:
                problem = f"the {noun} {name!r} of {one.package} cannot be used: {one.problem}."
                return UserError(problem, "Mend or remove that package.")
        return None

    def package(self, name: str) -> str:
        """The package that adds a name: "niah-extras 0.3"; "" for ours and unknown names."""
        others = () if name in self.own else self.of_packages
        return next((one.package for one in others if one.name == name and not one.problem), "")

    @cached_property
    def added(self) -> Mapping[str, _Thing]:
        """What installed packages add and can be used, by name."""
        return {one.name: one.thing for one in self.of_packages if not one.problem}

    @cached_property
    def of_packages(self) -> list[Added]:
        """What installed packages add, also what cannot be used."""
        rows: list[Added] = []
        for point in (each for each in _entry_points() if each.group == self.group):
            taken = {*self.own, *(one.name for one in rows if not one.problem)}
            thing, problem = None, "another one has its name" if point.name in taken else ""
            try:
                thing = None if problem else self._adapt(point.name, point.load())
            except (Exception, SystemExit) as error:  # whatever a stranger's module does when it is imported
                problem = error_line(error)
            rows.append(Added(point.name, _package_of(point), thing, problem))
        return rows


def registries() -> Iterator[Registry[Any]]:
    """Every kind of thing that packages can add, each registry imported as it is asked for."""
    return (load_reference(f"niah.{place}") for place in _REGISTRIES.split())


def strange_points() -> Iterator[tuple[str, Added]]:
    """What packages name under groups that are none of ours, each with its group."""
    groups = [registry.group for registry in registries()]
    for point in (each for each in _entry_points() if each.group not in groups):
        problem = f"niah has no such group. {did_you_mean(point.group, groups)}"
        yield point.group, Added(point.name, _package_of(point), None, problem)


def installed_packages() -> dict[str, str]:
    """Versions of the packages that add anything, by name."""
    return {point.dist.name: point.dist.version for point in _entry_points() if point.dist is not None}


@cache
def _entry_points() -> list[EntryPoint]:
    """Those of all our groups; each package's file is read once, since there are hundreds of them."""
    from importlib.metadata import entry_points

    every = entry_points()
    ours = (
        point for group in every.groups if group.startswith("niah.") for point in every.select(group=group)
    )
    return sorted(ours, key=lambda point: (point.group, point.name, _package_of(point)))


def _package_of(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.module


def described(thing: object) -> str:
    """One line about a thing: its ``description``, or the first line of its docstring."""
    return str(getattr(thing, "description", "")) or (inspect.getdoc(thing) or "").partition("\n")[0]


def load_reference(reference: object) -> Any:
    """The object that MODULE:OBJECT names, its module imported; what is no text stays as it is."""
    return resolve_name(reference) if isinstance(reference, str) else reference


def error_line(error: BaseException) -> str:
    """An error in one line: "ValueError: no such thing"."""
    said = ""
    with suppress(Exception):  # a stranger's error may not know what to say
        said = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


@contextmanager
def naming_package(thing: str) -> Iterator[None]:
    """Raise UserError in place of what a package's code raises when it makes a ``thing`` ("reader x/y")."""
    try:
        yield
    except UserError:
        raise
    except (Exception, SystemExit) as error:  # whatever a stranger's constructor does
        problem = f"the {thing} cannot be made: {error_line(error)}."
        raise UserError(problem, "Mend the package that has it.") from error


def require(module: str, asker: str, *, extra: str, instead: str) -> None:
    """Raise UserError where a library, which the ``extra`` of niah's brings, is not installed. ``asker`` is
    what needs it, as the user wrote it; ``instead`` is what does without, after "or"."""
    if find_spec(module) is None:
        problem = f"{asker} needs {module}, which is not installed."
        how = f"Install niah with its extra {extra} (pip install '.[{extra}]' in its source), or {instead}."
        raise UserError(problem, how)
