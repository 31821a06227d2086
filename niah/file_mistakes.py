"""What is wrong in a YAML file, in the words of YAML: list, mapping, text, whole number."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from niah.errors import did_you_mean

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_DEEPEST = 50
"""So deep lists and mappings may stand in each other."""

_HEAVIEST = 32_000_000
_VALUE_WEIGHT = 40
"""What a value weighs beside its letters: more than a short one takes of a file."""

_LONGEST = 60
"""So many letters of a wrong text are told back."""

_MAPPING = "a mapping of keys to values"
_NUMBER, _WHOLE = "a number", "a whole number"
_EXPECTED = {
    "string_type": "text",
    "int_type": _WHOLE,
    "float_type": _NUMBER,
    "bool_type": "true or false",
    "model_type": _MAPPING,
    "dict_type": _MAPPING,
    "tuple_type": "a list",
    "list_type": "a list",
    "greater_than_equal": "at least {ge:,}",
    "greater_than": "more than {gt:,}",
    "less_than_equal": "at most {le:,}",
    "less_than": "less than {lt:,}",
}
"""By pydantic's name of an error: what should stand there."""

_TYPES = frozenset(name for name, form in _EXPECTED.items() if "{" not in form)


@dataclass(frozen=True)
class Mistake:
    """One mistake.

    Attributes:
        key: dotted, where it is; "" is the whole file.
        problem: what is wrong, as a sentence.
        remedy: what to do, or "".
    """

    key: str
    problem: str
    remedy: str = ""


def first_mistake(model: type[BaseModel], data: object, errors: Sequence[ErrorDetails]) -> Mistake:
    """The first thing to mend of what pydantic complains of.

    Args:
        model: what the file should be.
        data: what it holds, as JSON has it.
        errors: of pydantic, at least one.
    """
    # A misspelt key is also a missing one; the misspelling is the cause.
    error = min(errors, key=lambda one: one["type"] != "extra_forbidden")
    written, last = list(_written(error["loc"], data)), error["loc"][-1] if error["loc"] else ""
    key = ".".join(written)
    if len(written) < len(error["loc"]) and (alternatives := _alternatives(error, errors)):
        return Mistake(key, f"should be {alternatives}{_given(error['input'])}.")
    match error["type"]:
        case "extra_forbidden":
            parent = _model_at(model, error["loc"][:-1])
            return Mistake(key, "unknown key.", did_you_mean(str(last), file_keys(parent)))
        case "missing" if isinstance(last, int):  # of a list of so many
            return Mistake(key, f"has {_entries(last)}, which is too few.", "Add what is missing.")
        case "missing":
            return Mistake(f"{key}.{last}".removeprefix("."), "is missing.", "Add it.")
        case "value_error":
            return Mistake(key, str(error["ctx"]["error"]))
        case "string_too_short":
            return Mistake(key, "is empty.", "Write something.")
        case "too_short":
            least, number = error["ctx"]["min_length"], error["ctx"]["actual_length"]
            has = f"has {number}" if number else "is empty"
            return Mistake(key, f"should be a list of at least {_entries(least)}, and {has}.")
        case "too_long":
            most, number = error["ctx"]["max_length"], error["ctx"]["actual_length"]
            return Mistake(key, f"should be a list of {_entries(most)}, and has {number}.")
        case "literal_error":
            return _no_choice(key, error)
    return _no_such_type(key, _model_at(model, error["loc"]), error)


def unfit_values(
    data: object, key: str = "", above: tuple[int, ...] = (), sizes: dict[int, _Size] | None = None
) -> Iterator[Mistake]:
    """What YAML can hold, and no file of niah's does: endless numbers and lists, bytes, sets, alias bombs.

    A list or mapping that aliases put in many places is looked at once, and weighed in each.

    Args:
        data: what the file holds.
        key: where.
        above: what ``data`` stands in.
        sizes: of the lists and mappings that were looked at, by id.
    """
    sizes = {} if sizes is None else sizes
    if id(data) in above:
        yield Mistake(key, "holds itself.", "Take the alias (*) out.")
    elif len(above) > _DEEPEST:
        yield _nested_too_deep(key)
    elif isinstance(data, dict | list):
        if id(data) in sizes:
            if len(above) + sizes[id(data)].height > _DEEPEST + 1:
                yield _nested_too_deep(key)
            return
        inside = (*above, id(data))
        parts = data.items() if isinstance(data, dict) else enumerate(data)
        for part, value in parts:
            # Most values are fit, and need no name.
            if isinstance(value, dict | list) or len(inside) > _DEEPEST or _unfit(value):
                where = f"{key}.{_plain(part)}".removeprefix(".")
                yield from unfit_values(value, where, inside, sizes)
        sizes[id(data)] = size = _size(data, sizes)
        if size.weight > _HEAVIEST:
            yield Mistake(key, "holds too much, once its aliases (*) are unfolded.", "Take aliases out.")
    elif problem := _unfit(data):
        yield Mistake(key, problem)


def _nested_too_deep(key: str) -> Mistake:
    return Mistake(key.partition(".")[0], f"is nested more than {_DEEPEST} deep.", "Write it flatter.")


@dataclass(frozen=True)
class _Size:
    """How large a list or mapping is with its aliases unfolded: letters, and how deep it nests."""

    weight: int
    height: int


