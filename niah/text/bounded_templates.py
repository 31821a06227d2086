"""Jinja2 within bounds: a hostile template ends soon and stays small, or is refused in one line.

Slots, filters, conditions, tests, subscripts, joined texts (``~``) and loops over given lists work. What may
run or grow without end does not: calls, arithmetic, ``set``, macros, blocks, includes. What loops and filters
make on the way is counted.

Imported only where a template is read: Jinja2 takes 50 ms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, wraps
from types import CodeType
from typing import Any

from jinja2 import StrictUndefined, TemplateRuntimeError, TemplateSyntaxError, Undefined, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

LONGEST_TEXT = 4_000_000
"""Characters of a template, and of any text that it makes."""
MOST_LETTERS = 20_000_000
"""Characters of all texts together that are made while a template is filled in."""
MOST_STEPS = 20_000
"""Steps of all loops of a template together."""

_LONGEST_CODE = 400_000
_CODE = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)
_KNOWN = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.CondExpr),
    *(nodes.Name, nodes.Const, nodes.Filter, nodes.Test, nodes.Getattr, nodes.Getitem, nodes.Concat),
    *(nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not),
)
_RAISED = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
"""What a template's own expressions may raise, besides what Jinja2 does: ``{{ town.nothing.more }}``."""


@dataclass
class _Budget:
    """What filling in one template may still take."""

    steps: int = MOST_STEPS
    letters: int = MOST_LETTERS


_budget: ContextVar[_Budget] = ContextVar("budget")


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """An environment whose templates are bounded.

    Args:
        filters: those that templates may use besides ``join``; none may make much more of a text than it was.
        keep_trailing_newline: of a template's source.
    """

    def __init__(self, filters: dict[str, Callable[..., Any]], keep_trailing_newline: bool = False) -> None:
        super().__init__(
            undefined=StrictUndefined,
            autoescape=False,
            finalize=_printed,
            keep_trailing_newline=keep_trailing_newline,
        )
        self.filters = {name: _counted(function) for name, function in filters.items()}
        self.filters |= {"join": _joined, "_steps": _steps}
        self.globals = {}
        self._template = lru_cache(maxsize=1024)(self.from_string)

    @staticmethod
    def concat(parts: Iterable[Any]) -> str:
        """The template's whole text out of its parts."""
        return _joined(parts)

    def render(self, source: str, values: Mapping[str, Any]) -> str:
        """The template filled in. Raises jinja2.TemplateError, also where it goes beyond bounds."""
        _budget.set(_Budget())
        try:
            return self._template(source).render(values)
        except _RAISED as error:
            raise TemplateRuntimeError(str(error) or type(error).__name__) from None

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        if len(source) > LONGEST_TEXT or sum(len(code[0]) for code in _CODE.finditer(source)) > _LONGEST_CODE:
            raise TemplateSyntaxError("is too long", 1)
        try:
            template = super()._parse(source, name, filename)
            for node in template.find_all(nodes.Node):
                if not isinstance(node, _KNOWN) or (isinstance(node, nodes.For) and node.recursive):
                    kind = type(node).__name__.lower().replace("assign", "set")
                    raise TemplateSyntaxError(f"{kind!r} is nothing for a template here", node.lineno or 1)
        except RecursionError:
            raise TemplateSyntaxError("is nested too deep", 1) from None
        except ValueError:  # Python makes no number of more than 4,300 digits out of text
            raise TemplateSyntaxError("has a number of too many digits", 1) from None
        return template

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        return super()._generate(_Bounds().visit(source), name, filename, defer_init)

    def _compile(self, source: str, filename: str) -> CodeType:
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError):
            raise TemplateSyntaxError("is nested too deep", 1) from None


class _Bounds(NodeTransformer):
    """Puts a bound around every loop and every joined text."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 - named for the class, as Jinja2 does
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "_steps", [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, "join", [], [], None, None, lineno=node.lineno)


def _steps(values: Iterable[Any]) -> Iterator[Any]:
    """The values, each counted as a step of a loop."""
    budget = _budget.get()
    for value in values:
        budget.steps -= 1
        if budget.steps < 0:
            raise ValueError(f"its loops go round more than {MOST_STEPS:,} times")
        yield value


def _counted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, its results taken from the budget. What Jinja2 marked it with stays."""

    @wraps(function)
    def counted(*args: Any, **kwargs: Any) -> Any:
        return _spent(function(*args, **kwargs))

    return counted


def _spent(value: Any) -> Any:
    """The value, taken from the budget."""
    if isinstance(value, str | list | tuple):
        budget = _budget.get()
        budget.letters -= len(value) * (1 if isinstance(value, str) else 8)
        if budget.letters < 0:
            raise ValueError(f"makes more than {MOST_LETTERS:,} letters on the way")
    return value


def _printed(value: Any) -> Any:
    """The value as text, if it may be printed."""
    if value is None or isinstance(value, str | int | float | Undefined):
        return value
    if isinstance(value, list | tuple):
        return str(_spent(value))
    raise TypeError(f"a {type(value).__name__} is no text")


def _joined(parts: Iterable[Any], between: str = "") -> str:
    """The parts as one text; stops at the first that makes it too long."""
    texts: list[str] = []
    length = 0
    for part in parts:
        texts.append(str(_printed(part)))
        length += len(texts[-1]) + len(between)
        if length > LONGEST_TEXT + len(between):
            raise ValueError(f"makes a text of more than {LONGEST_TEXT:,} letters")
    text: str = _spent(between.join(texts))
    return text
