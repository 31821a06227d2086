"""What is wrong in a file of YAML or JSON, in YAML's words: list, mapping, text, whole number."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from pydantic import BaseModel

from niah.errors import did_you_mean

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_DEEPEST = 50
_HEAVIEST = 32_000_000  # characters, once aliases are unfolded; a value counts 40 besides its own
_LONGEST = 60

_MAPPING = "a mapping of keys to values"
_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "model_type": _MAPPING,
    "dict_type": _MAPPING,
    "tuple_type": "a list",
    "list_type": "a list",
    "greater_than_equal": "at least {ge:,}",
    "greater_than": "more than {gt:,}",
    "less_than_equal": "at most {le:,}",
    "less_than": "less than {lt:,}",
    "literal_error": "{expected}",
    "string_too_short": "text that is not empty",
    "too_short": "a list of {min_length} or more",
    "too_long": "a list of {max_length} or fewer",
}
"""By pydantic's name of an error: what should be there."""


class Mistake(NamedTuple):
    """What is wrong at a dotted key ("" is the whole file), as a sentence, and what to do."""

    key: str
    problem: str
    remedy: str = ""


def first_mistake(model: type[BaseModel], data: object, errors: Sequence[ErrorDetails]) -> Mistake:
    """The first thing to mend of pydantic's ``errors`` about ``data``, as JSON has it."""
    # A misspelt key is also a missing one; the misspelling is the cause.
    error = min(errors, key=lambda one: one["type"] != "extra_forbidden")
    loc, value = error["loc"], error["input"]
    key = _written(loc, data)
    if error["type"] == "extra_forbidden":
        return Mistake(key, "unknown key.", did_you_mean(str(loc[-1]), file_keys(_model_at(model, loc[:-1]))))
    if error["type"] == "missing":
        return Mistake(f"{key}.{loc[-1]}".removeprefix("."), "is missing.", "Add it.")
    if error["type"] == "value_error":
        return Mistake(key, str(error["ctx"]["error"]))
    # pydantic names each alternative of a place behind the place.
    here = [one for one in errors if _written(one["loc"], data) == key]
    expected = " or ".join(dict.fromkeys(filter(None, map(_expectation, here))))
    given = str(len(value)) if error["type"].startswith("too_") else as_yaml(value)
    if not expected:
        return Mistake(key, f"{error['msg'][0].lower()}{error['msg'][1:]} (given: {given}).")
    remedy = f"Keys: {', '.join(file_keys(_model_at(model, loc)))}." if error["type"] == "model_type" else ""
    if value is None:
        return Mistake(key, f"has no value; it should be {expected}.", remedy)
    return Mistake(key, f"should be {expected} (given: {given}).", remedy)


def _expectation(error: ErrorDetails) -> str:
    limits = {
        name: int(limit) if isinstance(limit, float) and limit.is_integer() else limit
        for name, limit in error.get("ctx", {}).items()
    }
    return _EXPECTED.get(error["type"], "").format(**limits).replace("'", "")


def unfit_value(data: object) -> Mistake | None:
    """What YAML can hold, and no file of niah's does: endless numbers and lists, bytes, sets, alias bombs."""
    weight = 0
    waiting: list[tuple[str, object, int]] = [("", data, 0)]
    while waiting:
        key, value, depth = waiting.pop()
        weight += 40 + (len(value) if isinstance(value, str) else 0)
        if weight > _HEAVIEST:
            problem = "holds too much, once its aliases (*) are unfolded."
            return Mistake(key.partition(".")[0], problem, "Take aliases out.")
        if depth > _DEEPEST:
            problem = f"is nested more than {_DEEPEST} deep."
            return Mistake(key.partition(".")[0], problem, "Write it flatter.")
        if isinstance(value, dict | list):
            parts = value.items() if isinstance(value, dict) else enumerate(value)
            inside = ((f"{key}.{_plain(part)}".removeprefix("."), each, depth + 1) for part, each in parts)
            waiting.extend(reversed(list(inside)))
        elif isinstance(value, float) and not isfinite(value):
            return Mistake(key, f"should be a number such as 50, and is {as_yaml(value)}.")
        elif isinstance(value, int) and abs(value) >= 2**63:
            return Mistake(key, "is a number too large.")
        elif isinstance(value, bytes | set):
            kind = "binary" if isinstance(value, bytes) else "a set"
            return Mistake(key, f"is {kind}; it should be text or a list.")
        elif callable(value):
            return Mistake(key, "is a function.", "Write its name, as MODULE:FUNCTION or ./FILE.py:FUNCTION.")
    return None


def file_keys(model: type[BaseModel]) -> list[str]:
    """The keys that a file may use, as people write them."""
    return [field.alias or name for name, field in model.model_fields.items()]


def as_yaml(value: object) -> str:
    """A value as YAML has it, for a message: 'lc', 3, true, a list."""
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else str(value).lower()
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a mapping"
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:_LONGEST]!r}..."
    return repr(value)


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 trial", "1,200 trials"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _plain(part: object) -> str:
    """A key on one line."""
    return " ".join(str(part).split())


def _written(at: Sequence[int | str], data: object) -> str:
    """The parts of a location that are in the file, dotted: pydantic adds the names of alternatives."""
    parts = []
    for part in at:
        inner: Any = dict(enumerate(data)) if isinstance(data, list) else data
        if isinstance(inner, dict) and part in inner:
            data = inner[part]
            parts.append(_plain(part))
    return ".".join(parts)


def _model_at(model: type[BaseModel], loc: Sequence[int | str]) -> type[BaseModel]:
    """Follow an error's location down to the innermost model."""
    for part in loc:
        if field := model.model_fields.get(str(part)):
            model = _model_in(field.annotation) or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation if issubclass(annotation, BaseModel) else None
    return next((found for inner in get_args(annotation) if (found := _model_in(inner))), None)