def _size(data: dict[Any, Any] | list[Any], sizes: Mapping[int, _Size]) -> _Size:
    values = [*data.keys(), *data.values()] if isinstance(data, dict) else data
    inner = [sizes[id(value)] for value in values if id(value) in sizes]
    letters = sum(len(value) for value in values if isinstance(value, str))
    weight = _VALUE_WEIGHT * len(values) + letters + sum(one.weight for one in inner)
    return _Size(weight, 1 + max((one.height for one in inner), default=min(len(values), 1)))


def file_keys(model: type[BaseModel]) -> list[str]:
    """The keys that a file may use, as people write them."""
    return [field.alias or name for name, field in model.model_fields.items()]


def as_yaml(value: object) -> str:
    """A value as YAML has it, for a message: 'lc', 3, true, a list."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str() if len(value) > _LONGEST:
            return f"{value[:_LONGEST]!r}..."
        case list():
            return "a list"
        case dict():
            return "a mapping"
    return repr(value)


def _alternatives(error: ErrorDetails, errors: Sequence[ErrorDetails]) -> str:
    """What may stand there: one of some types, or one of some words; "" unless both may."""
    if error["type"] not in (*_TYPES, "literal_error"):
        return ""
    # pydantic names each alternative behind the place.
    beside = [one for one in errors if one["loc"][:-1] == error["loc"][:-1]]
    words = [one["ctx"]["expected"].replace("'", "") for one in beside if one["type"] == "literal_error"]
    types = [_EXPECTED[one["type"]] for one in beside if one["type"] in _TYPES]
    return " or ".join([*dict.fromkeys(types), *words]) if words and types else ""


def _no_choice(key: str, error: ErrorDetails) -> Mistake:
    choices = re.findall(r"'([^']*)'", error["ctx"]["expected"])
    near = did_you_mean(str(error["input"]), choices)
    alternatives = " or ".join(filter(None, [", ".join(choices[:-1]), choices[-1]]))
    problem = f"should be {alternatives}{_given(error['input'])}."
    return Mistake(key, problem, near if near.startswith("Did") else "")


def _no_such_type(key: str, model: type[BaseModel], error: ErrorDetails) -> Mistake:
    value, form = error["input"], _EXPECTED.get(error["type"])
    if form is None:
        return Mistake(key, f"{error['msg'][0].lower()}{error['msg'][1:]}{_given(value)}.")
    expected = form.format(**{name: _whole(limit) for name, limit in error.get("ctx", {}).items()})
    if error["type"] == "model_type":
        remedy = f"Keys: {', '.join(file_keys(model))}."
    else:
        remedy = _remedy(expected, value)
    if value is None:
        return Mistake(key, f"has no value; it should be {expected}.", remedy)
    return Mistake(key, f"should be {expected}{_given(value)}.", remedy)


def _remedy(expected: str, value: object) -> str:
    """How what is there becomes what should be there, where that is plain."""
    if expected in (_NUMBER, _WHOLE) and isinstance(value, str | float):
        number = _number(value)
        if number is not None and (expected == _NUMBER or number.is_integer()):
            return f"Write {_whole(number)}{', without quotes' if isinstance(value, str) else ''}."
    elif expected == "text" and isinstance(value, bool | int | float):
        return "Put it in quotes."
    elif expected == "a list" and isinstance(value, bool | int | float | str):
        return "Put it in [ ]."
    elif expected == "a list" and isinstance(value, dict):
        return "Begin each entry with a dash."
    return ""


def _number(value: str | float) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _whole(limit: Any) -> Any:
    """0.0 as 0; everything else as it is."""
    return int(limit) if isinstance(limit, float) and limit.is_integer() else limit


def _odd(value: float) -> str:
    return "no number (.nan)" if isnan(value) else "infinite"


def _unfit(value: object) -> str:
    """What is wrong with a value by itself; "" for nothing."""
    if isinstance(value, float) and not isfinite(value):
        return f"should be a number such as 50, and is {_odd(value)}."
    if isinstance(value, int) and abs(value) >= 2**63:
        return "is a number too large."
    if isinstance(value, bytes | set):
        return f"is {'binary' if isinstance(value, bytes) else 'a set'}; it should be text or a list."
    if callable(value):
        return "is a function. Write its name, as MODULE:FUNCTION or ./FILE.py:FUNCTION."
    return ""


def _given(value: object) -> str:
    return f" (given: {as_yaml(value)})"


def _entries(number: int) -> str:
    return f"{number} entr{'y' if number == 1 else 'ies'}"


def _plain(part: object) -> str:
    """A key on one line."""
    return " ".join(str(part).split())


def _written(at: Sequence[int | str], data: object) -> Iterator[str]:
    """The parts of a location that stand in the file: pydantic adds the names of alternatives."""
    for part in at:
        inner: Any = dict(enumerate(data)) if isinstance(data, list) else data
        if isinstance(inner, dict) and part in inner:
            data = inner[part]
            yield _plain(part)


def _model_at(model: type[BaseModel], loc: Sequence[int | str]) -> type[BaseModel]:
    """Follow an error's location down to the innermost model."""
    here = model
    for part in loc:
        field = here.model_fields.get(str(part))
        here = (_model_in(field.annotation) if field else None) or here
    return here


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return annotation if issubclass(annotation, BaseModel) else None
    if get_origin(annotation) in (Union, types.UnionType, list, tuple, dict, Annotated):
        return next((found for inner in get_args(annotation) if (found := _model_in(inner))), None)
    return None


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 trial", "1,200 trials"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
