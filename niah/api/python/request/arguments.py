"""The arguments of ``niah.run`` and ``niah.plan``, checked: a mistake is one line that names the argument."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar, cast, get_args

from niah.api.python.argument_kinds import PATH, WHOLE
from niah.cases.case import AccidentRule, depth_part, length_of
from niah.cases.left_out import SkipRule
from niah.cases.suite import InsteadOfSuite
from niah.errors import UnknownName, UserError
from niah.readers.reader import FailureOutcome
from niah.runs.trial import Outcome

ReaderSpec = str | Mapping[str, Any]
"""A model's name, or a mapping with the keys that a reader has in a run config."""

StrategySpec = str | Mapping[str, Any]
"""A strategy's name, or a mapping with the keys that the user's own has in a run config."""


class PlanArguments(TypedDict, total=False):
    """What ``niah.plan`` takes beside a config: see ``niah.run``."""

    readers: Sequence[ReaderSpec] | ReaderSpec | None
    strategies: Sequence[StrategySpec] | StrategySpec | None
    judge: ReaderSpec | None
    repeats: int | None
    seeds: Mapping[str, Any] | Sequence[int] | None
    reader_options: Mapping[str, Any] | None
    haystack: str | None
    needle_sets: Sequence[str] | str | None
    needle: Sequence[str] | str | None
    question: str | None
    expect: Sequence[str] | str | None
    lengths: Sequence[int | str] | int | str | None
    depths: Sequence[float] | float | None
    metrics: Sequence[str] | str | None
    skip: SkipRule | None
    accidents: AccidentRule | None
    reserve: int | Literal["template"] | None
    concurrency: int | None
    wait: str | float | None
    timeout: str | float | None
    attempts: int | None
    date: date | None
    shard: str | None
    out: str | Path | None
    budget: str | None
    reuse: bool


class RunArguments(PlanArguments, total=False):
    """What ``niah.run`` takes beside a config."""

    limit: int | None
    retry: Collection[Outcome] | Outcome
    progress: bool


_Function = TypeVar("_Function", bound=Callable[..., Any])
_DEFAULTS: Mapping[str, Any] = {"retry": (), "progress": True, "reuse": False}


def shows_arguments(of: type[PlanArguments]) -> Callable[[_Function], _Function]:
    """Have ``help()`` and notebooks show each keyword of a function that takes those of a mapping's type."""

    def with_signature(function: _Function) -> _Function:
        own = list(signature(function).parameters.values())[:-1]
        keywords = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name))
            for name in of.__annotations__
        ]
        vars(function)["__signature__"] = Signature([*own, *keywords])
        return function

    return with_signature


def check_names(arguments: Mapping[str, object], of: type[PlanArguments]) -> None:
    """Raise UnknownName for an argument that there is not."""
    known = list(of.__annotations__)
    for name in arguments:
        if name not in known:
            raise UnknownName("argument", name, known)


def as_plain(value: Any) -> Any:
    """A value of Python or NumPy as YAML has it: ranges, iterators, arrays as lists, paths as text."""
    if callable(listed := getattr(value, "tolist", None)):
        return listed()  # of NumPy and pandas: arrays, and their single numbers
    if isinstance(value, Mapping):
        return {key: as_plain(each) for key, each in value.items()}
    if isinstance(value, range | tuple | list | Iterator):
        return [as_plain(each) for each in value]
    return str(value) if isinstance(value, Path) else value


def check_plain(argument: str, value: object) -> None:
    """Raise UserError for a value that holds what no YAML file could say."""
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        for each in value:
            check_plain(argument, each)
    elif not (
        value is None
        or callable(value)
        or isinstance(value, bytes | int | float | date)
        or (isinstance(value, str) and _is_text(value))
    ):
        raise UserError(f"the argument {argument} is {value!r}.", "Write it as in a run config.")


