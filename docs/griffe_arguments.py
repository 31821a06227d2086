"""What the page Python cannot read off the source: keywords of a mapping's type, and names said together.

Our docstrings say several arguments in one line ("scope, order: of the strategy"), and ``niah.run`` takes its
keywords as a TypedDict. The page has a row for each, with its type and default.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import griffe

from niah.plugins.registry import load_reference

_SECTION = re.compile(r"(?:Args|Attributes):")
_TOGETHER = re.compile(r"(    )(\w+(?:, \w+)+)(: .*)")


class SeparateArguments(griffe.Extension):
    """Each argument and attribute for itself."""

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **_: Any) -> None:
        """Go through everything of the package that has a docstring."""
        for each in _objects(pkg):
            if isinstance(each, griffe.Function):
                _spell_out(each, loader)
            if each.docstring:
                each.docstring.value = one_by_one(each.docstring.value)


def one_by_one(docstring: str) -> str:
    """The docstring with a line, and what follows it, for each name of those that are said together."""
    lines: list[str] = []
    inside = False
    entry: list[str] = []
    for line in [*docstring.splitlines(), ""]:
        if entry and line.startswith("        "):
            entry.append(line)
            continue
        if entry:
            lines += _entries(entry)
            entry = []
        inside = bool(_SECTION.fullmatch(line)) or (inside and (line.startswith("    ") or not line))
        if inside and _TOGETHER.fullmatch(line):
            entry = [line]
        else:
            lines.append(line)
    return "\n".join(lines[:-1])


def _entries(entry: list[str]) -> Iterator[str]:
    found = _TOGETHER.fullmatch(entry[0])
    assert found
    for name in found[2].split(", "):
        yield from (f"{found[1]}{name}{found[3]}", *entry[1:])


def _objects(inside: griffe.Object) -> Iterator[griffe.Object]:
    yield inside
    for member in inside.members.values():
        if isinstance(member, griffe.Object):
            yield from _objects(member)


def _spell_out(function: griffe.Function, loader: griffe.GriffeLoader) -> None:
    """Put the keys of ``**arguments: Unpack[KEYS]`` in its place, with the defaults that Python shows."""
    last = next(reversed(list(function.parameters)), None)
    if last is None or last.kind is not griffe.ParameterKind.var_keyword:
        return
    if not isinstance(unpacked := last.annotation, griffe.ExprSubscript):
        return
    keys = loader.modules_collection[unpacked.slice.canonical_path]
    every = [*reversed(keys.mro()), keys]
    types = {name: key.annotation for each in every for name, key in each.attributes.items()}
    module, _, own = function.path.rpartition(".")
    shown = inspect.signature(load_reference(f"{module}:{own}")).parameters
    del function.parameters[last.name]
    for name, annotation in types.items():
        kind, default = griffe.ParameterKind.keyword_only, repr(shown[name].default)
        function.parameters.add(griffe.Parameter(name, annotation=annotation, kind=kind, default=default))
