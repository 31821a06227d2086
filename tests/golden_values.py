"""The part ``values`` of the golden file: what functions of all packages make of fixed inputs.

A key is a function's name; its value a digest of all outputs, their number, and the first in plain form. The
table is tests/data/values.yaml: a function and the values of each argument, of which all combinations are
taken.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from pydantic import BaseModel

from niah.errors import NiahError
from niah.registry import load_reference

DATA = Path(__file__).parent / "data"


def values(folder: Path) -> dict[str, Any]:
    """By function the digest of all its outputs, their number, and the first ones."""
    made: dict[str, Any] = {}
    with contextlib.chdir(folder):
        table = yaml.load((DATA / "values.yaml").read_text(encoding="utf-8"), Loader=_Loader)
        inputs: dict[str, list[Any]] = {}
        for name, (maker, *axes) in table.get("inputs", {}).items():
            inputs[name] = [_function(maker)(*each) for each in _calls(axes, inputs)]
        for name, axes in table["rows"].items():
            function = _function(name)
            outputs = [
                json.dumps(_outcome(function, each), ensure_ascii=False) for each in _calls(axes, inputs)
            ]
            digest = hashlib.sha256("\n".join(outputs).encode("utf-8", "replace")).hexdigest()[:16]
            made[name] = [digest, len(outputs), *(each[:160] for each in outputs[:3])]
    return made


class _Loader(yaml.SafeLoader):
    """Lists are tuples, and ``!MODULE:CLASS`` makes an object of niah's of what is behind it."""


def _tuple(loader: _Loader, node: yaml.SequenceNode) -> tuple[Any, ...]:
    return tuple(loader.construct_sequence(node, deep=True))


def _object(loader: _Loader, name: str, node: yaml.Node) -> Any:
    make = _function(name)
    if isinstance(node, yaml.MappingNode):
        return make(**{str(key): each for key, each in loader.construct_mapping(node, deep=True).items()})
    return make(*_tuple(loader, node)) if isinstance(node, yaml.SequenceNode) else make(str(node.value))


_Loader.add_constructor("tag:yaml.org,2002:seq", _tuple)
_Loader.add_multi_constructor("!", _object)


def _function(name: str) -> Callable[..., Any]:
    """What "MODULE:NAME.METHOD option=value" calls; a name alone is a function of this module."""
    path, *options = name.split(" ")
    found = load_reference(f"niah.{path}") if ":" in path else globals()[path]
    called: Callable[..., Any] = getattr(found, "func", None) or getattr(found, "fget", None) or found
    return partial(
        called, **{key: yaml.safe_load(value) for key, value in (each.split("=") for each in options)}
    )


def _calls(axes: Iterable[Any], inputs: Mapping[str, list[Any]]) -> Iterator[tuple[Any, ...]]:
    """All combinations of the arguments: "$name" is an input, "*name" one of several arguments each."""
    columns = [
        [tuple(each) for each in inputs[axis[1:]]]
        if isinstance(axis, str) and axis[0] == "*"
        else [(each,) for each in (inputs[axis[1:]] if isinstance(axis, str) else axis)]
        for axis in axes
    ]
    return (tuple(each for part in parts for each in part) for parts in product(*columns))


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What a call comes to, also where that is an error."""
    try:
        return plain(function(*arguments))
    except Exception as error:
        said = isinstance(error, NiahError) or type(error).__module__.startswith("niah")
        return f"{type(error).__name__}: {error if said else ''}"


def plain(value: Any) -> Any:
    """A value as JSON has it, the same on every machine: floats of nine digits, sets sorted."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return str(value)
        case float() | np.floating():
            return float(f"{value:.9g}") + 0.0 if np.isfinite(value) else str(value)
        case np.generic() | np.ndarray() | pd.Series() | pd.Index():
            return plain(value.tolist())
        case pd.DataFrame():
            return plain([list(value.columns), [list(row) for row in value.astype(object).to_numpy()]])
        case Mapping():
            return [[plain(key), plain(each)] for key, each in value.items()]
        case set() | frozenset():
            return sorted(map(plain, value), key=json.dumps)
        case BaseModel():
            return plain(value.model_dump())
        case bytes():
            return value.decode(errors="replace")
        case Decimal() | date() | Path():
            return str(value)
    if is_dataclass(value):
        return [type(value).__name__, *(plain(getattr(value, each.name)) for each in fields(value))]
    return [plain(each) for each in value] if isinstance(value, Iterable) else type(value).__name__