def _is_text(value: str) -> bool:
    """Whether a file could hold it: halves of characters it cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def check_count(argument: str, number: object) -> None:
    """Raise UserError for what is neither None nor a whole number above 0 that a run file can hold."""
    if number is None or (WHOLE.fits(number) and 0 < int(cast(int, number)) < 2**63):
        return
    raise UserError(f"the argument {argument} is {number!r}.", "Write a whole number, at least 1.")


def outcomes_to_retry(retry: Collection[str] | str) -> frozenset[Outcome]:
    """Outcomes to try again. Raises UnknownName."""
    names = [retry] if isinstance(retry, str) else list(retry)
    known: tuple[Outcome, ...] = get_args(FailureOutcome)
    for name in names:
        if name not in known:
            raise UnknownName("outcome to retry", str(name), known)
    return frozenset(outcome for outcome in known if outcome in names)


def given_arguments(**arguments: Any) -> dict[str, Any]:
    """What was said, lists as YAML has them; one name alone is a list of one."""
    said = {key: value for key, value in arguments.items() if value is not None}
    for key in ("readers", "strategies", "needle_sets", "metrics"):
        if key in said:
            value = said[key]
            named = [value] if isinstance(value, str | Mapping) else value
            said[key] = named  # what is no list is told where the config is checked
    if isinstance(seeds := said.get("seeds"), int | str):
        written = "Write a list, such as [1, 2, 3] or range(1, 9), or a mapping with anchor and rotating."
        raise UserError(f"the argument seeds is {seeds!r}.", written)
    return said


def instead_of_suite(arguments: PlanArguments, needle_sets: Sequence[str] | str | None) -> InsteadOfSuite:
    """What stands in place of a suite's own keys. Raises UserError.

    Args:
        arguments: of the call.
        needle_sets: what is hidden, also where that is the caller's own.
    """
    haystack, reserve = arguments.get("haystack"), arguments.get("reserve")
    for name, rules in (("skip", get_args(SkipRule)), ("accidents", get_args(AccidentRule))):
        said: object = arguments.get(name)
        if not (said is None or (isinstance(said, str) and said in rules)):
            raise UserError(f"the argument {name} is {said!r}.", f"Write {' or '.join(map(repr, rules))}.")
    if not (reserve in (None, "template") or (WHOLE.fits(reserve) and int(reserve) >= 0)):
        raise UserError(f"the argument reserve is {reserve!r}.", 'Write a number of tokens, or "template".')
    names = [needle_sets] if isinstance(needle_sets, str) else needle_sets
    return InsteadOfSuite(
        haystack=None if haystack is None else str(haystack),
        skip=arguments.get("skip"),
        accidents=arguments.get("accidents"),
        reserve=reserve,
        needle_sets=_each("needle_sets", names, PATH.fits, "names of needle sets"),
        lengths=_each(
            "lengths",
            _in_tokens(arguments.get("lengths")),
            _is_length,
            "whole numbers of tokens, at least 16, or such as 4k",
        ),
        depths=_each("depths", arguments.get("depths"), _is_depth, "numbers from 0 to 100", depth_part),
    )


def _in_tokens(lengths: Any) -> Any:
    """Lengths as written, "4k" among them, in tokens; what is none as it is."""
    if isinstance(lengths, str):
        return length_of(lengths) or lengths
    return list(map(_in_tokens, lengths)) if isinstance(lengths, list) else lengths


def _is_length(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 16


def _is_depth(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 100


def _each(
    argument: str,
    value: Any,
    fits: Callable[[object], bool],
    needed: str,
    part: Callable[[Any], object] = lambda one: one,
) -> tuple[Any, ...] | None:
    """The values, each once by its ``part`` of case ids; one alone counts as a list. Raises UserError."""
    if value is None:
        return None
    values = list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else [value]
    if not values or not all(map(fits, values)):
        raise UserError(f"the argument {argument} is {value!r}.", f"Write {needed}.")
    parts = [part(one) for one in values]
    if twice := next((each for place, each in enumerate(parts) if each in parts[:place]), None):
        raise UserError(f"the argument {argument} is {value!r}: {twice} stands twice.", "Take one out.")
    return tuple(values)
